import { expect, test } from 'vitest'
import type { HoldReason } from '../../../src/core/hold.ts'
import { changeEntry } from '../../../src/render/entry.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { planSections } from '../../../src/render/markdownSections.ts'
import { entryTable, holdColumns } from '../../../src/render/markdownTable.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { forPeople, people } from '../bounds.ts'
import { about, at, create, held, inSet, patch, unsure, view } from './sample.ts'

/* A comment is about 760 pixels wide. So a table says in its cells only what differs. */

const protectedRole: HoldReason = { kind: 'approval', why: 'protectedRole' }
const waits = (n: number) =>
  Array.from({ length: n }, (_, index) => held(create('ENG', `leads-${index}`, 'admin', at('a.yaml:1')), protectedRole))
const titles = (markdown: string) => markdown.match(/^\| {2}\|.*$/gm)

test('a column without any text is left out', () => {
  expect(titles(planMarkdown([view({ changes: [create('ENG', 'a', 'member')] })]))).toEqual(['|  | target | group | role |'])
  const changes = [create('ENG', 'a', 'member', { size: people(3) }), create('ENG', 'b', 'guest', at('a.yaml:1', { reason: 'ACC-1' }))]
  const whole = planMarkdown([view({ changes })])
  expect(titles(whole)).toEqual(['|  | target | group | role | people | reason | declared in |'])
  expect(whole).toContain('| + | `ENG` | `a` | `→ member` | 3 people |  |  |')
})

test('what all rows say about the cure stands once, below them', () => {
  const unknown = (...projects: readonly string[]) =>
    projects.map((project, n) => unsure(project, `g${n}`, { kind: 'suspended', only: 'all' } as unknown as HoldReason))
  const two = planMarkdown([view({ holds: unknown('ENG', 'OPS') })])
  expect(titles(two)).toEqual(['|  | target | group | why |'])
  expect(two).toMatch(/ \|\n\nBoth rows: to go on, set suspend: false/)
  expect(titles(planMarkdown([view({ holds: unknown('ENG') })]))).toEqual(['|  | target | group | why | what to do |'])
})

test('a row has an ID only if the command below names several', () => {
  const ids = (n: number) => {
    const markdown = planMarkdown([view({ holds: waits(n) })])
    return [markdown.match(/: --allow [0-9a-f]{32}/g)?.length ?? 0, markdown.match(/ --allow [0-9a-f]{32}/g)?.length]
  }
  expect(ids(1)).toEqual([0, 1])
  expect(ids(2)).toEqual([2, 2 + 2])
  expect(ids(10)).toEqual([10, 10 + 10])
  expect(ids(11)).toEqual([0, 1])
  const many = planMarkdown([view({ holds: waits(11) })])
  expect(many).toContain(
    '\n\nAll 11 rows: approve it as below · or in the file: allowProtected: true\n\nTo approve all 11 protected changes:\n',
  )
  expect(many).toContain('`--format text --all` shows the ID of each.')
})

test('of the sets that wait the one with a protected role comes first, in every format', () => {
  const over = (name: 'raises' | 'beside', sentence: string) =>
    ({ name, count: 1, limit: 0, setting: `guards.${name}.count`, sentence }) as Parameters<typeof inSet>[1]
  const raises = inSet([patch('ENG', 'a', 'guest', 'member')], over('raises', 'too many'))
  const grants = inSet([create('OPS', 'leads', 'admin')], over('beside', 'beside them'))
  const of = [view({ holds: [...raises, ...grants] })]
  expect(planMarkdown(of).match(/\*\*Limit .*:\*\*/g)).toEqual(['**Limit beside:**', '**Limit raises:**'])
  expect(plansText(of, { colour: false, width: 100 }).match(/limit \w+:/g)).toEqual(['limit beside:', 'limit raises:'])
})

const entries = (n: number, sharedCure = () => 'do it') =>
  Array.from({ length: n }, (_, index) => ({
    ...changeEntry(create('ENG', `group-${10 + index}`, 'guest', at('a.yaml:1')), about.roles),
    cure: 'do it',
    sharedCure: sharedCure(),
  }))
const never = () => false

test('below the table is only the cure of rows that it shows', () => {
  const blocks = (room: number) => entryTable(entries(3), holdColumns, never, room).split('\n\n').slice(1)
  const row = '| + | `ENG` | `group-10` | `→ guest` | `a.yaml:1` |\n'.length
  expect(blocks(3 * row)).toEqual(['All 3 rows: do it'])
  expect(blocks(0)).toEqual([expect.stringMatching(/^… and 3 more/)])
  expect(blocks(80)).toEqual([expect.stringMatching(/^3 in rows for several groups/), 'Do it'])
})

test('a cure stands in the rows if a row for several groups would have another one', () => {
  let n = 0
  const table = entryTable(
    entries(3, () => `do ${(n += 1)}`),
    holdColumns,
    never,
    60_000,
  )
  expect(table).toContain('| do it | `a.yaml:1` |')
})

test('the projects below the table count, too', () => {
  const projects = Array.from({ length: 100 }, (_, n) => `PROJECT${100 + n}`)
  const grants = Array.from({ length: 40 }, (_, group) =>
    projects.map((project) => changeEntry(create(project, `leads-${group}`, 'admin', at(`${group}.yaml:1`)), about.roles)),
  )
  expect(entryTable(grants.flat(), holdColumns, () => true, 60_000).length).toBeGreaterThan(40_000)
  expect(entryTable(grants.flat(), holdColumns, () => true, 20_000).length).toBeLessThan(20_500)
})

test('a change that waits for a number of people keeps its own ID, which has that number', () => {
  const setting = 'guards.people.raise'
  const crowd = forPeople({ over: 'raise', people: 400, limit: 50, setting, pass: `${'a'.repeat(32)}:400` })
  expect(planMarkdown([view({ holds: [held(create('ENG', 'all', 'member'), crowd)] })])).toContain(
    'to approve it for up to 400 people: --allow a',
  )
  const many = Array.from({ length: 60 }, (_, n) => held(create('ENG', `group-${n}`, 'member'), crowd))
  expect(planSections(view({ holds: many }), 2_000).join('\n')).toContain('each of them needs an ID of its own')
})
