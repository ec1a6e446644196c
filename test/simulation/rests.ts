import type { Change } from '../../src/core/change.ts'
import type { Hold, HoldReason } from '../../src/core/hold.ts'
import type { Result } from '../../src/core/report.ts'
import type { WorkspaceReport } from '../../src/cycle/cycleReport.ts'
import { cycleOutcome } from '../../src/cycle/outcome.ts'
import type { Service } from './service.ts'
import type { Spec } from './spec.ts'

type Truth = Pick<Service, 'rows' | 'holdings'>

/**
 * True if nothing is left to do in a workspace, nothing may be done, or the program has given up against another writer. A plan with a set of changes that
 * exceeds a limit does not rest: the operator approves the set, and the next cycle writes it. Nor does a plan that holds a grant because its group was made
 * again: the operator accepts the group.
 */
export function rests(one: WorkspaceReport, spec: Pick<Spec, 'suspend' | 'duplicates'>, service: Truth): boolean {
  if (spec.suspend !== false) return true
  if (one.kind === 'judged' && one.judged.plan.holds.some(({ reason }) => operatorPass(reason) !== undefined)) return false
  if (['success', 'waiting'].includes(cycleOutcome(one))) return true
  if (one.kind !== 'judged') return false
  const { holds } = one.judged.plan
  const { results = [], left = [] } = one.applied ?? {}
  // After three equal refusals the others of a rank are not tried.
  const isUntried = one.applied?.stopped === 'refused' && left.every((change) => lacksProject(one.workspace, change, service))
  if ((left.length > 0 && !isUntried) || results.some(({ outcome }) => outcome.kind !== 'refused')) return false
  const isRefusedForGood = (result: Result) =>
    isDoubled(one.workspace, result, spec, service) || lacksProject(one.workspace, result.change, service)
  const isGivenUp = ({ reason }: Hold) => reason.kind === 'flapping'
  const isAnswered = ({ reason, untilMs }: Hold) => reason.kind === 'roleEchoed' || untilMs === undefined
  return (
    (results.length > 0 || holds.some(isGivenUp)) &&
    results.every(isRefusedForGood) &&
    holds.every((hold) => isGivenUp(hold) || isAnswered(hold))
  )
}

/** The ID with which the operator lets pass what waits: a set of changes that exceeds a limit, or the group that has a name today. */
export const operatorPass = (reason: HoldReason): string | undefined =>
  reason.kind === 'groupChanged' || (reason.kind === 'approval' && reason.why === 'limit') ? reason.pass : undefined

/** The service refuses a mapping of a rule with `unknownProjects: send` while the project does not exist. */
function lacksProject(workspace: string, change: Change, { holdings }: Truth): boolean {
  const project = projectOf(change)
  return project !== undefined && !holdings(workspace).some(({ identifier, untilMs }) => identifier === project && untilMs === undefined)
}

/** A project got the identifier of a project that is gone, and both have a mapping of the group. The service then refuses to change one of them. */
const isDoubled = (workspace: string, { change, outcome }: Result, { duplicates }: Pick<Spec, 'duplicates'>, { rows }: Truth): boolean =>
  outcome.kind === 'refused' &&
  outcome.status === duplicates &&
  'group' in change &&
  rows(workspace).filter((row) => row.group === change.group && row.at === projectOf(change)).length > 1

const projectOf = (change: Change) => ('target' in change && change.target.kind === 'project' ? change.target.project : undefined)
