import { describe, expect, test } from 'vitest'
import { applyByDaemon } from '../../../src/commands/apply.ts'
import { sentReview } from '../../../src/commands/reviewed.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Order, OrderAnswer } from '../../../src/documents/daemonOrder.ts'

const acme = 'acme' as WorkspaceName
const id = 'a'.repeat(32)
const fingerprint = 'f'.repeat(64)
const shown: OrderAnswer = {
  exit: 0,
  out: 'the plan\n',
  err: '',
  question: 'Write 1 change? ',
  reviewed: [sentReview(acme, { fingerprint, laterUntilMs: 0, shown: new Map([['b'.repeat(32), 'approval']]) })],
}
const failed: OrderAnswer = { exit: 1, out: '', err: 'no plan\n' }
const written: OrderAnswer = { exit: 0, out: 'written\n', err: '' }

async function apply({ plan, says = 'yes', ...more }: { plan: OrderAnswer; says?: string; allow?: readonly string[]; saved?: boolean }) {
  const orders: Order[] = []
  const signal = new AbortController().signal
  const ask = async (order: Order): Promise<OrderAnswer> => {
    orders.push(order)
    return order.kind === 'plan' ? plan : written
  }
  const terminal = {
    env: {},
    columns: 80,
    isTerminal: { in: true, out: true, err: true },
    out: () => {},
    err: () => {},
    ask: async () => says,
  }
  const saved =
    more.saved === true
      ? { reviewed: new Map([[acme, { fingerprint, laterUntilMs: 0, shown: new Map() }]]), changes: new Map() }
      : undefined
  const call = { values: {}, terminal: terminal as never, signal }
  const exit = await applyByDaemon({ ask }, { only: undefined, allow: more.allow ?? [], saved, asks: true }, call)
  return {
    exit,
    orders: orders.map(({ kind }) => kind),
    reviewed: orders.flatMap((order) => ('reviewed' in order ? [order.reviewed] : [])),
  }
}

describe('apply beside a daemon writes nothing that a person did not see', () => {
  test('not if the daemon made no plan, also with an ID', async () => {
    expect(await apply({ plan: failed, allow: [id] })).toMatchObject({ exit: 1, orders: ['plan'] })
    expect(await apply({ plan: failed, allow: [id], saved: true })).toMatchObject({ exit: 1, orders: ['plan'] })
  })
  test('not without a yes', async () => {
    expect(await apply({ plan: shown, says: 'no', allow: [id] })).toMatchObject({ exit: 3, orders: ['plan'] })
  })
  test('with a saved plan, not what the plan that was shown holds', async () => {
    const { orders, reviewed } = await apply({ plan: shown, saved: true })
    expect(orders).toEqual(['plan', 'cycle'])
    expect(reviewed.at(-1)).toEqual(shown.reviewed)
  })
})
