import { expect, test } from 'vitest'
import { sumOfRuns, withRun, worldsSection } from '../../../scripts/proof/worlds.ts'

const made = { measured: '2026-01-31', commit: 'abc', node: '26.0.0', processors: 4, seconds: 3_600 }

const worlds = {
  ...{ worlds: 2_000, seeds: { from: 0, to: 1_999 }, brokenWorlds: 0, broken: [] },
  ...{ cycles: 16_000, requests: 80_000, writes: 12_000, crashes: 3_000, kills: 2_900, throttled: 1_000 },
  faults: { edit: 3_000, kill: 2_900 },
  pairs: { met: 1, possible: 1, rarest: { 'edit + kill': 700 } },
}
const first = { ...made, result: worlds }
const next = {
  ...made,
  commit: 'def',
  result: { ...worlds, worlds: 1_000, seeds: { from: 2_000, to: 2_999 }, faults: { kill: 1_600, late: 1 } },
}
const madeAgain = { promise: 'twice' as const, atMs: 0, what: 'made again' }
const broken = { ...worlds, brokenWorlds: 1, broken: [{ seed: 7, violation: madeAgain }] }

test('worlds are told in all and for each thousand', () => {
  const text = worldsSection([first])
  expect(text).toMatch(/^2,000 worlds\. \*\*In none was a promise broken\.\*\*\n/)
  expect(text).toContain('| 0 to 1,999 | abc | 2026-01-31 | Node 26.0.0, 4 processors, 60 min | 2,000 | 0 |')
  expect(text).toContain('| requests | 80,000 | 40,000 |')
  expect(text).toContain('| edit | 3,000 | 1,500 |')
  expect(text).toContain('1 of the 1 pairs of faults occurred together in at least one world. The rarest: edit + kill (700 worlds).')
})

test('several runs are told one by one, and added', () => {
  const text = worldsSection([first, next])
  expect(text).toMatch(/^3,000 worlds\./)
  expect(text).toContain('| 2,000 to 2,999 | def |')
  expect(text).toContain('| requests | 160,000 | 53,333 |')
  expect(text).toContain('| kill | 4,500 | 1,500 |\n| edit | 3,000 | 1,000 |\n| late | 1 | 0 |')
  expect(text).toContain('In the largest run, of 2,000 worlds')
})

test('a broken world is told with its seed', () => {
  const text = worldsSection([{ ...first, result: broken }, next])
  expect(text).toContain('**In 1 a promise was broken.**')
  expect(text).toContain('- seed 7: twice: made again')
})

test('a world in which the auditor was wrong is told, and does not count', () => {
  const runs = [{ ...first, falseAlarms: [{ seeds: [7], why: 'it took a duplicate for a new mapping.' }], result: broken }]
  expect(sumOfRuns(runs).broken).toBe(0)
  const text = worldsSection(runs)
  expect(text).toContain('**In none was a promise broken.**')
  expect(text).toContain('\n- The auditor was wrong, and the worlds are not counted (seed 7): it took a duplicate for a new mapping.\n')
})

test('a world in which the program was wrong counts, and is told with what was mended', () => {
  const runs = [{ ...first, mended: [{ seeds: [7], why: 'a repeated create.' }], result: broken }]
  expect(sumOfRuns(runs).broken).toBe(1)
  expect(worldsSection(runs)).toContain(
    '- seed 7: twice: made again\n\n- The program was wrong, and is mended (seed 7): a repeated create.\n\n',
  )
})

test('a world that is not judged yet counts, and is told with what is known', () => {
  const runs = [{ ...first, open: [{ seeds: [7], why: 'two files say the same.' }], result: broken }]
  expect(sumOfRuns(runs).broken).toBe(1)
  expect(worldsSection(runs)).toContain('- seed 7: twice: made again\n\n- Not judged yet (seed 7): two files say the same.\n\n')
})

test('a run continues the stored ones, or begins anew', () => {
  expect(withRun([first], next)).toEqual([first, next])
  expect(withRun([first, next], first)).toEqual([first])
  expect(() => withRun([first, next], next)).toThrow('begin the next one there, with --from 3000')
  expect(() => withRun([], next)).toThrow('--from 0')
})
