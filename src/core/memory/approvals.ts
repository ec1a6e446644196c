import type { Change } from '../change.ts'
import { clocksAgreeMs } from '../dates.ts'
import { describer } from '../describedChange.ts'
import type { Key, WorkspaceName } from '../mapping.ts'
import type { Waiver } from '../waiver.ts'
import type { DescribedChange, WaiverWords } from '../waiverWords.ts'

/** A person's approval, as `approve --now` hands it to the daemon. */
export type Approval = {
  /** 32 hex digits. `approve --withdraw` takes it. */
  readonly name: string
  readonly workspace: WorkspaceName
  /** The changes that may pass the guards. Absent: `passes` names projects or groups that have changed. */
  readonly words?: WaiverWords
  /** The names of projects or groups with another id, which are accepted. */
  readonly passes: readonly string[]
  /** The name that the person gave. Nothing proves it. */
  readonly by: string
  /** The account of the process that handed the approval over. */
  readonly account: string
  readonly reason: string
  /** When it was given, and when it ends: epoch ms, by the date. */
  readonly fromMs: number
  readonly untilMs: number
}

export type Approvals = readonly Approval[]

type ApprovalEntry = { readonly kind: 'approval'; readonly approval: Approval } | { readonly kind: 'withdrawal'; readonly approval: string }

/**
 * Whether an approval was given at a date that is still to come. The machine's clock was ahead then, or it is behind now. The approval could last much longer
 * than the person said, so it lets nothing pass.
 */
export const isFromFuture = ({ fromMs }: Pick<Approval, 'fromMs'>, dateMs: number): boolean => fromMs - dateMs > clocksAgreeMs

/** Whether all that it names is written. */
export const isUsedUp = ({ words, passes }: Approval): boolean => passes.length === 0 && words?.changes.length === 0

/** Approvals that have ended when a new one is given are dropped, and those from the future. */
export function approvalsAfter(before: Approvals, entry: ApprovalEntry): Approvals {
  if (entry.kind === 'withdrawal') return before.filter(({ name }) => name !== entry.approval)
  const { approval } = entry
  const isKept = (one: Approval) => one.name !== approval.name && approval.fromMs < one.untilMs && !isFromFuture(one, approval.fromMs)
  return [...before.filter(isKept), approval]
}

/**
 * The approvals after a change is written: each lets it pass once. An approval stays until its end, also if all of its changes are written. A stored result
 * lacks the id of the group, so it counts for every group of the name: after a restart the approval must not let the change pass again.
 */
export function withoutWritten(before: Approvals, workspace: WorkspaceName, change: Change): Approvals {
  const isWritten = (words: DescribedChange) => describer({ changes: [ofAnyGroup(words)] })(change)
  const names = (one: Approval) => one.workspace === workspace && one.words?.changes.some(isWritten) === true
  if (!before.some(names)) return before
  return before.map((one) =>
    one.words !== undefined && names(one)
      ? { ...one, words: { ...one.words, changes: one.words.changes.filter((words) => !isWritten(words)) } }
      : one,
  )
}

function ofAnyGroup(words: DescribedChange): DescribedChange {
  if (!('key' in words)) return words
  const { groupId: _, ...rest } = words
  return rest
}

/** The approvals with other names of workspaces and other keys. */
export const renamedApprovals = (before: Approvals, workspace: (old: string) => string, key: (old: Key) => Key): Approvals =>
  before.map((one) => ({
    ...one,
    workspace: workspace(one.workspace) as WorkspaceName,
    ...(one.words === undefined
      ? {}
      : {
          words: {
            ...one.words,
            changes: one.words.changes.map((change) => ('key' in change ? { ...change, key: key(change.key) } : change)),
          },
        }),
  }))

const approvalSource = 'approval '
/** The name of the approval that is this waiver; undefined if it comes from elsewhere. A file's waiver has a position. */
const approvalNameOf = ({ at, source }: Waiver): string | undefined =>
  at === undefined && source.startsWith(approvalSource) ? source.slice(approvalSource.length) : undefined
export const isApproval = (waiver: Waiver): boolean => approvalNameOf(waiver) !== undefined

/** Whether a person has taken back one of the approvals among these waivers. */
export function isTakenBack(waivers: readonly Waiver[], approvals: Approvals): boolean {
  const names = waivers.flatMap((waiver) => approvalNameOf(waiver) ?? [])
  return names.some((name) => approvals.every((one) => one.name !== name))
}

/**
 * The approvals of one workspace as waivers. Those that have ended are among them; the guards compare their end with the date.
 *
 * @param hereMs the date by the clock of this machine, epoch ms
 */
export const waiversOfApprovals = (approvals: Approvals, workspace: WorkspaceName, hereMs: number): readonly Waiver[] =>
  approvals.flatMap((one) =>
    one.workspace === workspace && !isFromFuture(one, hereMs)
      ? {
          ids: one.passes,
          ...(one.words === undefined ? {} : { words: one.words }),
          by: `${one.by} (${one.account})`,
          untilMs: one.untilMs,
          source: `${approvalSource}${one.name}`,
        }
      : [],
  )
