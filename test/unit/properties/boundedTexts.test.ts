import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Finding } from '../../../src/core/finding.ts'
import { sharedFindings } from '../../../src/core/findings/shared.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { Applied } from '../../../src/core/report.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import type { View } from '../../../src/render/view.ts'
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

type Entry = typeof entry extends fc.Arbitrary<infer One> ? One : never
const changeOf = (one: Entry, index: number): Change => {
  const more = at(`${one.file}:${index}`, { owner: one.owner, reason: one.reason })
  const name = `${index}${one.group}`.slice(0, 255)
  if (one.kind === 'create') return create(one.project, name, one.role, more)
  if (one.kind === 'patch') return patch(one.project, name, 'commenter', one.role, more)
  return remove(one.project, name, one.role, 'removed', more)
}
const heldBy = (change: Change, { sentence }: Entry) => held(change, { kind: 'readingIncomplete', of: 'corp', why: sentence })
/** Mostly a dozen; sometimes so many that rows stand for several. */
const some = <T>(one: fc.Arbitrary<T>, maxLength: number) =>
  fc.oneof({ weight: 4, arbitrary: fc.array(one, { minLength: 1, maxLength }) }, fc.array(one, { minLength: 1, maxLength, size: 'max' }))
const entries = some(entry, 40)
const viewOf = (changes: readonly Change[], waiting: readonly Hold[], more: Partial<View> = {}, findings: readonly Finding[] = []): View =>
  view({}, { judged: { plan: plan({ changes, holds: waiting, findings }) as never, waived: [] }, ...more })

const views = entries.map((drawn) => {
  const all = drawn.map((one, index) => ({ one, change: changeOf(one, index) }))
  const changes = all.flatMap(({ one, change }) => (one.isHeld ? [] : [change]))
  return viewOf(
    changes,
    all.flatMap(({ one, change }) => (one.isHeld ? [heldBy(change, one)] : [])),
  )
})

const kinds = ['done', 'refused', 'notSent', 'unknown', 'left', 'meanwhile', 'held'] as const
/** The report of an apply: of each change what came of it. */
const appliedViews = some(fc.tuple(entry, fc.constantFrom(...kinds)), 90).map((drawn) => {
  const all = drawn.map(([one, kind], index) => ({ one, kind, change: changeOf(one, index) }))
  const of = (wanted: (typeof kinds)[number]) => all.filter(({ kind }) => kind === wanted)
  const before = of('held').map(({ one, change }) => heldBy(change, one))
  const meanwhile = of('meanwhile').map(({ one, change }) => heldBy(change, one))
  const results = all.flatMap(({ one: { sentence }, kind, change }): readonly Applied['results'][number][] => {
    if (kind === 'done') return [{ change, outcome: { kind, echoed: sentence } }]
    if (kind === 'refused') return [{ change, outcome: { kind, status: 400, code: 'rejected', sentence } }]
    if (kind === 'notSent') return [{ change, outcome: { kind, why: sentence } }]
    return kind === 'unknown' ? [{ change, outcome: { kind, why: sentence, lastByteMs: 0 } }] : []
  })
  const left = of('left').map(({ change }) => change)
  const changes = all.flatMap(({ kind, change }) => (kind === 'held' ? [] : [change]))
  return viewOf(changes, [...before, ...meanwhile], { applied: { results, holds: meanwhile, left } })
})

const findingText = fc.oneof({ weight: 9, arbitrary: longText(40) }, longText(1_500))
const findings = some(
  fc
    .record({
      code: fc.constantFrom('pattern-unused', 'list-left', 'role-echoed'),
      severity: fc.constantFrom('info', 'warning', 'error'),
      sentence: findingText,
      place: longText(40),
      cure: findingText,
    })
    .map((one): Finding => one as Finding),
  40,
)

const looksLikeRow = /^\s*[‼!?+↑↓~»⚙·-] /u
/** The entries that a line counts as left out: `… and 12 more`. */
const leftOut = (text: string): number => [...text.matchAll(/^\s*… and ([\d,]+) more \(/gmu)].reduce((sum, [, n]) => sum + number(n), 0)

/** The section of findings. */
const findingsIn = /^Findings \([^]*?\n(?! )|^<details><summary>Findings[^]*?<\/details>|^Findings \([^]*/mu
const entriesOf = ({ judged: { plan: of } }: View): readonly Change[] => [
  ...new Set([...of.changes, ...of.holds.flatMap(({ change }) => change ?? [])]),
]

/** Every change has a row of its own with `--all`. Otherwise each has a row, or is counted in a total or as left out. */
function expectRows(shown: View, width: number) {
  const all = entriesOf(shown)
  const lines = plansText([shown], { colour: false, width, all: true }).split('\n')
  expect(lines.filter((line) => looksLikeRow.test(line))).toHaveLength(all.length)
  for (const change of all) {
    if (!('group' in change)) continue
    const role = 'role' in change ? `→ ${change.role}` : `= ${change.before}`
    expect(lines.some((line) => looksLikeRow.test(line) && line.includes(quoted(change.group)) && line.includes(role))).toBe(true)
  }

  const text = plansText([shown], { colour: false, width }).replace(findingsIn, '')
  expect(text.split('\n').filter((line) => looksLikeRow.test(line))).toHaveLength(rowsOfText(text).length)
  expect(rowsOfText(text).reduce((sum, { count }) => sum + count, 0) + leftOut(text)).toBe(all.length)

  const whole = planMarkdown([shown])
  expect(whole.length).toBeLessThanOrEqual(65_536)
  const markdown = whole.replace(findingsIn, '')
  // With a summary each change is also in a row below it.
  const [summary] = markdown.split('<details><summary>Each change')
  const sections = `${summary}${markdown.includes('Each change') ? markdown.slice(markdown.indexOf('</details>')) : ''}`
  expect(rowsOfMarkdown(sections).reduce((sum, { count }) => sum + count, 0) + leftOut(sections)).toBe(all.length)
  expect(sections.split('\n').filter((line) => /^\s*\| [‼!?+↑↓~»⚙·-] \|/u.test(line))).toHaveLength(rowsOfMarkdown(sections).length)
}

type Document = {
  readonly workspaces: readonly {
    readonly changes: readonly Change[]
    readonly holds: readonly { readonly change: Change }[]
    readonly findings: readonly Finding[]
    readonly applied?: {
      readonly results: readonly { readonly change: string }[]
      readonly holds: readonly unknown[]
      readonly left: readonly string[]
    }
  }[]
}
const inJson = (shown: View) => (JSON.parse(planJson([shown])) as Document).workspaces[0]

describe('texts at their bound', () => {
  holds(
    'No text of one row hides another row, or makes a line that looks like a row',
    60,
    fc.property(views, fc.constantFrom(60, 80, 100), (shown, width) => {
      expectRows(shown, width)
      const json = inJson(shown)
      const rows = [...(json?.changes ?? []), ...(json?.holds ?? []).map(({ change }) => change)]
      expect(rows.map((one) => 'group' in one && one.group)).toEqual(entriesOf(shown).map((one) => 'group' in one && one.group))
    }),
  )

  holds(
    'The same is true of what came of the changes of an apply',
    60,
    fc.property(appliedViews, fc.constantFrom(60, 80, 100), (shown, width) => {
      expectRows(shown, width)
      const { applied, holds: waiting = [] } = inJson(shown) ?? {}
      const ids = ({ change }: { readonly change: string | Change }) => (typeof change === 'string' ? change : change.id)
      expect([...(applied?.results ?? []).map(ids), ...(applied?.left ?? []), ...waiting.map(ids)].toSorted()).toEqual(
        entriesOf(shown)
          .map(({ id }) => id)
          .toSorted(),
      )
    }),
  )

  holds(
    'No text of a finding hides a finding or a change, or makes a line that looks like a row',
    30,
    fc.property(views, findings, fc.boolean(), fc.constantFrom(60, 80, 100), (plain, drawn, isShared, width) => {
      const { changes, holds: waiting } = plain.judged.plan
      const shown = isShared ? { ...plain, about: { ...plain.about, shared: drawn } } : viewOf(changes, waiting, {}, drawn)
      expectRows(shown, width)
      const count = isShared ? sharedFindings([shown]).length : shown.judged.plan.findings.length
      const expectFindings = (text: string, row: RegExp) => {
        const [section = ''] = findingsIn.exec(text) ?? []
        expect(number(/\(([\d,]+)\)/.exec(section)?.[1])).toBe(count)
        expect([...section.matchAll(row)].length + leftOut(section)).toBe(count)
      }
      for (const all of [false, true])
        expectFindings(plansText([shown], { colour: false, width, all }), /^ {2}(?:info|warning|error) [a-z-]+:(?: |$)/gmu)
      expectFindings(planMarkdown([shown]), /^\| (?:info|warning|error) \| /gmu)
      expect(isShared ? [] : inJson(shown)?.findings).toHaveLength(isShared ? 0 : count)
    }),
  )
})
