import { expect, test } from 'vitest'
import { invalidDeclarationText, mistakesText } from '../../../src/render/invalidDeclaration.ts'

const mistake = (n: number) => `a.yaml:${n}:1: mistake ${n}\n  ${n} | text\n      ^^^^\n  a cure`
const declaration = { hash: 'abc', files: 2, lastValidMs: Date.UTC(2026, 10, 3, 2, 14) }
const kept = 'a.yaml:1:1: "x" is no role'

test('a valid declaration needs no words', () => {
  expect(invalidDeclarationText({ hash: 'abc', files: 2 })).toBe('')
})

test('an invalid declaration: its first mistake, and when the version in use was valid', () => {
  expect(invalidDeclarationText({ ...declaration, kept })).toBe(
    'The declaration is invalid, the last valid one (valid at 2026-11-03 02:14 UTC) stays in use: a.yaml:1:1: "x" is no role',
  )
  expect(invalidDeclarationText({ hash: 'abc', files: 2, kept })).toContain('the last valid one stays in use')
})

test('invalid files of one owner', () => {
  const keptFiles = [{ file: 'teams/a.yaml', owner: 'team-a', isUsed: true }]
  const text = invalidDeclarationText({ ...declaration, kept, keptFiles })
  expect(text).toMatch(/^Invalid: .*teams\/a\.yaml.*\. The last valid text \(valid at 2026-11-03 02:14 UTC\) stays in use: a\.yaml:1:1: /)
})

test('files that contradict each other', () => {
  expect(invalidDeclarationText({ ...declaration, kept, keptFiles: [] })).toBe(
    `Files of different owners contradict each other, and the mappings in dispute are held: ${kept}`,
  )
})

test('three mistakes are named, and the others are counted', () => {
  const text = (mistakes: number) => mistakesText(Array.from({ length: mistakes }, (_, n) => mistake(n + 1)).join('\n\n'))
  const validate = 'plane-group-sync validate shows what to correct'
  expect(text(1)).toBe(`a.yaml:1:1: mistake 1; ${validate}`)
  expect(text(3)).toBe(`a.yaml:1:1: mistake 1; a.yaml:2:1: mistake 2; a.yaml:3:1: mistake 3; ${validate}`)
  expect(text(5)).toBe(`a.yaml:1:1: mistake 1; a.yaml:2:1: mistake 2; a.yaml:3:1: mistake 3; and 2 more; ${validate}`)
  expect(mistakesText('a.yaml: \u001b[2J')).toBe('a.yaml: \\u{1b}[2J')
  expect(mistakesText('')).toBe('')
})
