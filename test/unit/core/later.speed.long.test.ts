import { expect, test } from 'vitest'
import { cpuMsOf } from '../cpuTime.ts'
import { planOf, rule, type SmallWorld } from './smallWorld.ts'

const world = (n: number, project: (index: number) => string): SmallWorld => ({
  directories: { corp: ['devs'] },
  nowMs: 4,
  projects: Array.from({ length: n }, (_, index) => project(index)),
  rules: Array.from({ length: n }, (_, index) => rule('devs', project(index), 'member', { startsMs: 5 + index, expiresMs: 5 + n + index })),
})
const least = (given: SmallWorld) => Math.min(...[1, 2, 3, 4].map(() => cpuMsOf(() => planOf(given))))

test.each([
  ['on one key', () => 'ENG'],
  ['on as many keys', (index: number) => `P${index}`],
])('twice as many rules with dates of their own %s cost about twice as much', (_, project) => {
  expect(least(world(8_000, project)) / least(world(4_000, project))).toBeLessThan(3.5)
})
