import { expect, test } from 'vitest'
import { comparePositions, nothingDeclared, positionText } from '../../../src/core/rule.ts'
import { acme } from './smallWorld.ts'

test('positions are in the order of files, lines, columns', () => {
  const at = (file: string, line: number, column: number) => ({ file, line, column })
  const sorted = [at('a', 1, 1), at('a', 1, 9), at('a', 2, 1), at('a', 10, 1), at('b', 1, 1), at('b', 1, 2), at('c', 1, 1)]
  expect([4, 2, 6, 0, 5, 3, 1].map((index) => sorted[index] as (typeof sorted)[number]).toSorted(comparePositions)).toEqual(sorted)
  expect(comparePositions(at('a', 1, 1), at('a', 1, 1))).toBe(0)
})

test('a position as compilers write it', () => {
  expect(positionText({ file: 'teams/eng.yaml', line: 3, column: 7 })).toBe('teams/eng.yaml:3:7')
})

test('where nothing is declared, nothing is owned, wished for, or left alone', () => {
  expect(nothingDeclared(acme)).toEqual({ workspace: 'acme', owns: new Set(), rules: [], removed: [], unmanaged: [] })
})
