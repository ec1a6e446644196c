import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { momentOf } from '../../../src/core/clock.ts'
import { keyOf, listOf, type Mapping, type MappingId, type Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import { openRunTally } from '../../../src/cycle/runTally.ts'
import { cycleWorkspace, type WorkspaceResult, type Writer } from '../../../src/cycle/workspace.ts'
import { acme, complete, guards, hash } from '../core/smallWorld.ts'
import { type AnyWorld, anyWorld, listsSeen } from './anyWorld.ts'
import { movingWorld } from './movingWorld.ts'
import { holds } from './runs.ts'
import { meaningOf } from './said.ts'
import { placeOf, type Row, written } from './serviceTable.ts'

/** The fate of one write. `takes`: the index of a mapping that another person deletes before the lists are read again. */
type Fate = { readonly kind: Outcome['kind']; readonly executed: boolean; readonly takes: number | null }
const fate: fc.Arbitrary<Fate> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('done' as const) },
    { weight: 2, arbitrary: fc.constantFrom('refused', 'unknown', 'notSent') },
  ),
  executed: fc.boolean(),
  takes: fc.option(fc.nat(9), { freq: 2 }),
})

/** `before`: the table before this write. `seen`: the world from which its slice was planned. */
type Step = { readonly change: Change; readonly before: readonly Row[]; readonly seen: AnyWorld }

/** One cycle of a workspace. The fates decide the outcomes of its writes. */
async function cycled(
  world: AnyWorld,
  fates: readonly Fate[],
  changesMax: number,
): Promise<{ result: WorkspaceResult; steps: readonly Step[] }> {
  let rows: readonly Row[] = world.stored
  let memory: Memory = emptyMemory
  let atMs = world.nowMs
  let taken: readonly number[] = []
  let seen = world
  const steps: Step[] = []
  const keep = async (entry: object) => void (memory = remember(memory, { atMs, run: 'r', ...entry } as Entry, 100))

  const writer: Writer = {
    changesMax,
    hasLock: () => true,
    async write(change) {
      const { kind, executed, takes } = fates[steps.length % fates.length] ?? { kind: 'done', executed: true, takes: null }
      steps.push({ change, before: rows, seen })
      if (takes !== null) taken = [...taken, takes]
      if (change.action !== 'create' && change.action !== 'settings' && !rows.some(({ id }) => id === change.mapping))
        return { kind: 'refused', status: 404, code: 'gone', sentence: 'not found' }
      if (kind === 'done' || (kind === 'unknown' && executed)) rows = written(rows, change, (role) => role)
      if (kind === 'refused') return { kind, status: 400, code: 'forbidden', sentence: 'no' }
      if (kind === 'unknown') return { kind, why: 'cut', lastByteMs: atMs }
      return kind === 'notSent' ? { kind, why: 'refused' } : { kind }
    },
    intend: (workspace, change, declaration) => keep({ kind: 'intent', workspace, change, declaration }),
    settle: (workspace, change, outcome, declaration) => keep({ kind: 'result', workspace, change, declaration, outcome }),
    storeWaivers: async () => {},
    storeGroupIds: async () => {},
    storeProjectIds: async () => {},
    storeMappings: async () => {},
    storeShown: async () => {},
    storeOwnership: async () => {},
  }
  const mappings = (): readonly Mapping[] => {
    for (const n of taken) rows = rows.filter((_row, index) => index !== n)
    taken = []
    const stored = rows.map((row) => ({ ...row, id: row.id as MappingId, key: keyOf(acme, row.target, row.group), role: row.role as Role }))
    seen = { ...world, stored, existing: { ...world.existing, lists: listsSeen(world.declared, stored) } }
    return stored
  }
  const binding = {
    workspace: acme,
    read: {
      mappings: async (list: string) => complete(mappings().filter((one) => listOf(one.target) === list)),
      mapping: async () => ({ is: 'gone' as const }),
      projects: async () => world.projects,
      groupSync: async () => world.existing.groupSync ?? {},
    },
    horizonMs: 0,
    options: { origin: 'h/acme', policy: world.policy, roles: world.roles, doors: 'any' as const, hash },
    hasJournal: true,
    guards,
    waivers: [],
    suspend: false,
    dates: () => ({ hereMs: atMs, thereMs: undefined }),
  }
  const declared = { workspaces: new Map([[acme, world.declared]]), hash: 'd', files: 1 }
  const clock = { now: () => (atMs += 0), wall: () => atMs }
  const cycle = {
    ...clock,
    began: momentOf(clock),
    memory: () => memory,
    run: openRunTally(memory, []),
    countPeople: openPeopleCounter(new Map()),
  }
  const result = await cycleWorkspace({ binding, declared, directories: world.directories }, writer, cycle, new AbortController().signal)
  return { result, steps }
}

const planIdsOf = ({ judged }: WorkspaceResult): readonly string[] => judged.plan.changes.map(({ id }) => id)

describe('plans in slices, while writes fail and others delete mappings', () => {
  const anyRun = fc.record({
    world: fc.oneof(anyWorld, movingWorld).map((world) => ({ ...world, echoes: {} })),
    fates: fc.array(fate, { minLength: 1, maxLength: 8 }),
    changesMax: fc.integer({ min: 1, max: 6 }),
  })

  holds(
    'A plan in slices writes no change that the whole plan does not have, and writes no change twice',
    400,
    fc.asyncProperty(anyRun, async ({ world, fates, changesMax }) => {
      const [{ result, steps }, whole] = [await cycled(world, fates, changesMax), await cycled(world, fates, 1_000)]
      const ids = steps.map(({ change }) => change.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(planIdsOf(whole.result)).toEqual(expect.arrayContaining(ids))
      expect(result.kind).toBe('judged')
    }),
  )

  holds(
    'A plan in slices deletes no mapping before its replacement exists, even if writes fail',
    400,
    fc.asyncProperty(anyRun, async ({ world, fates, changesMax }) => {
      const { steps } = await cycled(world, fates, changesMax)
      for (const { change, before, seen } of steps) {
        if (change.action !== 'delete' || change.why === 'duplicate' || change.target.kind === 'workspace') continue
        for (const place of world.declared.rules.flatMap(({ groups, target }) =>
          groups.kind === 'exact' && target.kind === 'fixed' ? [{ group: groups.name, target: target.target }] : [],
        )) {
          const overlaps =
            place.group === change.group && [place.target.kind, change.target.kind].toSorted().join() === 'allProjects,project'
          if (!overlaps || typeof meaningOf(place, seen) === 'string') continue
          expect(
            before.some((row) => placeOf(row) === placeOf(place)),
            `${change.key} before ${placeOf(place)}`,
          ).toBe(true)
        }
      }
    }),
  )
})
