import { defined } from '../core/fields.ts'
import { type Hold, passOf } from '../core/hold.ts'
import type { GroupName, Key } from '../core/mapping.ts'
import { counted, durationText, holdUntilText, momentText } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import type { DocumentChange } from '../documents/change.ts'
import type { LastPlanned } from '../documents/last.ts'
import { alsoPasses, type CountedSet } from './alsoPasses.ts'
import { theseText } from './approved.ts'
import { type ChangeParts, changeParts, heldParts, peopleText } from './change.ts'
import { approveNow } from './commandLine.ts'
import { becauseFromDocument, changeFromDocument, targetFromDocument } from './documentParts.ts'
import { type Mark, type PlanEntry, protectedMark } from './entry.ts'
import { clauses } from './fold.ts'
import { limitText } from './holdApproval.ts'
import { heldMark, undeclaredMark, waitingMark } from './marks.ts'

/** A plan that is no daemon's lacks `since`. */
type LastHold = Omit<LastPlanned['plan']['holds'][number], 'since'> & { readonly since?: string }

/** Whether the change of a document gives a group a protected role. */
export const isProtectedChange = (change: DocumentChange): boolean => change.action !== 'settings' && change.protected === true

/** The section of a hold in the text of `status`. */
export function statusSection({ reason, change, would }: LastHold): 'waiting' | 'undeclared' | 'kept' | 'held' {
  if (reason.kind === 'approval') return 'waiting'
  if (reason.kind === 'undeclared') return 'undeclared'
  const isKept = change === undefined && (would?.action === 'keep' || would?.action === 'unknown')
  return isKept && (reason.kind === 'readingIncomplete' || reason.kind === 'patternsUnmatched') ? 'kept' : 'held'
}

const marks: Readonly<Record<ReturnType<typeof statusSection>, Mark>> = {
  waiting: waitingMark,
  held: heldMark,
  kept: heldMark,
  undeclared: undeclaredMark,
}

/** An entry for a hold of a document: since when it waits, and the command or the edit that lets it pass. */
export function statusEntry(hold: LastHold, nowMs: number): PlanEntry {
  const { change, sentence, since, until, label: _, people } = hold
  const isProtected = hold.protected === true || (change !== undefined && isProtectedChange(change))
  const cure = oneLine(statusCure(hold), 1200)
  const about = change === undefined ? hold : 'target' in change ? change : undefined
  return {
    mark: isProtected ? protectedMark : marks[statusSection(hold)],
    isProtected,
    ...defined({
      target: about?.target && targetFromDocument(about.target),
      group: about?.group as GroupName | undefined,
      people: about?.people ?? people,
      because: hold.because && becauseFromDocument(hold.because),
    }),
    parts: partsOf(hold),
    rank: 0,
    why: oneLine(sentence, 500),
    times: clauses(since && sinceText(Date.parse(since), nowMs), until && `held ${holdUntilText(Date.parse(until), nowMs)}`),
    label: oneLine(sentence),
    cure,
    sharedCure: cure,
  }
}

function partsOf(hold: LastHold): ChangeParts {
  if (hold.change === undefined) return heldParts(holdFromDocument(hold))
  const change = changeFromDocument(hold.change)
  // The title of the section says that it is undeclared.
  if (hold.reason.kind === 'undeclared')
    return { ...changeParts(change), remark: '', fact: 'people' in change ? peopleText(change.people) : '' }
  if (change.action === 'settings' || hold.reason.kind !== 'approval' || hold.reason.why !== 'people') return changeParts(change)
  // The sentence of the hold has the numbers of people.
  const { people: _, effect: __, ...rest } = change
  return changeParts(rest)
}

const holdFromDocument = ({ key, group, label, target, would, people, because }: LastHold): Omit<Hold, 'reason'> =>
  defined({
    key: key as Key,
    group: group as GroupName | undefined,
    label,
    target: target && targetFromDocument(target),
    would,
    people,
    because: because && becauseFromDocument(because),
  })

function statusCure({ reason, change, cure }: LastHold): string {
  if (reason.kind === 'approval') {
    if (reason.why === 'people') return approveNow(reason.pass)
    return change === undefined ? cure : approveNow(change.id)
  }
  return 'pass' in reason ? `${cure}; beside a daemon: ${approveNow(reason.pass)}` : cure
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
export const statusSets = (sets: LastPlanned['plan']['sets'], waiting: readonly LastHold[], nowMs: number): readonly StatusSet[] =>
  sets.map(({ id, limit, count, sentence, cure, people, changes }) => {
    const what = theseText(changes.length, people === undefined ? '' : counted(people, 'person', 'people'))
    const holds = waiting.filter((hold) => setOf(hold) === id)
    const [first] = holds.flatMap(({ since }) => (since === undefined ? [] : [Date.parse(since)])).toSorted((a, b) => a - b)
    return {
      sentence: `${oneLine(limitText(limit, sentence), 500)}${first === undefined ? '' : `; ${sinceText(first, nowMs)}`}`,
      cure: oneLine(cure, 500),
      commands: [
        `${what}: ${approveNow(passOf({ name: limit, pass: id, count }))}`,
        ...alsoPasses(sets.map(countedSet), new Set(changes)).map((text) => oneLine(text)),
      ],
      rows: holds.map((hold) => ({ ...statusEntry(hold, nowMs), why: '', cure: '', sharedCure: '' })),
    }
  })

export const countedSet = ({ limit, count, allowed, setting, changes }: LastPlanned['plan']['sets'][number]): CountedSet => ({
  over: { name: limit, count, limit: allowed, setting },
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
