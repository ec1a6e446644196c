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
  const counts = { creates: few(luck), raises: few(luck), lowers: few(luck), deletes: few(luck) }
  const limitOf = (count: number, wide: number) => luck.one([Math.max(0, count - 1), count, count, wide])
  const day = luck.one([2, 5, wideGuards.day, wideGuards.day])
  // The auditor does not know in which cycle an order to apply lets changes pass, so it would not know what is left of the day.
  const dayCreates = luck.is(0.3) ? { dayCreates: luck.between(0, 8) } : {}
  const kinds = day === wideGuards.day && !('dayCreates' in dayCreates) ? (['apply', 'approve'] as const) : (['approve'] as const)
  const people = luck.is(0.6) ? Array.from({ length: luck.between(1, 3) }, () => ordered(spec, luck.one(kinds), luck)) : []
  // Plane refuses every create until the end, also that of the other administrator. The auditor does not know then what each cycle writes.
  const isRefused = luck.is(0.1)
  // In half of the worlds the same changes are due in two workspaces, so that a limit over all of them can be exceeded.
  const names = luck.is(0.5) ? ['acme', 'beta'] : ['acme']
  const all = names.map((name) => workspaceOf(name, counts, isRefused, luck))
  const refusing = { by: 'page', status: 403, methods: ['POST'], newKey: false, alone: false, fromMs: 0, untilMs: spec.endMs } as const
  const { fences: _fences, refusing: _refusing, exact: _exact, ...open } = spec
  return {
    ...open,
    ...(isRefused ? { refusing } : { exact: true, refusing: undefined }),
    ...{ policy: 'upsert-only', suspend: false, journal: 'folder' },
    ...{ serviceLimit: 60, settingsLimit: 60, usedAtBegin: 0, limiter: 'sliding-log' },
    ...{ echo: false, lagMs: undefined, perPage: undefined, recycleEvery: undefined },
    ...{ fates: [], traps: [], patchFate: undefined, deleteFate: undefined, firstList: undefined, lacking: undefined },
    guards: {
      creates: limitOf(counts.creates, wideGuards.creates),
      raises: limitOf(counts.raises, wideGuards.raises),
      lowers: limitOf(counts.lowers, wideGuards.lowers),
      deletes: limitOf(counts.deletes, wideGuards.deletes),
      day,
      ...dayCreates,
      ...(luck.is(0.5) ? { run: luck.between(0, 8) } : {}),
      // Nothing but the last administrator holds these changes.
      ...(isRefused ? { creates: wideGuards.creates, deletes: wideGuards.deletes, run: wideGuards.creates } : {}),
    },
    rows: Object.fromEntries(all.map(({ name, rows }) => [name, rows])),
    directories: ['corp'],
    groups: { corp: [...new Set(all.flatMap(({ groups }) => groups))] },
    versions: [{ atMs: 0, declared: { comment: 'limits', workspaces: all.map(({ declared }) => declared) } }],
    lives: [
      { atMs: luck.between(0, 5_000), folder: 'state', mode: 'daemon', noWait: false, skewMs: luck.between(-60_000, 60_000), drift: 0 },
    ],
    happenings: [...people, ...all.flatMap(({ name, edited }) => handsOf(name, edited, spec, luck))].toSorted((a, b) => a.atMs - b.atMs),
  }
}

type Counted = Readonly<Record<'creates' | 'raises' | 'lowers' | 'deletes', number>>

/** A workspace in which so many changes of each kind are due. `edited`: the mappings that people change in Plane. */
function workspaceOf(name: string, counts: Counted, isRefused: boolean, luck: Chance) {
  const rowsOf = (kind: string, count: number, role: string) =>
    Array.from({ length: count }, (_, n): Row => ({ group: `${kind}-${n}`, at: luck.one(['ENG', 'OPS']), role }))
  const { before, after, gone } = administratorsOf(isRefused, luck)
  const [creates, raises] = [rowsOf('new', counts.creates, 'member'), rowsOf('raised', counts.raises, 'guest')]
  const [lowers, deletes] = [rowsOf('lowered', counts.lowers, 'member'), rowsOf('old', counts.deletes, 'guest')]
  const same = rowsOf('same', luck.between(1, 50), 'member')
  const declared: DeclaredWorkspace = {
    name,
    workspaceRoles: after.map((row) => ({ ...row, allowProtected: true })),
    projectRoles: [
      ...[...creates, ...same],
      ...raises.map((row) => ({ ...row, role: 'member' })),
      ...lowers.map((row) => ({ ...row, role: 'guest' })),
    ],
    removed: [...deletes, ...gone].map(({ group, at }) => ({ group, at })),
    unmanaged: [],
  }
  const rows = [...before, ...raises, ...lowers, ...deletes, ...same]
  return { name, declared, rows, groups: [...rows, ...creates, ...after].map(({ group }) => group), edited: [...same, ...raises] }
}

/** The mappings of the workspace, those that stay, and those that go. In some worlds all administrators go, and in some of these the whole list. */
function administratorsOf(isRefused: boolean, luck: Chance): Readonly<Record<'before' | 'after' | 'gone', readonly Row[]>> {
  const [kept, second, staff] = (['it', 'boss', 'staff'] as const).map((group) => ({ group, at: 'workspace', role: 'admin' })) as [
    Row,
    Row,
    Row,
  ]
  const guest = { ...staff, role: 'guest' }
  // The only administrator may go only after the other one exists.
  if (isRefused) return { before: [kept, guest], after: [{ ...second, role: 'owner' }, guest], gone: [kept] }
  if (luck.is(0.6)) return { before: [kept], after: [kept], gone: [] }
  return luck.one([
    { before: [kept, second, guest], after: [guest], gone: [kept, second] },
    { before: [kept, second, guest], after: [guest, { ...second, role: 'member' }], gone: [kept] },
    { before: [kept, guest, { ...second, role: 'guest' }], after: [kept], gone: [guest] },
    { before: [guest, { ...second, role: 'guest' }], after: [], gone: [guest, second] },
  ])
}

const few = (luck: Chance): number => luck.one([0, 1, luck.between(2, 6), luck.between(5, 16)])

const ordered = ({ endMs, intervalMs }: Spec, kind: Ordering['kind'], luck: Chance): Happening => ({
  ...{ atMs: luck.between(0, endMs), is: 'order', kind, askers: 1 },
  ...{ allows: luck.one([0.5, 1]), thinksMs: luck.between(100, intervalMs), forMs: endMs + 3_600_000 },
  ...(luck.is(0.3) ? { wrong: luck.one(['from', 'to', 'at', 'part'] as const) } : {}),
})

/** What is undone in Plane once more is held as flapping. */
const undoneMax = 2

/** Somebody lowers mappings in Plane, some of them again after they were raised: what an approval has let pass once is due again. */
const handsOf = (workspace: string, rows: readonly Row[], { endMs }: Spec, luck: Chance): readonly Happening[] =>
  luck
    .some(rows, luck.one([0, 0, 0.1, 0.5]))
    .slice(0, 8)
    .flatMap((row) =>
      Array.from(
        { length: luck.one([1, 1, 2, 3]) },
        (): Happening => ({ atMs: luck.between(0, endMs), is: 'hand', workspace, row: { ...row, role: 'guest' }, does: 'set' }),
      ).slice(0, undoneMax),
    )
