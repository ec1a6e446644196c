import { expect, test } from 'vitest'
import type { Role, WorkspaceName } from '../../../src/core/mapping.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { type RecentWrite, recentWriteOf, recentWritesFrom } from '../../../src/core/memory/recentWrites.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { openRunTally } from '../../../src/cycle/runTally.ts'
import { planOf, roles, rule, settingsOf } from '../core/smallWorld.ts'
import { never } from '../plane/virtualTime.ts'

const plan = () =>
  planOf({
    rules: [rule('a', 'ENG', 'member'), rule('b', 'ENG', 'member')],
    removed: ['OPS x'],
    directories: { corp: ['a', 'b'] },
    existing: ['ENG a guest', 'OPS x guest', 'OPS y guest'],
  })

const nothing = { changes: [] }

test('a run sums up what it agreed to, each change once', () => {
  const run = openRunTally(emptyMemory, [])
  run.book(plan(), roles)
  run.book(plan(), roles)
  expect(run.tally(100, nothing, roles).run).toEqual({ creates: 1, raises: 1, lowers: 0, deletes: 1 })
  expect(run.tally(100, plan(), roles).run).toEqual({ creates: 0, raises: 0, lowers: 0, deletes: 0 })
})

test('a day has what was written before the run, and what the run agreed to', () => {
  const create = { deletes: false, creates: true } as const
  const revisions = [
    { atMs: 1, deletes: true },
    { atMs: 2, deletes: false, before: 'member' as Role, role: 'guest' as Role },
    { atMs: 3, ...create },
  ]
  const run = openRunTally({ ...emptyMemory, recentWrites: recentWritesFrom(revisions) }, [])
  run.book(plan(), roles)
  expect(run.tally(100, nothing, roles)).toEqual({
    run: { creates: 1, raises: 1, lowers: 0, deletes: 1 },
    day: { creates: 2, raises: 1, lowers: 1, deletes: 2 },
  })
  expect(run.tally(86_400_001, nothing, roles).day).toEqual({ creates: 2, raises: 1, lowers: 1, deletes: 1 })
  expect(run.tally(86_400_002, nothing, roles).day).toEqual({ creates: 2, raises: 1, lowers: 0, deletes: 1 })
  expect(run.tally(86_400_003, nothing, roles).day).toEqual({ creates: 1, raises: 1, lowers: 0, deletes: 1 })
})

test('what another host wrote counts, though its clock was ahead', () => {
  const run = openRunTally({ ...emptyMemory, recentWrites: recentWritesFrom([{ atMs: 5_000, deletes: true }]) }, [])
  expect(run.tally(100, nothing, roles).day).toEqual({ creates: 0, raises: 0, lowers: 0, deletes: 1 })
})

test('what a person approved, fills no limit', () => {
  const run = openRunTally(emptyMemory, [])
  const { changes, ...rest } = plan()
  run.book(
    { ...rest, changes: changes.map((change) => (change.action === 'delete' ? change : { ...change, uncounted: 'approved' as const })) },
    roles,
  )
  expect(run.tally(100, nothing, roles).run).toEqual({ creates: 0, raises: 0, lowers: 0, deletes: 1 })
})

test.each([
  ['a raise', { before: 'guest', role: 'member' }, { creates: 0, raises: 1, lowers: 0, deletes: 0 }],
  ['a patch from no role, as both', { before: null, role: 'member' }, { creates: 0, raises: 1, lowers: 1, deletes: 0 }],
  [
    'a patch from a role that is not in the order, as both',
    { before: 'auditor', role: 'member' },
    { creates: 0, raises: 1, lowers: 1, deletes: 0 },
  ],
  ['a rename, as both', {}, { creates: 0, raises: 1, lowers: 1, deletes: 0 }],
])('of what was written before, %s counts', (_what, patch, expected) => {
  const write = { atMs: 1, deletes: false, ...patch } as RecentWrite
  expect(openRunTally({ ...emptyMemory, recentWrites: recentWritesFrom([write]) }, []).tally(100, nothing, roles).day).toEqual(expected)
})

test('a plan waits for those before it to be judged, unless it fills no limit', async () => {
  const [first, second] = ['first', 'second'] as WorkspaceName[] as [WorkspaceName, WorkspaceName]
  const run = openRunTally(emptyMemory, [first, second])
  const settings = settingsOf({ enabled: true }, { enabled: false })
  const gone: string[] = []
  const { changes } = plan()
  const wait = async (name: string, changes: Plan['changes']) => {
    await run.waitForEarlier({ workspace: second, changes }, roles, never)
    gone.push(name)
  }
  const all = [
    wait(
      'approved',
      changes.map((change) => ({ ...change, uncounted: 'approved' })),
    ),
    wait('settings', [settings]),
    wait('creates', [settings, ...changes]),
  ]
  await new Promise((resolve) => setImmediate(resolve))
  expect(gone).toEqual(['approved', 'settings'])
  run.book({ workspace: first, changes }, roles)
  await Promise.all(all)
  expect(gone).toEqual(['approved', 'settings', 'creates'])
})

test('a change in doubt counts once: beside a plan without it, not beside a plan that tries it again, nor when that plan is booked', () => {
  const again = plan()
  const [first] = again.changes
  if (first === undefined) throw new Error('no change')
  const inDoubt = { [first.id]: recentWriteOf(first, 50) }
  const run = openRunTally({ ...emptyMemory, inDoubt }, [])
  const sum = (plan: Pick<Plan, 'changes'>) => Object.values(run.tally(100, plan, roles).day).reduce((a, b) => a + b)
  expect(sum(nothing)).toBe(1)
  expect(sum(again)).toBe(0)
  run.book(again, roles)
  expect(run.tally(100, nothing, roles).day).toEqual(run.tally(100, nothing, roles).run)
})
