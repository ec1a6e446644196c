import { describe, expect, test } from 'vitest'
import { killsSection, plantsSection, worldsSection } from '../../../scripts/proof/page.ts'

const made = { measured: '2026-01-31', commit: 'abc', node: '26.0.0', processors: 4, seconds: 3_600 }

test('a planted mistake that was not found stands out', () => {
  const plant = { name: 'retry at once', file: 'src/a.ts', from: 'a', to: 'b' }
  const violation = { promise: 'twice' as const, atMs: 0, what: 'made again' }
  const text = plantsSection({
    ...made,
    result: {
      plants: [
        { ...plant, worlds: 52, seed: 51, violation },
        { ...plant, worlds: 50_000 },
      ],
    },
  })
  expect(text).toContain('of 2 planted mistakes 1 are found.')
  expect(text).toContain('| retry at once | `src/a.ts` | 52 | 51 | twice |\n| retry at once | `src/a.ts` | **not in 50,000** |  |  |')
})

test('kills are summed up', () => {
  const byWay = [
    { way: 'apply --yes', kills: 400, beforeTheEnd: 390, inFlight: 100 },
    { way: 'run --once', kills: 600, beforeTheEnd: 580, inFlight: 200 },
  ]
  const text = killsSection({ ...made, seconds: 90, result: { seed: 1, rounds: 50, writes: 5_000, withFault: 1_500, left: 20, byWay } })
  expect(text).toContain('90 s: 1,000 kills in 50 rounds')
  expect(text).toContain('| all | 1,000 | 970 | 300 |')
})

describe('worlds', () => {
  const result = {
    ...{ worlds: 2_000, seeds: { from: 0, to: 1_999 }, brokenWorlds: 0, broken: [] },
    ...{ cycles: 16_000, requests: 80_000, writes: 12_000, crashes: 3_000, kills: 2_900, throttled: 1_000 },
    faults: { edit: 3_000, kill: 2_900 },
    pairs: { met: 1, possible: 1, rarest: { 'edit + kill': 700 } },
  }

  test('are told in all and for each thousand', () => {
    const text = worldsSection({ ...made, result })
    expect(text).toMatch(/60 min: 2,000 worlds, seeds 0 to 1,999\. \*\*In none was a promise broken\.\*\*\n/)
    expect(text).toContain('| requests | 80,000 | 40,000 |')
    expect(text).toContain('| edit | 3,000 | 1,500 |')
    expect(text).toContain('1 of the 1 pairs of faults occurred together in at least one world. The rarest: edit + kill (700 worlds).')
  })

  test('with a broken promise are told with their seeds', () => {
    const violation = { promise: 'twice' as const, atMs: 0, what: 'made again' }
    const text = worldsSection({ ...made, result: { ...result, brokenWorlds: 1, broken: [{ seed: 7, violation }] } })
    expect(text).toContain('**In 1 a promise was broken.**\n\n- seed 7: twice: made again\n\n')
  })
})
