import { type Chance, chance } from './chance.ts'
import type { DeclaredWorkspace } from './declared.ts'
import { wideGuards } from './given.ts'
import type { Happening, Ordering, Row, Spec } from './spec.ts'

/**
 * In some worlds nothing happens but that the changes of some kinds exceed their limit, that a person approves some of what waits, and that people
 * change mappings in Plane. So the auditor knows which changes each cycle has to write, and which not.
 */
export function withLimits(spec: Spec): Spec {
  const luck = chance(spec.seed, 'limits')
  if (!luck.is(0.05) || spec.twoWriters) return spec
  const rowsOf = (kind: string, count: number, role: string) =>
    Array.from({ length: count }, (_, n): Row => ({ group: `${kind}-${n}`, at: luck.one(['ENG', 'OPS']), role }))
  const counts = { creates: few(luck), raises: few(luck), lowers: few(luck), deletes: few(luck) }
  const kept = { group: 'it', at: 'workspace', role: 'admin' }
  const [creates, raises] = [rowsOf('new', counts.creates, 'member'), rowsOf('raised', counts.raises, 'guest')]
  const [lowers, deletes] = [rowsOf('lowered', counts.lowers, 'member'), rowsOf('old', counts.deletes, 'guest')]
  const same = rowsOf('same', luck.between(1, 50), 'member')
  const limitOf = (count: number, wide: number) => luck.one([Math.max(0, count - 1), count, count, wide])
  const declared: DeclaredWorkspace = {
    name: 'acme',
    workspaceRoles: [{ ...kept, allowProtected: true }],
    projectRoles: [
      ...[...creates, ...same],
      ...raises.map((row) => ({ ...row, role: 'member' })),
      ...lowers.map((row) => ({ ...row, role: 'guest' })),
    ],
    removed: deletes.map(({ group, at }) => ({ group, at })),
    unmanaged: [],
  }
  const rows = [kept, ...raises, ...lowers, ...deletes, ...same]
  const day = luck.one([2, 5, wideGuards.day, wideGuards.day])
  // The auditor does not know in which cycle an order to apply lets changes pass, so it would not know what is left of the day.
  const kinds = day === wideGuards.day ? (['apply', 'approve'] as const) : (['approve'] as const)
  const people = luck.is(0.6) ? Array.from({ length: luck.between(1, 3) }, () => ordered(spec, luck.one(kinds), luck)) : []
  const { fences: _fences, refusing: _refusing, ...open } = spec
  return {
    ...open,
    ...{ exact: true, policy: 'upsert-only', suspend: false, journal: 'folder', refusing: undefined },
    ...{ serviceLimit: 60, settingsLimit: 60, usedAtBegin: 0, limiter: 'sliding-log' },
    ...{ echo: false, lagMs: undefined, perPage: undefined, recycleEvery: undefined },
    ...{ fates: [], traps: [], patchFate: undefined, deleteFate: undefined, firstList: undefined, lacking: undefined },
    guards: {
      creates: limitOf(counts.creates, wideGuards.creates),
      raises: limitOf(counts.raises, wideGuards.raises),
      lowers: limitOf(counts.lowers, wideGuards.lowers),
      deletes: limitOf(counts.deletes, wideGuards.deletes),
      day,
    },
    rows: { acme: rows },
    directories: ['corp'],
    groups: { corp: [...rows, ...creates].map(({ group }) => group) },
    versions: [{ atMs: 0, declared: { comment: 'limits', workspaces: [declared] } }],
    lives: [
      { atMs: luck.between(0, 5_000), folder: 'state', mode: 'daemon', noWait: false, skewMs: luck.between(-60_000, 60_000), drift: 0 },
    ],
    happenings: [...people, ...handsOf(same, spec, luck)].toSorted((a, b) => a.atMs - b.atMs),
  }
}

const few = (luck: Chance): number => luck.one([0, 1, luck.between(2, 6), luck.between(5, 16)])

const ordered = ({ endMs, intervalMs }: Spec, kind: Ordering['kind'], luck: Chance): Happening => ({
  ...{ atMs: luck.between(0, endMs), is: 'order', kind, askers: 1 },
  ...{ allows: luck.one([0.5, 1]), thinksMs: luck.between(100, intervalMs), forMs: endMs + 3_600_000 },
  ...(luck.is(0.3) ? { wrong: luck.one(['from', 'to', 'at', 'part'] as const) } : {}),
})

/** Somebody changes mappings in Plane, each only once. */
const handsOf = (rows: readonly Row[], { endMs }: Spec, luck: Chance): readonly Happening[] =>
  rows
    .slice(0, luck.one([0, 0, 1, 4, 8]))
    .map((row) => ({ atMs: luck.between(0, endMs), is: 'hand', workspace: 'acme', row: { ...row, role: 'guest' }, does: 'set' }))
