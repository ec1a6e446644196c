import { expect, test } from 'vitest'
import { nearest } from '../../../src/core/nearest.ts'
import { cpuMsOf } from '../cpuTime.ts'

test('the nearest of 50,000 names that differ late takes no time that a person notices', () => {
  const candidates = Array.from({ length: 50_000 }, (_, index) => `${'department-of-research-'.repeat(4)}${index}`)
  const wrong = `${'department-of-research-'.repeat(4)}12345x`
  expect(cpuMsOf(() => expect(nearest(wrong, candidates)).toBeDefined())).toBeLessThan(3_000)
})
