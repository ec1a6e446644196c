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

test('a place that ends in the last column stays on the line of its row', () => {
  const rows = [row([target, who, role], { text: 'a.yaml:1' }), row([target, { text: 'x' }, role], { text: 'a.yaml:2' })]
  const line = '  + ENG  developers → member  a.yaml:1'
  expect(drawn(rows, line.length)).toEqual([line, '  + ENG  x          → member  a.yaml:2'])
})

test('a place that ends in the last column makes the column of the places', () => {
  const rows = [row([target, who, role], { text: 'a.yaml:1' }), row([target, who, { text: '→ m' }], { text: 'a.yaml:2' })]
  const line = '  + ENG  developers → member  a.yaml:1'
  expect(drawn(rows, line.length)).toEqual([line, '  + ENG  developers → m       a.yaml:2'])
  const half = row([target, who, role], { text: 'p'.repeat(20) })
  expect(drawn([...rows, half], 40)[1]).toBe('  + ENG  developers → m       a.yaml:2')
})

test('a place that fits only beside its row stays there', () => {
  const rows = [
    row([target, who, role], { text: 'a.yaml:1' }),
    row([{ text: '' }, { text: 'developer' }, { text: '→ me' }], { text: 'p'.repeat(20) }),
  ]
  expect(drawn(rows, 40)[1]).toBe(`  + developer → me  ${'p'.repeat(20)}`)
})

test('names are kept if they fit without the columns', () => {
  const names = { text: '9 groups: team-a, b', short: '9 groups' }
  const rows = [row([{ text: 'PROJECTX' }, { text: 'x' }, role], { text: '' }), row([target, names, role], { text: '' })]
  expect(drawn(rows, 40)[1]).toBe('  + ENG  9 groups: team-a, b → member')
})

test('a row without a place may be as wide as the terminal', () => {
  const line = '  + ENG  developers → member  fact'
  expect(drawn([row([target, who, role], { text: 'fact' }, { text: '' })], line.length)).toEqual([line])
  const short = row([target, { text: '9 groups: a …', short: '9 groups' }, role], { text: 'fact' }, { text: '' })
  expect(drawn([short], '  + ENG  9 groups: a … → member  fact'.length)).toEqual(['  + ENG  9 groups: a … → member  fact'])
})

test('a row gives up its columns before it takes a second line', () => {
  const rows = [row([target, who, role], { text: '' }), row([target, { text: 'x' }, role], { text: 'a fact' }, { text: '' })]
  expect(drawn(rows, '  + ENG  x → member  a fact'.length)).toEqual(['  + ENG  developers → member', '  + ENG  x → member  a fact'])
})

test('a place that is wider than what is left is wrapped below its row', () => {
  const one = row([target, who, role], { text: 'teams/with-a-long-name/and-another-one/eng.yaml:14 · platform-team' })
  expect(drawn([one], 40)).toEqual([
    '  + ENG  developers → member',
    '      teams/with-a-long-name/and-another-one/eng.yaml:14 ·',
    '      platform-team',
  ])
  const two = row([target, who, role], { text: `${'a'.repeat(20)} ${'b'.repeat(15)}` })
  expect(drawn([two], 40)).toEqual(['  + ENG  developers → member', `      ${'a'.repeat(20)}`, `      ${'b'.repeat(15)}`])
})

test('a place of half the width does not move the places of other rows', () => {
  const rows = (place: string) => [row([target, who, role], { text: 'a.yaml' }), row([target, who, role], { text: place })]
  expect(drawn(rows('p'.repeat(19)), 40)).toEqual([
    '  + ENG  developers → member a.yaml'.replace(' a', '  a'),
    '  + ENG  developers → member',
    `${' '.repeat(21)}${'p'.repeat(19)}`,
  ])
  expect(drawn(rows('p'.repeat(20)), 40)[0]).toBe('  + ENG  developers → member  a.yaml')
})

test('the column of a target is narrower than that of a group', () => {
  const rows = [row([{ text: 't'.repeat(12) }, who, role]), row([target, who, role])]
  expect(drawn(rows, 40)[1]).toBe('  + ENG  developers → member')
})

test('a row without a group keeps the place of its role', () => {
  const rows = [row([target, who, role], { text: 'x' }), row([target, { text: '' }, role], { text: 'x' })]
  expect(drawn(rows, 80)).toEqual(['  + ENG  developers → member  x', '  + ENG             → member  x'])
  expect(drawn(rows.slice(1), 80)).toEqual(['  + ENG → member  x'])
})

test('a place without a style is painted plainly', () => {
  const one = row([target, who, role], { text: 'a.yaml:1' })
  expect(layout([one], 80, (style, text) => `<${style} ${text}>`)[0]).toContain('<plain a.yaml:1>')
})

test('nothing is not painted', () => {
  const paint = paintOf(true)
  expect([paint('red', ''), paint('plain', 'a'), paint('red', 'a')]).toEqual(['', 'a', '\u001B[31ma\u001B[0m'])
})
