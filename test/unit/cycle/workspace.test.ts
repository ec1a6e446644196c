import { describe, expect, test } from 'vitest'
import { exitCode } from '../../../src/commands/exitCode.ts'
import type { Change } from '../../../src/core/change.ts'
import type { Dates } from '../../../src/core/dates.ts'
import type { Limit } from '../../../src/core/judge/guardSettings.ts'
import { keyOf, type List, listOf, type Mapping, type MappingId } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { recordOf } from '../../../src/core/memory/shardedMap.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import { cycleOutcome } from '../../../src/cycle/outcome.ts'
import { type Presence, Stopped } from '../../../src/cycle/readExisting.ts'
import { openRunTally } from '../../../src/cycle/runTally.ts'
import { cycleWorkspace, type WorkspaceResult, type Writer } from '../../../src/cycle/workspace.ts'
import type { WorkspaceContext } from '../../../src/cycle/workspaceContext.ts'
import { longTest } from '../../long.ts'
import { acme, complete, failed, groups, guards, hash, mapping, projectsOf, roles, rule } from '../core/smallWorld.ts'
import { reopened } from '../journal/reopened.ts'

const never = new AbortController().signal
const done: Outcome = { kind: 'done' }

/** A service in memory. It executes each write and answers so, unless `answer` gives another outcome. It stores names as `named` changes them. */
function service(
  rows: readonly string[],
  answer: (change: Change, n: number) => Outcome | undefined = () => undefined,
  named: (name: string) => string = (name) => name,
) {
  let mappings: readonly Mapping[] = rows.map(mapping)
  let memory: Memory = emptyMemory
  let atMs = 0
  let setMs = 0
  const written: Change[] = []
  const waived: string[] = []
  const between = new Map<number, () => void>()
  /** What happens while the write of this number waits for the budget. */
  const atBudget = new Map<number, () => void>()

  function execute(change: Change): Outcome {
    if (change.action === 'settings') return done
    if (change.action === 'delete') mappings = mappings.filter(({ id }) => id !== change.mapping)
    else if (change.action === 'create') {
      const { target, role } = change
      const group = named(change.group) as Mapping['group']
      mappings = [...mappings, { id: `new${written.length}` as MappingId, key: keyOf(acme, target, group), group, target, role }]
    } else mappings = mappings.map((one) => (one.id === change.mapping ? { ...one, role: change.role } : one))
    const key = change.action === 'create' ? (mappings.at(-1)?.key as Mapping['key']) : change.key
    return key === change.key ? done : { kind: 'done', storedKey: key }
  }
  let hasLock = true
  const writer = (changesMax: number): Writer => ({
    changesMax,
    hasLock: () => hasLock,
    async write(change, gate, isFresh) {
      atBudget.get(written.length + 1)?.()
      atBudget.delete(written.length + 1)
      if (!isFresh()) return { kind: 'notSent', why: 'its plan is too old by now' }
      const hold = gate(change)
      if (hold !== undefined) return { kind: 'notSent', why: 'held at the last moment', hold }
      const said = answer(change, written.length)
      written.push(change)
      const outcome = said ?? execute(change)
      between.get(written.length)?.()
      return outcome
    },
    intend: async (workspace, change, declaration) => {
      hasLock = true
      memory = remember(memory, { atMs, run: 'r', kind: 'intent', workspace, change, declaration }, 100)
    },
    settle: async (workspace, change, outcome, declaration) =>
      void (memory = remember(memory, { atMs, run: 'r', kind: 'result', workspace, change, declaration, outcome }, 100)),
    storeWaivers: async (_workspace, _fingerprint, used) => void waived.push(...used.flatMap(({ ids }) => ids)),
    storeProjectIds: async (workspace, ids) => void (memory = remember(memory, { atMs, run: 'r', kind: 'projects', workspace, ids }, 100)),
    storeGroupIds: async (ids, meant) =>
      void (memory = remember(memory, { atMs, run: 'r', kind: 'groups', ids, ...(meant === undefined ? {} : { meant }) }, 100)),
    storeShown: async (workspace, changes) => void (memory = remember(memory, { atMs, run: 'r', kind: 'shown', workspace, changes }, 100)),
    storeOwnership: async (change) => void (memory = remember(memory, { atMs, run: 'r', kind: 'ownership', ...change }, 100)),
    storeMappings: async (workspace, list, ids, unread) =>
      void (memory = remember(memory, { atMs, run: 'r', kind: 'mappings', workspace, list, ids, ...(unread && { unread }) }, 100)),
  })
  return {
    writer,
    between,
    atBudget,
    read: {
      mappings: async (list: List) => complete(mappings.filter(({ target }) => listOf(target) === list)),
      mapping: async (_: List, id: MappingId): Promise<Presence> => {
        const mapping = mappings.find((one) => one.id === id)
        return mapping === undefined ? { is: 'gone' } : { is: 'there', key: mapping.key }
      },
      projects: async () => complete(new Map()),
      groupSync: async () => ({}),
    },
    cycle: {
      now: () => ++atMs,
      wall: () => atMs + setMs,
      began: { steadyMs: 0, wallMs: 0 },
      memory: () => memory,
      countPeople: openPeopleCounter(new Map()),
      run: openRunTally(emptyMemory, []),
    },
    remember: (entry: object) => void (memory = remember(memory, { atMs, run: 'r', ...entry } as Entry, 100)),
    pass: (ms: number) => (atMs += ms),
    /** The process stood still for longer than its lock is trusted. */
    stand: () => void (hasLock = false),
    /** The machine is suspended, or its clock is set. */
    suspend: (ms: number) => (setMs += ms),
    change: (edit: (mappings: readonly Mapping[]) => readonly Mapping[]) => (mappings = edit(mappings)),
    written: () => written.map(({ action, key }) => `${action} ${key.slice(5)}`),
    waived: () => waived,
    rows: () => mappings.map(({ key, role }) => `${key.slice(5)} ${role}`).toSorted(),
  }
}

function sight(read: WorkspaceContext['binding']['read'], rules: readonly Rule[], removed: readonly string[] = []): WorkspaceContext {
  const gone = removed.map((text) => ({ ...mapping(`${text} x`, 0), because: { at: { file: 'g', line: 1, column: 1 } } }))
  const declaration = { workspace: acme, owns: new Set<List>(['workspaceRoles', 'projectRoles']), rules, removed: gone, unmanaged: [] }
  return {
    binding: {
      workspace: acme,
      read,
      horizonMs: 0,
      hasJournal: true,
      options: { origin: 'h/acme', policy: 'upsert-only', roles, doors: 'any', hash },
      guards,
      waivers: [],
      suspend: false,
      dates: () => ({ hereMs: 0, thereMs: undefined }),
    },
    declared: { workspaces: new Map([[acme, declaration]]), hash: 'd', files: 1 },
    directories: new Map([['corp', complete(groups('a', 'b', 'c', 'd', 'it', 'boss'))]]),
  }
}
const free = { unknownProjects: 'send' } as const
const creates = ['a', 'b', 'c', 'd'].map((name) => rule(name, 'ENG', 'member', free))

/** The limits for which changes wait. */
const limitsIn = ({ judged }: WorkspaceResult): readonly string[] => [
  ...new Set(judged.plan.holds.flatMap(({ reason }) => (reason.kind === 'approval' && reason.why === 'limit' ? [reason.name] : []))),
]

describe('slices', () => {
  test('a long plan is written in slices, each from a fresh read, and nothing twice', async () => {
    const plane = service([])
    await cycleWorkspace(sight(plane.read, creates), plane.writer(1), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/a', 'create project/ENG/b', 'create project/ENG/c', 'create project/ENG/d'])
    expect(plane.rows()).toEqual(['project/ENG/a member', 'project/ENG/b member', 'project/ENG/c member', 'project/ENG/d member'])
  })
  test('a list that does not show what was written makes nothing twice', async () => {
    const plane = service([], () => done)
    const result = await cycleWorkspace(sight(plane.read, creates), plane.writer(2), plane.cycle, never)
    expect(plane.written()).toHaveLength(4)
    expect(result).toMatchObject({ applied: { left: [] } })
  })
  test('a slice that waited an hour for its budget goes on from a fresh read', async () => {
    const plane = service([])
    plane.between.set(1, () => {
      plane.pass(3_600_000)
      plane.change((rows) => [...rows, mapping('ENG b member', 7), mapping('ENG c member', 8)])
    })
    const result = await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/a', 'create project/ENG/d'])
    expect(result).toMatchObject({ applied: { left: [] } })
  })
  test('also where each read takes as long, one change follows each', async () => {
    const plane = service([])
    const mappings = async (list: List) => {
      plane.pass(4_000_000)
      return plane.read.mappings(list)
    }
    const read = { ...plane.read, mappings }
    await cycleWorkspace(sight(read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toHaveLength(4)
  })
  test.each([
    ['between two writes', 'between'],
    ['while a write waits for the budget', 'atBudget'],
  ] as const)('a slice of half an hour in which the machine was suspended for as long goes on from a fresh read: %s', async (_when, at) => {
    const plane = service([])
    const change = () => plane.change((rows) => [...rows, mapping('ENG b member', 7), mapping('ENG c member', 8)])
    plane.between.set(1, () => {
      plane.pass(1_800_000)
    })
    plane[at].set(at === 'between' ? 1 : 2, () => {
      if (at === 'between') plane.pass(1_800_000)
      plane.suspend(1_800_000)
      if (plane.rows().length === 1) change()
    })
    const result = await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/a', 'create project/ENG/d'])
    expect(result).toMatchObject({ applied: { left: [] } })
    expect(result).not.toMatchObject({ applied: { stopped: expect.anything() as string } })
  })
  test.each([
    ['before the first write', 0, 'atBudget', []],
    ['between two writes', 1, 'between', ['create project/ENG/a']],
    ['while a write waits for the budget', 1, 'atBudget', ['create project/ENG/a']],
  ] as const)('nothing more is written by readings from before a suspension of an hour: %s', async (_when, writes, at, written) => {
    const plane = service([])
    plane[at].set(at === 'atBudget' ? writes + 1 : writes, () => void plane.suspend(3_600_000))
    const result = await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(written)
    expect(result).toMatchObject({ applied: { stopped: 'outdated', left: { length: 4 - writes } } })
    if (result.kind !== 'judged') throw new Error('not judged')
    expect(result.applied?.results).toHaveLength(writes)
    expect(recordOf(plane.cycle.memory().open)).toEqual({})
  })
  test.each([
    ['before the first write', 1],
    ['while a later write waits for the budget', 3],
  ])('a process that stood still sends nothing by the old lock, reads again and goes on: %s', async (_when, nth) => {
    const plane = service([])
    let lists = 0
    const read = { ...plane.read, mappings: (list: List) => (lists++, plane.read.mappings(list)) }
    plane.atBudget.set(nth, () => {
      plane.stand()
      lists = 0
    })
    const result = await cycleWorkspace(sight(read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/a', 'create project/ENG/b', 'create project/ENG/c', 'create project/ENG/d'])
    expect(lists).toBeGreaterThan(0)
    expect(cycleOutcome(result)).toBe('success')
    if (result.kind !== 'judged') throw new Error('not judged')
    expect(result.applied?.results.map(({ outcome }) => outcome.kind)).toEqual(['done', 'done', 'done', 'done'])
  })
  test('a doubt about the lock at one change says nothing about the next one, which could not be sent', async () => {
    const plane = service([])
    const writer = plane.writer(9)
    let asked = 0
    const write: Writer['write'] = async (change, _gate, isFresh) => {
      if (++asked > 1) return { kind: 'notSent', why: 'connection refused' }
      plane.stand()
      isFresh()
      return { kind: 'notSent', why: 'held', hold: { key: change.key, reason: { kind: 'suspended', why: 'all' } as never } }
    }
    const result = await cycleWorkspace(sight(plane.read, creates), { ...writer, write }, plane.cycle, never)
    expect(result).toMatchObject({ applied: { stopped: 'unreachable' } })
    expect(asked).toBe(2)
  })
  test('a change that is not sent because the service asks to wait ends the apply as that', async () => {
    const plane = service([])
    let asked = 0
    const write: Writer['write'] = async () => (asked++, { kind: 'notSent', why: 'asked to wait', retryAfterMs: 900_000 })
    const result = await cycleWorkspace(sight(plane.read, creates), { ...plane.writer(9), write }, plane.cycle, never)
    expect(result).toMatchObject({ applied: { stopped: 'throttled' } })
    expect(asked).toBe(1)
    expect(cycleOutcome(result)).toBe('failed')
  })
  test('a clock that is set back changes nothing', async () => {
    const plane = service([])
    plane.between.set(1, () => void plane.suspend(-365 * 24 * 3_600_000))
    let lists = 0
    const read = { ...plane.read, mappings: (list: List) => (lists++, plane.read.mappings(list)) }
    await cycleWorkspace(sight(read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toHaveLength(4)
    // The two lists are read for the plan, and one of them is confirmed.
    expect(lists).toBe(3)
  })
  test('what comes up between slices waits for a plan of its own', async () => {
    const plane = service(['ENG d guest'])
    plane.between.set(1, () => plane.change((rows) => rows.map((row) => ({ ...row, role: 'admin' as Mapping['role'] }))))
    const rules = [...creates.slice(0, 2), rule('d', 'ENG', 'guest', free)]
    await cycleWorkspace(sight(plane.read, rules), plane.writer(1), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/a', 'create project/ENG/b'])
  })
  test('the last administrator is guarded in every slice: others write, too', async () => {
    const plane = service(['workspace it admin', 'workspace boss admin', 'workspace c member', 'ENG x guest', 'ENG y guest'])
    plane.between.set(1, () => plane.change((rows) => rows.filter(({ group }) => group !== 'boss')))
    const result = await cycleWorkspace(sight(plane.read, [], ['ENG x', 'workspace it']), plane.writer(1), plane.cycle, never)
    expect(plane.rows()).toContain('workspace/it admin')
    expect(limitsIn(result)).toEqual(['lastAdministrator'])
  })
  test('what was to go alone does not go before what has to replace it by now', async () => {
    const plane = service(['* A guest', 'ENG a member', '* a guest', 'OPS y guest'])
    plane.between.set(1, () => plane.change((rows) => rows.filter(({ key }) => key !== 'acme/project/ENG/a')))
    const rules = [rule('a', 'ENG', 'member', free)]
    await cycleWorkspace(sight(plane.read, rules, ['* a', '* A']), plane.writer(1), plane.cycle, never)
    expect(plane.rows()).toContain('allProjects/a guest')
  })
  test('what an earlier slice took away does not make its project unknown', async () => {
    const plane = service(['ENG x guest', 'OPS y guest', 'OPS z guest'])
    await cycleWorkspace(sight(plane.read, [rule('a', 'ENG', 'member')], ['ENG x']), plane.writer(1), plane.cycle, never)
    expect(plane.written()).toEqual(['delete project/ENG/x', 'create project/ENG/a'])
  })
  test('what is sent does not make its project known', async () => {
    const plane = service([])
    const rules = [...creates.slice(0, 1), rule('b', 'ENG', 'member')]
    for (const changesMax of [1, 9]) await cycleWorkspace(sight(plane.read, rules), plane.writer(changesMax), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/a'])
  })
  test('a list that fails between slices ends the run, and what was written is told', async () => {
    const plane = service([])
    let reads = 0
    const read = { ...plane.read, mappings: async (list: List) => (++reads > 3 ? failed : plane.read.mappings(list)) }
    const result = await cycleWorkspace(sight(read, creates), plane.writer(1), plane.cycle, never)
    expect(result).toMatchObject({ applied: { stopped: 'unreachable', results: [{ outcome: done }] } })
  })
  test('a journal that fails between slices ends the run, and the report says why', async () => {
    const plane = service([])
    let stored = 0
    const storeMappings = async () => {
      if (++stored > 2) throw new Error('no space left')
    }
    const result = await cycleWorkspace(sight(plane.read, creates), { ...plane.writer(1), storeMappings }, plane.cycle, never)
    expect(result).toMatchObject({ applied: { stopped: 'journal', why: 'no space left', results: [{ outcome: done }] } })
    expect([plane.written().length, cycleOutcome(result)]).toEqual([1, 'partial'])
  })
  test('a list that is incomplete between slices holds the creates that are left, and the report says so', async () => {
    const plane = service([])
    let reads = 0
    const cut = { ...failed, status: 'partial', value: [], missing: 'page 2' } as const
    const read = { ...plane.read, mappings: async (list: List) => (++reads > 3 ? cut : plane.read.mappings(list)) }
    const result = await cycleWorkspace(sight(read, creates), plane.writer(1), plane.cycle, never)
    expect([plane.written().length, cycleOutcome(result)]).toEqual([1, 'incomplete'])
    const reason = { kind: 'readingIncomplete' }
    expect(result).toMatchObject({ applied: { results: [{ outcome: done }], holds: [{ reason }, { reason }, { reason }] } })
  })
  test('asked to stop while it reads between slices, it was stopped, and nobody failed', async () => {
    const plane = service([])
    const stop = new AbortController()
    let reads = 0
    const read = { ...plane.read, mappings: async (list: List) => (++reads > 3 ? (stop.abort(), failed) : plane.read.mappings(list)) }
    const result = await cycleWorkspace(sight(read, creates), plane.writer(1), plane.cycle, stop.signal)
    expect(result).toMatchObject({ applied: { stopped: 'signal', results: [{ outcome: done }] } })
    expect(cycleOutcome(result)).toBe('incomplete')
  })
})

describe('a rule starts or ends while a plan is written', () => {
  const day = 86_400_000
  /** The dates are these, and become others at the write of this number. */
  const written = async (
    rules: readonly Rule[],
    {
      rows = [],
      at,
      nth,
      from = { hereMs: 5 },
      to,
      waivers = [],
    }: { rows?: string[]; at: 'between' | 'atBudget'; nth: number; from?: Shown; to: Shown; waivers?: readonly Waiver[] },
  ) => {
    const plane = service(rows)
    let shown: Shown = from
    let lists = 0
    plane[at].set(nth, () => {
      shown = to
      lists = 0
    })
    const read = { ...plane.read, mappings: (list: List) => (lists++, plane.read.mappings(list)) }
    const { binding, ...context } = sight(read, rules)
    const dates = (): Dates => ({ thereMs: undefined, ...shown })
    const result = await cycleWorkspace({ ...context, binding: { ...binding, dates, waivers } }, plane.writer(9), plane.cycle, never)
    return { written: plane.written(), rows: plane.rows(), lists, outcome: cycleOutcome(result) }
  }
  type Shown = { readonly hereMs: number; readonly thereMs?: number }
  const [a, b, c, d] = creates as [Rule, Rule, Rule, Rule]
  const ends = [a, { ...b, expiresMs: 10 }, c, d]

  test.each([
    ['before the first write', [{ ...a, expiresMs: 10 }, b], 'atBudget', 1, ['create project/ENG/b']],
    ['between two writes', ends, 'between', 1, ['create project/ENG/a', 'create project/ENG/c', 'create project/ENG/d']],
    ['while it waits for the budget', ends, 'atBudget', 2, ['create project/ENG/a', 'create project/ENG/c', 'create project/ENG/d']],
  ] as const)('a role of a rule that has ended is not given: %s', async (_when, rules, at, nth, expected) => {
    const result = await written(rules, { at, nth, to: { hereMs: 10 } })
    expect([result.written, result.outcome]).toEqual([expected, 'success'])
  })
  test.each(['between', 'atBudget'] as const)('a protected role is not given when its waiver has ended: %s', async (at) => {
    const boss = rule('boss', 'ENG', 'admin', free)
    const changes = [{ key: keyOf(acme, { kind: 'project', project: 'ENG' as never }, 'boss' as never), after: 'admin' as never }]
    const waivers: readonly Waiver[] = [{ ids: [], words: { changes }, by: 'ann', untilMs: 10, source: 'g:1' }]
    const nth = at === 'between' ? 1 : 2
    const given = ['create project/ENG/a', 'create project/ENG/boss']
    expect(await written([a, boss], { at, nth, to: { hereMs: 9 }, waivers })).toMatchObject({ written: given, outcome: 'success' })
    expect(await written([a, boss], { at, nth, to: { hereMs: 10 }, waivers })).toMatchObject({
      written: given.slice(0, 1),
      outcome: 'waiting',
    })
  })
  test.each(['between', 'atBudget'] as const)('a protected role is not given when its approval was taken back: %s', async (at) => {
    const boss = rule('boss', 'ENG', 'admin', free)
    const changes = [{ key: keyOf(acme, { kind: 'project', project: 'ENG' as never }, 'boss' as never), after: 'admin' as never }]
    const plane = service([])
    const name = '1'.repeat(32)
    const about = { workspace: acme, passes: [], by: 'ann', account: 'node', reason: 'x', fromMs: 0, untilMs: 99 }
    plane.remember({ kind: 'approval', approval: { name, ...about, words: { changes } } })
    plane[at].set(at === 'between' ? 1 : 2, () => plane.remember({ kind: 'withdrawal', approval: name, by: 'ann', account: 'node' }))
    const result = await cycleWorkspace(sight(plane.read, [a, boss]), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/a'])
    expect(cycleOutcome(result)).toBe('waiting')
    const report = { workspaces: [{ ...result, workspace: acme }], directories: [], declaration: {} } as never
    expect([exitCode(report), exitCode(report, new Set(['approval']))]).toEqual([3, 3])
    expect(result.judged.plan.holds).toMatchObject([{ group: 'boss', reason: { kind: 'approval' } }])
    // The report must not say that it is in force.
    expect(result.judged.waived.map(({ untilMs }) => untilMs)).toEqual([0])
  })
  test('a create whose answer names a mapping of the list has not made it: its outcome is unknown, and the mapping is not ours', async () => {
    const plane = service(['OPS a member'], () => ({ kind: 'done', mapping: 'm0' }))
    const result = await cycleWorkspace(sight(plane.read, [rule('a', 'ENG', 'member', free)]), plane.writer(9), plane.cycle, never)
    expect(result).toMatchObject({ applied: { results: [{ outcome: { kind: 'unknown' } }] } })
    const owned = recordOf(plane.cycle.memory().ownership)
    expect(Object.values(owned).flatMap(({ keys }) => Object.entries(recordOf(keys)))).not.toContainEqual([
      expect.anything(),
      expect.objectContaining({ id: 'm0' }),
    ])
  })
  test('an approval is used up when a list shows its change, though the answer was lost', async () => {
    const boss = rule('boss', 'ENG', 'admin', free)
    const changes = [{ key: keyOf(acme, { kind: 'project', project: 'ENG' as never }, 'boss' as never), before: 'guest', after: 'admin' }]
    const plane = service(['ENG boss guest'], () => ({ kind: 'unknown', why: 'cut', lastByteMs: 0 }))
    const about = { workspace: acme, passes: [], by: 'ann', account: 'node', reason: 'x', fromMs: 0, untilMs: 999 }
    plane.remember({ kind: 'approval', approval: { name: '1'.repeat(32), ...about, words: { changes } } })
    const withRole = (role: string) => plane.change((rows) => rows.map((row) => ({ ...row, role: role as never })))
    const cycle = async () => {
      plane.pass(200)
      return cycleWorkspace(sight(plane.read, [boss]), plane.writer(9), plane.cycle, never)
    }
    await cycle()
    await cycle()
    // The service has not executed it, so it is tried again.
    expect(plane.written()).toEqual(['patch project/ENG/boss', 'patch project/ENG/boss'])
    withRole('admin')
    await cycle()
    withRole('guest')
    const result = await cycle()
    expect(plane.written()).toHaveLength(2)
    expect(result.judged.plan.holds).toMatchObject([{ group: 'boss', reason: { kind: 'approval' } }])
  })
  describe('after an approval is taken back, or has ended, the limits judge what is left', () => {
    const old = ['a', 'b', 'boss', 'c', 'd', 'it']
    const many = old.map((name) => rule(name, 'ENG', 'member', free))
    const [much, little] = [9, 2].map((count) => ({ count, share: 0, minExisting: count })) as [Limit, Limit]
    const wide = { ...guards, deletes: much }
    const limits = {
      deletes: { ...wide, deletes: little },
      run: { ...wide, run: { ...guards.run, deletes: 2 } },
      day: { ...wide, day: { ...guards.day, deletes: 2 } },
      creates: { ...wide, creates: { count: 2 } },
    }
    type LimitName = keyof typeof limits
    /** All that are written, if so many were written before the approval went: the others are written as far as they fit into the limit of two. */
    const sumOf = (guard: LimitName, before: number) => {
      const left = old.length - before
      return before + (left <= 2 ? left : guard === 'run' || guard === 'day' ? 2 : 0)
    }
    const names = Object.keys(limits) as LimitName[]

    /** Six deletes, or six creates, of which two are allowed without the approval. @returns how many were written */
    async function writtenWith(
      guard: LimitName,
      at: 'between' | 'atBudget' | 'atReading',
      nth: number,
      sliceMax: number,
      how: 'withdrawn' | 'ended',
    ) {
      const isCreate = guard === 'creates'
      const plane = service(isCreate ? ['OPS x guest'] : [...old, 'v', 'w', 'x', 'y'].map((name) => `ENG ${name} guest`))
      const context = sight(plane.read, isCreate ? many : [], isCreate ? [] : old.map((name) => `ENG ${name}`))
      const target = { kind: 'project', project: 'ENG' as never } as const
      const before = isCreate ? { after: 'member' as never } : { before: 'guest' as never }
      const changes = old.map((group) => ({ key: keyOf(acme, target, group as never), ...before }))
      const words = { changes }
      const name = '1'.repeat(32)
      const about = { workspace: acme, passes: [], by: 'ann', account: 'node', reason: 'x', fromMs: 0, untilMs: 99 }
      plane.remember({ kind: 'approval', approval: { name, ...about, words } })
      let hereMs = 5
      const end = () => {
        if (how === 'ended') hereMs = 99
        else plane.remember({ kind: 'withdrawal', approval: name, by: 'ann', account: 'node' })
      }
      if (at !== 'atReading') plane[at].set(nth, end)
      const projects = async () => {
        if (at === 'atReading' && plane.written().length === nth) end()
        return plane.read.projects()
      }
      const dates = (): Dates => ({ thereMs: undefined, hereMs })
      const binding = { ...context.binding, read: { ...plane.read, projects }, dates, guards: limits[guard] }
      const result = await cycleWorkspace({ ...context, binding }, plane.writer(sliceMax), plane.cycle, never)
      expect(result.kind).toBe('judged')
      return plane.written().length
    }

    test.each(names.flatMap((guard) => [1, 2, 9].map((sliceMax) => [guard, sliceMax] as const)))(
      '%s, %i to a slice',
      async (guard, sliceMax) => {
        for (const how of ['withdrawn', 'ended'] as const)
          for (const nth of [1, 3, 5]) {
            expect([how, nth, await writtenWith(guard, 'between', nth, sliceMax, how)]).toEqual([how, nth, sumOf(guard, nth)])
            expect([how, nth, await writtenWith(guard, 'atBudget', nth, sliceMax, how)]).toEqual([how, nth, sumOf(guard, nth - 1)])
          }
      },
    )
    test.each(names)('also if that happens while the lists are read again: %s', async (guard) => {
      for (const how of ['withdrawn', 'ended'] as const)
        expect([how, await writtenWith(guard, 'atReading', 2, 2, how)]).toEqual([how, sumOf(guard, 2)])
    })
    test('and all are written if it stays in force', async () => {
      for (const guard of names)
        for (const sliceMax of [1, 2, 9]) expect(await writtenWith(guard, 'between', 99, sliceMax, 'ended')).toBe(6)
    })
  })
  test('a mapping is not deleted if a rule has started that gives it a role', async () => {
    const rules = [
      { ...a, expiresMs: 4 },
      { ...a, startsMs: 10 },
    ]
    const rows = ['ENG a member', 'ENG b member', 'OPS x guest']
    expect((await written(rules, { rows, at: 'atBudget', nth: 1, to: { hereMs: 10 } })).written).toEqual([])
  })
  test('nor is a role given if the clock was set back to before its start', async () => {
    const rules = [a, { ...b, startsMs: 4 }]
    expect((await written(rules, { at: 'between', nth: 1, to: { hereMs: 3 } })).written).toEqual(['create project/ENG/a'])
  })
  test('if the two clocks differ by more than an hour, the date of the service counts, too', async () => {
    const from = { hereMs: 5, thereMs: 5 - day }
    const to = { hereMs: 6, thereMs: 10 + day }
    const held = await written([{ ...a, expiresMs: 8 }, b], { at: 'atBudget', nth: 1, from, to })
    expect(held.written).toEqual(['create project/ENG/b'])
  })
  test('the lists are read again only if a date of these rules has passed', async () => {
    const many = [a, { ...b, startsMs: 2, expiresMs: 20 }]
    expect((await written(many, { at: 'between', nth: 1, to: { hereMs: 19 } })).lists).toBe(0)
    expect(await written(many, { at: 'between', nth: 1, to: { hereMs: 20 } })).toMatchObject({ lists: 2, rows: ['project/ENG/a member'] })
  })
})

test.each([
  ['fails', failed],
  ['is cut off', { ...failed, status: 'partial', value: [], missing: 'given up' } as const],
])('asked to stop while a list is read, which then %s: that is no failure, and nothing is planned from it', async (_how, reading) => {
  const plane = service([])
  const stop = new AbortController()
  const read = { ...plane.read, mappings: async () => (stop.abort(), reading) }
  const looked = cycleWorkspace(sight(read, creates), plane.writer(9), plane.cycle, stop.signal)
  await expect(looked).rejects.toBeInstanceOf(Stopped)
})

longTest('the plan of a large workspace lets other work go on between its stages, and hears a request to stop', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => rule(`g${index}`, 'ENG', 'member', free))
  const plane = service([])
  let turns = 0
  const stop = new AbortController()
  // Each turn of other work asks for the next one, and the third asks the program to stop.
  const other = () => {
    if (++turns === 3) stop.abort()
    else setImmediate(other)
  }
  const read = {
    ...plane.read,
    projects: async () => {
      setImmediate(other)
      return plane.read.projects()
    },
  }
  await expect(cycleWorkspace(sight(read, many), plane.writer(9), plane.cycle, stop.signal)).rejects.toBeInstanceOf(Stopped)
  expect(plane.written()).toEqual([])
})

describe('a plan that somebody waived', () => {
  /** A first cycle makes the plan. The result contains a waiver for this plan. */
  async function waivedSight(plane: ReturnType<typeof service>, rules: readonly Rule[], removed: readonly string[]) {
    const looked = sight(plane.read, rules, removed)
    const seen = await cycleWorkspace(looked, undefined, { ...plane.cycle, run: openRunTally(emptyMemory, []) }, never)
    const ids = [seen.judged.plan.fingerprint]
    const waivers = [{ ids, by: 'ann', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }]
    return { ...looked, binding: { ...looked.binding, waivers } }
  }
  test.each([
    ['empties a list', ['ENG a guest', 'ENG b guest', 'OPS c guest'], ['ENG a', 'ENG b', 'OPS c'], []],
    [
      'takes the last administrator away',
      ['workspace boss admin', 'workspace it admin', 'workspace c member'],
      ['workspace boss', 'workspace it'],
      ['workspace/c member'],
    ],
  ])('is applied whole in slices where it %s', async (_name, rows, removed, left) => {
    const plane = service(rows)
    const result = await cycleWorkspace(await waivedSight(plane, [], removed), plane.writer(1), plane.cycle, never)
    expect(plane.rows()).toEqual(left)
    expect(result).toMatchObject({ judged: { waived: [{ by: 'ann' }] }, applied: { left: [] } })
    expect(limitsIn(result)).toEqual([])
  })
  test('is applied whole although another administrator goes first than was thought', async () => {
    const plane = service(['workspace a admin', 'workspace b admin', 'workspace it admin', 'workspace c member'])
    plane.between.set(1, () => plane.change((rows) => rows.filter(({ group }) => group !== 'it')))
    const all = await waivedSight(plane, [], ['workspace a', 'workspace b', 'workspace it'])
    await cycleWorkspace(all, plane.writer(1), plane.cycle, never)
    expect(plane.rows()).toEqual(['workspace/c member'])
  })
  test('with the grants in it that wait for somebody', async () => {
    const plane = service([])
    const grants = ['ENG', 'OPS'].map((where) => rule('it', where, 'admin', free))
    await cycleWorkspace(await waivedSight(plane, grants, []), plane.writer(1), plane.cycle, never)
    expect(plane.rows()).toEqual(['project/ENG/it admin', 'project/OPS/it admin'])
  })
  test('is not applied further where by now it empties what it did not', async () => {
    const plane = service(['ENG x guest', 'workspace a member', 'workspace b member'])
    plane.between.set(1, () => plane.change((rows) => rows.filter(({ group }) => group !== 'b')))
    const emptying = await waivedSight(plane, [], ['ENG x', 'workspace a'])
    const result = await cycleWorkspace(emptying, plane.writer(1), plane.cycle, never)
    expect(plane.rows()).toEqual(['workspace/a member'])
    expect(limitsIn(result)).toEqual(['emptiesList'])
  })
  test('brings nothing with it that was not in it', async () => {
    const plane = service(['ENG a guest', 'OPS b guest'])
    plane.between.set(1, () => plane.change((rows) => [...rows.filter(({ group }) => group !== 'b'), mapping('OPS b member', 7)]))
    await cycleWorkspace(await waivedSight(plane, [], ['ENG a', 'OPS b']), plane.writer(1), plane.cycle, never)
    expect(plane.rows()).toEqual(['project/OPS/b member'])
  })
  test('is applied whole over rounds, where a write waits for its fate', async () => {
    const plane = service(['ENG a guest', 'OPS b guest'], (_change, n) =>
      n === 1 ? { kind: 'unknown', why: 'cut', lastByteMs: 0 } : undefined,
    )
    const waived = await waivedSight(plane, [], ['ENG a', 'OPS b'])
    const first = await cycleWorkspace(waived, plane.writer(9), plane.cycle, never)
    plane.pass(500)
    const second = await cycleWorkspace(waived, plane.writer(9), plane.cycle, never)
    expect([limitsIn(second), plane.rows()]).toEqual([['emptiesList'], ['project/OPS/b guest']])
    const carried = first.kind === 'judged' ? first.judged.waived : []
    await cycleWorkspace(waived, plane.writer(9), { ...plane.cycle, waived: carried }, never)
    expect(plane.rows()).toEqual([])
  })
  test('waits in a later round for a limit that it did not exceed before, also if nothing of it was written', async () => {
    const rows = ['ENG x guest', 'workspace boss admin', 'workspace c member']
    const plane = service([...rows, 'workspace it admin'], () => ({ kind: 'notSent', why: 'cannot connect' }))
    const emptying = await waivedSight(plane, [], ['ENG x', 'workspace boss'])
    const first = await cycleWorkspace(emptying, plane.writer(9), plane.cycle, never)
    expect(limitsIn(first)).toEqual([])
    plane.change((all) => all.filter(({ group }) => group !== 'it'))
    const later = { ...plane.cycle, waived: first.judged.waived }
    const second = await cycleWorkspace(emptying, plane.writer(9), later, never)
    expect(second.judged.plan.fingerprint).toBe(first.judged.plan.fingerprint)
    expect(limitsIn(second)).toEqual(['lastAdministrator'])
  })
})

describe('over cycles', () => {
  const again = async (plane: ReturnType<typeof service>, read = plane.read, removed: readonly string[] = []) => {
    const result = await cycleWorkspace(sight(read, creates.slice(0, 2), removed), plane.writer(9), plane.cycle, never)
    return result.kind === 'judged' ? result.judged.plan.holds.map(({ reason }) => reason) : []
  }
  test('a list that does not show yet what was written makes nothing twice', async () => {
    const plane = service([])
    const lagging = { ...plane.read, mappings: async () => complete([]) }
    await again(plane, lagging)
    expect(await again(plane, lagging)).toMatchObject([{ since: 'justWritten' }, { since: 'justWritten' }])
    plane.pass(100)
    await again(plane)
    expect(plane.written()).toEqual(['create project/ENG/a', 'create project/ENG/b'])
  })
  test('what is still not there after Δ is made again', async () => {
    const plane = service([], () => done)
    await again(plane)
    plane.pass(100)
    await again(plane)
    expect(plane.written()).toHaveLength(4)
  })
  test('what the service keeps under another name is told, and not made again', async () => {
    const plane = service([], undefined, (name) => name.toLowerCase())
    const seen: unknown[] = []
    for (let round = 1; round <= 5; round++) {
      plane.pass(90_000_000)
      const names = ['A', 'B', 'C', 'd'].map((name) => rule(name, 'ENG', 'member', free))
      const read = { ...plane.read, projects: async () => complete(projectsOf('ENG')) }
      const named = { ...sight(read, names), directories: new Map([['corp', complete(groups('A', 'B', 'C', 'd'))]]) }
      const result = await cycleWorkspace(named, plane.writer(9), plane.cycle, never)
      if (result.kind !== 'judged') throw new Error(result.kind)
      const { holds, findings } = result.judged.plan
      seen.push([cycleOutcome(result), holds.filter(({ reason }) => reason.kind === 'nameEchoed').length, findings.length])
    }
    expect(plane.rows()).toEqual(['a', 'b', 'c', 'd'].map((name) => `project/ENG/${name} member`))
    expect(seen).toEqual([['failed', 0, 0], ...Array.from({ length: 4 }, () => ['success', 3, 0])])
    expect(reopened(plane.cycle.memory())).toEqual(plane.cycle.memory())
  })
  test('nothing that a misnamed create replaces is deleted', async () => {
    const plane = service(['* A guest', 'OPS y guest'], undefined, (name) => name.toLowerCase())
    const named = {
      ...sight(plane.read, [rule('A', 'ENG', 'member', free)], ['* A']),
      directories: new Map([['corp', complete(groups('A'))]]),
    }
    for (let round = 1; round <= 2; round++) await cycleWorkspace(named, plane.writer(9), plane.cycle, never)
    expect(plane.rows()).toEqual(['allProjects/A guest', 'project/ENG/a member', 'project/OPS/y guest'])
  })
  test('what somebody undoes each time is given up after a few rounds, but no revocation is', async () => {
    const plane = service(['OPS keep guest'])
    const undone = (rows: readonly Mapping[]) => [...rows.filter(({ group }) => group === 'keep'), mapping('OPS z admin', 9)]
    const findings: number[] = []
    for (let round = 1; round <= 5; round++) {
      plane.change(undone)
      plane.pass(200)
      const one = sight(plane.read, creates.slice(0, 1), ['OPS z'])
      const result = await cycleWorkspace(one, plane.writer(9), plane.cycle, never)
      if (result.kind === 'judged') findings.push(result.judged.plan.findings.filter(({ code }) => code === 'another-writer').length)
    }
    const times = (what: string) => plane.written().filter((one) => one === what).length
    expect([times('create project/ENG/a'), times('delete project/OPS/z'), findings]).toEqual([3, 5, [0, 0, 1, 1, 1]])
  })
})

test('a list that cannot be read fails the workspace', async () => {
  const plane = service([])
  const read = { ...plane.read, mappings: async () => failed }
  await expect(cycleWorkspace(sight(read, []), plane.writer(9), plane.cycle, never)).rejects.toThrow(
    'mappings cannot be read: cannot connect',
  )
})

test('the ids of believed lists are remembered', async () => {
  const plane = service(['ENG a member', 'workspace it admin', 'workspace boss admin'])
  await cycleWorkspace(sight(plane.read, []), plane.writer(9), plane.cycle, never)
  const known = Object.entries(recordOf(plane.cycle.memory().mappings)).map(([list, { ids }]) => [list, recordOf(ids)])
  expect(Object.fromEntries(known)).toEqual({
    'acme/projectRoles': { 'acme/project/ENG/a': ['m0'] },
    'acme/workspaceRoles': { 'acme/workspace/it': ['m1'], 'acme/workspace/boss': ['m2'] },
  })
})

test('a list that is no longer declared is told until a cycle has written, and is confirmed when it is declared again', async () => {
  const plane = service(['ENG a member', 'workspace it admin', 'workspace boss admin'])
  const whole = sight(plane.read, [rule('a', 'ENG', 'member', free), rule('it', 'workspace', 'admin', { allowProtected: true })])
  const declaration = whole.declared.workspaces.get(acme) as WorkspaceDeclaration
  const owning = (owns: readonly List[]) => {
    const rules = declaration.rules.filter(({ target }) => target.kind === 'fixed' && owns.includes(listOf(target.target)))
    return { ...whole, declared: { ...whole.declared, workspaces: new Map([[acme, { ...declaration, rules, owns: new Set(owns) }]]) } }
  }
  const codes = async (context: WorkspaceContext, writes: boolean, isApprovedBeforehand = () => true) => {
    const result = await cycleWorkspace(context, writes ? plane.writer(9) : undefined, { ...plane.cycle, isApprovedBeforehand }, never)
    return 'judged' in result ? result.judged.plan.findings.map(({ code }) => code) : []
  }
  expect(await codes(owning(['workspaceRoles', 'projectRoles']), true)).toEqual([])
  expect(await codes(owning(['projectRoles']), false)).toEqual(['list-left'])
  expect(await codes(owning(['projectRoles']), true, () => false)).toEqual(['list-left'])
  expect(await codes(owning(['projectRoles']), true)).toEqual(['list-left'])
  expect(await codes(owning(['projectRoles']), true)).toEqual([])
  let reads = 0
  const { binding } = whole
  const mappings = (list: List) => {
    if (list === 'workspaceRoles') reads++
    return plane.read.mappings(list)
  }
  plane.change((rows) => rows.filter(({ group }) => group !== 'it'))
  await codes({ ...whole, binding: { ...binding, read: { ...binding.read, mappings } } }, true)
  expect([reads, plane.rows()]).toEqual([2, ['project/ENG/a member', 'workspace/boss admin', 'workspace/it admin']])
})

test('a plan that nobody agreed to is not written', async () => {
  const plane = service([])
  const result = await cycleWorkspace(
    sight(plane.read, creates),
    plane.writer(9),
    { ...plane.cycle, isApprovedBeforehand: () => false },
    never,
  )
  expect([result.kind, plane.written()]).toEqual(['moved', []])
})

test('a write that throws is in the journal as one of unknown outcome', async () => {
  const plane = service([])
  const writer: Writer = { ...plane.writer(9), write: () => Promise.reject(new TypeError('a bug')) }
  await expect(cycleWorkspace(sight(plane.read, creates), writer, plane.cycle, never)).rejects.toThrow('a bug')
  expect(Object.keys(recordOf(plane.cycle.memory().open))).toEqual([])
  expect(Object.keys(plane.cycle.memory().quarantine)).toEqual(['acme/project/ENG/a'])
})

test('whom the service calls an administrator in its own words is guarded as one', async () => {
  const plane = service(['workspace it workspace-admin', 'workspace devs member'], () => ({ kind: 'done', echoed: 'workspace-admin' }))
  const learning = [rule('boss', 'workspace', 'admin', { allowProtected: true })]
  await cycleWorkspace(sight(plane.read, learning), plane.writer(9), plane.cycle, never)
  const result = await cycleWorkspace(sight(plane.read, [], ['workspace it']), plane.writer(9), plane.cycle, never)
  expect(limitsIn(result)).toEqual(['lastAdministrator'])
})

describe('a mapping that the service stores with another role', () => {
  /** The service gives each group that gets a role the role `stored` instead, and says so. */
  const storing = (stored: string, rows: readonly string[]) => {
    const plane = service(rows, (change) => {
      if (!('role' in change)) return undefined
      const { key, group, target } = change
      const row = { id: 'odd' as MappingId, key, group, target, role: stored as Mapping['role'] }
      plane.change((all) => [...all.filter((one) => one.key !== key), row])
      return { kind: 'done', mapping: row.id, echoed: stored }
    })
    return plane
  }
  const boss = rule('boss', 'workspace', 'admin', { allowProtected: true })

  test.each(['member', 'none'])('does not replace the last administrator: %s', async (stored) => {
    const plane = storing(stored, ['workspace it admin', 'workspace devs guest'])
    for (let n = 0; n < 3; n++) await cycleWorkspace(sight(plane.read, [boss], ['workspace it']), plane.writer(9), plane.cycle, never)
    expect(plane.rows()).toEqual([`workspace/boss ${stored}`, 'workspace/devs guest', 'workspace/it admin'])
  })

  test('does not replace the mapping of its group that is to go', async () => {
    const plane = storing('guest', ['ENG a member'])
    const context = () => sight(plane.read, [rule('a', '*', 'member')], ['ENG a'])
    const results = []
    for (let n = 0; n < 3; n++) results.push(await cycleWorkspace(context(), plane.writer(9), plane.cycle, never))
    expect(plane.rows()).toEqual(['allProjects/a guest', 'project/ENG/a member'])
    expect(results.map((result) => cycleOutcome({ ...result, workspace: acme } as never))).toEqual(['failed', 'success', 'success'])
  })

  test('ends the writing after the third in a row', async () => {
    const plane = storing('admin', [])
    const result = await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toHaveLength(3)
    expect(result).toMatchObject({ applied: { stopped: 'notAsSent', left: [{ key: 'acme/project/ENG/d' }] } })
  })

  test.each([4, 9])('gives nothing more after the third in a row, and still takes away: %i in a slice', async (changesMax) => {
    const stubborn = ['a', 'b', 'c']
    const plane = service([...stubborn.map((name) => `ENG ${name} admin`), 'ENG d admin', 'ENG old guest'], ({ action, key }) =>
      action === 'patch' && !key.endsWith('/d') ? { kind: 'done', echoed: 'admin' } : undefined,
    )
    const rules = [...stubborn, 'd', 'it'].map((name) => rule(name, 'ENG', 'member', free))
    const result = await cycleWorkspace(sight(plane.read, rules, ['ENG old']), plane.writer(changesMax), plane.cycle, never)
    const old = changesMax === 4 ? ['project/ENG/old guest'] : []
    expect(plane.rows()).toEqual([...stubborn.map((name) => `project/ENG/${name} admin`), 'project/ENG/d member', ...old])
    const left = ['acme/project/ENG/old', 'acme/project/ENG/it'].slice(1 - old.length)
    expect(result).toMatchObject({ applied: { stopped: 'notAsSent', left: left.map((key) => ({ key })) } })
  })

  test('does not end the writing if others between are stored as sent', async () => {
    const plane = service([], (_change, n) => (n % 3 === 2 ? undefined : { kind: 'done', echoed: 'admin' }))
    await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toHaveLength(4)
  })

  test('says nothing about other mappings, whose role is lowered as declared', async () => {
    const plane = storing('admin', [])
    const rules = [rule('a', 'ENG', 'member', free), rule('b', 'OPS', 'member', free)]
    await cycleWorkspace(sight(plane.read, rules.slice(0, 1)), plane.writer(9), plane.cycle, never)
    plane.change((rows) => [...rows, mapping('OPS b admin', 7)])
    const { judged } = await cycleWorkspace(sight(plane.read, rules), undefined, plane.cycle, never)
    expect(judged.plan.changes.map(({ key }) => key)).toEqual(['acme/project/ENG/a', 'acme/project/OPS/b'])
  })
})

describe('a change that fails', () => {
  const failing = ['e1', 'e2', 'e3', 'e4']
  const fails = failing.map((name) => `delete project/ENG/${name}`)
  const rows = [...failing.map((name) => `ENG ${name} guest`), 'ENG z admin']
  const lost = (plane: ReturnType<typeof service>, answer: { readonly status?: number | undefined }): Outcome => {
    const { status } = answer
    return { kind: 'unknown', why: 'no', lastByteMs: plane.pass(0), ...(status === undefined ? {} : { status }) }
  }
  const isFailing = (change: Change) => 'group' in change && failing.includes(change.group)
  const gone = [...failing, 'z'].map((name) => `ENG ${name}`)
  const cycled = (plane: ReturnType<typeof service>) => {
    const cycle = { ...plane.cycle, run: openRunTally(plane.cycle.memory(), []) }
    return cycleWorkspace(sight(plane.read, [], gone), plane.writer(99), cycle, never)
  }
  const statuses = { rejected: 400, forbidden: 403, credential: 401, throttled: 429 } as const
  const refused = (code: keyof typeof statuses): Outcome => ({ kind: 'refused', status: statuses[code], code, sentence: 'no' })
  test.each([
    ['rejected', 4],
    ['forbidden', 3],
    ['credential', 1],
  ] as const)('%s: %i are tried', async (code, tried) => {
    const plane = service([], () => refused(code))
    await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toHaveLength(tried)
  })
  test('again says when it failed before, for the log', async () => {
    const plane = service([...rows, 'OPS y guest'], (change) => (isFailing(change) ? refused('rejected') : undefined))
    const failedMs = async () => {
      const result = await cycled(plane)
      return 'applied' in result ? result.applied?.results.map((one) => one.failedMs) : undefined
    }
    expect(new Set(await failedMs())).toEqual(new Set([undefined]))
    const before = plane.cycle.now()
    plane.pass(1_000)
    const again = await failedMs()
    expect(again?.every((atMs) => atMs !== undefined && atMs <= before)).toBe(true)
  })
  test('alone does not stop the others', async () => {
    const plane = service([], (_change, n) => (n === 1 ? refused('forbidden') : undefined))
    await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.rows()).toHaveLength(3)
  })
  test.each(['rejected', 'forbidden'] as const)(
    'with a refusal is tried in each cycle after the others, and keeps none waiting: %s',
    async (code) => {
      const plane = service([...rows, 'OPS y guest'], (change) => (isFailing(change) ? refused(code) : undefined))
      await cycled(plane)
      await cycled(plane)
      const other = 'delete project/ENG/z'
      const [first, second] =
        code === 'rejected' ? [[...fails, other], fails.slice(0, 3)] : [fails.slice(0, 3), [fails[3], other, ...fails.slice(0, 3)]]
      expect(plane.written()).toEqual([...first, ...second])
    },
  )
  test('is written in the cycle after the cause of its refusal is gone', async () => {
    let isMended = false
    const plane = service([...rows, 'OPS y guest'], () => (isMended ? undefined : refused('forbidden')))
    const context = sight(plane.read, creates, gone)
    const cycle = () => cycleWorkspace(context, plane.writer(99), { ...plane.cycle, run: openRunTally(plane.cycle.memory(), []) }, never)
    const first = await cycle()
    // Three of one rank, then one of another.
    expect(plane.written()).toEqual([...fails.slice(0, 3), 'create project/ENG/a'])
    expect(first).toMatchObject({ applied: { stopped: 'refused' } })
    expect('applied' in first && first.applied?.left).toHaveLength(5)
    isMended = true
    await cycle()
    expect(plane.rows()).toEqual([...['a', 'b', 'c', 'd'].map((name) => `project/ENG/${name} member`), 'project/OPS/y guest'])
  })
  test('since a proxy refuses its method keeps no other method waiting', async () => {
    const plane = service([...rows, 'OPS y guest'], ({ action }) => (action === 'delete' ? refused('forbidden') : undefined))
    const result = await cycleWorkspace(sight(plane.read, creates, gone), plane.writer(99), plane.cycle, never)
    expect(plane.written()).toEqual([...fails.slice(0, 3), ...['a', 'b', 'c', 'd'].map((name) => `create project/ENG/${name}`)])
    expect(result).toMatchObject({ applied: { stopped: 'refused', left: [{ group: 'e4' }, { group: 'z' }] } })
  })
  test('since a proxy refuses its method keeps no lowering waiting, which has its rank', async () => {
    const early = ['1', '2', '3', '4']
    const lowered = ['a', 'b', 'c', 'd']
    const stored = [...early.map((name) => `ENG ${name} guest`), ...lowered.map((name) => `ENG ${name} member`), 'OPS y guest']
    const plane = service(stored, ({ action }) => (action === 'delete' ? refused('forbidden') : undefined))
    const rules = lowered.map((name) => rule(name, 'ENG', 'guest', free))
    const removed = early.map((name) => `ENG ${name}`)
    await cycleWorkspace(sight(plane.read, rules, removed), plane.writer(99), plane.cycle, never)
    expect(plane.written()).toEqual([
      ...early.slice(0, 3).map((name) => `delete project/ENG/${name}`),
      ...lowered.map((name) => `patch project/ENG/${name}`),
    ])
  })
  test('since it alone is throttled keeps no other change waiting, and is tried last of its kind in the next cycle', async () => {
    const plane = service([...rows, 'OPS y guest'], (change) =>
      'group' in change && change.group === 'e2' ? refused('throttled') : undefined,
    )
    await cycleWorkspace(sight(plane.read, creates, gone), plane.writer(99), plane.cycle, never)
    expect(plane.rows()).toEqual([
      ...['a', 'b', 'c', 'd'].map((name) => `project/ENG/${name} member`),
      'project/ENG/e2 guest',
      'project/OPS/y guest',
    ])
    plane.pass(1_000)
    plane.change((all) => [...all, mapping('ENG e1 guest', 90), mapping('ENG e3 guest', 91)])
    await cycled(plane)
    expect(plane.written().slice(-3)).toEqual(['delete project/ENG/e1', 'delete project/ENG/e3', 'delete project/ENG/e2'])
  })
  test('like the one before it, since both are throttled, ends the writing', async () => {
    const plane = service([], () => refused('throttled'))
    const result = await cycleWorkspace(sight(plane.read, creates), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toHaveLength(2)
    expect(result).toMatchObject({ applied: { stopped: 'throttled' } })
  })
  test.each<[string, { readonly status?: number }, number]>([
    ['is answered with 500: all are tried', { status: 500 }, 5],
    ['is answered with 503, which is said of the service: three are tried', { status: 503 }, 3],
    ['is not answered: three are tried', {}, 3],
  ])('%s', async (_name, answer, tried) => {
    const plane = service([...rows, 'OPS y guest'], (change) => (isFailing(change) ? lost(plane, answer) : undefined))
    await cycled(plane)
    expect(plane.written()).toHaveLength(tried)
  })
  test.each([500, 503, undefined])('always alike (%s) keeps nothing behind it waiting for long', async (status) => {
    const plane = service([...rows, 'OPS y guest'], (change) => (isFailing(change) ? lost(plane, { status }) : undefined))
    for (let round = 1; round <= 3; round++) {
      await cycled(plane)
      plane.pass(100)
    }
    expect(plane.written()).toContain('delete project/ENG/z')
  })
  test('always, as nobody knows, is tried again after each wait, and counts once a day', async () => {
    const plane = service([...rows, 'OPS y guest'], (change) => (isFailing(change) ? lost(plane, { status: 500 }) : undefined))
    const counts: number[] = []
    for (let round = 1; round <= 60; round++) {
      await cycled(plane)
      counts.push(plane.written().length)
      plane.pass(100)
    }
    // After the first cycle three failures in a row end the tries of a cycle.
    expect(counts.slice(0, 4)).toEqual([5, 8, 11, 14])
    const { day } = openRunTally(plane.cycle.memory(), []).tally(plane.cycle.now(), { changes: [] }, roles)
    expect(day).toEqual({ creates: 0, raises: 0, lowers: 0, deletes: 5 })
  })
  test('a delete does not go where the create that replaces it failed', async () => {
    const plane = service(['* a guest', 'OPS y guest'], (change) => (change.action === 'create' ? refused('rejected') : undefined))
    const result = await cycleWorkspace(sight(plane.read, creates.slice(0, 1), ['* a']), plane.writer(9), plane.cycle, never)
    expect(plane.rows()).toContain('allProjects/a guest')
    expect(result).toMatchObject({ applied: { holds: [{ reason: { kind: 'requires' } }] } })
  })
})

describe('a list that was never read whole before', () => {
  const lying = (plane: ReturnType<typeof service>, lies: readonly (readonly string[])[]) => {
    const left = [...lies]
    let reads = 0
    const mappings = async (list: List) => {
      if (list !== 'projectRoles') return plane.read.mappings(list)
      reads++
      const lie = left.shift()
      return lie === undefined ? plane.read.mappings(list) : complete(lie.map(mapping))
    }
    return { read: { ...plane.read, mappings }, reads: () => reads }
  }
  const both = ['ENG a member', 'ENG b member']
  const rules = creates.slice(0, 3)

  test('is read twice before anything is created by it, and once a list at most', async () => {
    const plane = service(['ENG a member'])
    const { read, reads } = lying(plane, [])
    await cycleWorkspace(sight(read, rules), plane.writer(9), plane.cycle, never)
    expect(reads()).toBe(2)
    expect(plane.written()).toEqual(['create project/ENG/b', 'create project/ENG/c'])
    plane.change((rows) => rows.filter(({ group }) => group !== 'b'))
    await cycleWorkspace(sight(read, rules), plane.writer(9), plane.cycle, never)
    expect(reads()).toBe(3)
  })
  test.each<[string, readonly (readonly string[])[]]>([
    ['first', [[]]],
    ['first in half', [['ENG a member']]],
    ['the second time', [both, []]],
  ])('and lies %s creates nothing before it says the same twice', async (_when, lies) => {
    const plane = service(both)
    const { read } = lying(plane, lies)
    const first = await cycleWorkspace(sight(read, rules), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual([])
    expect(first).toMatchObject({ judged: { plan: { changes: [], findings: [{ code: 'reading-incomplete' }] } } })
    expect(cycleOutcome(first)).toBe('incomplete')
    await cycleWorkspace(sight(read, rules), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/c'])
  })
  test('but in part shows mappings that stay known, so that a list without them creates none of them again', async () => {
    const plane = service(both)
    const { read } = lying(plane, [[], both, [], []])
    for (const _ of [1, 2, 3]) await cycleWorkspace(sight(read, rules), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual([])
    await cycleWorkspace(sight(read, rules), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create project/ENG/c'])
  })
  test('but in part is still read twice before anything is created by it', async () => {
    const plane = service(both)
    const { read } = lying(plane, [[], both.slice(0, 1), both.slice(0, 1)])
    for (const _ of [1, 2]) await cycleWorkspace(sight(read, rules), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual([])
  })
  test('and fails the second time creates nothing', async () => {
    const plane = service([])
    let reads = 0
    const mappings = async (list: List) => (list === 'projectRoles' && ++reads === 2 ? failed : plane.read.mappings(list))
    const result = await cycleWorkspace(sight({ ...plane.read, mappings }, rules), plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual([])
    expect(result).toMatchObject({
      judged: { plan: { holds: [{ reason: { kind: 'readingIncomplete', why: 'cannot connect' } }, {}, {}] } },
    })
  })
  test('is read once where nothing is created by it', async () => {
    const plane = service(both)
    const { read, reads } = lying(plane, [])
    await cycleWorkspace(sight(read, rules.slice(0, 2)), plane.writer(9), plane.cycle, never)
    expect(reads()).toBe(1)
  })
  test('is read twice by a later cycle if a rule starts while another list is read a second time', async () => {
    const plane = service(both)
    const { read, reads } = lying(plane, [[]])
    let hereMs = 5
    let others = 0
    const mappings = (list: List) => {
      if (list === 'workspaceRoles' && ++others === 2) hereMs = 10
      return read.mappings(list)
    }
    const starting = [...rules.map((one) => ({ ...one, startsMs: 10 })), rule('d', 'workspace', 'member')]
    const { binding, ...context } = sight({ ...read, mappings }, starting)
    const dated = { ...context, binding: { ...binding, dates: () => ({ hereMs, thereMs: undefined }) } }
    await cycleWorkspace(dated, plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create workspace/d'])
    expect(reads()).toBe(2)
    await cycleWorkspace(dated, plane.writer(9), plane.cycle, never)
    expect(plane.written()).toEqual(['create workspace/d', 'create project/ENG/c'])
  })
  test('is read twice by a plan, too, which then shows what an apply would do', async () => {
    const plane = service(both)
    const { read } = lying(plane, [[]])
    const result = await cycleWorkspace(sight(read, rules), undefined, plane.cycle, never)
    expect(result).toMatchObject({ judged: { plan: { changes: [] } } })
  })
})

describe('a group that is made again between two cycles', () => {
  const rules = [rule('a', 'ENG', 'member', free)]
  const world = () => {
    const plane = service([])
    let known = ['a#1']
    const cycle = (waivers: readonly Waiver[] = [], isApprovedBeforehand?: (plan: Plan) => boolean) => {
      const { binding, ...seen } = sight(plane.read, rules)
      const context = { ...seen, binding: { ...binding, waivers }, directories: new Map([['corp', complete(groups(...known))]]) }
      const approving = isApprovedBeforehand === undefined ? {} : { isApprovedBeforehand }
      return cycleWorkspace(context, plane.writer(9), { ...plane.cycle, ...approving }, never)
    }
    const makeAgain = () => {
      known = ['a#2']
      plane.change(() => [])
      plane.pass(1_000)
    }
    return { plane, cycle, makeAgain }
  }
  const waiverOf = async (cycle: ReturnType<typeof world>['cycle']): Promise<Waiver> => {
    const { judged } = (await cycle()) as Extract<WorkspaceResult, { kind: 'judged' }>
    const reason = judged.plan.holds[0]?.reason
    const pass = reason?.kind === 'groupChanged' ? reason.pass : ''
    return { ids: [pass, 'of-another'], by: 'ann', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }
  }
  test('is held and told in each cycle, until a waiver names it', async () => {
    const { plane, cycle, makeAgain } = world()
    await cycle()
    expect(plane.rows()).toEqual(['project/ENG/a member'])
    makeAgain()
    for (let again = 0; again < 3; again++)
      expect(await cycle()).toMatchObject({ judged: { plan: { changes: [], findings: [{ code: 'group-changed' }] } } })
    expect(plane.rows()).toEqual([])
    const waiver = await waiverOf(cycle)
    expect(await cycle([waiver])).toMatchObject({ judged: { waived: [{ ids: waiver.ids.slice(0, 1), by: 'ann' }] } })
    expect(plane.waived()).toEqual(waiver.ids.slice(0, 1))
    expect(await cycle()).toMatchObject({ judged: { plan: { holds: [], findings: [] } } })
    expect(plane.rows()).toEqual(['project/ENG/a member'])
  })
  test('is not accepted by the waiver of a plan that was not approved', async () => {
    const { plane, cycle, makeAgain } = world()
    await cycle()
    makeAgain()
    expect((await cycle([await waiverOf(cycle)], () => false)).kind).toBe('moved')
    await cycle()
    expect(plane.rows()).toEqual([])
    expect(plane.waived()).toEqual([])
  })
})

describe('a project that changes between two cycles', () => {
  const world = (rows: readonly string[], rules: readonly Rule[]) => {
    const plane = service(rows)
    let projects = ['ENG=1', 'OPS=2']
    const read = { ...plane.read, projects: async () => complete(projectsOf(...projects)) }
    const subject = (waivers: readonly Waiver[] = []) => {
      const { binding: base, ...seen } = sight(read, rules)
      return { ...seen, binding: { ...base, waivers, options: { ...base.options, policy: 'exclusive' as const } } }
    }
    return {
      plane,
      cycle: (waivers?: readonly Waiver[], isApprovedBeforehand?: (plan: Plan) => boolean) =>
        cycleWorkspace(
          subject(waivers),
          plane.writer(9),
          { ...plane.cycle, ...(isApprovedBeforehand === undefined ? {} : { isApprovedBeforehand }) },
          never,
        ),
      call: (...texts: readonly string[]) => (projects = [...texts]),
    }
  }
  test('is held for as long as nobody says which is meant, then followed, and remembered so', async () => {
    const rules = [rule('a', 'ENG', 'member'), rule('b', 'OPS', 'guest')]
    const { plane, cycle, call } = world(['ENG a guest', 'OPS b guest'], rules)
    await cycle()
    expect(plane.rows()).toEqual(['project/ENG/a member', 'project/OPS/b guest'])
    call('ENGX=1', 'ENG=3', 'OPS=2')
    plane.change((rows) => rows.map((row) => (row.group === 'a' ? { ...mapping('ENGX a guest', 9), id: row.id } : row)))
    for (let again = 0; again < 3; again++) {
      const held = await cycle()
      expect(held).toMatchObject({ judged: { plan: { changes: [], findings: [{ code: 'project-changed', place: expect.any(String) }] } } })
    }
    expect(plane.rows()).toEqual(['project/ENGX/a guest', 'project/OPS/b guest'])
    plane.pass(1_000)
    const { judged } = (await cycle()) as Extract<WorkspaceResult, { kind: 'judged' }>
    const reason = judged.plan.holds[0]?.reason
    const pass = reason?.kind === 'projectChanged' ? reason.pass : ''
    const allowed = await cycle([{ ids: [pass, 'of-another'], by: 'ann', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }])
    expect(allowed).toMatchObject({ judged: { waived: [{ ids: [pass], by: 'ann' }] } })
    expect(plane.waived()).toEqual([pass])
    expect(plane.rows()).toEqual(['project/ENG/a member', 'project/OPS/b guest'])
    await cycle()
    expect(plane.rows()).toEqual(['project/ENG/a member', 'project/OPS/b guest'])
  })
  test('is not taken from a waiver beside a plan that was not agreed to', async () => {
    const { plane, cycle, call } = world(['ENG a member', 'OPS b guest'], [rule('a', 'ENG', 'member'), rule('b', 'OPS', 'guest')])
    await cycle()
    call('ENG=3', 'OPS=2')
    plane.change((rows) => rows.filter(({ group }) => group !== 'a'))
    plane.pass(1_000)
    const { judged } = (await cycle()) as Extract<WorkspaceResult, { kind: 'judged' }>
    const reason = judged.plan.holds[0]?.reason
    const pass = reason?.kind === 'projectChanged' ? reason.pass : ''
    const moved = await cycle([{ ids: [pass], by: 'ann', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }], () => false)
    expect(moved.kind).toBe('moved')
    await cycle()
    expect(plane.rows()).toEqual(['project/OPS/b guest'])
    expect(plane.waived()).toEqual([])
  })
})
