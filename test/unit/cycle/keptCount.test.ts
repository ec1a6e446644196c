import { expect, test } from 'vitest'
import { momentOf } from '../../../src/core/clock.ts'
import { keyOf, type List, listOf, type Mapping, type MappingId } from '../../../src/core/mapping.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import type { ReadMembers } from '../../../src/cycle/readPeople.ts'
import { openRunTally } from '../../../src/cycle/runTally.ts'
import { cycleWorkspace, type Writer } from '../../../src/cycle/workspace.ts'
import { acme, complete, groups, guards, hash, roles, rule } from '../core/smallWorld.ts'

const hour = 3_600_000

/** A workspace that gets one create for each group of `people`. A create is held if it concerns more than two. */
function world({
  suspend = false,
  names = ['devs'],
  changesMax = 9,
}: {
  suspend?: boolean
  names?: readonly string[]
  changesMax?: number
} = {}) {
  let mappings: readonly Mapping[] = []
  const state = { people: 3, asked: 0, suspend, waivers: [] as readonly Waiver[], atMs: 0, suspendedMs: 0 }
  const read: ReadMembers = async (wanted) => {
    state.asked++
    const people = Array.from({ length: state.people }, (_, n) => `person-${n}`)
    return complete(new Map(wanted.map(({ id }) => [id, { people }])))
  }
  const clock = { now: () => ++state.atMs, wall: () => state.atMs + state.suspendedMs }
  const none = async () => {}
  const writer: Writer = {
    changesMax,
    hasLock: () => true,
    async write(change) {
      if (change.action === 'create')
        mappings = [...mappings, { ...change, id: `new${mappings.length}` as MappingId, key: keyOf(acme, change.target, change.group) }]
      return { kind: 'done' }
    },
    ...{
      intend: none,
      settle: none,
      storeWaivers: none,
      storeGroupIds: none,
      storeProjectIds: none,
      storeMappings: none,
      storeShown: none,
      storeOwnership: none,
    },
  }
  const countPeople = openPeopleCounter(new Map([['corp', read]]))
  const declaration = {
    workspace: acme,
    owns: new Set<List>(['workspaceRoles', 'projectRoles']),
    rules: names.map((name) => rule(name, 'ENG', 'member', { unknownProjects: 'send' })),
    ...{ removed: [], unmanaged: [] },
  }
  const cycle = async () => {
    const binding = {
      workspace: acme,
      read: {
        mappings: async (list: List) => complete(mappings.filter(({ target }) => listOf(target) === list)),
        mapping: async () => ({ is: 'gone' as const }),
        projects: async () => complete(new Map()),
        groupSync: async () => ({}),
      },
      horizonMs: 0,
      hasJournal: true,
      options: { origin: 'h/acme', policy: 'upsert-only' as const, roles, doors: 'any' as const, hash },
      guards: { ...guards, people: { raise: 2 } },
      waivers: state.waivers,
      suspend: state.suspend,
      dates: () => ({ hereMs: 0, thereMs: undefined }),
    }
    const context = {
      binding,
      declared: { workspaces: new Map([[acme, declaration]]), hash: 'd', files: 1 },
      directories: new Map([['corp', complete(groups(...names))]]),
    }
    const about = { ...clock, began: momentOf(clock), memory: () => emptyMemory, countPeople, run: openRunTally(emptyMemory, []) }
    const { judged } = await cycleWorkspace(context, writer, about, new AbortController().signal)
    const { change, reason } = judged.plan.holds[0] ?? {}
    return {
      ids: judged.plan.holds.flatMap((hold) => hold.change?.id ?? []),
      id: change?.id,
      pass: reason !== undefined && 'pass' in reason ? reason.pass : reason?.kind,
      written: mappings.length,
    }
  }
  const allow = (...ids: readonly string[]) => {
    state.waivers = [{ ids, by: 'me', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }]
  }
  return { state, cycle, allow }
}

test('a change that waits causes no requests for a day', async () => {
  const { state, cycle } = world()
  const { id, pass } = await cycle()
  expect(pass).toBe(`${id}:3`)
  for (let n = 0; n < 5; n++) await cycle()
  expect(state.asked).toBe(1)
  state.people = 1_000
  state.atMs += 23 * hour
  expect(await cycle()).toMatchObject({ pass: `${id}:3` })
  state.atMs += hour
  expect(await cycle()).toMatchObject({ pass: `${id}:1000`, written: 0 })
  expect(state.asked).toBe(2)
})

test('also where the machine was suspended, the day is a day', async () => {
  const { state, cycle } = world()
  await cycle()
  state.suspendedMs += 25 * hour
  await cycle()
  expect(state.asked).toBe(2)
})

test('an approval for three people lets no change for a thousand pass', async () => {
  const { state, cycle, allow } = world()
  const { id } = await cycle()
  state.people = 1_000
  allow(`${id}:3`)
  expect(await cycle()).toMatchObject({ pass: `${id}:1000`, written: 0 })
  expect(state.asked).toBe(2)
})

test('an approval for as many as there still are lets the change pass, after a new count', async () => {
  const { state, cycle, allow } = world()
  const { id } = await cycle()
  allow(`${id}:3`)
  expect(await cycle()).toMatchObject({ written: 1 })
  expect(state.asked).toBe(2)
})

test('a change that waits for another reason is counted anew before it is written', async () => {
  const { state, cycle } = world({ suspend: true })
  state.people = 2
  expect(await cycle()).toMatchObject({ pass: 'suspended' })
  expect(await cycle()).toMatchObject({ pass: 'suspended' })
  expect(state.asked).toBe(1)
  Object.assign(state, { people: 1_000, suspend: false })
  const { id, pass, written } = await cycle()
  expect([pass, written]).toEqual([`${id}:1000`, 0])
})

test('a plan within the limits is written whole, also in several slices, and its people are counted once', async () => {
  const { state, cycle } = world({ names: ['a', 'b', 'c', 'd'], changesMax: 1 })
  state.people = 2
  expect(await cycle()).toMatchObject({ written: 4 })
  expect(state.asked).toBe(1)
})

test.each(['3', 'any'])('changes that a waiver lets pass for %s people are written in several slices', async (people) => {
  const { cycle, allow } = world({ names: ['a', 'b', 'c'], changesMax: 1 })
  const { ids } = await cycle()
  allow(...ids.map((id) => `${id}:${people}`))
  expect(ids).toHaveLength(3)
  expect(await cycle()).toMatchObject({ written: 3 })
})
