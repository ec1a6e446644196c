import type { Clock } from '../../core/clock.ts'
import { errorText } from '../../core/errorText.ts'
import type { Memory } from '../../core/memory/memory.ts'
import { listed } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { countsKeptMs } from '../../cycle/countPeople.ts'
import type { CycleSources } from '../../cycle/cycle.ts'
import type { Order, OrderAnswer } from '../../documents/daemonOrder.ts'
import { answerBytesMax } from '../../orders/orderFiles.ts'
import type { KeptReadings } from '../../recording/readings.ts'
import { recordingText } from '../../recording/stored.ts'
import type { LoadedSettings } from '../../settings/load.ts'
import { exitCodes } from '../command.ts'
import { aboutOf, incompleteText, lackingIn, summaryOf, takeRecording } from '../takeRecording.ts'

type DaemonParts = {
  readonly loaded: LoadedSettings
  readonly sources: Pick<CycleSources, 'directories' | 'bindings'>
  readonly readings: KeptReadings
  readonly memory: Memory
  readonly clock: Pick<Clock, 'now' | 'wall'>
}

/**
 * The recording that a daemon makes from what its cycles have read last. It asks neither Plane nor a directory, so it lacks what no rule of today is about, and
 * the members of groups that no plan has counted.
 *
 * @returns the answer to the order: the recording on standard output
 */
export async function recordOrder(
  { memberships, declaredGroups }: Extract<Order, { kind: 'record' }>,
  { loaded, sources, readings, memory, clock }: DaemonParts,
  signal: AbortSignal,
): Promise<OrderAnswer> {
  const failed = (why: string): OrderAnswer => ({ exit: exitCodes.failed, out: '', err: `${visible(why)}\n` })
  const { unread, unasked } = lackingIn(readings, sources, readings.declared)
  if (readings.declared === undefined || unread.length > 0)
    return failed(
      `The daemon has not read all that the declaration needs${unread.length === 0 ? '' : ` (${listed(unread)})`}. Give the order again after its next cycle, or ask for all now: record --fresh.`,
    )
  const fromMs = clock.now() - countsKeptMs
  try {
    const { recording, readings: believed } = await takeRecording(
      {
        loaded,
        sources,
        readings,
        about: await aboutOf(sources, signal),
        memory,
        clock,
        memberships: memberships ? 'counted' : 'none',
        narrow: declaredGroups,
        async membersOf(directory) {
          const answers = memberships ? [...(readings.members.get(directory) ?? [])] : []
          const kept = answers.filter(([, { atMs }]) => atMs >= fromMs)
          const value = new Map(kept.flatMap(([group, { members }]) => (members === undefined ? [] : [[group, members] as const])))
          const members = { status: 'partial', value, missing: 'not counted', atMs: clock.now(), tookMs: 0 } as const
          return { members, asked: new Set(kept.map(([group]) => group)) }
        },
      },
      signal,
    )
    const { incomplete } = lackingIn(believed, sources, readings.declared)
    const out = recordingText(recording)
    if (Buffer.byteLength(out) > answerBytesMax / 2)
      return failed('The recording is too large for an answer of the daemon. Ask for all now: record --fresh.')
    const notAsked =
      unasked.length === 0 ? '' : `not in it, since no rule is about it today: ${listed(unasked)}; record --fresh reads it, too\n`
    return {
      exit: incomplete.length === 0 ? exitCodes.done : exitCodes.failed,
      out,
      err: `${summaryOf(recording)}\n${notAsked}${incompleteText(incomplete)}`,
    }
  } catch (error) {
    return failed(errorText(error, ': '))
  }
}
