import type { Hold } from '../../src/core/hold.ts'
import { cycleOutcome } from '../../src/cycle/outcome.ts'
import type { WorkspaceReport } from '../../src/cycle/report.ts'
import type { Service } from './service.ts'
import type { Spec } from './spec.ts'

type Truth = Pick<Service, 'rows' | 'holdings'>

/**
 * True if nothing is left to do in a workspace, nothing may be done, or the program has given up against another writer. A plan that the guards refused
 * does not rest: the operator waives it, and the next cycle writes it. Nor does a plan that holds a grant because its group was made again: the operator
 * accepts the group.
 */
export function rests(one: WorkspaceReport, spec: Pick<Spec, 'suspend' | 'duplicates'>, service: Truth): boolean {
  if (spec.suspend !== false) return true
  if (one.kind === 'judged' && one.verdict.plan.holds.some(({ reason }) => reason.kind === 'groupChanged')) return false
  if (cycleOutcome(one) === 'success') return true
  if (one.kind !== 'judged' || !one.verdict.approved) return false
  const { holds } = one.verdict.plan
  const isGivenUp = (hold: Hold) =>
    hold.reason.kind === 'flapping' || isDoubled(one.workspace, hold, spec, service) || lacksProject(one.workspace, hold, service)
  const isAnswered = ({ reason, untilMs }: Hold) => reason.kind === 'roleEchoed' || untilMs === undefined
  return holds.some(isGivenUp) && holds.every((hold) => isGivenUp(hold) || isAnswered(hold))
}

/** The service refuses a mapping of a rule with `unknownProjects: send` while the project does not exist. */
const lacksProject = (workspace: string, { reason, target }: Hold, { holdings }: Truth): boolean =>
  reason.kind === 'rejected' &&
  target?.kind === 'project' &&
  !holdings(workspace).some(({ identifier, untilMs }) => identifier === target.project && untilMs === undefined)

/** A project got the identifier of a project that is gone, and both have a mapping of the group. The service then refuses to change one of them. */
const isDoubled = (
  workspace: string,
  { reason, group, target }: Hold,
  { duplicates }: Pick<Spec, 'duplicates'>,
  { rows }: Truth,
): boolean =>
  reason.kind === 'rejected' &&
  reason.status === duplicates &&
  target?.kind === 'project' &&
  rows(workspace).filter((row) => row.group === group && row.at === target.project).length > 1
