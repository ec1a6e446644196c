import { expect, test } from 'vitest'
import { paintOf } from '../../../src/render/paint.ts'
import { type Cell, layout, type Row } from '../../../src/render/table.ts'

const row = (lead: Row['lead'], ...tail: readonly Cell[]): Row => ({ symbol: '+', style: 'green', lead, tail, below: [] })
const [target, who, role] = [{ text: 'ENG' }, { text: 'developers' }, { text: '→ member' }] as const
const drawn = (rows: readonly Row[], width: number) => layout(rows, width, paintOf(false))

test('a row that fits to the last column stays on its line', () => {
  const one = row([target, who, role], { text: '63 people' }, { text: 'a.yaml:1' })
  const line = '  + ENG  developers → member  63 people  a.yaml:1'
  expect(drawn([one], line.length)).toEqual([line])
  expect(drawn([one], line.length - 1)).toEqual(['  + ENG  developers → member  a.yaml:1', '      63 people'])
})

test('rows that fit to the last column keep their columns', () => {
  const rows = [row([target, who, role], { text: 'fact' }), row([target, { text: 'x' }, role], { text: 'fact' })]
  const [first, second] = ['  + ENG  developers → member  fact', '  + ENG  x          → member  fact'] as const
  expect(drawn(rows, first.length)).toEqual([first, second])
  expect(drawn(rows, first.length - 1).at(-1)).toBe('  + ENG  x → member  fact')
})

test('what has room beside the names stays beside them, the last cell before the others', () => {
  const one = row([target, who, role], { text: 'a long fact' }, { text: 'short' }, { text: 'a.yaml:1' })
  const lead = '  + ENG  developers → member'
  expect(drawn([one], lead.length + 17)).toEqual([`${lead}  short  a.yaml:1`, '      a long fact'])
  expect(drawn([one], lead.length + 16)).toEqual([`${lead}  a.yaml:1`, '      a long fact', '      short'])
  expect(drawn([one], lead.length + 6)).toEqual([lead, '      a long fact', '      short', '      a.yaml:1'])
})

test('a cell as wide as its cap makes the column, a wider one does not', () => {
  const rows = (name: string) => [row([target, { text: name }, role]), row([target, { text: 'x' }, role])]
  expect(drawn(rows('n'.repeat(18)), 40)[1]).toBe(`  + ENG  x${' '.repeat(17)} → member`)
  expect(drawn(rows('n'.repeat(19)), 40)[1]).toBe('  + ENG  x → member')
})

test('nothing is not painted', () => {
  const paint = paintOf(true)
  expect([paint('red', ''), paint('plain', 'a'), paint('red', 'a')]).toEqual(['', 'a', '\u001B[31ma\u001B[0m'])
})
