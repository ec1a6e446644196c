import { expect, test } from 'vitest'
import { renderProblems } from '../../../src/yaml/frame.ts'
import { problemOfFile } from '../../../src/yaml/problem.ts'
import { problemIn, sourceOf } from '../../../src/yaml/source.ts'

test('a caret stands under what is meant, also behind wide and combining characters', () => {
  const line = 'group: 日本e\u0301 x'
  const text = renderProblems([problemIn(sourceOf('a.yaml', line, String), line.length - 1, line.length, 'here')])
  // 日本 needs four cells, é one.
  expect(text.split('\n')).toEqual(['a.yaml:1:13: here', `  1 | ${line}`, `    | ${' '.repeat(13)}^`])
})

test('a terminal obeys nothing that stands in a file, its name or a message', () => {
  const source = sourceOf('\u001B[2Ja.yaml', 'x: \u001B]0;owned\u0007\u202Etxt', String)
  const text = renderProblems([problemIn(source, 3, 4, 'a\u009Bb', 'c\u001Bd'), problemOfFile('b\u001B.yaml', 'no')])
  expect(text).not.toMatch(/[^\P{C}\n]/u)
  expect(text).toContain('\\u{1b}]0;owned\\u{7}\\u{202e}txt')
})

test('a long line is shown around what is meant', () => {
  const line = `${'a'.repeat(5_000)}HERE${'b'.repeat(5_000)}`
  const [, shown = '', caret = ''] = renderProblems([problemIn(sourceOf('a.yaml', line, String), 5_000, 5_004, 'here')]).split('\n')
  expect(shown.length).toBeLessThan(125)
  expect(shown.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE')
})

test('after fifty problems the rest is counted', () => {
  const problems = Array.from({ length: 60 }, () => problemOfFile('a.yaml', 'no'))
  expect(renderProblems(problems).endsWith('… and 10 more')).toBe(true)
})
