import type { Change } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { counted } from '../core/quantity.ts'
import type { WorkspaceAbout } from '../core/report.ts'
import { waitingKind } from './approval.ts'
import { type HoldView, holdEntries, type PlanEntry } from './entry.ts'
import { waitingMark } from './marks.ts'

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

/** `flood`: the limit that too many creates exceed. The rows of these creates do not repeat it. */
type WaitingParts = {
  readonly single: readonly Hold[]
  readonly protectedCreates: readonly PlanEntry[]
  readonly creates: readonly PlanEntry[]
  readonly flood: readonly { readonly sentence: string; readonly cure: string }[]
}

export function waitingParts(waiting: readonly Hold[], view: HoldView): WaitingParts {
  const creates = waiting.filter((hold) => waitingKind(hold) === 'creates')
  const entries = holdEntries(creates, waitingMark, view)
  const [first] = entries
  const silent = entries.map((entry) => ({ ...entry, why: '', times: '', cure: '', sharedCure: '' }))
  return {
    single: waiting.filter((hold) => waitingKind(hold) !== 'creates'),
    protectedCreates: silent.filter(({ isProtected }) => isProtected),
    creates: silent.filter(({ isProtected }) => !isProtected),
    flood: first === undefined ? [] : [{ sentence: first.why, cure: first.sharedCure }],
  }
}
