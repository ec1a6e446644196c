import { expect, test } from 'vitest'
import type { Later } from '../../../src/core/later.ts'
import type { GroupName, Key, ProjectIdentifier, Role } from '../../../src/core/mapping.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { workspaceOf } from '../../../src/render/json.ts'
import { documentLaterEntries, laterEntries, laterLines } from '../../../src/render/later.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { planText } from '../../../src/render/planText.ts'
import { people } from '../bounds.ts'
import { plan, view } from './sample.ts'

const at = Date.parse('2027-01-01T00:00:00Z')
const day = 86_400_000
const row = (n: number, more: Partial<Later> = {}): Later => ({
  key: `acme/project/ENG/g${n}` as Key,
  group: `g${n}` as GroupName,
  target: { kind: 'project', project: 'ENG' as ProjectIdentifier },
  because: { at: { file: 'g.yaml', line: n, column: 1 } },
  atMs: at,
  why: 'ends',
  write: { action: 'delete', before: 'member' as Role },
  size: people(3),
  ...more,
})
const admin = { write: { action: 'create', role: 'admin' as Role }, why: 'starts', allowProtected: true } as const
const text = (later: readonly Later[], all = false) =>
  planText(view(plan({ later })), { colour: false, width: 120, all })
    .split('\n')
    .filter((line) => /Later|after|from/.test(line))

test('rows that do not fit stand for one date, with the groups and the people', () => {
  const later = Array.from({ length: 193 }, (_, n) => row(n, { atMs: at + (n < 173 ? 0 : n * day) }))
  const shown = text(later)
  expect(shown[0]).toMatch(/^Later \(193\), up to 2027-02-02.*, \d+ in rows for several groups/)
  expect(shown).toContainEqual(
    expect.stringMatching(/\d+ groups: g\d+, .* … = member {2}in ENG {2}\d+ changes, after 2026-12-31, \d+ people/),
  )
  expect(shown.length).toBe(61)
  expect(text(later, true)).toHaveLength(194)
})

test('a row for several dates says what will hold the changes', () => {
  const waits = (n: number) => ({ kind: 'readingIncomplete', of: n % 2 === 0 ? 'corp' : 'idp', why: 'no answer' }) as const
  const later = Array.from({ length: 90 }, (_, n) => row(n, { atMs: at + n * day, waits: waits(n) }))
  const shown = planText(view(plan({ later })), { colour: false, width: 400 }).split('\n')
  const several = shown.filter((line) => /^ {2}\? \d+ groups/.test(line))
  expect(several).toHaveLength(1)
  expect(several[0]).toMatch(/held: (idp and corp|corp and idp) could not be read whole: no answer/)
})

test('protected roles come first, by date, are marked, never folded away, and open in Markdown', () => {
  const later = [
    ...Array.from({ length: 200 }, (_, n) => row(n)),
    row(998, { ...admin, atMs: at + day }),
    row(999, { ...admin, atMs: at + 2 * day }),
  ]
  expect(text(later).slice(1, 3)).toEqual([
    expect.stringMatching(/‼ ENG {2}g998 → admin {2}from 2027-01-02, 3 people, approved in the file \(allowProtected\)/),
    expect.stringMatching(/‼ ENG {2}g999 → admin {2}from 2027-01-03/),
  ])
  const markdown = planMarkdown([view(plan({ later })), view(plan({}))])
  expect(markdown.split('<details>')[0]).toMatch(/\*\*Later \(202, 2 protected\), up to 2027-02-02\*\*[^<]*‼[^<]*g998[^<]*‼[^<]*g999/)
})

test('status shows from the document what the plan shows', () => {
  const waits = { kind: 'approval', why: 'protectedRole' } as const
  const later = [
    row(1, { ...admin, allowProtected: false, waits }),
    row(2),
    row(3, { write: { action: 'rename', fromGroup: 'old' as GroupName, before: null, role: 'guest' as Role } }),
  ]
  const one = view(plan({ later }))
  const document = workspaceOf(one)
  const lines = (entries: ReturnType<typeof laterEntries>) => laterLines(entries, at, canvasOf({ colour: false, width: 120 }, 0))
  const fromDocument = 'later' in document ? documentLaterEntries(document.later) : []
  expect(lines(fromDocument)).toEqual(lines(laterEntries(one.judged.plan, one.about)))
})

test('what several rows in a row will wait for stands once, below the last of them', () => {
  const over = { name: 'deletes', count: 3, limit: 1, setting: 'guards.deletes.count', sentence: 'three', pass: '' } as const
  const waits = { kind: 'approval', why: 'limit', ...over } as unknown as NonNullable<Later['waits']>
  const later = [row(1, { waits }), row(2, { waits }), row(3, { waits }), row(4), row(5, { waits, atMs: at + day })]
  const shown = planText(view(plan({ later })), { colour: false, width: 300 })
  const note = 'will wait for approval: 3 deletes on that day, and guards.deletes.count allows 1'
  const lines = shown.split('\n').filter((line) => / g\d |wait/.test(line))
  expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
    '- ENG g1 = member after 2026-12-31, 3 people g.yaml:1',
    '- ENG g2 = member after 2026-12-31, 3 people g.yaml:2',
    '- ENG g3 = member after 2026-12-31, 3 people g.yaml:3',
    `all 3 rows: ${note}; approve the set when it waits, or correct the dates`,
    '- ENG g4 = member after 2026-12-31, 3 people g.yaml:4',
    expect.stringContaining(`- ENG g5 = member after 2027-01-01, 3 people, ${note}`),
  ])
})
