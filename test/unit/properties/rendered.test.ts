import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { LimitOver } from '../../../src/core/hold.ts'
import { oneLine } from '../../../src/core/safeName.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { parsePlan } from '../../../src/render/savedPlan.ts'
import type { View } from '../../../src/render/view.ts'
import { anyViews } from './anyLargePlan.ts'
import { type Danger, dangersOf, isProtected, wasTried } from './danger.ts'
import { number, type ReadRow, rowsOfMarkdown, rowsOfText, withWholeTitles } from './renderedRows.ts'
import { holds } from './runs.ts'

/** The key by which changes are counted: section, whether marked as protected, kind of target, role. */
const sumKey = ({ place, isProtected: marked, kind, role }: Pick<Danger, 'place' | 'isProtected' | 'kind' | 'role'>) =>
  JSON.stringify([place, marked, kind, role])

function sums<T>(some: readonly T[], key: (one: T) => string, count: (one: T) => number): Map<string, number> {
  const all = new Map<string, number>()
  for (const one of some) all.set(key(one), (all.get(key(one)) ?? 0) + count(one))
  return all
}

/** The keys that the rendering counts more often than the plan has them. */
const beyond = (said: ReadonlyMap<string, number>, there: ReadonlyMap<string, number>): readonly string[] =>
  [...said].flatMap(([key, count]) => (count > (there.get(key) ?? 0) ? [key] : []))

/** Every danger has a row of its own or is counted in one. No row shows a change that the plan does not have, or too large a count. */
function expectAllPresent(all: readonly ReadRow[], everyDanger: readonly Danger[]) {
  const { read, dangers } = withoutBundles(all, everyDanger)
  const wanted = sums(dangers, sumKey, () => 1)
  expect(sums(read, sumKey, ({ count }) => count)).toEqual(wanted)

  const rowKey = ({ place, isProtected: marked, row }: ReadRow | Danger) => JSON.stringify([place, marked, row])
  const rows = sums(dangers, rowKey, () => 1)
  const own = read.filter(({ row }) => row !== undefined)
  expect(
    beyond(
      sums(own, rowKey, () => 1),
      rows,
    ),
  ).toEqual([])

  const ofRule = (row: string) => row.slice(row.indexOf(' | ') + 3)
  const ruleKey = ({ place, isProtected: marked, rule = '' }: Pick<ReadRow, 'place' | 'isProtected' | 'rule'>) =>
    JSON.stringify([place, marked, rule])
  const inProjects = dangers.filter(({ kind }) => kind === 'project')
  const rules = sums(
    inProjects,
    ({ row, ...of }) => ruleKey({ ...of, rule: ofRule(row) }),
    () => 1,
  )
  const folds = read.filter(({ rule }) => rule !== undefined)
  expect(
    beyond(
      sums(folds, ruleKey, (one) => one.count),
      rules,
    ),
  ).toEqual([])
}

/**
 * Where there are rows for several groups, all rows of their section that are as protected count together each of its changes once, and the rows for several
 * groups with one role count no more changes than have this role.
 */
function withoutBundles(all: readonly ReadRow[], everyDanger: readonly Danger[]) {
  const sectionOf = ({ place, isProtected: marked }: Pick<ReadRow, 'place' | 'isProtected'>) => `${place} ${marked}`
  const bundles = all.filter(({ bundle }) => bundle !== undefined)
  const folded = new Set(bundles.map(sectionOf))
  const isFolded = (one: Pick<ReadRow, 'place' | 'isProtected'>) => folded.has(sectionOf(one))
  const others = everyDanger.filter(isFolded)
  expect(sums(all.filter(isFolded), sectionOf, ({ count }) => count)).toEqual(sums(others, sectionOf, () => 1))
  const roles = sums(
    others,
    (one) => `${sectionOf(one)} ${one.role}`,
    () => 1,
  )
  const bundled = sums(
    bundles.filter(({ bundle }) => bundle !== 'several'),
    (one) => `${sectionOf(one)} ${one.bundle ?? ''}`,
    ({ count }) => count,
  )
  expect(beyond(bundled, roles)).toEqual([])
  return { read: all.filter((row) => !isFolded(row)), dangers: everyDanger.filter((one) => !isFolded(one)) }
}

/** The rows that a rendering must not cut. The others are left out here. */
const pinnedOf = (rows: readonly ReadRow[]): readonly ReadRow[] =>
  rows.filter((row) => row.isProtected || ['waiting', 'unknown', 'refused', 'notSent'].includes(row.place))

/** The protected grants that come after other rows of their section or set; there must be none. */
const late = (rows: readonly ReadRow[]): readonly ReadRow[] =>
  rows.filter((row, index) => {
    const before = rows[index - 1]
    return row.isProtected && row.count === 1 && before?.place === row.place && before.part === row.part && !before.isProtected
  })

const words = (text: string): string => text.replaceAll(/\s+/g, ' ')
const grantsIn = (text: string): number => [...text.matchAll(/\(([\d,]+) protected\)/g)].reduce((sum, [, n]) => sum + number(n), 0)

/** The number of protected grants that the last lines must show. Grants that wait for approval have their own count. */
function grantsCounted({ applied, judged: { plan } }: View): number {
  const held = plan.holds.flatMap(({ change, reason }) => (change === undefined || reason.kind === 'approval' ? [] : [change]))
  if (applied === undefined || !wasTried(applied)) return [...plan.changes, ...held].filter(isProtected).length
  const tried = applied.results.map(({ change }) => change)
  const stopped = applied.holds.flatMap(({ change }) => (change === undefined || tried.some(({ id }) => id === change.id) ? [] : [change]))
  return [...tried, ...stopped, ...applied.left, ...held].filter(isProtected).length
}

/** The limits for which changes of the plan wait, each set once. */
const setsIn = ({ judged }: View): readonly LimitOver[] => [
  ...new Map(
    judged.plan.holds.flatMap(({ reason }) =>
      reason.kind === 'approval' && reason.why === 'limit' ? [[reason.pass, reason] as const] : [],
    ),
  ).values(),
]

function expectText(view: View, text: string) {
  const rows = rowsOfText(text)
  const dangers = dangersOf(view)
  expectAllPresent(pinnedOf(rows), dangers)
  expect(late(rows)).toEqual([])
  const lines = withWholeTitles(text.split('\n'))
  const written = lines.map(
    (line) =>
      /^(?:Will|Would) be applied \(([\d,]+)\)/.exec(line)?.[1] ??
      /^([\d,]+) protected roles?, approved .*; (?:will|would) be applied$/.exec(line)?.[1],
  )
  expect(rows.filter(({ place }) => place === 'written').reduce((sum, { count }) => sum + count, 0)).toBe(
    written.reduce((sum, n) => sum + number(n), 0),
  )
  const lastRow = lines.findLastIndex((line) => /^ {2}\S|^ {4}/.test(line))
  expect(grantsIn(words(lines.slice(lastRow + 1).join(' ')))).toBe(grantsCounted(view))
  const waiting = dangers.filter(({ place }) => place === 'waiting').length
  const needs = lines.find((line) => /^[\d,]+ changes? needs? approval/.test(line))
  expect(needs === undefined ? 0 : number(/^[\d,]+/.exec(needs)?.[0])).toBe(waiting)
  const applied = lines.findIndex((line) => /^(Will|Would) be applied/.test(line))
  if (needs !== undefined && applied >= 0) expect(lines.indexOf(needs)).toBeLessThan(applied)
  const all = words(text)
  for (const { name, sentence, pass } of setsIn(view)) {
    expect(all).toContain(words(`limit ${name}: ${oneLine(sentence, 500)}`).trim())
    expect(all.split(`--allow ${pass}`)).toHaveLength(2)
  }
}

describe('renderings of plans', () => {
  holds(
    'The text of a plan shows each protected grant, each change that waits for approval and each exceeded limit with one ID, in any width, with and without colour and --all',
    40,
    fc.property(anyViews, fc.constantFrom(60, 80, 100, 200), fc.boolean(), fc.boolean(), (views, width, colour, all) => {
      const text = stripVTControlCharacters(plansText(views, { colour, width, all }))
      const parts = text.split('\n\n')
      for (const [index, view] of views.entries()) expectText(view, parts[index] ?? '')
    }),
  )

  holds(
    'The Markdown of a plan shows each protected grant, each change that waits for approval and each exceeded limit, and is never longer than GitHub accepts',
    40,
    fc.property(anyViews, (views) => {
      const document = planMarkdown(views)
      expect(document.length).toBeLessThanOrEqual(65_536)
      const rows = rowsOfMarkdown(document)
      expectAllPresent(pinnedOf(rows), views.flatMap(dangersOf))
      const lines = document.split('\n')
      const titles = lines.filter((line) => line.startsWith('### '))
      const counted = titles.reduce((sum, title) => sum + grantsIn(title), 0)
      if (titles.length === views.length) expect(counted).toBe(views.reduce((sum, view) => sum + grantsCounted(view), 0))
      for (const [name, sets] of Map.groupBy(views.flatMap(setsIn), (set) => set.name)) {
        const own = lines.filter((line) => line.startsWith(`**Limit ${name}:** `)).length
        const more = lines
          .map((line) => new RegExp(`^- above the limit ${name}: ([\\d,]+) set`).exec(line)?.[1])
          .find((one) => one !== undefined)
        expect(own + (more === undefined ? 0 : number(more))).toBe(sets.length)
      }
    }),
  )

  holds(
    'The JSON of a plan has each change and each held change, says whether it is protected, and has each set of changes that waits',
    20,
    fc.property(anyViews, (views) => {
      type Said = { id: string; protected?: boolean }
      type Document = {
        workspaces: {
          changes: Said[]
          holds: { change?: Said }[]
          sets: { id: string; changes: string[] }[]
          protected: Record<string, number>
        }[]
      }
      const document = planJson(views)
      const { workspaces } = JSON.parse(document) as Document
      for (const [index, { judged }] of views.entries()) {
        const said = workspaces[index]
        const held = judged.plan.holds.flatMap(({ change }) => change ?? [])
        const flags = (changes: readonly Said[]) => changes.map(({ id, protected: marked = false }) => `${id} ${marked}`).join()
        expect(flags(said?.changes ?? [])).toBe(judged.plan.changes.map((change) => `${change.id} ${isProtected(change)}`).join())
        expect(flags(said?.holds.flatMap(({ change }) => change ?? []) ?? [])).toEqual(
          held.map((change) => `${change.id} ${isProtected(change)}`).join(),
        )
        const inSets = judged.plan.holds.flatMap(({ change, reason }) =>
          change !== undefined && reason.kind === 'approval' && reason.why === 'limit' ? [`${reason.pass} ${change.id}`] : [],
        )
        expect(said?.sets.flatMap(({ id, changes }) => changes.map((change) => `${id} ${change}`)).toSorted()).toEqual(inSets.toSorted())
        const counted = Object.values(said?.protected ?? {}).reduce((sum, n) => sum + n, 0)
        expect(counted).toBe([...judged.plan.changes, ...held].filter(isProtected).length)
      }
      const parsed = parsePlan(document)
      expect(parsed.kind).toBe('plan')
      if (parsed.kind !== 'plan') return
      expect(parsed.plan.workspaces.map(({ changes }) => changes.map(({ id }) => id))).toEqual(
        views.map(({ judged }) => judged.plan.changes.map(({ id }) => id)),
      )
    }),
  )
})
