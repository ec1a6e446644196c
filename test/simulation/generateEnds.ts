import { type Chance, chance } from './chance.ts'
import type { DeclaredRule, DeclaredWorkspace } from './declared.ts'
import type { Guards, Life, Row, Spec, Version } from './spec.ts'

const hourMs = 3_600_000
const pauseMs = 20 * hourMs
const runs = 9

/**
 * In some worlds a command runs once in 20 hours for a week, and nothing else happens but that rules start and end, some ends known long before, some late,
 * moved, or past when they are first said. Few changes are allowed at once. So the auditor knows which ends fill the limits, and what each cycle writes.
 */
export function withEnds(spec: Spec): Spec {
  const luck = chance(spec.seed, 'ends')
  if (!luck.is(0.03) || spec.twoWriters || spec.exact === true || spec.ours !== undefined) return spec
  /** A moment between two runs, in whole seconds, as a declaration says it. */
  const between = (run: number) => new Date(spec.beginMs + run * pauseMs + luck.between(6, 14) * hourMs).toISOString().replace('.000', '')
  const keys = Array.from({ length: luck.between(4, 24) }, (_, n) => keyOf(n, between, luck))
  const editsMs = [2, 5].map((run) => run * pauseMs + 5 * hourMs)
  const few = () => luck.one([0, 1, 2, 4])
  const guards: Guards = {
    ...{ creates: few(), raises: few(), lowers: few(), deletes: few(), hasNoShares: true },
    ...(luck.is(0.3) ? { day: luck.between(1, 4), dayCreates: luck.between(1, 4) } : { day: 1_000 }),
    ...(luck.is(0.3) ? { run: luck.between(1, 4) } : {}),
  }
  const lives = Array.from({ length: runs }, (_, run): Life => {
    const skewMs = luck.between(-60_000, 60_000)
    return { atMs: run * pauseMs + luck.between(0, 5_000), mode: 'once', folder: 'state', noWait: false, skewMs, drift: 0 }
  })
  const { fences: _fences, refusing: _refusing, ...open } = spec
  return {
    ...open,
    ...{
      exact: true,
      policy: luck.one(['sync', 'exclusive', 'upsert-only']),
      suspend: false,
      journal: 'folder',
      refusing: undefined,
      guards,
    },
    ...{ endMs: (runs - 1) * pauseMs + hourMs, intervalMs: pauseMs },
    ...{ serviceLimit: 60, settingsLimit: 60, usedAtBegin: 0, limiter: 'sliding-log' },
    ...{ echo: false, lagMs: undefined, perPage: undefined, recycleEvery: undefined },
    ...{ fates: [], traps: [], patchFate: undefined, deleteFate: undefined, firstList: undefined, lacking: undefined },
    rows: { acme: [...steady.map(({ group, at, role }) => ({ group, at, role })), ...keys.flatMap(({ row }) => row ?? [])] },
    directories: ['corp'],
    groups: { corp: ['it', 'all', ...keys.map(({ group }) => group)] },
    versions: [0, ...editsMs].map(
      (atMs, version): Version => ({ atMs, declared: { workspaces: [declaredBy(keys, version)], comment: `version ${version}` } }),
    ),
    lives,
    happenings: [],
  }
}

type Exact = Extract<DeclaredRule, { group: string }>
const steady: readonly Exact[] = [
  { group: 'it', at: 'workspace', role: 'admin', allowProtected: true },
  { group: 'all', at: 'OPS', role: 'guest' },
]
const patterns: readonly DeclaredRule[] = [{ glob: 'low-*', at: 'ENG', role: 'guest' }]

/** One group: its mapping at the begin, and its rule in each of the three versions. */
type Key = { readonly group: string; readonly row?: Row; readonly rules: readonly [Exact, Exact, Exact] }

function keyOf(n: number, between: (run: number) => string, luck: Chance): Key {
  // After the end of a rule the pattern of these groups gives less.
  const isLow = luck.is(0.3)
  const group = isLow ? `low-${n}` : `key-${n}`
  const at = isLow ? 'ENG' : luck.one(['ENG', 'OPS'])
  const rule: Exact = { group, at, role: 'member' }
  const row = { row: { group, at, role: 'member' } }
  const until = (run: number): Exact => ({ ...rule, expires: between(run) })
  const same = (one: Exact): Key['rules'] => [one, one, one]
  // Ends often come together.
  const late = luck.one([6, 6, 7])
  return luck.one<() => Key>([
    () => ({ group, ...row, rules: same(until(late)) }),
    () => ({ group, ...row, rules: same(until(late)) }),
    // Known too late, or moved so late that it begins anew.
    () => ({ group, ...row, rules: same(isLow ? until(late) : until(luck.one([0, 1, 2]))) }),
    () => ({ group, ...row, rules: [rule, rule, until(late)] }),
    () => {
      const first = until(7)
      return { group, ...row, rules: [first, first, until(6)] }
    },
    // Past when it is first said.
    () => ({ group, ...row, rules: [rule, rule, until(luck.one([1, 4]))] }),
    () => ({ group, ...row, rules: [rule, until(0), until(0)] }),
    // A start. With another role than that of the others it replaces none of them.
    () => ({ group, rules: same({ ...rule, role: 'contributor', starts: between(luck.one([1, 6, 6, 7])) }) }),
    () => ({ group, ...row, rules: same(rule) }),
  ])()
}

function declaredBy(keys: readonly Key[], version: number): DeclaredWorkspace {
  const rules = [...steady, ...keys.map((one) => one.rules[version] as Exact)]
  return {
    name: 'acme',
    workspaceRoles: rules.filter(({ at }) => at === 'workspace'),
    projectRoles: [...rules.filter(({ at }) => at !== 'workspace'), ...patterns],
    removed: [],
    unmanaged: [],
  }
}
