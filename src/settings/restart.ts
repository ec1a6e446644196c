import type { Service } from '../core/memory/entry.ts'
import { durationText } from '../core/quantity.ts'
import type { Settings } from './schema.ts'
import { elsewhere, serviceOf } from './service.ts'

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
 * Why a running process cannot use edited settings, in a sentence; undefined if it can. Its journal names the service that it started with,
 * and its quarantines were computed with the old `service.unknownOutcomeWait`.
 *
 * @param confirmed the service to which its journal belongs
 */
export function needsRestart(inUse: Settings, edited: Settings, confirmed: Service | undefined): string | undefined {
  const journal = elsewhere(confirmed, serviceOf(edited))
  const about = elsewhere(serviceOf(inUse), serviceOf(edited))
  if (about !== undefined) {
    const folder = journal === undefined ? '' : ' with another journal.folder'
    return `this process still works with ${about}: to use the edited settings, restart it${folder}`
  }
  // The settings in use may lack a workspace that the journal has: an earlier edit removed it.
  if (journal !== undefined)
    return `the journal of this process is about ${journal}: to use the edited settings, restart it with another journal.folder`
  const was = inUse.service.unknownOutcomeWait
  const is = edited.service.unknownOutcomeWait
  if (was === is) return undefined
  return `service.unknownOutcomeWait is now ${durationText(is)} instead of ${durationText(was)}: that needs a restart`
}
