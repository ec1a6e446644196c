import type { Cause } from '../core/cause.ts'
import type { Change } from '../core/change.ts'
import { by } from '../core/compare.ts'
import type { Hold } from '../core/hold.ts'
import { holdEffectsOf } from '../core/holdEffects.ts'
import { isNothing, type PlanParts } from '../core/planDifference.ts'
import { count } from '../core/quantity.ts'
import type { Canvas } from './canvas.ts'
import { titleCount } from './counts.ts'
import { changeEntry, holdEntries, type Mark, type PlanEntry, protectedMark, unchangedEntry } from './entry.ts'
import { laterEntries } from './later.ts'
import { heldMark } from './marks.ts'
import { isProtectedEntry, plainRows } from './rows.ts'
import { hasOthers, sectionsOf } from './sections.ts'
import { titleLines } from './title.ts'
import type { View } from './view.ts'
import { wrap } from './width.ts'

/* What a plan beside a base shows besides what the branch adds. */

const goneMark: Mark = { symbol: '×', style: 'yellow' }
/** The entries of a section. */
type Part = { readonly title: string; readonly entries: readonly PlanEntry[] }

/** What the base does and the branch does not, in the words of the plan of the base. An invalid file of the branch says nothing about that. */
export function goneParts(view: View): readonly Part[] {
  const { difference, declaration } = view
  if (difference === undefined || declaration.kept !== undefined) return []
  const { gone: all, left } = difference
  const { plan } = view.judged
  // What the branch does to a mapping stands among its own rows. That it was held or undeclared before would read as if it stayed so.
  const spoken = new Set([...plan.changes, ...plan.holds].map(({ key }) => key))
  const gone = { ...all, holds: all.holds.filter(({ key }) => !spoken.has(key)) }
  const isDelete = ({ action }: Change) => action === 'delete'
  const isUndeclared = ({ reason }: Hold) => reason.kind === 'undeclared'
  const written = { ...nothing, changes: gone.changes.filter((change) => !isDelete(change)), later: gone.later }
  const parts: readonly Part[] = [
    { title: 'No longer done, by this change', entries: entriesOf(written, view) },
    {
      title: 'No longer deleted, by this change: stays as it is',
      entries: entriesOf({ ...nothing, changes: gone.changes.filter(isDelete) }, view).map(withoutEffect),
    },
    { title: 'Declared now, by this change', entries: entriesOf({ ...nothing, holds: gone.holds.filter(isUndeclared) }, view) },
    {
      title: 'No longer held, by this change',
      entries: entriesOf({ ...nothing, holds: gone.holds.filter((hold) => !isUndeclared(hold)) }, view),
    },
    { title: 'No longer managed, by this change: stays as it is', entries: left.map(unchangedEntry) },
  ]
  return parts
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, entries }) => ({
      title,
      entries: entries.map((entry) => ({ ...entry, mark: entry.isProtected ? protectedMark : goneMark, cure: '', sharedCure: '' })),
    }))
}

/** Nobody loses what is not deleted. */
function withoutEffect(entry: PlanEntry): PlanEntry {
  const { effect: _, ...parts } = entry.parts
  return { ...entry, parts }
}

const nothing: PlanParts = { changes: [], holds: [], later: [], findings: [] }

const entriesOf = ({ changes, holds, later }: PlanParts, view: View): readonly PlanEntry[] => [
  ...changes.map((change) => changeEntry(change, view.about.roles)),
  ...holdEntries(holds, heldMark, view),
  ...laterEntries({ later }, view.about),
]

/** `Not of this change: 3 to write, 5 held`: what both do. Undefined if that is nothing. */
export function sameText({ difference }: View): string | undefined {
  if (difference === undefined) return undefined
  const { same } = difference
  const { writes, waiting, held, kept, dangling, undeclared } = sectionsOf(same)
  const numbers = [
    ...number(writes.length, 'to write'),
    ...number(waiting.length, waiting.length === 1 ? 'needs approval' : 'need approval'),
    ...number(held.length + kept.length + dangling.length, 'held'),
    ...number(undeclared.length, 'undeclared'),
    ...number(same.later.length, 'later'),
  ]
  return numbers.length === 0 ? undefined : `Not of this change: ${numbers.join(', ')}`
}

const number = (n: number, what: string): readonly string[] => (n === 0 ? [] : [`${count(n)} ${what}`])

const causeTitles: Readonly<Record<Cause['kind'], string>> = {
  file: 'not applied yet',
  plane: 'drift in Plane',
  directory: 'directory',
  date: 'date',
  service: 'stored otherwise by Plane',
}
const causeOf = (change: Change | undefined): Cause | undefined =>
  change === undefined || change.action === 'settings' ? undefined : change.cause
const causeTitle = (cause: Cause | undefined): string => causeTitles[cause?.kind ?? 'file']

/** What both do, by its cause. */
export function sameByCause(view: View): readonly Part[] {
  const { difference } = view
  if (difference === undefined) return []
  const { changes, holds, later } = difference.same
  const entries = [
    ...changes.map((change) => ({ cause: causeTitle(causeOf(change)), of: { ...nothing, changes: [change] } })),
    ...holds.map((hold) => ({ cause: causeTitle(hold.cause ?? causeOf(hold.change)), of: { ...nothing, holds: [hold] } })),
  ]
  const byCause = [...Map.groupBy(entries, ({ cause }) => cause)]
    .toSorted(by(([cause]) => cause))
    .map(([cause, alike]) => ({ title: `Not of this change: ${cause}`, entries: alike.flatMap(({ of }) => entriesOf(of, view)) }))
  return later.length === 0 ? byCause : [...byCause, { title: 'Not of this change: later', entries: laterEntries({ later }, view.about) }]
}

/** Whether the branch and its base do the same, as far as it is known. That the base has one more finding is no difference. */
export function isSameAsBase({ difference, judged: { plan }, owner }: View): boolean {
  return (
    difference !== undefined &&
    !hasOthers(owner) &&
    isNothing({ ...difference.gone, findings: [] }) &&
    difference.left.length === 0 &&
    isNothing(plan)
  )
}

export const nothingText = 'Nothing changes for anyone.'
export const nothingKnownText = 'Nothing changes, as far as is known: what was not read whole, or is invalid, cannot be compared.'

/** Whether each file and each reading behind the plan was used whole. */
export const isAllRead = ({ declaration, directories, difference, judged: { plan } }: View): boolean =>
  declaration.kept === undefined &&
  directories.every(({ status }) => status === 'complete') &&
  !holdEffectsOf([...plan.holds, ...(difference?.same.holds ?? [])]).has('unread') &&
  ![...plan.findings, ...(difference?.same.findings ?? [])].some(({ code }) => code === 'reading-incomplete')

export function differenceLines(view: View, canvas: Canvas): readonly string[] {
  if (view.difference === undefined) return []
  const section = (title: string, entries: readonly PlanEntry[]) =>
    entries.length === 0
      ? []
      : [
          ...titleLines('bold', `${title}${titleCount(entries.length, entries.filter(isProtectedEntry).length)}`, canvas),
          ...plainRows(entries, canvas).lines,
        ]
  const same = canvas.all ? sameByCause(view).flatMap(({ title, entries }) => section(title, entries)) : []
  const rest = canvas.all ? undefined : sameText(view)
  return [
    ...goneParts(view).flatMap(({ title, entries }) => section(title, entries)),
    ...(isSameAsBase(view) ? wrap(isAllRead(view) ? nothingText : nothingKnownText, canvas.width) : []),
    ...same,
    ...(rest === undefined ? [] : wrap(`${rest} (--all shows it, with its causes)`, canvas.width).map((line) => canvas.paint('dim', line))),
  ]
}
