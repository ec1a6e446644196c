import type { Doors } from '../core/doors.ts'
import { type Hold, passOf } from '../core/hold.ts'
import type { GroupName, Key } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import { durationText, holdUntilText, momentText, sizeText } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import type { DocumentChange } from '../documents/change.ts'
import type { LastPlanned } from '../documents/last.ts'
import { alsoPasses, type CountedSet } from './alsoPasses.ts'
import { theseText } from './approved.ts'
import { clauses } from './bundle.ts'
import { approveBesideDaemon, approveNow } from './commandLine.ts'
import { becauseFromDocument, causeFromDocument, changeFromDocument, reasonFromDocument, targetFromDocument } from './documentParts.ts'
import { holdParts, labelOf, type PlanEntry, protectedMark } from './entry.ts'
import { limitText } from './holdApproval.ts'
import { sectionMarks } from './marks.ts'
import { type HoldSection, sectionOf } from './sections.ts'

/** A plan that is no daemon's lacks `since`. */
type LastHold = Omit<LastPlanned['plan']['holds'][number], 'since'> & { readonly since?: string }

/** Whether the change of a document gives a group a protected role. */
export const isProtectedChange = (change: DocumentChange): boolean => change.action !== 'settings' && change.protected === true

/** A hold of a document with its section, which is that of the plan. */
export type StatusHold = { readonly last: LastHold; readonly hold: Hold; readonly section: HoldSection; readonly doors: Doors }

export function statusHold(last: LastHold, doors: Doors): StatusHold {
  const hold = holdFromDocument(last)
  return { last, hold, section: sectionOf(hold), doors }
}

/** An entry for a hold of a document: since when it waits, and the command or the edit that lets it pass. */
export function statusEntry({ last: hold, hold: read, section, doors }: StatusHold, nowMs: number): PlanEntry {
  const { change, sentence, since, until, label: _, size } = hold
  const isProtected = hold.protected === true || (change !== undefined && isProtectedChange(change))
  const cure = oneLine(statusCure(hold, doors), 1200)
  const about = change === undefined ? hold : 'target' in change ? change : undefined
  return {
    mark: isProtected ? protectedMark : sectionMarks[section],
    isProtected,
    ...defined({
      target: about?.target && targetFromDocument(about.target),
      group: about?.group as GroupName | undefined,
      size: about?.size ?? size,
      because: hold.because && becauseFromDocument(hold.because),
    }),
    parts: holdParts(read),
    rank: 0,
    why: oneLine(sentence, 500),
    times: clauses(since && sinceText(Date.parse(since), nowMs), until && `held ${holdUntilText(Date.parse(until), nowMs)}`),
    label: labelOf(read.reason, sentence),
    cure,
    sharedCure: cure,
  }
}

const holdFromDocument = ({
  key,
  group,
  label,
  target,
  would,
  size,
  unknownTo,
  unasked,
  because,
  givenBy,
  cause,
  reason,
  change,
}: LastHold): Hold =>
  defined({
    key: key as Key,
    group: group as GroupName | undefined,
    label,
    target: target && targetFromDocument(target),
    change: change && changeFromDocument(change),
    would,
    size,
    unknownTo,
    unasked,
    reason: reasonFromDocument(reason),
    because: because && becauseFromDocument(because),
    givenBy,
    cause: cause && causeFromDocument(cause),
  })

function statusCure({ reason, change, cure }: LastHold, doors: Doors): string {
  if (reason.kind === 'approval') {
    if (reason.why === 'people') return approveBesideDaemon(reason.pass, doors)
    return change === undefined ? cure : approveBesideDaemon(change.id, doors)
  }
  return 'pass' in reason && doors === 'any' ? `${cure}; beside a daemon: ${approveNow(reason.pass)}` : cure
}

/** Changes of a document that wait together for a limit. The rows of these changes do not repeat the sentence and the command. */
type StatusSet = {
  readonly sentence: string
  readonly cure: string
  /** The command, and what passes with it. */
  readonly commands: readonly string[]
  readonly rows: readonly PlanEntry[]
}

/** @param waiting all holds that wait for approval. Some changes of a set may have been left out of the document, or be of other owners */
export const statusSets = (
  { sets, approvals }: Pick<LastPlanned['plan'], 'sets' | 'approvals'>,
  waiting: readonly StatusHold[],
  nowMs: number,
): readonly StatusSet[] =>
  sets.map(({ id, limit, count, sentence, cure, size, changes }) => {
    const what = theseText(changes.length, sizeText(size))
    const holds = waiting.filter(({ last }) => setOf(last) === id)
    const [first] = holds.flatMap(({ last: { since } }) => (since === undefined ? [] : [Date.parse(since)])).toSorted((a, b) => a - b)
    return {
      sentence: `${oneLine(limitText(limit, sentence), 500)}${first === undefined ? '' : `; ${sinceText(first, nowMs)}`}`,
      cure: oneLine(cure, 500),
      commands: [
        `${what}: ${approveBesideDaemon(passOf({ name: limit, pass: id, count }), approvals ?? 'any')}`,
        ...alsoPasses(sets.map(countedSet), new Set(changes)).map((text) => oneLine(text)),
      ],
      rows: holds.map((hold) => ({ ...statusEntry(hold, nowMs), why: '', cure: '', sharedCure: '' })),
    }
  })

export const countedSet = ({ limit, exceeds, count, allowed, setting, changes }: LastPlanned['plan']['sets'][number]): CountedSet => ({
  over: defined({ name: limit, exceeds, count, limit: allowed, setting }),
  changes,
})

/** The ID of the set with which the change waits. */
export const setOf = ({ reason }: Pick<LastHold, 'reason'>): string | undefined =>
  reason.kind === 'approval' && reason.why === 'limit' ? reason.pass : undefined

/** `since 14:02 UTC (3 h 5 min)`; with the day if it is not the present day. */
function sinceText(sinceMs: number, nowMs: number): string {
  const [since, now] = [momentText(sinceMs), momentText(nowMs)]
  const isToday = since.slice(0, 10) === now.slice(0, 10)
  return `since ${isToday ? since.slice(11) : since} (${durationText(nowMs - sinceMs)})`
}
