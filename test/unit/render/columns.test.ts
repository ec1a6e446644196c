import { expect, test } from 'vitest'
import { usage, usageOf } from '../../../src/commands/usage.ts'
import { type Group, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { groupListText } from '../../../src/render/groupList.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { firstColumns, lastColumns, padEnd, padStart, widthOf } from '../../../src/render/width.ts'
import { renderProblems } from '../../../src/yaml/frame.ts'
import { problemIn, sourceOf } from '../../../src/yaml/source.ts'
import { people } from '../bounds.ts'
import { at, create, held, patch, view } from './sample.ts'

/** Names, and the columns that a terminal gives them. */
const names = {
  developers: 10,
  開発: 4,
  한국어팀: 8,
  '🚀 rockets': 10,
  '🇩🇪 team': 7,
  ｶﾅ: 2,
  é: 1,
  'e\u0301e': 2,
  ㄅㄆ: 4,
  '（x）': 5,
} as const
const all = Object.keys(names)

/** The line with each name replaced by one letter for each of its columns, so that an index is a column. */
const inColumns = (line: string): string =>
  Object.entries(names).reduce((text, [name, columns]) => text.replaceAll(name, 'x'.repeat(columns)), line)

/** The column of a text in each line that has it. */
const columnsWith = (text: string, found: string): readonly number[] =>
  text
    .split('\n')
    .filter((line) => line.includes(found))
    .map((line) => inColumns(line).indexOf(found))

const options = { colour: false, width: 120 }

test('the columns of each name', () => expect(all.map(widthOf)).toEqual(Object.values(names)))

test('a plan', () => {
  const text = plansText([view({ changes: all.map((name, index) => create('ENG', name, 'member', at(`a.yaml:${index}`))) })], options)
  expect(columnsWith(text, '→ member')).toHaveLength(all.length)
  expect(new Set(columnsWith(text, '→ member'))).toHaveProperty('size', 1)
  expect(new Set(columnsWith(text, 'a.yaml:'))).toHaveProperty('size', 1)
})

test('a plan whose roles change, and what it holds', () => {
  const changes = all.map((name, index) => patch('ENG', name, 'guest', 'member', at(`a.yaml:${index}`)))
  const holds = all.map((name, index) => held(create('OPS', name, 'guest', at(`b.yaml:${index}`)), { kind: 'suspended', what: 'all' }))
  const text = plansText([view({ changes, holds })], options)
  expect(columnsWith(text, '→ member')).toHaveLength(all.length)
  expect(new Set(columnsWith(text, 'guest → member'))).toHaveProperty('size', 1)
  expect(columnsWith(text, '→ guest')).toHaveLength(all.length)
  expect(new Set(columnsWith(text, '→ guest'))).toHaveProperty('size', 1)
})

test('what came of an apply', () => {
  const results = all.map((name, index) => ({
    change: create('ENG', name, 'member', at(`a.yaml:${index}`)),
    outcome: { kind: 'done' } as const,
  }))
  const text = plansText([view({}, { applied: { results, holds: [], left: [] } })], options)
  expect(columnsWith(text, '→ member')).toHaveLength(all.length)
  expect(new Set(columnsWith(text, 'a.yaml:'))).toHaveProperty('size', 1)
})

test('the groups of a directory; a name that is wider than its column moves only its own row', () => {
  const long = '部'.repeat(31)
  const groups = [...all, long].map(
    (name, index): Group => ({ name: name as GroupName, id: name, place: `at ${name}`, size: people(index) }),
  )
  const reading = { status: 'complete', value: indexGroups(groups), atMs: 0, tookMs: 1 } as const
  const rows = groupListText({ name: 'corp', kind: 'ldap', reading, groups }).split('\n')
  expect(rows[0]).toBe('corp (ldap) complete · 11 groups · 1 ms')
  expect(new Set(rows.slice(1, -2).map((row) => inColumns(row).indexOf('at ')))).toEqual(new Set([2 + 60 + 2 + '10 people'.length + 2]))
  expect(rows.at(-2)).toBe(`  ${long}  10 people  at ${long}`)
})

test('the line of a file below which a caret stands', () => {
  for (const [name, columns] of Object.entries(names)) {
    const line = `group: ${name} x`
    const [, , caret = ''] = renderProblems([problemIn(sourceOf('a.yaml', line, String), line.length - 1, line.length, 'here')]).split('\n')
    expect(caret, name).toBe(`    | ${' '.repeat(7 + columns + 1)}^`)
  }
})

test('a beginning or an end with room for no character is empty', () => {
  expect([firstColumns('部a', 1), firstColumns('部a', 2), firstColumns('部a', 3)]).toEqual(['', '部', '部a'])
  expect([lastColumns('a部', 1), lastColumns('a部', 2), lastColumns('a部', 3)]).toEqual(['', '部', 'a部'])
})

test('a long line of wide characters is cut to the columns of a terminal, around what is meant', () => {
  for (const letter of ['部', '🚀', 'e\u0301']) {
    const line = `${letter.repeat(90)}HERE${letter.repeat(90)}`
    const from = line.indexOf('HERE')
    const problem = problemIn(sourceOf('a.yaml', line, String), from, from + 4, 'here')
    const [, shown = '', caret = ''] = renderProblems([problem]).split('\n')
    expect(widthOf(shown)).toBeLessThanOrEqual(6 + 110 + 1)
    expect(widthOf(shown)).toBeGreaterThan(100)
    expect(widthOf(shown.slice(0, shown.indexOf('HERE')))).toBe(caret.indexOf('^'))
  }
})

test('what wraps below a problem is as wide as a line', () => {
  const cure = Array.from({ length: 60 }, () => '部署').join(' ')
  const lines = renderProblems([{ at: { file: 'a', line: 0, column: 0 }, message: 'no', cure }]).split('\n')
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(110)
})

test('the commands and their options', async () => {
  expect(usage(80)).toMatch(/^ {2}plan {8}show what would change/m)
  expect(await usageOf('plan', 80)).toMatch(/^ {2}-w, --workspace NAME {5}only this workspace/m)
})

test('cells and cuts', () => {
  expect([padEnd('開', 4), padStart('開', 4), padEnd('開発', 3), padEnd('ab', 2)]).toEqual(['開  ', '  開', '開発', 'ab'])
  expect([firstColumns('開a', 1), lastColumns('a開', 1), firstColumns('', 1)]).toEqual(['', '', ''])
  expect([firstColumns('a開b', 2), firstColumns('a開b', 3), lastColumns('a開b', 2), lastColumns('a開b', 3), firstColumns('ab', 9)]).toEqual(
    ['a', 'a開', 'b', '開b', 'ab'],
  )
})
