import type { Change, MappingChange } from '../core/change.ts'
import { type Hold, type LimitName, passOf } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { counted } from '../core/quantity.ts'
import type { WorkspaceAbout } from '../core/report.ts'
import { oneLine } from '../core/safeName.ts'
import { alsoPasses } from './alsoPasses.ts'
import { type HoldView, holdEntries, type PlanEntry } from './entry.ts'
import { approveOne, limitCure } from './holdApproval.ts'
import { waitingMark } from './marks.ts'
import { peopleInGroups } from './people.ts'
import { setsOf } from './sections.ts'

type ApprovedWrites = { readonly title: string; readonly changes: readonly Change[] }

/** The changes that give a group a protected role and are written nevertheless: the file or a waiver has approved them. */
export function approvedWrites(writes: readonly Change[], { roles }: Pick<WorkspaceAbout, 'roles'>): readonly ApprovedWrites[] {
  const grants = writes.filter((change) => grantsProtected(change, roles))
  const titled = (changes: readonly Change[], how: string) =>
    changes.length === 0 ? [] : [{ title: `${counted(changes.length, 'protected role')}, approved ${how}`, changes }]
  return [
    ...titled(
      grants.filter((change) => !isApprovedInFile(change)),
      'by a waiver',
    ),
    ...titled(grants.filter(isApprovedInFile), 'in the file (allowProtected)'),
  ]
}

/** A file cannot approve a protected role in all projects. */
const isApprovedInFile = (change: Change): boolean =>
  'target' in change && change.allowProtected === true && change.target.kind !== 'allProjects'

/** `these 12 changes (40 people)`: what the ID of a set approves. */
export const theseChanges = (changes: readonly Change[]): string => theseText(changes.length, peopleInGroups(mappingChangesIn(changes)))

/** @param people `40 people`; empty if it is not known */
export const theseText = (changes: number, people: string): string =>
  `${changes === 1 ? 'this change' : `these ${counted(changes, 'change')}`}${people === '' ? '' : ` (${people})`}`

/** The changes that are about a group. */
export const mappingChangesIn = (changes: readonly Change[]): readonly MappingChange[] =>
  changes.flatMap((change) => ('group' in change ? [change] : []))

/** Changes that wait together for a limit. `what`: `these 12 changes (40 people)`. The rows do not repeat the sentence and the cure. */
type SetRows = {
  readonly name: LimitName
  readonly sentence: string
  readonly cure: string
  readonly what: string
  readonly pass: string
  readonly changes: readonly Change[]
  /** What passes with these changes. */
  readonly also: readonly string[]
  readonly protectedRows: readonly PlanEntry[]
  readonly rows: readonly PlanEntry[]
}

/** What waits for approval: the sets, those with a protected role first, and each change that waits alone. */
type WaitingParts = { readonly sets: readonly SetRows[]; readonly single: readonly Hold[] }

export function waitingParts(waiting: readonly Hold[], view: HoldView): WaitingParts {
  const sets = setsOf(waiting)
  const inSets = new Set(sets.flatMap(({ holds }) => holds))
  const countedSets = sets.map(({ over, changes }) => ({ over, changes: changes.map(({ id }) => id) }))
  const shown = sets.map(({ over, holds, changes }) => {
    const entries = holdEntries(holds, waitingMark, view).map((entry, index) => {
      const cure = approveOne(holds[index]?.change, view.about.doors, over)
      return { ...entry, why: '', times: '', cure, sharedCure: '' }
    })
    return {
      name: over.name,
      sentence: oneLine(over.sentence, 500),
      cure: oneLine(limitCure(over.name, over.setting), 500),
      what: theseChanges(changes),
      pass: oneLine(passOf(over)),
      changes,
      also: alsoPasses(countedSets, new Set(changes.map(({ id }) => id))).map((text) => oneLine(text, 500)),
      protectedRows: entries.filter(({ isProtected }) => isProtected),
      rows: entries.filter(({ isProtected }) => !isProtected),
    }
  })
  return {
    single: waiting.filter((hold) => !inSets.has(hold)),
    sets: shown.toSorted((a, b) => Number(b.protectedRows.length > 0) - Number(a.protectedRows.length > 0)),
  }
}
