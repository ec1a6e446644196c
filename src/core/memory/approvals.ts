import type { Change } from '../change.ts'
import { clocksAgreeMs } from '../dates.ts'
import { describer } from '../describedChange.ts'
import { differingSettings, type GroupSync } from '../groupSync.ts'
import { type Key, type List, listOfKey, type Mapping, type Role, type WorkspaceName } from '../mapping.ts'
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
  const isKept = (earlier: Approval) =>
    earlier.name !== approval.name && approval.fromMs < earlier.untilMs && !isFromFuture(earlier, approval.fromMs)
  return [...before.filter(isKept), approval]
}

/**
 * The approvals after a change is written: each lets it pass once. An approval stays until its end, also if all of its changes are written. A stored result
 * lacks the id of the group, so it counts for every group of the name: after a restart the approval must not let the change pass again.
 */
export const withoutWritten = (before: Approvals, workspace: WorkspaceName, change: Change): Approvals =>
  withoutUsed(before, workspace, (words) => describer({ changes: [ofAnyGroup(words)] })(change))

/** The approvals after a reading has shown some of their changes as done. */
export function withoutShown(before: Approvals, workspace: WorkspaceName, shown: readonly DescribedChange[]): Approvals {
  const texts = new Set(shown.map(describedText))
  return withoutUsed(before, workspace, (words) => texts.has(describedText(words)))
}

const describedText = (words: DescribedChange): string =>
  JSON.stringify('key' in words ? [words.key, words.fromGroup ?? 0, words.before, words.after ?? 0, words.groupId ?? 0] : words)

/**
 * The number of people is for all changes of an approval together. Once one is written, the number is gone: the rest passes no limit on people, but still the
 * other guards.
 */
function withoutUsed(before: Approvals, workspace: WorkspaceName, isUsed: (words: DescribedChange) => boolean): Approvals {
  const names = (approval: Approval) => approval.workspace === workspace && approval.words?.changes.some(isUsed) === true
  if (!before.some(names)) return before
  return before.map((approval) =>
    approval.words !== undefined && names(approval)
      ? { ...approval, words: { changes: approval.words.changes.filter((words) => !isUsed(words)) } }
      : approval,
  )
}

/**
 * The changes of approvals that whole lists show as done, by an answer that was lost or by a person in Plane. They must not pass again when they are undone.
 *
 * @param rows the mappings of each list that was read whole
 * @param groupSync the settings of group sync, if they were read
 */
export function shownAsDone(
  approvals: Approvals,
  workspace: WorkspaceName,
  rows: ReadonlyMap<List, readonly Mapping[]>,
  groupSync: GroupSync | undefined,
  isSameRole: (sent: Role, shown: Role | null, mapping: Mapping) => boolean,
): readonly DescribedChange[] {
  const named = approvals.flatMap((approval) => (approval.workspace === workspace ? (approval.words?.changes ?? []) : []))
  if (named.length === 0) return []
  const byKey = Map.groupBy([...rows.values()].flat(), ({ key }) => key)
  return named.filter((words) => {
    if (!('key' in words)) return groupSync !== undefined && differingSettings(words.after, groupSync).length === 0
    if (!rows.has(listOfKey(words.key))) return false
    const mappings = byKey.get(words.key) ?? []
    const { after } = words
    if (after === undefined) return mappings.length === 0
    return mappings.length > 0 && mappings.every((mapping) => isSameRole(after, mapping.role, mapping))
  })
}

function ofAnyGroup(words: DescribedChange): DescribedChange {
  if (!('key' in words)) return words
  const { groupId: _, ...rest } = words
  return rest
}

/** The approvals with other names of workspaces and other keys. */
export const renamedApprovals = (before: Approvals, workspace: (old: string) => string, key: (old: Key) => Key): Approvals =>
  before.map((approval) => ({
    ...approval,
    workspace: workspace(approval.workspace) as WorkspaceName,
    ...(approval.words === undefined
      ? {}
      : {
          words: {
            ...approval.words,
            changes: approval.words.changes.map((change) => ('key' in change ? { ...change, key: key(change.key) } : change)),
          },
        }),
  }))

const approvalSource = 'approval '
/** The name of the approval in the source of a waiver; undefined if it comes from elsewhere. */
export const nameOfApproval = (source: string): string | undefined =>
  source.startsWith(approvalSource) ? source.slice(approvalSource.length) : undefined
/** The name of the approval that is this waiver; undefined if it comes from elsewhere. A file's waiver has a position. */
const approvalNameOf = ({ at, source }: Waiver): string | undefined => (at === undefined ? nameOfApproval(source) : undefined)
export const isApproval = (waiver: Waiver): boolean => approvalNameOf(waiver) !== undefined

/** Whether a person has taken back one of the approvals among these waivers. */
export function isTakenBack(waivers: readonly Waiver[], approvals: Approvals): boolean {
  const names = waivers.flatMap((waiver) => approvalNameOf(waiver) ?? [])
  return names.some((name) => approvals.every((approval) => approval.name !== name))
}

/**
 * The approvals of one workspace as waivers. Those that have ended are among them; the guards compare their end with the date.
 *
 * @param hereMs the date by the clock of this machine, epoch ms
 */
export const waiversOfApprovals = (approvals: Approvals, workspace: WorkspaceName, hereMs: number): readonly Waiver[] =>
  approvals.flatMap((approval) =>
    approval.workspace === workspace && !isFromFuture(approval, hereMs)
      ? {
          ids: approval.passes,
          ...(approval.words === undefined ? {} : { words: approval.words }),
          by: approval.by,
          account: approval.account,
          untilMs: approval.untilMs,
          source: `${approvalSource}${approval.name}`,
        }
      : [],
  )
