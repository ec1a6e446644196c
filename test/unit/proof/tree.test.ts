import { expect, test } from 'vitest'
import { linesOfCode } from '../../../scripts/source/tree.ts'

test.each([
  ['', 0],
  ['\n// only words\n\n/* and\nmore */\n', 0],
  ['/** why */ const a = 1 // one\n\nconst b = 2\n', 2],
  ["const a = '// no comment'\n", 1],
  ['const a = `\n  // no comment\n`\n', 3],
])('%j has %i lines of code', (source, lines) => {
  expect(linesOfCode(source)).toBe(lines)
})
