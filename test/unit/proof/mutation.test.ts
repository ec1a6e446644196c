import { describe, expect, test } from 'vitest'
import { disagreements } from '../../../scripts/proof/mutation/explained.ts'
import { mutationSection } from '../../../scripts/proof/mutation/page.ts'
import { type MutationReport, type StrykerReport, scoresOf, shareOf, totalOf } from '../../../scripts/proof/mutation/score.ts'

type Mutant = StrykerReport['files'][string]['mutants'][number]
const source = 'const few = (n: number) =>\n  n < 3 ||\n  odd(n)\n'

/** A mutant of a part of `source`, from line and column to line and column. */
const mutant = (status: Mutant['status'], [a, b, c, d]: readonly [number, number, number, number], replacement: string): Mutant => ({
  mutatorName: 'Some',
  status,
  replacement,
  location: { start: { line: a, column: b }, end: { line: c, column: d } },
})
const few = (...mutants: readonly Mutant[]) => scoresOf({ files: { 'src/few.ts': { source, mutants } } })
const survivor = mutant('Survived', [2, 3, 2, 8], 'n <= 3')
const whole = mutant('NoCoverage', [2, 3, 3, 9], 'true')

describe('the score', () => {
  test('counts killed and timed out as noticed, what nothing can reach not at all', () => {
    const killed = mutant('Killed', [1, 1, 1, 2], '')
    const { 'src/few.ts': score } = few(killed, killed, mutant('Timeout', [1, 1, 1, 2], ''), mutant('Ignored', [1, 1, 1, 2], ''), survivor)
    expect(totalOf([score as NonNullable<typeof score>])).toEqual({
      mutants: 4,
      killed: 2,
      timeout: 1,
      survived: 1,
      unreached: 0,
      unreachable: 1,
    })
    expect(shareOf(totalOf([score as NonNullable<typeof score>]))).toBe(0.75)
  })

  test('names a survivor by its line and what became of what, in the order of the file', () => {
    expect(few(whole, survivor)['src/few.ts']?.survived).toEqual([
      { code: 'n < 3 ||', mutant: 'n < 3 || odd(n) → true', reached: false },
      { code: 'n < 3 ||', mutant: 'n < 3 → n <= 3', reached: true },
    ])
  })

  test('leaves out files in which there is nothing to change', () => {
    expect(scoresOf({ files: { 'src/types.ts': { source: 'type A = 1', mutants: [] } } })).toEqual({})
  })

  test('is refused from a run that did not come to its end', () => {
    expect(() => few(mutant('Pending', [1, 1, 1, 2], ''))).toThrow('src/few.ts: a mutant was left Pending')
  })
})

const reported: MutationReport = {
  measured: '2026-11-21',
  versions: { node: '26', stryker: '10', vitest: '5' },
  files: few(mutant('Killed', [1, 1, 1, 2], ''), survivor),
}
const known = { code: 'n < 3 ||', mutants: ['n < 3 → n <= 3'], reason: 'three is odd' }

describe('a survivor', () => {
  test('has a reason', () => {
    expect(disagreements(reported, { 'src/few.ts': [known] })).toEqual([])
    expect(disagreements(reported, {})).toEqual(['src/few.ts: no test notices n < 3 → n <= 3 in n < 3 ||: write one, or its reason'])
  })

  test.each([
    ['mutant', { ...known, mutants: [...known.mutants, 'n < 3 → true'] }],
    ['line', { ...known, code: 'n < 4 ||' }],
  ])('and a reason its survivor: another %s has none', (_name, reason) => {
    expect(disagreements(reported, { 'src/few.ts': [known, reason] })).toHaveLength(1)
  })

  test('stands on the page with its reason', () => {
    expect(mutationSection(reported, { 'src/few.ts': [known] })).toContain('[src/few.ts](../src/few.ts)\n- `n < 3 → n <= 3`: three is odd')
  })
})
