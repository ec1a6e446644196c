import type { Doors } from '../core/doors.ts'
import { changeLater, endOfDatesMs, type Later, type LaterWrite } from '../core/later.ts'
import type { GroupName, Role } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import type { Plan } from '../core/plan.ts'
import { count, isoTime, lastDayText, momentText, sizeText } from '../core/quantity.ts'
import type { RoleSettings } from '../core/roles.ts'
import { visible } from '../core/safeName.ts'
import type { DocumentLater } from '../documents/later.ts'
import { clauses, rowWords } from './bundle.ts'
import type { Canvas } from './canvas.ts'
import { type ChangeParts, changeKindOf, changeParts, heldParts, symbols } from './change.ts'
import { becauseFromDocument, documentBecause, documentReason, documentTarget, targetFromDocument } from './documentParts.ts'
import { type PlanEntry, protectedMark, rankIn } from './entry.ts'
import type { Bundle } from './fold.ts'
import { explainHold } from './hold.ts'
import { explainApproval, explainLimitLater, type HoldText } from './holdApproval.ts'
import { heldMark } from './marks.ts'
import { bundleRow, entryRows, isProtectedEntry, rowsText, sharedText } from './rows.ts'
import { grantsLater } from './sections.ts'
import type { Row } from './table.ts'
import { titleLines } from './title.ts'

type About = { readonly workspace: string; readonly roles: RoleSettings; readonly doors: Doors }

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
  const { atMs, target, group, size, because, waits } = row
  const change = changeLater(row)
  const kind = change === undefined || (waits !== undefined && waits.kind !== 'approval') ? undefined : changeKindOf(change, roles)
  return {
    mark: isProtected ? protectedMark : kind === undefined ? heldMark : symbols[kind],
    isProtected,
    atMs,
    target,
    group,
    ...(size === undefined ? {} : { size }),
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
  const { group, target, because, size, label, write } = row
  const when = whenText(row)
  const change = changeLater(row)
  const about = { ...(label === undefined ? {} : { label }), ...(size === undefined ? {} : { size }) }
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
  const fact = write.action === 'delete' ? sizeText(size) : parts.fact
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
function waitText(row: Later, { workspace, roles, doors }: About): HoldText {
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
  const { sentence, cure } = explainHold({ reason: waits }, { workspace, doors })
  return { sentence: `by today's state, it will be held: ${sentence}`, cure }
}

/** The section of a text: protected roles first, each by date. */
export function laterLines(entries: readonly PlanEntry[], untilMs: number, canvas: Canvas): readonly string[] {
  if (entries.length === 0) return []
  const rows = entryRows(entries, drawByDate, canvas)
  return [...titleLines('bold', laterTitle(entries), canvas, `${horizonText(entries, untilMs)}${sharedText(rows)}`), ...rows.lines]
}

function drawByDate(rows: readonly Bundle[]): readonly Row[] {
  const words = rows.map((row) => rowWords(row))
  const notes = words.map(({ why, cure }) => clauses(why, cure))
  return rows.map((row, index) => {
    const note = notes[index] ?? ''
    const first = notes.findLastIndex((other, at) => at < index && other !== note) + 1
    const isLast = notes[index + 1] !== note
    // What several rows in a row wait for stands once, below the last of them.
    const isOneOfSeveral = words[index]?.cure !== '' && !(isLast && first === index)
    const below = isOneOfSeveral && isLast ? [`${rowsText(index - first + 1)}: ${note}`] : []
    return bundleRow(row, { note: isOneOfSeveral ? '' : note, below })
  })
}

/** Up to which day the rows tell everything; empty if they tell all dates. */
export const horizonText = (entries: readonly PlanEntry[], untilMs: number): string =>
  untilMs >= endOfDatesMs
    ? ''
    : `, up to ${dayText(untilMs)}${entries.some(({ atMs = 0 }) => atMs > untilMs) ? '; protected roles also after it' : ''}`

/** `Later (3, 1 protected)` */
export function laterTitle(entries: readonly PlanEntry[]): string {
  const grants = entries.filter(isProtectedEntry).length
  return `Later (${count(entries.length)}${grants === 0 ? '' : `, ${count(grants)} protected`})`
}

export function laterDocument(row: Later, about: About): DocumentLater {
  const { atMs, why, key, target, group, label, groupId, write, allowProtected, size, waits, waivedBy, because } = row
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
    size,
    allowProtected,
    protected: grantsLater(row, about.roles) ? true : undefined,
    waits: waits && { reason: documentReason(waits), sentence, cure },
    waivedBy,
    because: documentBecause(because),
  }
}

function laterFromDocument(row: DocumentLater): LaterShown {
  const { date, why, key, target, group, label, size, waits, because } = row
  return {
    key,
    group,
    target: targetFromDocument(target),
    because: becauseFromDocument(because),
    atMs: Date.parse(date),
    why,
    write: writeFromDocument(row),
    ...defined({ label, size, waits: waits && { kind: waits.reason.kind } }),
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
