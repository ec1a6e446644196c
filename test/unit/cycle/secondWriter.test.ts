import { describe, expect, test } from 'vitest'
import { exitCodeOfWriting } from '../../../src/commands/exitCode.ts'
import type { Change } from '../../../src/core/change.ts'
import { firstCreatesMax } from '../../../src/core/firstCreates.ts'
import { type GroupName, keyOf, type List, listOf, type Mapping, type MappingId } from '../../../src/core/mapping.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import { cycleOutcome } from '../../../src/cycle/outcome.ts'
import type { Presence } from '../../../src/cycle/readExisting.ts'
import { openRunTally } from '../../../src/cycle/runTally.ts'
import { cycleWorkspace, type WorkspaceResult, type Writer } from '../../../src/cycle/workspace.ts'
import type { WorkspaceContext } from '../../../src/cycle/workspaceContext.ts'
import { acme, complete, groups, guards, hash, mapping, roles, rule } from '../core/smallWorld.ts'
import { reopened } from '../journal/reopened.ts'

const never = new AbortController().signal
const waitMs = 100
const because = { at: { file: 'groups.yaml', line: 1, column: 1 } }
const fixed = { workspace: acme, guards, waivers: [], suspend: false, dates: () => ({ hereMs: 0, thereMs: undefined }) } as const
/** Each turn of the event loop is one request, so that several programs send in turn. */
const request = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A service in memory that accepts a second mapping for a key, and the programs that use it. Each has its own journal. */
function service(named: (name: string) => string = (name) => name) {
  let [rows, ids, atMs]: [readonly Mapping[], number, number] = [[], 0, 0]

  function program(rules: readonly Rule[], more: Partial<WorkspaceContext['binding']['options']> = {}) {
    let memory: Memory = emptyMemory
    let lists = 0
    const log = (entry: object) => void (memory = remember(memory, { atMs: ++atMs, run: 'r', ...entry } as never, waitMs))
    const execute = (change: Change): Outcome => {
      if (change.action === 'delete') {
        rows = rows.filter(({ id }) => id !== change.mapping)
        return { kind: 'done' }
      }
      if (change.action !== 'create') throw new Error(change.action)
      const { target, role } = change
      const [group, id] = [named(change.group) as Mapping['group'], `row ${++ids}` as MappingId]
      const row = { id, key: keyOf(acme, target, group), group, target, role }
      rows = [...rows, row]
      return { kind: 'done', mapping: id, ...(row.key === change.key ? {} : { storedKey: row.key }) }
    }
    const writer: Writer = {
      changesMax: 180,
      hasLock: () => true,
      async write(change) {
        await request()
        return execute(change)
      },
      intend: async (workspace, change, declaration) => log({ kind: 'intent', workspace, change, declaration }),
      settle: async (workspace, change, outcome, declaration) => log({ kind: 'result', workspace, change, declaration, outcome }),
      storeWaivers: async () => {},
      storeProjectIds: async (workspace, of) => log({ kind: 'projects', workspace, ids: of }),
      storeGroupIds: async (of) => log({ kind: 'groups', ids: of }),
      storeShown: async () => {},
      storeOwnership: async (change) => log({ kind: 'ownership', ...change }),
      storeMappings: async (workspace, list, of) => log({ kind: 'mappings', workspace, list, ids: of }),
    }
    const read = {
      async mappings(list: List) {
        lists++
        await request()
        return complete(rows.filter(({ target }) => listOf(target) === list))
      },
      mapping: async (_: List, id: MappingId): Promise<Presence> => {
        const row = rows.find((one) => one.id === id)
        return row === undefined ? { is: 'gone' } : { is: 'there', key: row.key }
      },
      projects: async () => complete(new Map()),
      groupSync: async () => ({}),
    }
    const options = { origin: 'h/acme', policy: 'upsert-only', roles, doors: 'any', hash, ...more } as const
    const binding: WorkspaceContext['binding'] = { ...fixed, read, horizonMs: 0, hasJournal: true, options }
    const directories = new Map([['corp', complete(groups(...names, ...names.map((name) => name.toUpperCase())))]])

    /** @param leaves the first groups are left to another writer */
    function run(leaves = 0) {
      const unmanaged = names.slice(0, leaves).map((name) => ({ groups: { kind: 'exact', name: name as GroupName }, because }) as const)
      const owns = new Set<List>(['projectRoles'])
      const declaration = { workspace: acme, owns, rules: rules.slice(leaves), removed: [], unmanaged }
      const declared = { workspaces: new Map([[acme, declaration]]), hash: 'd', files: 1 }
      const began = { steadyMs: 0, wallMs: 0 }
      const cycle = {
        now: () => ++atMs,
        wall: () => atMs,
        began,
        memory: () => memory,
        run: openRunTally(emptyMemory, []),
        countPeople: openPeopleCounter(new Map()),
      }
      return cycleWorkspace({ binding, declared, directories }, writer, cycle, never)
    }
    return {
      run,
      lists: () => lists,
      memory: () => memory,
    }
  }
  return {
    program,
    rows: () => rows,
    change: (edit: (all: readonly Mapping[]) => readonly Mapping[]) => void (rows = edit(rows)),
    pass: (ms: number) => void (atMs += ms),
    twins: () => rows.length - new Set(rows.map(({ key }) => key)).size,
  }
}

const names = Array.from({ length: 150 }, (_, n) => `group-${String(n).padStart(3, '0')}`)
const creates = (count: number) => names.slice(0, count).map((name) => rule(name, 'ENG', 'member', { unknownProjects: 'send' }))

/** The result in short: outcome, number of written changes, number of changes held because of another writer, and findings. */
function seen(result: WorkspaceResult) {
  if (result.kind !== 'judged') throw new Error(result.kind)
  const { judged, applied } = result
  const held = judged.plan.holds.filter(({ reason }) => reason.kind === 'anotherWriter')
  const findings = judged.plan.findings.map(({ code }) => code)
  return [cycleOutcome(result), applied?.results.length ?? 0, held.length, findings] as const
}

describe('two programs with two journals that start together', () => {
  const started = async (count = 150) => {
    const plane = service()
    const both = [plane.program(creates(count)), plane.program(creates(count))] as const
    const results = await Promise.all(both.map((one) => one.run()))
    return { plane, both, results }
  }

  test('stop after their first creates, and say that there is another writer', async () => {
    const { plane, results } = await started()
    expect(plane.twins()).toBe(firstCreatesMax)
    expect(results.map(seen)).toEqual(Array.from({ length: 2 }, () => ['incomplete', 10, 140, ['another-writer']]))
  })

  test('create nothing in later cycles, as long as one of the pairs is left', async () => {
    const { plane, both } = await started()
    for (let cycle = 1; cycle <= 3; cycle++) {
      plane.pass(600_000)
      const again = await Promise.all(both.map((one) => one.run()))
      expect(again.map(seen)).toEqual(Array.from({ length: 2 }, () => ['incomplete', 0, 140, ['another-writer']]))
    }
    expect(plane.twins()).toBe(firstCreatesMax)
    const second = new Set(plane.rows().filter(({ key }, index, all) => all.findIndex((one) => one.key === key) < index))
    plane.change((all) => all.filter((row) => !second.has(row)))
    const [one] = both
    expect(seen(await one.run())).toEqual(['success', 140, 0, []])
    expect([plane.rows().length, plane.twins()]).toEqual([150, 0])
  })

  test('notice it in the next cycle if they create too little for another read', async () => {
    const { plane, both, results } = await started(3)
    expect([plane.twins(), results.map(seen)]).toEqual([3, Array.from({ length: 2 }, () => ['success', 3, 0, []])])
    const again = await Promise.all(both.map((one) => one.run()))
    expect(again.map(seen)).toEqual(Array.from({ length: 2 }, () => ['success', 0, 0, ['another-writer']]))
  })

  test.each([0, 1, 5, 12, 40, 149])('the second one %i requests later: at most as many pairs', async (later) => {
    const plane = service()
    const [one, other] = [plane.program(creates(150)), plane.program(creates(150))]
    const first = one.run()
    for (let n = 0; n < later; n++) await request()
    const results = await Promise.all([first, other.run()])
    expect(plane.twins()).toBeLessThanOrEqual(firstCreatesMax)
    expect(results.map((result) => seen(result)[3].filter((code) => code === 'duplicate-mapping'))).toEqual([[], []])
    if (plane.twins() > 0) expect(results.flatMap((result) => seen(result)[3])).toContain('another-writer')
  })

  test('the finding names the pairs once and says how to remove them', async () => {
    const { both } = await started()
    const result = await both[0].run()
    const [finding, ...more] = result.judged.plan.findings
    expect(more).toEqual([])
    expect(finding).toMatchObject({ code: 'another-writer', severity: 'error', place: 'acme' })
    expect(finding?.sentence).toMatch(
      /^10 mappings of this program exist twice, and another writer made the second one: project\/ENG\/group-000 \(made at 1970-01-01 00:00 UTC\), project\/ENG\/group-001 /,
    )
    expect(finding?.cure).toContain('delete one mapping of each pair in Plane')
  })

  test('an apply that stops because of it ends with 1', async () => {
    const { both, results } = await started()
    const report = (one: WorkspaceResult) => ({ workspaces: [one], directories: [] }) as unknown as CycleReport
    expect(results.map((one) => exitCodeOfWriting(report(one)))).toEqual([1, 1])
    expect(exitCodeOfWriting(report(await both[0].run()))).toBe(1)
  })

  test('under sync they delete the second mappings themselves, within the guards', async () => {
    const plane = service()
    const both = [plane.program(creates(4), { policy: 'exclusive' }), plane.program(creates(4), { policy: 'exclusive' })] as const
    await Promise.all(both.map((one) => one.run()))
    expect(plane.twins()).toBe(4)
    await both[0].run()
    expect([plane.rows().length, plane.twins()]).toEqual([4, 0])
    expect(seen(await both[1].run())).toEqual(['success', 0, 0, []])
  })

  test('go on if the groups of these pairs are left to the other one with unmanaged:', async () => {
    const { plane, both } = await started()
    expect(seen(await both[0].run(firstCreatesMax))).toEqual(['success', 140, 0, []])
    expect(plane.twins()).toBe(firstCreatesMax)
  })

  test('the journal remembers it', async () => {
    const { both } = await started()
    expect(both[0].memory().lastApplied[0]).toMatchObject({ made: [expect.stringMatching(/^row /)] })
    expect(reopened(both[0].memory())).toEqual(both[0].memory())
  })
})

describe('one program alone', () => {
  test.each([
    [10, 2],
    [11, 3],
    [150, 3],
  ])('reads for %i creates %i lists: one more only if there are more than the first creates', async (count, lists) => {
    const plane = service()
    const one = plane.program(creates(count))
    expect(seen(await one.run())).toEqual(['success', count, 0, []])
    expect([one.lists(), plane.rows().length, plane.twins()]).toEqual([lists, count, 0])
  })

  test('two names that the service stores as one are not another writer', async () => {
    const plane = service((name) => name.toLowerCase())
    const rules = ['GROUP-000', 'group-000', 'GROUP-001', 'group-001'].map((name) =>
      rule(name, 'ENG', 'member', { unknownProjects: 'send' }),
    )
    const one = plane.program(rules)
    for (let cycle = 1; cycle <= 3; cycle++) {
      const [, , held, findings] = seen(await one.run())
      expect([held, findings.filter((code) => code === 'another-writer')]).toEqual([0, []])
      plane.pass(600_000)
    }
  })

  test('a mapping that a person made instead of ours is not another writer', async () => {
    const plane = service()
    const one = plane.program(creates(2))
    await one.run()
    plane.change((all) => [...all.slice(1), { ...mapping('ENG group-000 member', 0), id: 'by hand' as MappingId }])
    expect(seen(await one.run())).toEqual(['success', 0, 0, []])
  })
})

test('a create that was sent twice may have made both mappings itself', () => {
  const entry = { atMs: 1, run: 'r', kind: 'result', workspace: acme, declaration: 'd' } as const
  const change = {
    action: 'create',
    id: 'c',
    key: 'acme/project/ENG/a',
    role: 'member',
    target: { kind: 'project', project: 'ENG' },
  } as never
  const made = (outcome: Outcome) => remember(emptyMemory, { ...entry, change, outcome }, waitMs).lastApplied[0]?.made
  expect([made({ kind: 'done', mapping: 'x' }), made({ kind: 'done', mapping: 'x', earlierLastByteMs: 0 })]).toEqual([['x'], undefined])
})
