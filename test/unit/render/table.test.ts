import { expect, test } from 'vitest'
import { paintOf } from '../../../src/render/paint.ts'
import { type Cell, layout, type Row } from '../../../src/render/table.ts'

const row = (lead: Row['lead'], ...tail: readonly Cell[]): Row => ({ symbol: '+', style: 'green', lead, tail, below: [] })
const [target, who, role] = [{ text: 'ENG' }, { text: 'developers' }, { text: '→ member' }] as const
const drawn = (rows: readonly Row[], width: number) => layout(rows, width, paintOf(false))

test('a row that fits to the last column stays on its line; else the place is at the end of its last line', () => {
  const one = row([target, who, role], { text: '63 people' }, { text: 'a.yaml:1' })
  const line = '  + ENG  developers → member  63 people  a.yaml:1'
  expect(drawn([one], line.length)).toEqual([line])
  expect(drawn([one], line.length - 1)).toEqual(['  + ENG  developers → member  63 people', '      a.yaml:1'])
  expect(drawn([one], line.length - 12)).toEqual(['  + ENG  developers → member', '      63 people  a.yaml:1'])
})

test('rows that fit to the last column keep their columns', () => {
  const [first, second] = [row([target, who, role], { text: 'fact' }), row([target, { text: 'x' }, role], { text: 'fact' })]
  const [long, short] = ['  + ENG  developers → member  fact', '  + ENG  x          → member  fact'] as const
  expect(drawn([first, second], long.length)).toEqual([long, short])
  expect(drawn([first, second], long.length - 1).at(-1)).toContain('fact')
})

test('the places of all rows begin in one column', () => {
  const place = { text: 'teams/a.yaml:1' }
  const rows = [row([target, who, role], { text: '63 people' }, place), row([target, { text: 'x' }, role], { text: '5 people' }, place)]
  const columns = drawn(rows, 80).map((line) => line.indexOf('teams/'))
  expect(new Set(columns).size).toBe(1)
  const long = row([target, who, role], { text: 'a reason that is long' }, { text: 'another one' }, place)
  const narrow = drawn([...rows, long], 56)
  expect(narrow.at(-1)).toMatch(/^ {6}another one {2,}teams\/a\.yaml:1$/)
  expect(narrow.every((line) => line.length <= 56)).toBe(true)
})

test('a shorter name is used if the row then fits on its line', () => {
  const one = row([{ text: '' }, { text: '9 groups: team-a …', short: '9 groups' }, role], { text: 'fact' }, { text: 'a.yaml' })
  expect(drawn([one], 80)).toEqual(['  + 9 groups: team-a … → member  fact  a.yaml'])
  expect(drawn([one], 36)).toEqual(['  + 9 groups → member  fact  a.yaml'])
  expect(drawn([one], 34)[0]).toBe('  + 9 groups: team-a … → member')
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
