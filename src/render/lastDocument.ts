import { sharedFindings } from '../core/findings/shared.ts'
import { type Approval, type Approvals, isFromFuture, isUsedUp } from '../core/memory/approvals.ts'
import { defined } from '../core/optionalFields.ts'
import { isoTime } from '../core/quantity.ts'
import type { BudgetSnapshot, DeclarationReport, DirectoryReport, SettingsReport } from '../core/report.ts'
import type { LastApproval, LastDocument, LastWorkspace } from '../documents/last.ts'
import type { PlanDocument } from '../documents/plan.ts'
import { type FirstSeen, holdName } from './firstSeen.ts'
import { directoryDocument, findingOf, workspaceOf } from './json.ts'
import type { FailedView, View } from './view.ts'

/** The last cycle of a daemon. Times are epoch ms by the date, but for those in the reports. */
type LastCycleParts = Pick<LastDocument, 'program' | 'pid' | 'host' | 'service'> & {
  readonly lock?: string
  readonly beganMs: number
  readonly endedMs: number
  readonly nextMs: number
  readonly overdueMs: number
  readonly everyMs: number
  readonly declaration: DeclarationReport
  readonly settings: SettingsReport
  readonly directories: readonly DirectoryReport[]
  readonly budgets: ReadonlyMap<string, Pick<BudgetSnapshot, 'limit' | 'remaining' | 'others' | 'waitMs'>>
  readonly approvals: Approvals
  readonly workspaces: readonly LastView[]
  /** When each hold was first seen, as far as it was seen before. */
  readonly seen: FirstSeen
}
/** `succeededMs`: when the last cycle with success ended; 0 if none is known. */
type LastView = { readonly view: View | FailedView; readonly outcome: LastWorkspace['outcome']; readonly succeededMs: number }

/** What a daemon read and decided in its last cycle, as the document that it leaves beside its journal. */
export function lastDocument(parts: LastCycleParts): LastDocument {
  const {
    program,
    pid,
    host,
    service,
    lock,
    beganMs,
    endedMs,
    nextMs,
    overdueMs,
    everyMs,
    declaration,
    settings,
    directories,
    approvals,
    workspaces,
  } = parts
  const { hash, files, revision, kept, keptFiles } = declaration
  return {
    format: 'plane-group-sync/last',
    version: 1,
    program,
    pid,
    host,
    lock,
    service,
    began: timeText(beganMs),
    ended: timeText(endedMs),
    next: timeText(nextMs),
    overdue: timeText(overdueMs),
    everyMs,
    declaration: { hash, files, revision, kept, keptFiles },
    settings: { hash: settings.hash, kept: settings.kept },
    directories: directories.map(directoryDocument),
    budgets: [...parts.budgets].map(([credential, { limit, remaining, others, waitMs }]) => ({
      credential,
      limit,
      remaining,
      others,
      waitMs,
    })),
    approvals: lastApprovals(approvals, endedMs),
    workspaces: workspaces.map((workspace) => lastWorkspace(workspace, parts)),
    findings: sharedFindings(workspaces.map(({ view }) => view)).map(findingOf),
  }
}

function lastWorkspace({ view, outcome, succeededMs }: LastView, { seen, endedMs }: LastCycleParts): LastWorkspace {
  const about = { outcome, lastSuccess: succeededMs === 0 ? undefined : isoTime(succeededMs) }
  const plan: PlanDocument['workspaces'][number] = workspaceOf(view)
  if (plan.standing === 'failed') return { ...about, plan }
  const { unchanged: _, ...rest } = plan
  const known = seen.get(plan.workspace)
  const now = timeText(endedMs)
  // A time that is still to come is of a clock that was set back since.
  const since = (name: string): string => {
    const seenAt = known?.get(name)
    return seenAt === undefined || Date.parse(seenAt) > endedMs ? now : seenAt
  }
  return {
    ...about,
    plan: {
      ...rest,
      holds: plan.holds.map((hold) => ({ ...hold, since: since(holdName(hold)) })),
    },
  }
}

/** More keys are only counted. */
const keysMax = 5

/** The approvals in force. @param atMs epoch ms, by the date */
export const lastApprovals = (approvals: Approvals, atMs: number): readonly LastApproval[] =>
  approvals.filter((approval) => approval.untilMs > atMs && !isFromFuture(approval, atMs) && !isUsedUp(approval)).map(approvalOf)

function approvalOf({ name, workspace, words, passes, by, account, reason, fromMs, untilMs }: Approval): LastApproval {
  const changes = words?.changes ?? []
  const first = changes.slice(0, keysMax)
  return {
    name,
    workspace,
    by,
    account,
    reason,
    from: timeText(fromMs),
    until: timeText(untilMs),
    people: words?.people,
    keys: first.map((change) => ('key' in change ? change.key : `${workspace}/settings`)),
    changes: changes.length,
    roles: first.map((change) => ('key' in change ? defined({ before: change.before, after: change.after }) : {})),
    passes: passes.slice(0, keysMax),
  }
}

/** A time that the calendar lacks is after all others. */
const timeText = (ms: number): string => isoTime(ms) ?? '9999-12-31T23:59:59.999Z'
