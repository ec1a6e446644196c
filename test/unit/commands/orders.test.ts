import { describe, expect, test } from 'vitest'
import { cycleOrder } from '../../../src/commands/orders/cycleOrder.ts'
import { openOrders } from '../../../src/commands/orders/openOrders.ts'
import { refusalOf } from '../../../src/commands/orders/refusal.ts'
import { sentReview } from '../../../src/commands/orders/sentReview.ts'
import type { ReviewedPlan } from '../../../src/commands/reviewed.ts'
import type { ChangeId } from '../../../src/core/change.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, remember } from '../../../src/core/memory/memory.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { type Order, type OrderAnswer, orderSchema } from '../../../src/documents/order.ts'
import type { Taken } from '../../../src/orders/watch.ts'
import type { LoadedSettings } from '../../../src/settings/load.ts'

const show = { format: 'text', all: false, columns: 80, colour: false, terminal: false } as const
const cycle = (more: object = {}): Order => orderSchema.parse({ kind: 'cycle', allow: [], by: 'ann', show, ...more })
const approval = (key: string): Order =>
  orderSchema.parse({
    kind: 'approve',
    approvals: [{ workspace: 'acme', words: { changes: [{ key, after: 'admin' }] }, passes: [] }],
    forMs: 3_600_000,
    reason: 'INC-99',
    by: 'ann',
    show,
  })
const loaded = (more: object = {}) =>
  ({ settings: { workspaces: { acme: {}, beta: {} }, suspend: false, policy: 'upsert-only', ...more } }) as unknown as LoadedSettings

describe('an order is refused', () => {
  test.each<[string, Order, LoadedSettings, boolean, string | undefined]>([
    ['by nothing', cycle(), loaded(), false, undefined],
    ['by a dry run', cycle(), loaded(), true, '--dry-run'],
    ['for a workspace that is not there', cycle({ only: ['gone'] }), loaded(), false, 'no workspace "gone"'],
    ['if all its workspaces are suspended', cycle(), loaded({ suspend: true }), false, 'suspend'],
    [
      'if its workspace is suspended',
      cycle({ only: ['beta'] }),
      loaded({ workspaces: { acme: {}, beta: { suspend: true } } }),
      false,
      'suspend beta',
    ],
    ['not if another one is', cycle(), loaded({ workspaces: { acme: {}, beta: { suspend: true } } }), false, undefined],
    ['not if only grants are', cycle(), loaded({ suspend: 'grants' }), false, undefined],
    ['by the policy observe', cycle(), loaded({ policy: 'observe' }), false, 'observe'],
    ['if it approves a change of another workspace', approval('beta/project/ENG/a'), loaded(), false, 'another workspace'],
    ['not if it approves one of its own', approval('acme/project/ENG/a'), loaded(), false, undefined],
    ['never if it ends an approval', { kind: 'withdraw', approval: '0'.repeat(32), by: 'ann' }, loaded({ suspend: true }), true, undefined],
    ['not if it only plans', { ...cycle(), kind: 'plan' } as Order, loaded({ suspend: true }), true, undefined],
  ])('%s', (_, order, settings, isDryRun, why) => {
    const said = refusalOf(order, settings, isDryRun)
    if (why === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(why)
  })
})

test.each([
  ['another field', { ...cycle(), force: true }],
  ['an id that is too short', { ...cycle(), allow: ['abc'] }],
  ['a time above 30 days', { ...approval('acme/x'), forMs: 31 * 86_400_000 }],
  ['no reason', { ...approval('acme/x'), reason: '' }],
  ['another kind', { kind: 'delete', by: 'ann' }],
])('an order with %s is not understood', (_, order) => {
  expect(orderSchema.safeParse(order).success).toBe(false)
})

describe('only the reviewed plan is written', () => {
  const ids = ['1', '2'].map((digit) => digit.repeat(32) as ChangeId)
  const plan = (changes: readonly string[], fingerprint = 'f'.repeat(64)) => {
    const holds = ids.filter((id) => !changes.includes(id)).map((id) => ({ change: { id }, reason: { kind: 'approval' } }))
    return { workspace: 'acme', fingerprint, changes: changes.map((id) => ({ id })), holds } as unknown as Plan
  }
  const how = async (more: object) => {
    const seen: ReviewedPlan = {
      fingerprint: 'f'.repeat(64),
      shown: new Map(ids.map((id, index) => [id, index === 0 ? 'written' : 'approval'])),
    }
    const order = cycle({ reviewed: [sentReview('acme' as WorkspaceName, seen)], ...more }) as Exclude<Order, { kind: 'withdraw' }>
    const made = cycleOrder({
      order,
      approvals: [],
      takeBack: async () => undefined,
      account: 'node',
      answer: async () => undefined,
      settings: () => loaded(),
      isDryRun: false,
      terminal: {} as never,
      clock: { now: () => 0 },
    })
    return (await made.begin(loaded()))?.isApprovedBeforehand
  }

  test('with its fingerprint, and without the changes that waited', async () => {
    const isApproved = await how({})
    expect(isApproved?.(plan([ids[0] as string]))).toBe(true)
    expect(isApproved?.(plan([ids[0] as string, ids[1] as string]))).toBe(false)
    expect(isApproved?.(plan([ids[0] as string], 'e'.repeat(64)))).toBe(false)
    expect(isApproved?.({ ...plan([]), workspace: 'beta' } as unknown as Plan)).toBe(false)
  })
  test('with a change that waited, if the order names it', async () => {
    expect((await how({ allow: [ids[1]] }))?.(plan(ids))).toBe(true)
  })
})

describe('an approval', () => {
  const order = (more: object = {}) => ({ ...approval('acme/project/ENG/a'), ...more })

  /** A daemon with one order that it has taken. `appendsMax`: so many entries fit into its journal. */
  async function given(appendsMax = 9, asked: unknown = order()) {
    let memory = emptyMemory
    const answers: OrderAnswer[] = []
    let onOrder: (taken: Taken) => void = () => undefined
    const queue = openOrders({
      watch: (take) => {
        onOrder = take
        return { [Symbol.asyncDispose]: async () => undefined }
      },
      settings: () => loaded(),
      run: {
        run: 'r',
        memory: () => memory,
        append: async (entry: Entry) => {
          if (appendsMax-- <= 0) throw new Error('no space on the disk')
          memory = remember(memory, entry, 100)
        },
      },
      isDryRun: false,
      terminal: { secrets: { scrub: (text: string) => text.replaceAll('s3cret', '(hidden)') } } as never,
      clock: { now: () => 0, wall: () => 0 },
      log: { info: () => undefined, warn: () => undefined },
    })
    onOrder({ order: asked, account: 'node', answer: async (answer) => void answers.push(answer as OrderAnswer) })
    await new Promise((done) => setImmediate(done))
    return { queue, answers, inForce: () => memory.approvals.map(({ workspace }) => workspace) }
  }

  test('is not in force after its asker saw a refusal, since the settings changed meanwhile', async () => {
    const { queue, answers, inForce } = await given()
    expect(inForce()).toEqual(['acme'])
    expect(await queue.next()?.begin(loaded({ suspend: true }))).toBeUndefined()
    expect(answers).toMatchObject([{ exit: 3, err: expect.stringContaining('suspend') }])
    expect(inForce()).toEqual([])
  })
  test('is named if it stays in force though an error ended its order', async () => {
    const cycleFailed = await given()
    await cycleFailed.queue.next()?.failed(new Error('refused with the key s3cret'))
    expect(cycleFailed.answers[0]?.err).toMatch(/approve --withdraw [0-9a-f]{32}\n.*\(hidden\)/s)
    const two = { ...order(), approvals: ['acme', 'beta'].map((workspace) => ({ workspace, passes: [] })) }
    const full = await given(1, two)
    expect(full.inForce()).toEqual(['acme'])
    expect(full.answers).toMatchObject([{ exit: 1, err: expect.stringMatching(/^Approved in acme until .*no space on the disk/s) }])
    const kept = await given(1)
    expect(await kept.queue.next()?.begin(loaded({ suspend: true }))).toBeUndefined()
    expect(kept.answers[0]?.err).toMatch(/^Approved in acme until .*It could not be ended: no space on the disk\n.*suspend/s)
  })
})
