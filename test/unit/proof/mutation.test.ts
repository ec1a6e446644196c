import { describe, expect, test } from 'vitest'
import { disagreements, wrongKeys } from '../../../scripts/proof/mutation/explained.ts'
import { type Mutant, type StrykerReport, survivorsOf } from '../../../scripts/proof/mutation/mutants.ts'
import { mutantsOf, scoreOf, shareOf, table } from '../../../scripts/proof/mutation/score.ts'

const source = 'const few = (n: number) =>\n  n < 3 ||\n  odd(n)\nconst more = 1\n'
type Place = readonly [line: number, column: number, endLine: number, endColumn: number]

/** A mutant of a part of `source`. */
const mutant = (status: Mutant['status'], [a, b, c, d]: Place, replacement: string, mutatorName = 'Some'): Mutant => ({
  mutatorName,
  status,
  replacement,
  location: { start: { line: a, column: b }, end: { line: c, column: d } },
})
const reportOf = (...mutants: readonly Mutant[]): StrykerReport => ({ files: { 'src/few.ts': { source, mutants } } })
const killed = mutant('Killed', [1, 13, 1, 14], 'm', 'Other')
const survivor = mutant('Survived', [2, 3, 2, 8], 'n <= 3', 'EqualityOperator')
const unreached = mutant('NoCoverage', [2, 3, 3, 9], 'true', 'ConditionalExpression')

describe('the score', () => {
  const timeout = mutant('Timeout', [1, 13, 1, 14], '')
  const ignored = mutant('Ignored', [1, 13, 1, 14], '')
  const all = [killed, killed, timeout, ignored, survivor]

  test('counts killed and timed out as noticed, what nothing can reach not at all', () => {
    const score = scoreOf('src/few.ts', { source, mutants: all })
    expect(score).toEqual({ killed: 2, timeout: 1, survived: 1, unreached: 0, unreachable: 1 })
    expect([mutantsOf(score), shareOf(score)]).toEqual([4, 0.75])
  })

  test('is refused from a run that did not come to its end', () => {
    expect(() => scoreOf('src/few.ts', { source, mutants: [mutant('Pending', [1, 1, 1, 2], '')] })).toThrow(
      'src/few.ts: a mutant was left Pending',
    )
  })

  test('is a row of each file that has mutants, and of all', () => {
    const { files } = reportOf(...all)
    expect(table({ files: { ...files, 'src/types.ts': { source: 'type A = 1', mutants: [] } } }).slice(2)).toEqual([
      '| `src/few.ts` | 4 | 2 | 1 | 1 | 0 | 1 | 75.0 % |',
      '| all | 4 | 2 | 1 | 1 | 0 | 1 | 75.0 % |',
    ])
  })
})

test('a survivor has its function, mutator and line, and what became of the code', () => {
  expect(survivorsOf(reportOf(unreached, killed, survivor))).toEqual([
    { path: 'src/few.ts', function: 'few', mutator: 'ConditionalExpression', line: 2, change: 'n < 3 || odd(n) → true' },
    { path: 'src/few.ts', function: 'few', mutator: 'EqualityOperator', line: 2, change: 'n < 3 → n <= 3' },
  ])
})

describe('the reasons', () => {
  const why = { 'three is odd': { EqualityOperator: 1 } }
  const report = reportOf(killed, survivor)

  test('count each survivor of a function, under its name or its path and name', () => {
    expect(disagreements(report, { few: why })).toEqual([])
    expect(disagreements(report, { 'src/few.ts: few': why })).toEqual([])
    const two = { 'three is odd': { EqualityOperator: 1, ConditionalExpression: 1 }, 'speed only': { EqualityOperator: 1 } }
    expect(disagreements(reportOf(survivor, survivor, unreached), { few: two })).toEqual([])
  })

  test('lack a survivor: each of its mutator is shown with its line', () => {
    const lacks =
      'src/few.ts: few: no test notices 1 × EqualityOperator, and the reasons count 0: write a test, or a reason in scripts/proof/mutation/reasons.ts\n  line 2: n < 3 → n <= 3'
    expect(disagreements(report, {})).toEqual([lacks])
    expect(disagreements(report, { 'src/other.ts: few': why })).toEqual([lacks])
  })

  test('count one that a test notices by now; those of other files are not looked at', () => {
    expect(disagreements(reportOf(killed), { few: why, elsewhere: why })).toEqual([
      'src/few.ts: few: the reasons count 1 × EqualityOperator, and no test notices 0: remove a reason',
    ])
  })

  test('name functions that exist, with the path where several files have the name', () => {
    const sources = new Map([
      ['src/few.ts', source],
      ['src/other.ts', 'const few = () => 1\nconst own = () => 2\n'],
    ])
    expect(wrongKeys({ more: why, own: why, 'src/few.ts: few': why }, sources)).toEqual([])
    expect(wrongKeys({ few: why, gone: why, 'src/few.ts: more': why, 'src/few.ts: own': why }, sources)).toEqual([
      'few: this name is in src/few.ts, src/other.ts',
      'gone: no function has this name',
      'src/few.ts: more: this name is in src/few.ts',
      'src/few.ts: own: this name is in src/other.ts',
    ])
  })
})
