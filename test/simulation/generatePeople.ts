import { type Chance, chance } from './chance.ts'
import { type DeclaredRule, type DeclaredWorkspace, keyOf, type Place } from './declared.ts'
import { latestMs } from './generateFates.ts'
import type { Fate, Happening, Life, Ordering, PeopleLimits, Row, Spec, Trap, Version } from './spec.ts'

/**
 * In some worlds directories say who the members of groups are, and plans exceed the limits on people. Groups overlap, and people join and leave them at any
 * moment. A person approves some of what waits, with the number that the plan says or a smaller one. In most of these worlds nothing else happens, so the
 * auditor knows what each cycle has to write. In the others answers are lost and processes are killed. Some plans are so long that they are written in slices.
 */
export function withPeople(spec: Spec): Spec {
  const luck = chance(spec.seed, 'members')
  const isSpecial = spec.exact === true || spec.ours !== undefined || spec.fences !== undefined || spec.refusing !== undefined
  if (!luck.is(0.08) || isSpecial || spec.twoWriters) return spec
  const isCalm = luck.is(0.6)
  const isLong = luck.is(0.35)
  // In a slow world a plan takes minutes, so an approval can end while it is written.
  const limit = luck.one(isLong ? [60, 12, 6, 6] : [60, 60, 12, 6])
  // The daemon is killed while it writes what a person approved, and many people join meanwhile.
  const isCut = isLong && !isCalm
  const people = Array.from({ length: isCut ? 20 : luck.between(5, isLong ? 9 : 14) }, (_, n) => `person-${n}@example.com`)
  const groups = Array.from(
    { length: isLong ? luck.between(13, 20) : luck.one([4, 7, 12]) },
    (_, n) => `crew-${String(n).padStart(2, '0')}`,
  )
  const most = luck.one(isCut ? [1, 2] : isLong ? [3, 6] : [2, 4, 6])
  const members = Object.fromEntries([...groups, 'all', 'it'].map((group) => [group, peopleIn(people, most, luck)]))
  const first = declaredOf(groups, luck)
  const rows = rowsOf(first, groups, luck.one(isLong ? [0, 0.1] : [0, 0.3, 0.7]), luck)
  return {
    ...spec,
    people: { isCalm, members, limits: isCut ? { raise: luck.between(0, 2) } : limitsOf(luck) },
    ...{ policy: luck.one(['exclusive', 'exclusive', 'sync', 'sync', 'upsert-only'] as const), suspend: false, journal: 'folder' },
    ...{ serviceLimit: limit, settingsLimit: limit, usedAtBegin: 0, limiter: 'sliding-log', duplicates: undefined },
    ...{ echo: false, lagMs: undefined, perPage: undefined, recycleEvery: undefined, projects: ['ENG', 'OPS'] },
    ...{ patchFate: undefined, deleteFate: undefined, firstList: undefined, lacking: undefined, refusing: undefined },
    guards: { creates: 1_000, raises: 1_000, lowers: 1_000, deletes: 1_000, day: 9_000, hasNoShares: true },
    rows: { acme: rows },
    ...directoriesOf(groups, luck),
    versions: versionsOf(first, groups, spec, luck),
    lives: livesOf(isCalm, spec, luck),
    happenings: [
      ...happeningsOf(groups, people, rows, spec, luck),
      ...(isCut ? approvedWhileGrowing(groups, people, spec, luck) : []),
    ].toSorted((a, b) => a.atMs - b.atMs),
    fates: isCalm || isCut ? [] : fatesOf(spec, luck),
    traps: isCalm ? [] : trapsOf(spec, luck),
  }
}

const peopleIn = (people: readonly string[], most: number, luck: Chance): readonly string[] => [
  ...new Set(Array.from({ length: luck.between(0, most) }, () => luck.one(people))),
]

function limitsOf(luck: Chance): PeopleLimits {
  const limit = (share: number, name: keyof PeopleLimits) => (luck.is(share) ? { [name]: luck.one([0, 1, 2, 3, 5, 8]) } : {})
  const some: PeopleLimits = { ...limit(0.7, 'raise'), ...limit(0.5, 'gainProtected'), ...limit(0.6, 'lose') }
  return Object.keys(some).length === 0 ? { raise: 3, lose: 2 } : some
}

/** The groups are in one directory, or in two that know the same people. */
function directoriesOf(groups: readonly string[], luck: Chance): Pick<Spec, 'directories' | 'groups'> {
  if (luck.is(0.7)) return { directories: ['corp'], groups: { corp: ['corp-1', 'corp-2', 'all', 'it', ...groups] } }
  const isHere = (_group: string, at: number) => at % 2 === 0
  const extra = groups.filter(isHere)
  return {
    directories: ['corp', 'extra'],
    groups: { corp: ['corp-1', 'corp-2', 'all', 'it', ...groups.filter((one) => !extra.includes(one))], extra: ['extra-1', ...extra] },
  }
}

const anchors = [
  { group: 'it', at: 'workspace', role: 'admin', allowProtected: true },
  { group: 'all', at: 'OPS', role: 'guest' },
] as const satisfies readonly DeclaredRule[]
type ExactRule = DeclaredRule & Place

const placeOf = (luck: Chance): string => luck.one(['ENG', 'ENG', 'OPS', 'workspace', '*'])
const ruleOf = (group: string, luck: Chance): ExactRule => {
  const role = luck.one(['guest', 'member', 'member', 'admin'])
  return { group, at: placeOf(luck), role, ...(role === 'admin' && luck.is(0.7) ? { allowProtected: true } : {}) }
}

function distinct<T extends Place>(all: readonly T[]): readonly T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()]
}

function declaredOf(groups: readonly string[], luck: Chance): DeclaredWorkspace {
  const drawn = groups.flatMap((group) => (luck.is(0.8) ? Array.from({ length: luck.one([1, 1, 2]) }, () => ruleOf(group, luck)) : []))
  return workspaceWith(distinct(drawn), [])
}

function workspaceWith(rules: readonly ExactRule[], removed: readonly Place[]): DeclaredWorkspace {
  const all = [...anchors, ...rules]
  return {
    name: 'acme',
    workspaceRoles: all.filter(({ at }) => at === 'workspace'),
    projectRoles: all.filter(({ at }) => at !== 'workspace'),
    removed,
    unmanaged: [],
  }
}

const rulesIn = ({ workspaceRoles = [], projectRoles = [] }: DeclaredWorkspace): readonly ExactRule[] =>
  [...workspaceRoles, ...projectRoles].flatMap((rule) =>
    'group' in rule && !anchors.some((one) => keyOf(one) === keyOf(rule)) ? [rule] : [],
  )

/** Some declared mappings exist, some with another role, and some that nobody declares. */
function rowsOf(declared: DeclaredWorkspace, groups: readonly string[], share: number, luck: Chance): readonly Row[] {
  const declaredRows = luck
    .some(rulesIn(declared), share)
    .map(({ group, at, role }): Row => ({ group, at, role: luck.is(0.4) ? luck.one(['guest', 'member', 'admin']) : role }))
  const others = luck
    .some(groups, luck.one([0, share, 0.6]))
    .map((group): Row => ({ group, at: placeOf(luck), role: luck.one(['guest', 'member', 'admin']) }))
  return distinct([...others, ...declaredRows, ...anchors.map(({ group, at, role }) => ({ group, at, role }))])
}

/** Each edit takes some lines away, adds some, and changes roles. What was created by a line that is gone is undeclared, and ours. */
function versionsOf(first: DeclaredWorkspace, groups: readonly string[], { endMs }: Spec, luck: Chance): readonly Version[] {
  const times = Array.from({ length: luck.between(0, 3) }, () => luck.between(0, endMs)).toSorted((a, b) => a - b)
  let one = first
  const later = times.map((atMs, index): Version => {
    const [goes, comes] = [luck.one([0.1, 0.4]), luck.one([0.1, 0.4])]
    const before = rulesIn(one)
    const gone = luck.some(before, goes)
    const kept = before
      .filter((rule) => !gone.includes(rule))
      .map((rule): ExactRule => (luck.is(0.15) ? { ...ruleOf(rule.group, luck), at: rule.at } : rule))
    const fresh = luck.some(groups, comes).map((group) => ruleOf(group, luck))
    const rules = distinct([...fresh, ...kept])
    const removed = luck.some(gone, 0.2).filter((place) => !rules.some((rule) => keyOf(rule) === keyOf(place)))
    one = workspaceWith(
      rules,
      removed.map(({ group, at }) => ({ group, at })),
    )
    return { atMs, declared: { comment: `people ${index + 1}`, workspaces: [one] } }
  })
  return [{ atMs: 0, declared: { comment: 'people', workspaces: [first] } }, ...later]
}

/** One process after another with the same journal. */
function livesOf(isCalm: boolean, { endMs }: Spec, luck: Chance): readonly Life[] {
  const life = (atMs: number): Life => ({
    ...{ atMs, folder: 'state', mode: 'daemon', noWait: false, skewMs: luck.between(-60_000, 60_000), drift: 0 },
  })
  const firstMs = luck.between(0, 5_000)
  if (luck.is(0.7)) return [life(firstMs)]
  const endsMs = luck.between(firstMs + 1_000, endMs - 15_000)
  const how = isCalm ? 'stop' : luck.one(['stop', 'kill', 'power'] as const)
  return [{ ...life(firstMs), end: { is: how, atMs: endsMs } }, life(endsMs + luck.one([1_000, 10_000]))]
}

function happeningsOf(
  groups: readonly string[],
  people: readonly string[],
  rows: readonly Row[],
  { endMs, intervalMs }: Spec,
  luck: Chance,
): readonly Happening[] {
  const joins = (atMs: number): Happening => ({
    ...{ atMs, is: 'member', group: luck.one(groups), person: luck.one(people), does: luck.is(0.75) ? 'joins' : 'leaves' },
  })
  const orders = Array.from({ length: luck.between(0, 5) }, (): Happening => {
    return { atMs: luck.between(0, endMs), is: 'order', ...orderingOf(endMs, intervalMs, luck) }
  })
  // People join a group also between the plan that a person sees and the writes of the approval.
  const besides = orders.flatMap(({ atMs }) =>
    luck.is(0.6)
      ? Array.from({ length: luck.between(1, 3) }, () => joins(atMs + luck.between(0, luck.one([3_000, 20_000, intervalMs]))))
      : [],
  )
  const anytime = Array.from({ length: luck.one([0, 3, 10]) }, () => joins(luck.between(0, endMs)))
  const hands = luck
    .some(
      rows.filter(({ group }) => groups.includes(group)),
      luck.one([0, 0, 0.15]),
    )
    .map((row): Happening => {
      const does = luck.one(['set', 'drop'] as const)
      return { atMs: luck.between(0, endMs), is: 'hand', workspace: 'acme', row: { ...row, role: luck.one(['guest', 'member']) }, does }
    })
  return [...orders, ...besides, ...anytime, ...hands]
}

/** A person approves all that waits, and people join the groups while it is written, and after the daemon was killed. */
function approvedWhileGrowing(groups: readonly string[], people: readonly string[], { endMs }: Spec, luck: Chance): readonly Happening[] {
  const atMs = luck.between(10_000, Math.floor(endMs / 2))
  const joined = Array.from({ length: luck.between(5, 20) }, (): Happening => {
    const afterMs = luck.between(4_000, 200_000)
    return { atMs: atMs + afterMs, is: 'member', group: luck.one(groups), person: luck.one(people), does: 'joins' }
  })
  return [{ atMs, is: 'order', kind: 'approve', askers: 1, allows: 1, thinksMs: 1_000, forMs: endMs + 3_600_000 }, ...joined]
}

function orderingOf(endMs: number, intervalMs: number, luck: Chance): Ordering {
  const kind = luck.one(['approve', 'approve', 'approve', 'apply'] as const)
  const how = luck.one([undefined, undefined, 'ones', 'ones', 'fewer', 'any'] as const)
  return {
    ...{ kind, askers: luck.is(0.15) ? 2 : 1, allows: luck.one([0.5, 1, 1]) },
    thinksMs: luck.one([luck.between(100, 5_000), luck.between(0, intervalMs)]),
    forMs: luck.one([endMs + 3_600_000, luck.between(20_000, 2 * intervalMs)]),
    ...(how === undefined ? {} : { people: how }),
    ...(kind === 'approve' && luck.is(0.25) ? { withdrawsMs: luck.between(3_000, intervalMs) } : {}),
    ...(kind === 'approve' && luck.is(0.1) ? { wrong: 'part' } : {}),
  }
}

const fatesOf = ({ deltaMs }: Spec, luck: Chance): Spec['fates'] =>
  Array.from({ length: luck.between(0, 6) }, () => ({
    request: luck.between(1, 60),
    fate: luck.one<() => Fate>([
      () => ({ is: 'lostAnswer' }),
      () => ({ is: 'lostRequest' }),
      () => ({ is: 'hang' }),
      () => ({ is: 'late', afterMs: luck.between(1, latestMs(deltaMs)) }),
      () => ({ is: 'status', status: luck.one([500, 503]), committed: luck.is(0.7) }),
    ])(),
  }))

const trapsOf = ({ deltaMs }: Spec, luck: Chance): readonly Trap[] =>
  Array.from({ length: luck.one([0, 1, 1, 2]) }, () => ({
    ...{ write: luck.between(1, 12), how: luck.one(['kill', 'kill', 'power', 'stop'] as const), afterMs: luck.between(0, 120) },
    againAfterMs: luck.one([0, luck.between(0, 60_000)]),
    fate: luck.is(0.5) ? { is: 'late', afterMs: luck.between(1, latestMs(deltaMs)) } : undefined,
  }))
