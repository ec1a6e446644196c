import { durationText } from '../core/quantity.ts'
import { unlessAborted } from '../http/origin.ts'
import type { Deadline } from './deadline.ts'

/** Why the members of a group are not known, or not all. `notAsked`: the reading ended before its turn, so the group did not fail itself. */
export type Missing = { readonly missing: string; readonly cure?: string; readonly notAsked?: true }

/**
 * What an error of a directory is about. `group`: the group that was asked for. `gone`: it is not there any more. `refusal`: the rights to it. `all`: no group can
 * be read any more, for instance since the token is refused.
 */
type Failure = { readonly of: 'group' | 'gone' | 'refusal' | 'all'; readonly why: string; readonly cure?: string | undefined }
/** Undefined: it is no error of the directory, so it is thrown. */
export type Explained = (error: unknown) => Failure | undefined

type GroupTurns = {
  /** Reads one group, unless the reading has ended. An error of the group itself is returned. @param waiting how many groups have not had their turn */
  take<T>(waiting: number, work: (signal: AbortSignal) => Promise<T | Missing>): Promise<T | Missing>
  /** The error that tells most, if no group was answered. `ofAll`: the groups that had no turn have it, too. */
  worst(): { readonly error: unknown; readonly ofAll: boolean } | undefined
}

/** After so many failures in a row, which may be as many as are read at the same time, the cause is not one group. */
const failuresMax = 8
/** The part of the time that is left for what follows the groups: the check of the longest lists. */
const reserve = 0.1

/**
 * Gives each group its turn, so that one group does not cost the others: a group that fails is left out, and as long as others wait, it may use at most half of
 * the time that is left. What concerns all ends the reading, and keeps what was read.
 */
export function openGroupTurns(explained: Explained, deadline: Deadline, signal: AbortSignal): GroupTurns {
  const reserveMs = reserve * deadline.leftMs()
  const timeCure = `find out why it is slow, or raise ${deadline.setting ?? 'readingTimeout'}`
  let hasAnswered = false
  let failures = 0
  let refusals = 0
  let worst: { readonly error: unknown; readonly of: Failure['of'] } | undefined
  let ended: Missing | undefined

  function end(why: string, cure: string | undefined): void {
    ended ??= { missing: why, notAsked: true, ...(cure === undefined ? {} : { cure }) }
  }

  function failed(error: unknown): Missing {
    const failure = explained(error)
    if (failure === undefined) throw error
    const { of, why, cure } = failure
    if (weights[of] > (worst === undefined ? 0 : weights[worst.of])) worst = { error, of }
    if (of === 'refusal') refusals++
    if (of === 'group') failures++
    const isHopeless = (!hasAnswered && refusals >= failuresMax) || failures >= failuresMax
    if (of === 'all' || isHopeless) end(why, cure)
    return { missing: why, ...(cure === undefined ? {} : { cure }), ...(of === 'all' ? { notAsked: true } : {}) }
  }

  return {
    async take(waiting, work) {
      const leftMs = deadline.leftMs() - reserveMs
      if (leftMs <= 0) end('the time for the members of all groups was used up before', timeCure)
      if (ended !== undefined) return ended
      const shareMs = waiting > 0 ? leftMs / 2 : leftMs
      const share = Number.isFinite(shareMs) ? AbortSignal.timeout(Math.ceil(shareMs)) : undefined
      const until = share === undefined ? signal : AbortSignal.any([signal, share])
      try {
        // The wait ends also if the work does not notice the signal.
        const answer = await unlessAborted(work(until), until)
        hasAnswered = true
        failures = 0
        return answer
      } catch (error) {
        if (signal.aborted) throw error
        if (share?.aborted !== true) return failed(error)
        failures++
        return { missing: `it was not read within ${durationText(shareMs)}, its share of the time for all groups`, cure: timeCure }
      }
    },
    worst: () => (hasAnswered || worst === undefined ? undefined : { error: worst.error, ofAll: weights[worst.of] > weights.group }),
  }
}

const weights: Readonly<Record<Failure['of'], number>> = { gone: 0, group: 1, refusal: 2, all: 3 }
