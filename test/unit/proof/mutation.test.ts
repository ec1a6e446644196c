import { describe, expect, test } from 'vitest'
import { changedFunctions } from '../../../scripts/proof/mutation/changes.ts'
import { disagreements, unexplainedChanges } from '../../../scripts/proof/mutation/explained.ts'
import { type Mutant, namedMutants, type StrykerReport } from '../../../scripts/proof/mutation/mutants.ts'
import { mutationSection } from '../../../scripts/proof/mutation/page.ts'
import { sourceWithNewNames } from '../../../scripts/proof/mutation/renames.ts'
import { type MutationReport, scoresOf, shareOf, totalOf } from '../../../scripts/proof/mutation/score.ts'

const source = 'const few = (n: number) =>\n  n < 3 ||\n  odd(n)\n'
type Place = readonly [line: number, column: number, endLine: number, endColumn: number]

/** A mutant of a part of `source`. */
const mutant = (status: Mutant['status'], [a, b, c, d]: Place, replacement: string, mutatorName = 'Some'): Mutant => ({
  mutatorName,
  status,
  replacement,
  location: { start: { line: a, column: b }, end: { line: c, column: d } },
})
const reportOf = (...mutants: readonly Mutant[]): StrykerReport => ({ files: { 'src/few.ts': { source, mutants } } })
const few = (...mutants: readonly Mutant[]) => scoresOf(reportOf(...mutants))
const killed = mutant('Killed', [1, 13, 1, 14], 'm', 'Other')
const survivor = mutant('Survived', [2, 3, 2, 8], 'n <= 3', 'EqualityOperator')
const unreached = mutant('NoCoverage', [2, 3, 3, 9], 'true', 'ConditionalExpression')

describe('the score', () => {
  test('counts killed and timed out as noticed, what nothing can reach not at all', () => {
    const timeout = mutant('Timeout', [1, 13, 1, 14], '')
    const { 'src/few.ts': score } = few(killed, killed, timeout, mutant('Ignored', [1, 13, 1, 14], ''), survivor)
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

  test('has the survivors by function, with its shape', () => {
    expect(few(unreached, survivor, killed)['src/few.ts']?.survivors).toEqual({
      few: {
        shape: expect.stringMatching(/^[0-9a-f]{12}$/),
        mutants: { EqualityOperator: 'survived', ConditionalExpression: 'unreached' },
      },
    })
  })

  test('leaves out files in which there is nothing to change', () => {
    expect(scoresOf({ files: { 'src/types.ts': { source: 'type A = 1', mutants: [] } } })).toEqual({})
  })

  test('is refused from a run that did not come to its end', () => {
    expect(() => few(mutant('Pending', [1, 1, 1, 2], ''))).toThrow('src/few.ts: a mutant was left Pending')
  })
})

describe('the name of a mutant', () => {
  const whole = [2, 3, 3, 9] as const
  const part = [2, 3, 2, 8] as const
  const late = [3, 3, 3, 9] as const
  const namesOf = (...mutants: readonly (readonly [Place, string])[]) => {
    const all = mutants.map(([place, replacement]) => mutant('Survived', place, replacement))
    return namedMutants({ source, mutants: all }).map(({ name, change }) => `${name}: ${change.split(' → ')[0]}`)
  }

  test('is that of the mutator if the function has one', () => {
    expect(namesOf([part, 'true'])).toEqual(['Some: n < 3'])
  })

  test('has the replacement if others have another one', () => {
    expect(namesOf([part, 'true'], [part, 'false'], [late, '["Stryker was here"]'])).toEqual([
      'Some → false: n < 3',
      'Some → true: n < 3',
      'Some → ["Stryker was here"]: odd(n)',
    ])
  })

  test('has only a number if all have the same replacement', () => {
    expect(namesOf([part, 'true'], [late, 'true'])).toEqual(['Some, 1 of 2: n < 3', 'Some, 2 of 2: odd(n)'])
  })

  test('has both if some have the same replacement: the longer code first, then by its place', () => {
    expect(namesOf([late, 'true'], [part, 'true'], [whole, 'true'], [part, 'false'])).toEqual([
      'Some → true, 1 of 3: n < 3 || odd(n)',
      'Some → true, 2 of 3: n < 3',
      'Some → true, 3 of 3: odd(n)',
      'Some → false: n < 3',
    ])
  })

  test.each([
    ['an identifier', 'n <= 3', 'even(n)'],
    ['many characters', `"${'a'.repeat(40)}"`, `"${'b'.repeat(40)}"`],
    ['lines', '{\n}', '[\n]'],
  ])('has a number where the replacement has %s', (_what, first, second) => {
    expect(namesOf([part, first], [late, second])).toEqual(['Some, 1 of 2: n < 3', 'Some, 2 of 2: odd(n)'])
  })

  test('counts in one function alone', () => {
    const two = 'const a = () => 1\nconst b = () => 1\n'
    const mutants = [mutant('Survived', [1, 17, 1, 18], '0'), mutant('Survived', [2, 17, 2, 18], '0')]
    expect(namedMutants({ source: two, mutants }).map((one) => [one.function, one.name])).toEqual([
      ['a', 'Some'],
      ['b', 'Some'],
    ])
  })
})

const reported: MutationReport = {
  measured: '2026-11-21',
  versions: { node: '26', stryker: '10', vitest: '5' },
  files: few(killed, survivor),
}
const known = { mutants: ['EqualityOperator'], reason: 'three is odd' }
const reasons = { 'src/few.ts': { few: [known] } }

describe('a survivor', () => {
  test('has a reason', () => {
    expect(disagreements(reported, reasons)).toEqual([])
    expect(disagreements(reported, {})).toEqual([
      'src/few.ts: few: EqualityOperator: no test notices it: write a test, or a reason in scripts/proof/mutation/reasons.ts',
    ])
  })

  test('without a reason is shown with its line and what became of it', () => {
    expect(unexplainedChanges(reportOf(killed, survivor), reasons)).toEqual([])
    expect(unexplainedChanges(reportOf(killed, survivor), {})).toEqual(['src/few.ts:2: EqualityOperator: n < 3 → n <= 3'])
  })

  test.each([
    ['mutant', { few: [{ ...known, mutants: ['EqualityOperator', 'Other'] }] }],
    ['function', { few: [known], many: [known] }],
  ])('and a reason its survivor: another %s has none', (_name, ofFile) => {
    expect(disagreements(reported, { 'src/few.ts': ofFile })).toHaveLength(1)
  })

  test('stands on the page with its reason', () => {
    expect(mutationSection(reported, reasons)).toContain('[src/few.ts](../src/few.ts)\n- `few`, `EqualityOperator`: three is odd')
  })
})

describe('a function with survivors', () => {
  const changedTo = (text: string) => changedFunctions(reported.files, async () => text)

  test('is as it was if only its names, its lines or other functions changed', async () => {
    expect(await changedTo(source)).toEqual([])
    expect(await changedTo(`const other = 1\n\n${source.replaceAll(/\bn\b/g, 'count')}`)).toEqual([])
  })

  test('changed if it does something else, is gone, or its file is', async () => {
    const changed = [{ path: 'src/few.ts', name: 'few' }]
    expect(await changedTo(source.replace('<', '<='))).toEqual(changed)
    expect(await changedTo('')).toEqual(changed)
    expect(await changedFunctions(reported.files, () => Promise.reject(new Error('gone')))).toEqual(changed)
  })

  test('is found under its new name if one function alone does the same', async () => {
    const renamed = source.replace('few', 'some')
    expect(await changedTo(renamed)).toEqual([{ path: 'src/few.ts', name: 'few', newName: 'some' }])
    expect(await changedTo(renamed + source.replace('few', 'more'))).toEqual([{ path: 'src/few.ts', name: 'few' }])
  })
})

test('new names of functions go into the reasons of their file alone', () => {
  const ofFile = (path: string, name: string) => `  '${path}': {\n    ${name}: [{ mutants: ['A'], reason: 'few: [' }],\n  },\n`
  const changed = [{ path: 'src/b.ts', name: 'few', newName: 'some' }]
  expect(sourceWithNewNames(ofFile('src/a.ts', 'few') + ofFile('src/b.ts', 'few'), changed)).toBe(
    ofFile('src/a.ts', 'few') + ofFile('src/b.ts', 'some'),
  )
})
