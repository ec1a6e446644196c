import type { HoldKind } from '../core/hold.ts'
import { isAsSent } from '../core/outcome.ts'
import type { WorkspaceEnd } from './report.ts'

/**
 * The outcome of one workspace in one cycle. Only `success` sets the metric of the last success: after any other outcome work is left, or may be
 * left.
 */
export const cycleOutcomes = ['success', 'incomplete', 'planned', 'partial', 'refused', 'failed'] as const
type CycleOutcome = (typeof cycleOutcomes)[number]

/**
 * | outcome    | meaning                                                                                                        |
 * |------------|----------------------------------------------------------------------------------------------------------------|
 * | success    | everything that can be decided is as desired; holds wait only for a person, a group or a project, or a start  |
 * | incomplete | nothing failed, but a hold waits for time or for another reading, a directory or list was not read whole, the  |
 * |            | run was stopped, or the machine was suspended                                                                  |
 * | planned    | there are changes, and no writer: a dry run                                                                    |
 * | partial    | some writes were done, some were not                                                                           |
 * | refused    | a guard refused the plan, or it is not the plan that was approved beforehand                                   |
 * | failed     | the lists could not be read, or no write succeeded                                                             |
 */
export function cycleOutcome(result: WorkspaceEnd): CycleOutcome {
  if (result.kind === 'failed') return 'failed'
  if (result.kind === 'stopped') return 'incomplete'
  if (result.kind === 'moved' || !result.verdict.approved) return 'refused'
  const { verdict, applied } = result
  if (applied === undefined && verdict.plan.changes.length > 0) return 'planned'
  const { results = [], left = [], holds: heldMeanwhile = [], stopped } = applied ?? {}
  const failed = results.some(({ outcome }) => {
    if (outcome.kind === 'notSent') return stopped !== 'signal' && outcome.hold === undefined
    return !isAsSent(outcome)
  })
  const gaveUp = stopped === 'journal' || (left.length > 0 && stopped !== 'signal' && stopped !== 'slice' && stopped !== 'outdated')
  if (failed || gaveUp) return results.some(({ outcome }) => isAsSent(outcome)) ? 'partial' : 'failed'
  const holds = [...verdict.plan.holds, ...heldMeanwhile]
  const unread = verdict.plan.findings.some(({ code }) => code === 'reading-incomplete')
  return unread || stopped !== undefined || holds.some(({ reason }) => !isSettled[reason.kind]) ? 'incomplete' : 'success'
}

/**
 * Whether a hold of this kind stays until a person edits or approves something, a group or project exists, or a rule starts. Other holds may end by time or by
 * another reading.
 */
const isSettled: Readonly<Record<HoldKind, boolean>> = {
  groupUnknown: true,
  projectUnknown: true,
  projectChanged: true,
  perhapsRenamed: true,
  groupChanged: true,
  labelDiffers: true,
  roleUnmapped: true,
  ambiguous: true,
  conflict: true,
  outranked: true,
  contested: true,
  unsafeName: true,
  patternsUnmatched: true,
  clocksDiffer: true,
  notStarted: true,
  roleEchoed: true,
  nameEchoed: true,
  undeclared: true,
  policy: true,
  approval: true,
  // It follows from another hold, and that hold is counted by its own kind.
  requires: true,
  readingIncomplete: false,
  quarantined: false,
  failing: false,
  flapping: false,
  anotherWriter: false,
  suspended: false,
  declarationOutdated: false,
  settingsOutdated: false,
}
export const holdKinds = Object.keys(isSettled) as readonly HoldKind[]
