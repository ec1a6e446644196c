import { errorText } from '../../core/errorText.ts'
import { listed } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { Order, OrderAnswer } from '../../documents/daemonOrder.ts'
import { answerBytesMax } from '../../orders/orderFiles.ts'
import { recordingText } from '../../recording/stored.ts'
import { exitCodes } from '../command.ts'
import { aboutOf, incompleteText, lackingIn, summaryOf, takeRecording } from '../takeRecording.ts'
import { countedMembers, type DaemonParts, lastRead } from './lastRead.ts'

/**
 * The recording that a daemon makes from what its cycles have read last. It asks neither Plane nor a directory, so it lacks what no rule of today is about, and
 * the members of groups that no plan has counted.
 *
 * @returns the answer to the order: the recording on standard output
 */
export async function recordOrder(
  { memberships, declaredGroups }: Extract<Order, { kind: 'record' }>,
  parts: DaemonParts,
  signal: AbortSignal,
): Promise<OrderAnswer> {
  const failed = (why: string): OrderAnswer => ({ exit: exitCodes.failed, out: '', err: `${visible(why)}\n` })
  const { loaded, sources, readings, memory, clock } = parts
  const { declared, unasked } = lastRead(parts, 'record --fresh')
  const nothing = { ...parts, readings: { ...readings, members: new Map() } }
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
        membersOf: async (directory) => countedMembers(memberships ? parts : nothing, directory),
      },
      signal,
    )
    const { incomplete } = lackingIn(believed, sources, declared)
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
