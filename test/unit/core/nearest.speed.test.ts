import { expect, test } from 'vitest'
import { nearest } from '../../../src/core/nearest.ts'

test('the nearest of 50,000 names that differ late takes no time that a person notices', () => {
  const candidates = Array.from({ length: 50_000 }, (_, index) => `${'department-of-research-'.repeat(4)}${index}`)
  const before = performance.now()
  expect(nearest(`${'department-of-research-'.repeat(4)}12345x`, candidates)).toBeDefined()
  expect(performance.now() - before).toBeLessThan(3_000)
})
