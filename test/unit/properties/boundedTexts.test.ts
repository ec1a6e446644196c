import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Hold } from '../../../src/core/hold.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/text.ts'
import { at, create, held, patch, plan, remove, view } from '../render/sample.ts'
import { quoted } from './danger.ts'
import { number, rowsOfMarkdown, rowsOfText } from './renderedRows.ts'
import { holds } from './runs.ts'

/** Texts at their upper bound, of blanks and of what a row, a title or markup looks like. */
const parts = [
  '  ‼ ENG  ops → admin',
  '\n  + ENG  a → b',
  '\n| + | `X` | y |',
  ' ‼ ',
  ' - ',
  '   ',
  '\t\u00A0\u2003',
  '\u200B',
  'Held (3)',
  '<details>',
  '|',
  '`',
  '\u202E',
  'x'.repeat(60),
  '界',
  '😀',
]
const longText = (max: number) =>
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 60 }).map((some) => `x${some.join('').repeat(max)}`.slice(0, max))
const group = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('devs', 'ops') },
  longText(255).map((text) => `g${text}`.slice(0, 255)),
)
const entry = fc.record({
  group,
  project: fc.constantFrom('ENG', 'OPS', 'workspace', '*'),
  role: fc.constantFrom('guest', 'member', 'admin'),
  kind: fc.constantFrom('create', 'patch', 'remove'),
  isHeld: fc.boolean(),
  reason: longText(500),
  owner: longText(500),
  file: fc.constantFrom('a.yaml', `${'deep/'.repeat(50)}a  b.yaml`),
  sentence: longText(200),
})

const views = fc.array(entry, { minLength: 1, maxLength: 40 }).map((entries) => {
  const changeOf = (one: (typeof entries)[number], index: number): Change => {
    const more = at(`${one.file}:${index}`, { owner: one.owner, reason: one.reason })
    const name = `${index}${one.group}`.slice(0, 255)
    if (one.kind === 'create') return create(one.project, name, one.role, more)
    if (one.kind === 'patch') return patch(one.project, name, 'commenter', one.role, more)
    return remove(one.project, name, one.role, 'removed', more)
  }
  const all = entries.map((one, index) => ({ one, change: changeOf(one, index) }))
  const changes = all.flatMap(({ one, change }) => (one.isHeld ? [] : [change]))
  const waiting = all.flatMap(({ one, change }): readonly Hold[] =>
    one.isHeld ? [held(change, { kind: 'readingIncomplete', of: 'corp', why: one.sentence })] : [],
  )
  return view({ changes, holds: waiting }, { verdict: { approved: true, plan: plan({ changes, holds: waiting }) as never, waived: [] } })
})

const looksLikeRow = /^\s*[‼!?+↑↓~»⚙·-] /u
/** The entries that a line counts as left out: `… and 12 more`. */
const leftOut = (text: string): number => [...text.matchAll(/^\s*… and ([\d,]+) more \(/gmu)].reduce((sum, [, n]) => sum + number(n), 0)

describe('texts at their bound', () => {
  holds(
    'No text of one row hides another row, or makes a line that looks like a row',
    60,
    fc.property(views, fc.constantFrom(60, 80, 100), (shown, width) => {
      const { changes, holds: waiting } = shown.verdict.plan
      const entries = [...changes, ...waiting.flatMap(({ change }) => change ?? [])]

      const every = plansText([shown], { colour: false, width, all: true })
      const lines = every.split('\n')
      expect(lines.filter((line) => looksLikeRow.test(line))).toHaveLength(entries.length)
      for (const change of entries) {
        if (!('group' in change)) continue
        const role = 'role' in change ? `→ ${change.role}` : `= ${change.before}`
        expect(lines.some((line) => looksLikeRow.test(line) && line.includes(quoted(change.group)) && line.includes(role))).toBe(true)
      }

      const text = plansText([shown], { colour: false, width })
      expect(text.split('\n').filter((line) => looksLikeRow.test(line))).toHaveLength(rowsOfText(text).length)
      expect(rowsOfText(text).reduce((sum, { count }) => sum + count, 0) + leftOut(text)).toBe(entries.length)

      const markdown = planMarkdown([shown])
      expect(markdown.length).toBeLessThanOrEqual(65_536)
      // With a summary each change is also in a row below it.
      const [summary] = markdown.split('<details><summary>Each change')
      const sections = `${summary}${markdown.includes('Each change') ? markdown.slice(markdown.indexOf('</details>')) : ''}`
      expect(rowsOfMarkdown(sections).reduce((sum, { count }) => sum + count, 0) + leftOut(sections)).toBe(entries.length)
      expect(sections.split('\n').filter((line) => /^\s*\| [‼!?+↑↓~»⚙·-] \|/u.test(line))).toHaveLength(rowsOfMarkdown(sections).length)

      type Document = { workspaces: { changes: Change[]; holds: { change: Change }[] }[] }
      const [json] = (JSON.parse(planJson([shown])) as Document).workspaces
      const inJson = [...(json?.changes ?? []), ...(json?.holds ?? []).map(({ change }) => change)]
      expect(inJson.map((one) => 'group' in one && one.group)).toEqual(entries.map((one) => 'group' in one && one.group))
    }),
  )
})
