import { expect, test } from 'vitest'
import { filesBelow } from './files.ts'

test('no file holds the marks of a merge that was not finished', () => {
  const files = ['src', 'test', 'docs', 'scripts', 'helm', 'config'].flatMap((folder) => filesBelow(folder, ''))
  const marked = files.filter(({ text }) => /^(<{7} |={7}$|>{7} )/m.test(text))
  expect(marked.map(({ path }) => path)).toEqual([])
})
