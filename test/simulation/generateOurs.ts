import { type Chance, chance } from './chance.ts'
import type { DeclaredRule, DeclaredWorkspace, Place } from './declared.ts'
import { keyOf } from './declared.ts'
import { settled } from './generate.ts'
import type { Guards, Happening, Life, Row, Spec, Version } from './spec.ts'

const hourMs = 3_600_000
const wide: Guards = { creates: 1_000, raises: 1_000, lowers: 1_000, deletes: 1_000, day: 10_000, hasNoShares: true }
const groups = ['eng-a', 'eng-b', 'eng-c', 'eng-d', 'ops-a', 'ops-b', 'legacy-a']
/** Names that a rename gives to a group. */
const newNames = ['eng-x', 'ops-x', 'fin-x']
const roles = ['guest', 'member', 'member', 'contributor']

/**
 * In some worlds a command runs once in 20 to 30 hours for two weeks, so that mappings become ours by their age, and nothing else happens but that lines come
 * and go, that people edit mappings in Plane, that the policy changes, and that the journal is lost, copied or put back. So the auditor knows which
 * mappings are ours, and what each cycle has to delete.
 */
export function withOurs(spec: Spec): Spec {
  const luck = chance(spec.seed, 'ours')
  if (!luck.is(0.05) || spec.twoWriters || spec.exact === true) return spec
  // No multiple of the pause is near seven days.
  const pauseMs = luck.one([20, 26, 30]) * hourMs
  const runs = luck.between(6, 14)
  const startsMs = Array.from({ length: runs }, (_, index) => luck.between(0, 5_000) + index * pauseMs)
  const endMs = (startsMs.at(-1) as number) + hourMs
  /** A time between two runs. @param first the earliest share of the pause */
  const between = (first = 0.2): number => Math.floor(luck.one(startsMs) + pauseMs * (first + 0.1 * luck.draw()))
  const rules = candidatesOf(luck)
  const declared = versionsOf(rules, startsMs, pauseMs, luck)
  const rows = rowsOf(rules, luck)
  const changes = policiesOf(startsMs, pauseMs, luck)
  const { folder, lives, happenings } = livesOf(startsMs, between, luck)
  const { fences: _fences, refusing: _refusing, ...open } = spec
  return {
    ...open,
    ours: { files: luck.between(1, 3), folder },
    ...{ endMs, intervalMs: pauseMs, policy: changes.first, suspend: false, refusing: undefined, guards: wide },
    journal: luck.is(0.9) ? 'folder' : 'none',
    ...{ serviceLimit: 60, settingsLimit: 60, usedAtBegin: 0, limiter: 'sliding-log' },
    ...{ echo: false, lagMs: undefined, perPage: undefined, recycleEvery: undefined },
    ...{ fates: [], traps: [], patchFate: undefined, deleteFate: undefined, firstList: undefined, lacking: undefined },
    rows: { acme: rows },
    directories: ['corp'],
    groups: { corp: ['it', 'all', ...groups, ...newNames] },
    versions: declared,
    lives,
    happenings: [...changes.happenings, ...happenings, ...handsOf(rules, () => between(0.5), luck)].toSorted((a, b) => a.atMs - b.atMs),
  }
}

type Exact = Extract<DeclaredRule, { group: string }>

function candidatesOf(luck: Chance): readonly Exact[] {
  const all = Array.from(
    { length: 14 },
    (): Exact => ({ group: luck.one(groups), at: luck.one(['workspace', 'ENG', 'ENG', 'OPS']), role: luck.one(roles) }),
  )
  return [...new Map(all.map((rule) => [keyOf(rule), rule])).values()]
}

/** What always stays: no list is ever empty. */
const steady: readonly Exact[] = [
  { group: 'it', at: 'workspace', role: 'admin', allowProtected: true },
  { group: 'all', at: 'OPS', role: 'guest' },
]

/** Some mappings are as declared, some have another role, some are of nobody, and some exist twice. */
function rowsOf(rules: readonly Exact[], luck: Chance): readonly Row[] {
  const declared = luck.some(rules, 0.5).map(({ group, at, role }): Row => ({ group, at, role: luck.is(0.8) ? role : luck.one(roles) }))
  const others = Array.from(
    { length: luck.between(0, 5) },
    (): Row => ({ group: luck.one(groups), at: luck.one(['workspace', 'ENG', 'OPS']), role: luck.one(roles) }),
  )
  const all = [...declared, ...others.filter((row) => !declared.some((one) => keyOf(one) === keyOf(row)))]
  return [...steady.map(({ group, at, role }) => ({ group, at, role })), ...new Map(all.map((row) => [keyOf(row), row])).values()]
}

/** Which of the rules are in the files, and how. */
type Draft = {
  readonly present: readonly Exact[]
  readonly hasPattern: boolean
  readonly isUnmanaged: boolean
  readonly hasProjects: boolean
}

function versionsOf(rules: readonly Exact[], startsMs: readonly number[], pauseMs: number, luck: Chance): readonly Version[] {
  let draft: Draft = { present: luck.some(rules, 0.6), hasPattern: luck.is(0.3), isUnmanaged: luck.is(0.1), hasProjects: true }
  const busy = luck.one([0.03, 0.1, 0.2])
  return startsMs.flatMap((startMs, index): readonly Version[] => {
    if (index > 0 && luck.is(0.3)) return []
    if (index > 0) draft = edited(draft, rules, busy, luck)
    const workspaces = [declaredBy(draft)]
    const version = { declared: { workspaces, comment: `version ${index}` } }
    return [{ ...version, atMs: index === 0 ? 0 : Math.floor(startMs - pauseMs * (0.1 + 0.05 * luck.draw())) }]
  })
}

function edited({ present, hasPattern, isUnmanaged }: Draft, rules: readonly Exact[], busy: number, luck: Chance): Draft {
  const has = (rule: Exact) => present.some((one) => keyOf(one) === keyOf(rule))
  const stay = present.filter(() => !luck.is(busy))
  const come = rules.filter((rule) => !has(rule) && luck.is(busy))
  const kept = stay.map((rule): Exact => {
    const { previously: _done, ...plain } = rule
    if (rule.previously !== undefined) return luck.is(0.7) ? plain : rule
    if (luck.is(busy / 3)) {
      const group = luck.one(newNames)
      // A group that is its own former name is a mistake of the file.
      return group === rule.group ? rule : { ...rule, group, previously: rule.group }
    }
    return luck.is(busy / 3) ? { ...rule, role: luck.one(roles) } : rule
  })
  return {
    present: [...new Map([...kept, ...come].map((rule) => [keyOf(rule), rule])).values()],
    hasPattern: luck.is(0.15) ? !hasPattern : hasPattern,
    isUnmanaged: luck.is(0.1) ? !isUnmanaged : isUnmanaged,
    hasProjects: !luck.is(0.04),
  }
}

function declaredBy({ present, hasPattern, isUnmanaged, hasProjects }: Draft): DeclaredWorkspace {
  const unmanaged = isUnmanaged ? ['legacy-*'] : []
  const pattern: DeclaredRule = { glob: 'eng-*', at: 'ENG', role: 'guest' }
  const ofList = (isWorkspace: boolean) => {
    const all = [...steady, ...present].filter(({ at }) => (at === 'workspace') === isWorkspace)
    return settled([...all, ...(hasPattern && !isWorkspace ? [pattern] : [])], [], unmanaged)
  }
  return { name: 'acme', workspaceRoles: ofList(true), ...(hasProjects ? { projectRoles: ofList(false) } : {}), removed: [], unmanaged }
}

/** The policy at the begin, and those that follow it. */
function policiesOf(startsMs: readonly number[], pauseMs: number, luck: Chance) {
  const courses: readonly (readonly [Spec['policy'], ...Spec['policy'][]])[] = [
    ...([['sync'], ['sync'], ['sync'], ['exclusive'], ['sync', 'exclusive']] as const),
    ...([
      ['upsert-only', 'sync'],
      ['upsert-only', 'sync'],
      ['observe', 'sync'],
      ['sync', 'observe', 'sync'],
      ['sync', 'upsert-only', 'sync'],
    ] as const),
  ]
  const [first, ...others] = luck.one(courses)
  const happenings = others.map((policy, index): Happening => {
    const before = startsMs[Math.floor(((index + 1) * startsMs.length) / (others.length + 2))] as number
    return { atMs: Math.floor(before + pauseMs * 0.7), is: 'policy', policy }
  })
  return { first, happenings }
}

/** One run after another. Some are killed. The folder of the journal is lost, copied, or put back as it was some runs ago. */
function livesOf(startsMs: readonly number[], between: (first?: number) => number, luck: Chance) {
  const copiedMs = luck.is(0.15) ? between(0.4) : Number.POSITIVE_INFINITY
  const folderAt = (atMs: number) => (atMs > copiedMs ? 'copy' : 'state')
  const killed = luck.is(0.3) ? luck.one(startsMs) : undefined
  const lives = startsMs.map(
    (atMs): Life => ({
      ...{ atMs, mode: 'once', folder: folderAt(atMs), noWait: false, skewMs: luck.between(-60_000, 60_000), drift: 0 },
      ...(atMs === killed ? { end: { is: 'kill', call: luck.between(20, 80), after: luck.is(0.5) } as const } : {}),
    }),
  )
  const folder = folderAt(startsMs.at(-1) as number)
  const copies: readonly Happening[] = Number.isFinite(copiedMs)
    ? [{ atMs: copiedMs, is: 'journal', does: 'copy', folder: 'state', to: 'copy' }]
    : []
  const lost: readonly Happening[] = luck.is(0.12) ? [{ atMs: between(0.3), is: 'journal', does: 'lose', folder }] : []
  const [savedMs, restoredMs] = [between(0.3), between(0.3)].toSorted((a, b) => a - b) as [number, number]
  const restored: readonly Happening[] =
    lost.length === 0 && luck.is(0.15)
      ? [
          { atMs: savedMs, is: 'journal', does: 'save', folder },
          { atMs: restoredMs + 1, is: 'journal', does: 'restore', folder },
        ]
      : []
  return { folder, lives, happenings: [...copies, ...lost, ...restored] }
}

function handsOf(rules: readonly Exact[], when: () => number, luck: Chance): readonly Happening[] {
  return Array.from({ length: luck.one([0, 0, 2, 5]) }, (): Happening => {
    const place: Place = luck.is(0.8) ? luck.one(rules) : { group: luck.one(groups), at: luck.one(['ENG', 'OPS']) }
    const row = { group: place.group, at: place.at, role: luck.one(roles) }
    return { atMs: when(), is: 'hand', workspace: 'acme', row, does: luck.one(['add', 'set', 'set', 'drop'] as const) }
  })
}
