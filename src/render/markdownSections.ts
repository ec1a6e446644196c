import { type Change, waiverId } from '../core/change.ts'
import { type Hold } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { type Outcome } from '../core/outcome.ts'
import { type UnchangedMapping } from '../core/plan.ts'
import { count } from '../core/quantity.ts'
import { isWhole, outcomeWords, triedEntry } from './applied.ts'
import { planApprovals, waitingKind } from './approval.ts'
import { approvedWrites, waitingParts } from './approved.ts'
import { applyWith } from './commandLine.ts'
import { approvalText } from './counts.ts'
import { goneEntries, goneTitle, isAllRead, isSameAsBase, nothingKnownText, nothingText, sameByCause, sameText } from './differenceText.ts'
import { changeEntry, holdEntries, type Mark, type PlanEntry, unchangedEntry } from './entry.ts'
import { horizonText, laterEntries, laterTitle } from './later.ts'
import {
  approvalColumns,
  changeColumns,
  entryTable,
  holdColumns,
  laterColumns,
  type Room,
  summaryTable,
  triedColumns,
} from './markdownTable.ts'
import { heldMark, undeclaredMark, waitingMark } from './marks.ts'
import { details, prose, shellBlock } from './markup.ts'
import { hasMeaning, meaningText } from './meaning.ts'
import { capital, nextText } from './nextStep.ts'
import { always, isProtectedEntry, isProtectedOrSettings } from './rows.ts'
import { appliedHolds, isUndeclaredProtected, sectionsOf, standingOf, undeclaredText } from './sections.ts'
import { keptHolds, keptTexts } from './unread.ts'
import { type AppliedView, type View } from './view.ts'

/** The sections of a plan. The shares of `room` (characters), here and below, add up to less than 1, to leave some for titles and sentences. */
export function planSections(view: View, room: number): readonly string[] {
  const { about, judged } = view
  const { writes, waiting, held, kept, dangling, undeclared } = sectionsOf(judged.plan)
  const standing = standingOf(view)
  const entriesOf = (changes: readonly Change[]) => changes.map((change) => changeEntry(change, about.roles))
  const applied = standing === 'writes' ? 'will be applied' : 'would be applied'
  const changes = entriesOf(writes.filter((change) => !grantsProtected(change, about.roles)))
  return [
    ...waitingTable(waiting, approvalText(waiting.length, standing), view, room * 0.2),
    ...approvedWrites(writes, about).flatMap(({ title, changes: grants }) => [
      `**${title}; ${applied}**`,
      entryTable(entriesOf(grants), changeColumns, always, { pinned: room * 0.2, others: 0 }),
    ]),
    ...titled(capital(applied), changes, () => changeTables(changes, room * (changes.length < writes.length ? 0.3 : 0.5))),
    ...laterTables(view, room * 0.1),
    ...(hasMeaning(view) ? [prose(meaningText(view))] : []),
    ...keptTexts(keptHolds(kept, about.roles)).map(prose),
    ...holdDetails('Held', held, heldMark, view, { pinned: room * 0.08, others: room * 0.06 }),
    ...holdDetails('Dangling, kept', dangling, heldMark, view, { pinned: 0, others: room * 0.04 }),
    ...undeclaredDetails(undeclared, view, { pinned: room * 0.025, others: room * 0.015 }),
    ...differenceParts(view, room * 0.12),
    ...unchangedDetails(judged.plan.unchangedMappings ?? [], room * 0.04),
  ]
}

/** Beside a base: what the branch no longer does, and what both do. */
function differenceParts(view: View, room: number): readonly string[] {
  if (view.difference === undefined) return []
  const gone = goneEntries(view)
  const rest = sameText(view)
  const size = { pinned: room * 0.5, others: room * 0.3 }
  return [
    ...titled(goneTitle, gone, () => entryTable(gone, holdColumns, isProtectedEntry, size)),
    ...(isSameAsBase(view) ? [`**${isAllRead(view) ? nothingText : nothingKnownText}**`] : []),
    ...(Number.isFinite(room)
      ? []
      : sameByCause(view).map(({ title, entries }) =>
          details(`${title} (${count(entries.length)})`, entryTable(entries, holdColumns, never, { pinned: 0, others: room })),
        )),
    ...(rest === undefined ? [] : [prose(`${rest}.`)]),
  ]
}

function unchangedDetails(mappings: readonly UnchangedMapping[], others: number): readonly string[] {
  if (mappings.length === 0) return []
  const entries = mappings.map(unchangedEntry)
  return [details(`Unchanged (${count(mappings.length)})`, entryTable(entries, changeColumns, never, { pinned: 0, others }))]
}

const never = (): boolean => false

/** In `room` characters, if they are limited: up to `summaryMax` rows at the first look; below them, folded, a row for each rule and group. */
function changeTables(changes: readonly PlanEntry[], room: number): string {
  if (!Number.isFinite(room)) return entryTable(changes, changeColumns, isProtectedOrSettings, { pinned: room, others: room })
  const { true: pinned = [], false: others = [] } = Object.groupBy(changes, (entry) => `${isProtectedOrSettings(entry)}`)
  const rowsMax = Math.min(summaryMax, Math.floor((room * 0.2) / summaryRowCharacters))
  const summary = rowsMax < summaryMin ? undefined : summaryTable(others, rowsMax)
  if (summary === undefined) return entryTable(changes, changeColumns, isProtectedOrSettings, { pinned: 0, others: room })
  const first = pinned.length === 0 ? [] : [entryTable(pinned, changeColumns, always, { pinned: 0, others: 0 })]
  const shown = [...first, summary]
  const left = room - shown.reduce((sum, { length }) => sum + length, 0)
  return [...shown, details('Each change', entryTable(others, changeColumns, isProtectedOrSettings, { pinned: 0, others: left }))].join(
    '\n\n',
  )
}

const summaryMax = 20
/** With room for fewer rows there is no summary. */
const summaryMin = 7
/** The usual length of a row. */
const summaryRowCharacters = 200

const titled = (title: string, of: readonly unknown[], text: () => string): readonly string[] =>
  of.length === 0 ? [] : [`**${title} (${count(of.length)})**`, text()]

/** The sections of an apply's result. */
export function appliedSections(view: AppliedView, room: number): readonly string[] {
  const { about, applied } = view
  const { results, left } = applied
  const { waiting, held, kept: unread, dangling, undeclared, meanwhile } = appliedHolds(view)
  const kept = { pinned: 0, others: room * 0.02 }
  const tried = (is: Outcome['kind'], pinned: number, others: number) => {
    const entries = results.filter(({ outcome }) => outcome.kind === is).map((result) => triedEntry(result, view))
    const neverCut = is === 'done' ? isProtectedOrSettings : always
    const size = { pinned: room * pinned, others: room * others }
    return titled(outcomeWords[is].title, entries, () => entryTable(entries, triedColumns, neverCut, size))
  }
  const untried = left.map((change) => changeEntry(change, about.roles))
  return [
    ...tried('unknown', 0.1, 0),
    ...tried('refused', 0.15, 0),
    ...tried('notSent', 0.1, 0),
    ...waitingTable(waiting, approvalText(waiting.length), view, room * 0.12),
    ...holdDetails('Held meanwhile', meanwhile, heldMark, view, { pinned: room * 0.06, others: room * 0.04 }),
    ...keptTexts(keptHolds(unread, about.roles)).map(prose),
    ...holdDetails('Held', held, heldMark, view, { pinned: room * 0.06, others: room * 0.03 }),
    ...titled('Not tried', untried, () =>
      entryTable(untried, changeColumns, isProtectedOrSettings, { pinned: room * 0.06, others: room * 0.04 }),
    ),
    ...laterTables(view, room * 0.06),
    ...holdDetails('Dangling, kept', dangling, heldMark, view, kept),
    ...undeclaredDetails(undeclared, view, { pinned: room * 0.025, others: room * 0.01 }),
    ...tried('done', 0.08, 0.05),
    ...[nextText(view, isWhole(applied))].filter((text) => text !== '').map(prose),
  ]
}

/** Never folded, since the reader has to decide about it. Each set has its limit, its cure, and the command that approves it. */
function waitingTable(waiting: readonly Hold[], title: string, view: View, room: number): readonly string[] {
  if (waiting.length === 0) return []
  const { single, sets } = waitingParts(waiting, view)
  const pinned = room / (1 + sets.length)
  const table =
    single.length === 0 ? [] : [entryTable(holdEntries(single, waitingMark, view), approvalColumns, always, { pinned, others: 0 })]
  return [
    `**${title}**`,
    ...table,
    ...approveBlocks(single, view),
    ...sets.flatMap(({ name, sentence, cure, what, pass, also, protectedRows, rows }) => [
      `**Limit ${name}:** ${prose(sentence)}`,
      `${prose(`${capital(cure)}.`)} ${approveBlock(`To approve exactly ${what}`, [pass], view)}`,
      ...also.map((text) => prose(`${capital(text)}.`)),
      ...wholeTable(protectedRows, pinned / 2),
      ...setTable(rows, pinned / 2),
    ]),
    ...alsoWritten(view.judged.plan.changes.length),
  ]
}

/** With less room the changes of a set are only counted by role. */
const summaryRoomMin = 500

const wholeTable = (entries: readonly PlanEntry[], pinned: number): readonly string[] =>
  entries.length === 0 ? [] : [entryTable(entries, changeColumns, always, { pinned, others: 0 })]

/** Each change of a set is in a row or is counted in one. */
function setTable(rows: readonly PlanEntry[], room: number): readonly string[] {
  const rowsMax = Math.min(summaryMax, Math.max(summaryMin, Math.floor(room / summaryRowCharacters)))
  const summary = room < summaryRoomMin ? undefined : summaryTable(rows, rowsMax)
  return summary === undefined || summary.length > 3 * room ? wholeTable(rows, room) : [summary]
}

const namedMax = 10

/**
 * The commands that approve waiting changes, to be copied, each with what it approves. The command with the ID of the plan is the last one. It is the
 * only one if more than `namedMax` changes would be named.
 */
function approveBlocks(single: readonly Hold[], view: View): readonly string[] {
  const { plan } = view.judged
  const ids = [...new Set(single.flatMap(({ change, reason }) => ('pass' in reason ? reason.pass : (change?.id ?? []))))]
  const isNamed = ids.length > 0 && ids.length <= namedMax
  const [kind] = single.flatMap((hold) => waitingKind(hold) ?? [])
  const named = ids.length === 1 ? 'this change, and no other' : `these ${count(ids.length)} changes, and no others`
  return [
    ...(isNamed ? [approveBlock(`To approve ${named}`, ids, view)] : []),
    ...(kind === undefined || isNamed ? [] : [approveBlock(capital(planApprovals(view)[kind].label), [waiverId(plan.fingerprint)], view)]),
  ]
}

const approveBlock = (label: string, ids: readonly string[], { about }: View): string =>
  [prose(`${label}:`), '', ...shellBlock(applyWith(about.workspace, ids))].join('\n')

/** @param n the changes that need no approval */
const alsoWritten = (n: number): readonly string[] =>
  n === 0 ? [] : [`Such a command also writes ${n === 1 ? 'the change that needs' : `the ${count(n)} changes that need`} no approval.`]

/** A folded section; open from the start if it has a protected grant. */
function holdDetails(title: string, holds: readonly Hold[], mark: Mark, view: View, room: Room): readonly string[] {
  if (holds.length === 0) return []
  const entries = holdEntries(holds, mark, view)
  const isOpen = entries.some(isProtectedEntry)
  return [details(`${title} (${count(holds.length)})`, entryTable(entries, holdColumns, isProtectedEntry, room), isOpen)]
}

/** Mappings with a protected role stand first, and are not folded. */
function undeclaredDetails(holds: readonly Hold[], view: View, room: Room): readonly string[] {
  const isProtected = (hold: Hold) => isUndeclaredProtected(hold, view.about.roles)
  const grants = holdEntries(holds.filter(isProtected), undeclaredMark, view)
  const others = holds.filter((hold) => !isProtected(hold))
  const kept = undeclaredText(view.about)
  return [
    ...titled(`Undeclared with a protected role, ${kept}`, grants, () => entryTable(grants, holdColumns, always, { ...room, others: 0 })),
    ...holdDetails(`Undeclared, ${kept}`, others, undeclaredMark, view, { ...room, pinned: 0 }),
  ]
}

/** What dates will change. Protected roles are never folded. */
function laterTables({ judged: { plan }, about }: View, room: number): readonly string[] {
  const entries = laterEntries(plan, about)
  if (entries.length === 0) return []
  const grants = entries.filter(isProtectedEntry)
  const others = entries.filter((entry) => !entry.isProtected)
  const title = `${laterTitle(entries)}${horizonText(entries, plan.laterUntilMs)}`
  const size = Number.isFinite(room) ? { pinned: room * 0.7, others: room * 0.3 } : { pinned: room, others: room }
  return [
    ...(grants.length === 0 ? [] : [`**${title}**`, entryTable(grants, laterColumns, always, size)]),
    ...(others.length === 0
      ? []
      : [
          details(
            grants.length === 0 ? title : `Later, not protected (${count(others.length)})`,
            entryTable(others, laterColumns, () => false, size),
          ),
        ]),
  ]
}
