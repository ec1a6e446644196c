import { describe, expect, test } from 'vitest'
import type { Delivery } from '../../../src/compose/receiver.ts'
import { openOutbox } from '../../../src/daemon/notice/outbox.ts'
import { virtualTime } from '../plane/virtualTime.ts'

const later = (why = 'the receiver answered 500', more = {}): Delivery => ({ kind: 'later', why, ...more })

function world() {
  const clock = virtualTime(0)
  const log: string[] = []
  const results: string[] = []
  const write = (_: object, message: string) => void log.push(message)
  const outbox = openOutbox({ clock, log: { warn: write, debug: () => undefined }, onResult: (result) => results.push(result) })
  const sent: string[] = []
  /** A message whose sendings end as `deliveries` say, the last one again and again. */
  const put = (receiver: string, name: string, ...deliveries: readonly Delivery[]) => {
    let attempt = 0
    outbox.put({
      receiver,
      send: async () => {
        sent.push(`${clock.now() / 1000} ${name}`)
        return deliveries[Math.min(attempt++, deliveries.length - 1)] ?? { kind: 'delivered' }
      },
    })
  }
  return { clock, outbox, put, log, results, sent }
}

test('a message that fails is sent again with growing pauses, then dropped', async () => {
  const { clock, put, log, results, sent } = world()
  put('a', 'x', later())
  await clock.run(1_000_000)
  expect(sent).toEqual(['0 x', '1 x', '6 x', '36 x', '156 x'])
  expect([results, log]).toEqual([['dropped'], ['a: 1 message dropped: the receiver answered 500; it was sent 5 times']])
})

test('a receiver is waited for as long as it asks, within a limit', async () => {
  const { clock, put, log, sent } = world()
  put('a', 'x', later('429', { afterMs: 60_000 }), { kind: 'delivered' })
  put('b', 'y', later('429', { afterMs: 300_001 }))
  await clock.run(1_000_000)
  expect(sent).toEqual(['0 x', '0 y', '60 x'])
  expect(log).toEqual(['b: 1 message dropped: 429, and asks to wait 5 min'])
})

test('what is refused is not sent again', async () => {
  const { clock, put, results, sent } = world()
  put('a', 'x', { kind: 'refused', why: 'the receiver answered 400' })
  await clock.run(1_000_000)
  expect([results, sent]).toEqual([['dropped'], ['0 x']])
})

test('one receiver gets one message after another, and no receiver waits for another one', async () => {
  const { clock, put, results, sent } = world()
  put('a', 'first', later(), { kind: 'delivered' })
  put('a', 'second')
  put('b', 'other')
  await clock.run(1_000_000)
  expect(sent).toEqual(['0 first', '0 other', '1 first', '1 second'])
  expect(results).toEqual(['sent', 'sent', 'sent'])
  put('a', 'third')
  await clock.run(2_000_000)
  expect(results).toHaveLength(4)
})

test('what waits for a receiver is bounded', async () => {
  const { clock, put, log, results } = world()
  for (let n = 0; n < 25; n++) put('a', `${n}`, later(), { kind: 'delivered' })
  expect(log).toEqual(Array(5).fill('a: 1 message dropped: 20 others wait'))
  await clock.run(1_000_000)
  expect(results.filter((result) => result === 'sent')).toHaveLength(20)
})

test('a defect drops one message, not the next', async () => {
  const { clock, put, outbox, log, results } = world()
  outbox.put({ receiver: 'a', send: () => Promise.reject(new Error('x')) })
  put('a', 'next')
  await clock.run(1_000)
  expect([results, log]).toEqual([['dropped', 'sent'], ['a: 1 message dropped: a defect of this program']])
})

describe('at the end', () => {
  test('nothing waits if nothing is on its way', async () => {
    await world().outbox.close()
  })

  test('what is on its way gets a short time, and the rest is dropped', async () => {
    const { clock, put, outbox, log, results } = world()
    put('a', 'x', later())
    put('a', 'y')
    put('b', 'z', later(), { kind: 'delivered' })
    outbox.put({
      receiver: 'c',
      send: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    })
    const closed = outbox.close()
    await clock.run(10_000)
    await closed
    expect(results.toSorted()).toEqual(['dropped', 'dropped', 'dropped', 'sent'])
    expect(log.toSorted()).toEqual(['a: 2 messages dropped: the program ends', 'c: 1 message dropped: the program ends'])
    expect(clock.now()).toBe(2_000)
  })
})
