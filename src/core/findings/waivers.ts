import type { Finding } from '../finding.ts'
import type { LimitName } from '../hold.ts'
import type { WorkspaceName } from '../mapping.ts'
import { counted, momentText } from '../quantity.ts'
import { positionText } from '../rule.ts'
import type { Waiver } from '../waiver.ts'

/**
 * A finding for each waiver of a file: it was used, has ended, or matches no change of the plan that needs it.
 *
 * @param used the waivers that let changes of this plan pass
 * @param limitAbove the limit for which the change of a waiver waits although the waiver describes it
 * @param later the places of the waivers that will let a change pass at its date
 * @param dateMs now, epoch ms, by the date
 */
export function waiverFindings(
  workspace: WorkspaceName,
  waivers: readonly Waiver[],
  used: readonly Waiver[],
  limitAbove: (waiver: Waiver) => LimitName | undefined,
  later: ReadonlySet<string>,
  dateMs: number,
): readonly Finding[] {
  const uses = new Map(used.map((waiver) => [waiver.words, waiver.ids.length]))
  return waivers.flatMap((waiver): Finding[] => {
    const { words, at, by, untilMs } = waiver
    if (at === undefined) return []
    const place = positionText(at)
    const until = momentText(untilMs)
    if (dateMs >= untilMs)
      return [
        {
          code: 'waiver-expired',
          severity: 'info',
          place,
          sentence: `the waiver of ${by} for ${workspace} ended at ${until}, so it lets nothing pass`,
          cure: 'remove it, or give it a new end',
        },
      ]
    const passed = uses.get(words)
    const limit = passed === undefined ? limitAbove(waiver) : undefined
    if (limit !== undefined && waiver.fenced === true)
      return [
        {
          code: 'waiver-unmatched',
          severity: 'info',
          place,
          sentence: `the waiver of ${by} describes a change of ${workspace} that waits for the limit ${limit}, and no waiver of a file inside a fence passes a limit; it ends at ${until}`,
          cure: 'remove it, and approve the change with the ID that the plan shows, or in a file without limits',
        },
      ]
    if (limit !== undefined)
      return [
        {
          code: 'waiver-unmatched',
          severity: 'info',
          place,
          sentence: `the waiver of ${by} describes a change of ${workspace} that waits, but it is not for as many people as the change concerns; it ends at ${until}`,
          cure: 'run approve with the ID that the plan shows for the change, for the right number of people',
        },
      ]
    if (passed === undefined && later.has(place)) return []
    if (passed === undefined)
      return [
        {
          code: 'waiver-unmatched',
          severity: 'info',
          place,
          sentence: `no change of ${workspace} that waits for approval is the one that the waiver of ${by} describes; it ends at ${until}`,
          cure: 'if its change is written, remove it; if its change still waits, run approve with the ID of the change for the right words',
        },
      ]
    return [
      {
        code: 'waiver-used',
        severity: 'info',
        place,
        sentence: `the waiver of ${by} lets ${counted(passed, 'change')} of ${workspace} pass the guards until ${until}`,
      },
    ]
  })
}
