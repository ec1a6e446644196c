import { describe, expect, test } from 'vitest'
import { NotSent } from '../../../src/plane/errors.ts'
import { emptyBudget, sent } from '../../../src/plane/rate/budget.ts'
import { type Circuit, closed } from '../../../src/plane/rate/circuit.ts'
import { type CredentialState, permissionOf, type Stall } from '../../../src/plane/rate/permission.ts'

const minute = 60_000
const budget = emptyBudget({ requests: 60, windowMs: minute, reserve: 0, blockedMaxMs: 15 * minute })
/** One request is in flight and nothing was answered yet, so that the next one waits for the answer. */
const noRoom = sent(budget, 0)
const blocked = { ...budget, blockedUntilMs: 5_000 }
const row = { failures: 5, sinceMs: 0, last: { sentence: 'status 503 (no text)', cure: undefined } }
const open: Circuit = { kind: 'open', row, pauses: 1, probeAtMs: 15_000 }
const probing: Circuit = { kind: 'probing', row, pauses: 1 }
const stall: Stall = { sinceMs: 0, untilMs: 6 * minute, asker: { status: 429, text: 'slow down' } }
const refusal = new NotSent('credential', 'not accepted', {})
const fresh: CredentialState = { budget, circuit: closed, stall: undefined, refusals: [] }
const asked = (state: Partial<CredentialState>, now = 1_000) => permissionOf({ ...fresh, ...state }, now)
const wait = (untilMs: number) => ({ kind: 'wait', untilMs })
const send = (isProbe: boolean) => ({ kind: 'send', isProbe })
const refused = (error: unknown) => ({ kind: 'refuse', error })

describe('the next request', () => {
  test.each([
    ['is sent where nothing speaks against it', {}, send(false)],
    ['is sent after one refusal of the credential', { refusals: [refusal] }, send(false)],
    ['fails after the second one', { refusals: [new NotSent('credential', 'first', {}), refusal] }, refused(refusal)],
    ['waits until the budget has room', { budget: blocked }, wait(5_000)],
    ['waits for an answer where only that can tell', { budget: noRoom }, wait(Number.POSITIVE_INFINITY)],
    ['fails where the circuit is open', { circuit: open }, refused(expect.objectContaining({ code: 'circuit' }))],
    ['waits for the answer to a probe', { circuit: probing }, wait(Number.POSITIVE_INFINITY)],
    ['fails where the service has asked to wait for too long', { stall }, refused(expect.objectContaining({ code: 'throttled' }))],
    ['is sent where the wait is still short', { stall: { ...stall, untilMs: 2 * minute } }, send(false)],
  ])('%s', (_name, state, permission) => expect(asked(state)).toEqual(permission))

  test('is a probe when the pause of the circuit is over, if the budget has room', () => {
    expect(asked({ circuit: open }, 15_000)).toEqual(send(true))
    expect(asked({ circuit: open, budget: { ...budget, blockedUntilMs: 20_000 } }, 15_000)).toEqual(wait(20_000))
  })
})

describe('of two reasons', () => {
  test('a refused credential comes before an open circuit, and that before a wait', () => {
    const refusals = [refusal, refusal]
    expect(asked({ refusals, circuit: open })).toEqual(refused(refusal))
    expect(asked({ circuit: open, budget: blocked })).toEqual(refused(expect.objectContaining({ code: 'circuit' })))
    expect(asked({ stall, budget: blocked })).toEqual(refused(expect.objectContaining({ code: 'throttled' })))
    expect(asked({ stall, circuit: probing })).toEqual(wait(Number.POSITIVE_INFINITY))
  })
})
