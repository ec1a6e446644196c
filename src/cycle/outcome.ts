import { holdEffectsOf } from '../core/holdEffects.ts'
import { isAsSent } from '../core/outcome.ts'
import type { WorkspaceEnd } from './cycleReport.ts'

/**
 * The outcome of one workspace in one cycle. Only `success` sets the metric of the last success: after any other outcome work is left, or may be
 * left.
 */
export const cycleOutcomes = ['success', 'waiting', 'incomplete', 'planned', 'partial', 'stale', 'failed'] as const
type CycleOutcome = (typeof cycleOutcomes)[number]

/**
 * | outcome    | meaning                                                                                                        |
 * |------------|----------------------------------------------------------------------------------------------------------------|
 * | success    | everything that can be decided is as desired; holds wait only for an edit, a group or a project, or a start    |
 * | waiting    | the same, but a change waits for an approval, or for the end of `suspend`                                      |
 * | incomplete | nothing failed, but a hold waits for time or for another reading, a directory or list was not read whole, the  |
 * |            | run was stopped, or the machine was suspended                                                                  |
 * | planned    | there are changes, and nothing may write them: a dry run, or all of the reviewed plan was written before        |
 * | partial    | some writes were done, some were not                                                                           |
 * | stale      | the plan is not the one that was reviewed, so nothing was written                                              |
 * | failed     | the lists could not be read, or no write succeeded                                                             |
 */
export function cycleOutcome(result: WorkspaceEnd): CycleOutcome {
  if (result.kind === 'failed') return 'failed'
  if (result.kind === 'stopped') return 'incomplete'
  if (result.kind === 'moved') return 'stale'
  const { judged, applied } = result
  if (applied === undefined && judged.plan.changes.length > 0) return 'planned'
  const { results = [], left = [], stopped } = applied ?? {}
  const failed = results.some(({ outcome }) => {
    if (outcome.kind === 'notSent') return stopped !== 'signal' && outcome.hold === undefined
    return !isAsSent(outcome)
  })
  const gaveUp = stopped === 'journal' || (left.length > 0 && stopped !== 'signal' && stopped !== 'outdated')
  if (failed || gaveUp) return results.some(({ outcome }) => isAsSent(outcome)) ? 'partial' : 'failed'
  const effects = holdEffectsOf(judged.plan.holds)
  const unread = judged.plan.findings.some(({ code }) => code === 'reading-incomplete')
  if (unread || stopped !== undefined || effects.has('unread') || effects.has('fails') || effects.has('passes')) return 'incomplete'
  return effects.has('waits') || effects.has('paused') ? 'waiting' : 'success'
}
