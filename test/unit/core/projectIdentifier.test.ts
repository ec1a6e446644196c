import { expect, test } from 'vitest'
import { isProjectIdentifier, projectIdentifier } from '../../../src/core/mapping.ts'

test('letters become upper-case', () => {
  expect(['eng', 'Eng2', 'équipe', 'проект', '日本'].map(projectIdentifier)).toEqual(['ENG', 'ENG2', 'ÉQUIPE', 'ПРОЕКТ', '日本'])
})

test.each(['ß', 'ﬁx', 'ſec', 'ıt', 'ŉa', 'ǰ', 'ﬀ', 'ẖ'])('no part of %s becomes an ASCII letter, so it names no other project', (text) => {
  const identifier = projectIdentifier(text)
  const ascii = (one: string) => one.replaceAll(/[^A-Z]/g, '')
  expect(ascii(identifier)).toBe(text.replaceAll(/[^a-z]/g, '').toUpperCase())
  expect(isProjectIdentifier(identifier)).toBe(false)
})

test.each(['ENG', 'ÉQUIPE', '日本', 'ABCDEFGHIJKL'])('%s can be an identifier', (text) => {
  expect(isProjectIdentifier(projectIdentifier(text))).toBe(true)
})

test.each(['', 'A B', 'A∕B', 'ABCDEFGHIJKLM'])('"%s" cannot be an identifier', (text) => {
  expect(isProjectIdentifier(projectIdentifier(text))).toBe(false)
})
