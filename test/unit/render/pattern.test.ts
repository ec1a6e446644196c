import { expect, test } from 'vitest'
import type { PatternText } from '../../../src/core/rule.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { planText } from '../../../src/render/planText.ts'
import { people } from '../bounds.ts'
import { at, create, view } from './sample.ts'

const short: PatternText = { syntax: 'glob', source: 'eng-*' }
const long: PatternText = { syntax: 'regex', source: 'plane-(?<app>[a-z0-9]+)-(?<level>adm|rw|ro)' }
const viewOf = (pattern: PatternText) =>
  view({ changes: [create('ENG', 'eng-web', 'member', { size: people(5), ...at('eng.yaml:9', { owner: 'team-eng', pattern }) })] })
const rowOf = (pattern: PatternText, width = 120): string => {
  const lines = planText(viewOf(pattern), { colour: false, width }).split('\n')
  const from = lines.findIndex((line) => line.startsWith('  + '))
  return lines.slice(from, from + (width < 100 ? 2 : 1)).join('\n')
}

test('a row of a pattern shows the pattern beside its place', () => {
  expect(rowOf(short)).toBe('  + ENG  eng-web → member  5 people  eng.yaml:9 glob eng-* · team-eng')
})

test('a long pattern is cut, and the row stays within 80 columns', () => {
  expect(rowOf(long, 80)).toBe('  + ENG  eng-web → member  5 people\n      eng.yaml:9 regex plane-(?<app>[a-z0-9]+)… · team-eng')
})

test('Markdown shows the same words', () => {
  expect(planMarkdown([viewOf(short)])).toContain('`eng.yaml:9 glob eng-* · team-eng`')
})

test('JSON has the whole pattern', () => {
  expect(JSON.parse(planJson([viewOf(long)])).workspaces[0].changes[0].because.pattern).toEqual(long)
})

test('invisible characters of a pattern are written out', () => {
  expect(rowOf({ syntax: 'glob', source: 'a\u202E*' })).toContain(String.raw`glob a\u{202e}* · team-eng`)
})
