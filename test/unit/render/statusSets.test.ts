import { expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import type { LastPlanned } from '../../../src/documents/last.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { ofOwner } from '../../../src/render/ofOwner.ts'
import { statusWorkspace } from '../../../src/render/statusWorkspace.ts'
import { last, minuteMs } from './lastParts.ts'
import { at, create, held, inSet, nowMs, remove, sixDeletes, view } from './sample.ts'

const canvas = canvasOf({ colour: false, width: 400 }, nowMs)
const linesOf = (one: LastPlanned) => statusWorkspace(one, [], canvas).slice(1)
const iso = (ms: number) => new Date(ms).toISOString()

function planned(holds: readonly Hold[]): LastPlanned {
  const [one] = last([[view({ holds }), 'waiting']]).workspaces
  if (one === undefined || !('holds' in one.plan)) throw new Error('no plan')
  return one as LastPlanned
}

const passOf = ([hold]: readonly Hold[]) => (hold !== undefined && 'pass' in hold.reason ? hold.reason.pass : '')

test('a workspace has each set once, with its command; its rows have none, and changes that wait alone have their own', () => {
  const gone = ['a', 'b'].map((group, line) => remove('ENG', group, 'guest', 'removed', at(`t.yaml:${line}`)))
  const grants = [create('OPS', 'c', 'guest'), create('OPS', 'd', 'admin')]
  const beside = { name: 'beside', count: 12, limit: 10, setting: 'no setting', sentence: '12 grants beside deletes that wait' } as const
  const sets = [inSet(gone, sixDeletes), inSet(grants, beside)]
  const [ofDeletes, ofGrants] = sets.map(passOf)
  const admin = create('WEB', 'leads', 'admin')
  const lines = linesOf(planned([...sets.flat(), held(admin, { kind: 'approval', why: 'protectedRole' })]))
  expect(lines).toEqual([
    'Waits for approval (5: 3 create, 2 delete)',
    '  ‼ WEB  leads → admin  protected role; since 02:12 UTC (2 min)',
    `      plane-group-sync approve ${admin.id} --now --reason …`,
    `  limit deletes: ${sixDeletes.sentence}; since 02:12 UTC (2 min)`,
    '      if lines or a file are gone by mistake, restore them · or, if the limit is wrong, change guards.deletes.minExisting',
    `      these 2 changes: plane-group-sync approve ${ofDeletes} --now --reason …`,
    '      the 2 changes of the limit beside then do not wait, and are written, too, unless another limit holds them',
    '  ! ENG  a = guest  removed  t.yaml:0',
    '  ! ENG  b = guest  removed  t.yaml:1',
    '  limit beside: 12 grants beside deletes that wait; since 02:12 UTC (2 min)',
    '      first decide about the other changes that wait',
    `      these 2 changes: plane-group-sync approve ${ofGrants} --now --reason …`,
    '  ‼ OPS  d → admin',
    '  ! OPS  c → guest',
  ])
})

test('a workspace has a set also if the file had no room for its changes, and the longest time for which one of them waits', () => {
  const gone = ['a', 'b'].map((group) => remove('ENG', group, 'guest', 'removed'))
  const whole = planned(inSet(gone, sixDeletes))
  const [first, second] = whole.plan.holds
  if (first === undefined || second === undefined) throw new Error('no holds')
  const titleOf = (holds: LastPlanned['plan']['holds']) => linesOf({ ...whole, plan: { ...whole.plan, holds } })[1]
  const older = { ...second, since: iso(nowMs - 60 * minuteMs) }
  expect(titleOf([first, older])).toMatch(/; since 01:14 UTC \(1 h\)$/)
  expect(titleOf([])).toBe(`  limit deletes: ${sixDeletes.sentence}`)
})

test('the document of one owner has a set only with one of their changes, and then no changes of others', () => {
  const theirs = create('ENG', 'b', 'guest', at('ops.yaml:1', { owner: 'team-ops' }))
  const of = last([[view({ holds: inSet([theirs, create('ENG', 'c', 'guest')], sixDeletes) }), 'waiting']])
  const own = (owner: string) => {
    const [one] = ofOwner(of, owner, () => undefined).workspaces
    if (one === undefined || !('holds' in one.plan)) throw new Error('no plan')
    return one as LastPlanned
  }
  expect([own('team-ops').plan.sets.length, own('team-pay').plan.sets.length]).toEqual([1, 0])
  expect(linesOf(own('team-pay'))).toEqual([])
  expect(linesOf(own('team-ops'))).toEqual([
    'Waits for approval (1)',
    `  limit deletes: ${sixDeletes.sentence}; since 02:12 UTC (2 min)`,
    '      if lines or a file are gone by mistake, restore them · or, if the limit is wrong, change guards.deletes.minExisting',
    expect.stringMatching(/^ {6}these 2 changes: plane-group-sync approve [0-9a-f]{32} --now --reason …$/),
    expect.stringMatching(/^ {2}! ENG {2}b → guest {2}ops.yaml:1 · team-ops$/),
  ])
})
