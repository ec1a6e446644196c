import { expect, test } from 'vitest'
import { killsSection, plantsSection } from '../../../scripts/proof/page.ts'

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
