import { durationText } from '../core/quantity.ts'
import type { Settings } from './schema.ts'
import { otherHost, serviceOf } from './service.ts'

/** Settings that are read only at the start of a process. */
const readAtStart = ['http', 'journal', 'log'] as const

/**
 * The names of the edited settings that take effect only after a restart. Other edits take effect in the next cycle, except those for which
 * `needsRestart` gives a reason.
 *
 * For exactly these and `service.unknownOutcomeWait` the chart starts a new pod (`plane-group-sync.newPodFor` in its `_helpers.tpl`);
 * `test/chart/restart.test.ts` compares the two.
 *
 * @param started the settings at the start of the process
 */
export const waitForStart = (started: Settings, edited: Settings): readonly string[] =>
  readAtStart.filter((name) => JSON.stringify(started[name]) !== JSON.stringify(edited[name]))

/**
 * Why a running process cannot use edited settings, in a sentence; undefined if it can. Its journal is about the host that it started with,
 * and its quarantines were computed with the old `service.unknownOutcomeWait`.
 *
 * @param isBound whether an answer of that host was accepted, so that the journal belongs to it
 */
export function needsRestart(inUse: Settings, edited: Settings, isBound: boolean): string | undefined {
  const about = otherHost(serviceOf(inUse), serviceOf(edited))
  if (about !== undefined)
    return `this process still works with ${about}: to use the edited settings, restart it${isBound ? ' with another journal.folder' : ''}`
  const was = inUse.service.unknownOutcomeWait
  const is = edited.service.unknownOutcomeWait
  if (was === is) return undefined
  return `service.unknownOutcomeWait is now ${durationText(is)} instead of ${durationText(was)}: that needs a restart`
}
