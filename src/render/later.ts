import { changeLater, type Later, type LaterWrite } from '../core/later.ts'
import type { GroupName, Role } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import type { Plan } from '../core/plan.ts'
import { count, isoTime, lastDayText, momentText } from '../core/quantity.ts'
import type { RoleSettings } from '../core/roles.ts'
import { visible } from '../core/safeName.ts'
import type { DocumentLater } from '../documents/later.ts'
import type { Bundle } from './bundle.ts'
import type { Canvas } from './canvas.ts'
import { type ChangeParts, changeKindOf, changeParts, heldParts, peopleText, symbols } from './change.ts'
import { becauseFromDocument, documentBecause, documentReason, documentTarget, targetFromDocument } from './documentParts.ts'
import { type PlanEntry, protectedMark, rankIn } from './entry.ts'
import { clauses, type Fold } from './fold.ts'
import { explainHold } from './hold.ts'
import { explainApproval, explainLimitLater, type HoldText } from './holdApproval.ts'
import { heldMark } from './marks.ts'
import { bundleRow, commonText, entryRows, foldRow, isProtectedEntry, reasonsText, rowsText, type Section, sharedText } from './rows.ts'
import { grantsLater } from './sections.ts'
import { titleLines } from './title.ts'

type About = { readonly workspace: string; readonly roles: RoleSettings }

/** What dates will change, by date, in the words that every format shows. */
export const laterEntries = ({ later }: Pick<Plan, 'later'>, about: About): readonly PlanEntry[] =>
  later.map((row) => laterEntry(row, { isProtected: grantsLater(row, about.roles), roles: about.roles, text: waitText(row, about) }))

/** The same from a document, which does not say how roles compare. */
export const documentLaterEntries = (later: readonly DocumentLater[]): readonly PlanEntry[] =>
  later.map((row) =>
    laterEntry(laterFromDocument(row), {
      isProtected: row.protected === true,
      roles: { order: [], ordinary: [], aliases: {} },
      text: row.waits ?? { sentence: '', cure: '' },
    }),
  )

/** Of the reason only the kind is needed. */
type LaterShown = Omit<Later, 'waits'> & { readonly waits?: { readonly kind: string } }
type Told = { readonly isProtected: boolean; readonly roles: RoleSettings; readonly text: HoldText }

function laterEntry(row: LaterShown, { isProtected, roles, text: { sentence, cure } }: Told): PlanEntry {
  const { atMs, target, group, people, because, waits } = row
  const change = changeLater(row)
  const kind = change === undefined || (waits !== undefined && waits.kind !== 'approval') ? undefined : changeKindOf(change, roles)
  return {
    mark: isProtected ? protectedMark : kind === undefined ? heldMark : symbols[kind],
    isProtected,
    atMs,
    target,
    group,
    ...(people === undefined ? {} : { people }),
    because,
    parts: partsOf(row),
    rank: rankIn(change, roles),
    why: visible(sentence),
    label: '',
    cure: visible(cure),
    sharedCure: visible(cure),
  }
}

function partsOf(row: LaterShown): ChangeParts {
  const { group, target, because, people, label, write } = row
  const when = whenText(row)
  const change = changeLater(row)
  const about = { ...(label === undefined ? {} : { label }), ...(people === undefined ? {} : { people }) }
  const parts =
    change === undefined || change.action === 'settings'
      ? heldParts({
          key: row.key,
          group,
          target,
          because,
          ...about,
          ...(write.action === 'unknown' && write.before !== undefined && { would: { action: 'unknown', before: write.before } }),
        })
      : changeParts({ ...change, ...about })
  const fact = write.action === 'delete' ? peopleText(people) : parts.fact
  return { ...parts, fact: [when, fact].filter((part) => part !== '').join(', '), remark: when }
}

/** `from 2026-11-28`; for the end of a rule its last day, as the file says it: `after 2026-12-31`. */
function whenText({ atMs, why }: Pick<Later, 'atMs' | 'why'>): string {
  const lastDay = lastDayText(atMs)
  if (why === 'ends' && !lastDay.endsWith('UTC')) return lastDay.replace('until', 'after')
  return `from ${dayText(atMs)}`
}

/** `2026-11-28`, or `2026-11-28 18:00 UTC` if a day does not begin then. */
const dayText = (atMs: number): string => (atMs % 86_400_000 === 0 ? (isoTime(atMs) ?? '').slice(0, 10) : momentText(atMs))

/** Why the change will wait at its date; for a protected role, who let it pass. */
function waitText(row: Later, { workspace, roles }: About): HoldText {
  const { waits, waivedBy } = row
  if (waits === undefined) {
    if (waivedBy !== undefined) return { sentence: `approved by the waiver at ${waivedBy}`, cure: '' }
    return { sentence: grantsLater(row, roles) && row.allowProtected === true ? 'approved in the file (allowProtected)' : '', cure: '' }
  }
  if (waits.kind === 'approval' && waits.why !== 'limit' && waits.why !== 'people') {
    const { sentence, cure } = explainApproval(waits.why, 'approve it when it waits', changeLater(row))
    return { sentence: `will wait for approval: ${sentence}`, cure }
  }
  if (waits.kind === 'approval' && waits.why === 'limit') return explainLimitLater(waits)
  const { sentence, cure } = explainHold({ reason: waits }, { workspace })
  return { sentence: `by today's state, it will be held: ${sentence}`, cure }
}

/** The section of a text: protected roles first, each by date. Rows that do not fit stand for all changes of one date. */
export function laterLines(entries: readonly PlanEntry[], untilMs: number, rowsMax: number, canvas: Canvas): readonly string[] {
  if (entries.length === 0) return []
  const rows = entryRows(entries, { neverCut: isProtectedEntry, rowsMax, draw: drawByDate }, canvas)
  return [...titleLines('bold', laterTitle(entries), canvas, `${horizonText(entries, untilMs)}${sharedText(rows)}`), ...rows.lines]
}

/**
 * Draws what dates will change. If the rows do not fit, a row stands for all changes of one kind and date. If these do not fit either, the first dates have
 * rows, and the others share a row for each kind.
 */
const drawByDate: Section['draw'] = (folds, rowsMax) => {
  const shownBundles: Bundle[] = folds.length <= rowsMax ? folds.map((fold) => [fold]) : datedBundles(folds, rowsMax)
  const cureOf = (bundle: Bundle) => commonText(bundle, ({ sharedCure }) => sharedCure)
  const notes = shownBundles.map((bundle) => clauses(reasonsText(bundle), cureOf(bundle)))
  const rows = shownBundles.map((bundle, index) => {
    const note = notes[index] ?? ''
    const first = notes.findLastIndex((earlier, at) => at < index && earlier !== note) + 1
    const isLast = notes[index + 1] !== note
    // What several rows in a row wait for stands once, below the last of them.
    const isOneOfSeveral = cureOf(bundle) !== '' && !(isLast && first === index)
    const below = isOneOfSeveral && isLast ? [`${rowsText(index - first + 1)}: ${note}`] : []
    const own = isOneOfSeveral ? '' : note
    return bundle.length === 1 ? foldRow(bundle[0], { note: own, below }) : { ...bundleRow(bundle, own), below }
  })
  return { rows, hidden: 0, shared: shownBundles.filter(({ length }) => length > 1).flat(2).length }
}

function datedBundles(folds: readonly Fold[], rowsMax: number): Bundle[] {
  const grouped = (part: readonly Fold[], name: (entry: PlanEntry) => string) =>
    [...Map.groupBy(part, ([entry]) => name(entry)).values()] as unknown as Bundle[]
  const dates = grouped(folds, ({ atMs, mark, why }) => JSON.stringify([atMs, mark.symbol, why]))
  if (dates.length <= rowsMax) return dates
  const first = dates.slice(0, Math.max(1, rowsMax - 5))
  return [...first, ...grouped(dates.slice(first.length).flat(), ({ mark }) => mark.symbol)]
}

/** Up to which day the rows tell everything. */
export const horizonText = (entries: readonly PlanEntry[], untilMs: number): string =>
  `, up to ${dayText(untilMs)}${entries.some(({ atMs = 0 }) => atMs > untilMs) ? '; protected roles also after it' : ''}`

/** `Later (3, 1 protected)` */
export function laterTitle(entries: readonly PlanEntry[]): string {
  const grants = entries.filter(isProtectedEntry).length
  return `Later (${count(entries.length)}${grants === 0 ? '' : `, ${count(grants)} protected`})`
}

export function laterDocument(row: Later, about: About): DocumentLater {
  const { atMs, why, key, target, group, label, groupId, write, allowProtected, people, waits, waivedBy, because } = row
  const { sentence, cure } = waitText(row, about)
  return {
    date: isoTime(atMs) ?? '',
    why,
    action: write.action,
    key,
    target: documentTarget(target),
    group,
    label,
    groupId,
    fromGroup: write.action === 'rename' ? write.fromGroup : undefined,
    before: 'before' in write ? write.before : undefined,
    role: 'role' in write ? write.role : undefined,
    people,
    allowProtected,
    protected: grantsLater(row, about.roles) ? true : undefined,
    waits: waits && { reason: documentReason(waits), sentence, cure },
    waivedBy,
    because: documentBecause(because),
  }
}

function laterFromDocument(row: DocumentLater): LaterShown {
  const { date, why, key, target, group, label, people, waits, because } = row
  return {
    key,
    group,
    target: targetFromDocument(target),
    because: becauseFromDocument(because),
    atMs: Date.parse(date),
    why,
    write: writeFromDocument(row),
    ...defined({ label, people, waits: waits && { kind: waits.reason.kind } }),
  }
}

function writeFromDocument({ action, before, role = '' as Role, fromGroup = '' }: DocumentLater): LaterWrite {
  switch (action) {
    case 'create':
      return { action, role }
    case 'patch':
      return { action, before: before ?? null, role }
    case 'rename':
      return { action, fromGroup: fromGroup as GroupName, before: before ?? null, role }
    case 'delete':
      return { action, before: before ?? null }
    case 'unknown':
      return { action, before }
    default:
      return action satisfies never
  }
}
