import { describe, expect, test } from 'vitest'
import {
  admission,
  type Circuit,
  circuitOpen,
  circuitView,
  closed,
  failed,
  probedNow,
  probing,
  unprobed,
  usualCircuit,
} from '../../../src/plane/rate/circuit.ts'

const last = { sentence: 'status 503 (no text)', cure: 'see its log' }
const fail = (circuit: Circuit, now: number, random = 0.5) => failed(circuit, last, usualCircuit, random, now)
const failing = (timesMs: readonly number[]) => timesMs.reduce((circuit: Circuit, now) => fail(circuit, now), closed)
const opened = failing([0, 1_000, 2_000, 3_000, 10_000])

describe('closed', () => {
  test('a few failures, or many within the three seconds of a worker that is recycled, leave it closed', () => {
    expect(admission(failing([0, 10_000, 20_000, 30_000]), 30_000)).toBe('send')
    expect(admission(failing(Array.from({ length: 100 }, (_, nth) => 50_000 + nth * 30)), 53_000)).toBe('send')
  })

  test('several in a row over ten seconds open it', () => {
    expect(opened).toEqual({ kind: 'open', row: { failures: 5, sinceMs: 0, last }, pauses: 1, probeAtMs: 15_000 })
    expect(admission(opened, 14_999)).toBe('refuse')
  })
})

describe('open', () => {
  test('after the pause one request probes, and the others wait for what comes of it', () => {
    expect(admission(opened, 15_000)).toBe('probe')
    expect(admission(probing(opened), 15_001)).toBe('wait')
  })

  test('what was on its way when it opened does not lengthen the pause', () => {
    expect(fail(opened, 11_000)).toMatchObject({ kind: 'open', row: { failures: 6 }, probeAtMs: 15_000 })
  })

  test('the pause grows with full jitter to a maximum, and never is next to nothing', () => {
    let circuit = opened
    const pauses = Array.from({ length: 8 }, (_, nth) => {
      const now = 1_000_000 * (nth + 1)
      circuit = fail(probing(circuit), now)
      return circuit.kind === 'open' ? circuit.probeAtMs - now : undefined
    })
    expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 150_000, 150_000, 150_000, 150_000])
    expect(fail(probing(opened), 20_000, 0)).toMatchObject({ probeAtMs: 21_000 })
  })
})

test('a person who asks now is not put off until the pause is over', () => {
  expect(admission(probedNow(opened, 11_000), 11_000)).toBe('probe')
  expect(probedNow(closed, 11_000)).toBe(closed)
  expect(admission(probedNow(probing(opened), 11_000), 11_000)).toBe('wait')
})

test('a probe that was never sent lets the next one through at once', () => {
  expect(admission(unprobed(probing(opened), 16_000), 16_000)).toBe('probe')
  expect(unprobed(closed, 5)).toBe(closed)
  expect(probing(closed)).toBe(closed)
})

test('what people and metrics see', () => {
  expect(circuitView(closed)).toStrictEqual({ open: false, failures: 0 })
  expect(circuitView(failing([7]))).toStrictEqual({ open: false, failures: 1, sinceMs: 7 })
  expect(circuitView(opened)).toStrictEqual({ open: true, failures: 5, sinceMs: 0, probeAtMs: 15_000 })
  expect(circuitView(probing(opened))).toStrictEqual({ open: true, failures: 5, sinceMs: 0 })
  const row = { failures: 5, sinceMs: Date.UTC(2026, 2, 1, 12), last }
  const error = circuitOpen(row, Date.UTC(2026, 2, 1, 12, 0, 25))
  expect(error.message).toBe(
    'not sent: 5 requests in a row failed since 2026-03-01T12:00:00Z, the last: status 503 (no text); the service is asked again from 2026-03-01T12:00:25Z on',
  )
  expect(error.cure).toBe('see its log; the circuit closes with the first answer')
})
