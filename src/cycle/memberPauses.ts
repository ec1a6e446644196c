import { ageMs, type Clock, dateOf, type Moment, momentOf } from '../core/clock.ts'
import type { Group } from '../core/group.ts'
import { type MembersReading, memberPauseMs, type UnreadGroup } from '../core/people/membersReading.ts'
import { listedFirst } from '../core/quantity.ts'
import { valueIfRead, whyIncomplete } from '../core/reading.ts'
import type { ReadMembers } from './readPeople.ts'

/** The pauses of groups whose members were not read, in the memory of a daemon. */
export type MemberPauses = {
  /**
   * A reader that leaves a group alone after a failure, until its pause is over. Groups that failed before are asked for after the others.
   *
   * @param cycleMs the time from one cycle to the next
   * @param state a text that changes when the settings of the directory or its secrets are edited; a change ends its pauses
   */
  around(directory: string, read: ReadMembers, cycleMs: number, state: () => Promise<string>): ReadMembers
  /** A declaration is in use. Another one than before ends all pauses. */
  declared(hash: string): void
  /** A person asks: ends all pauses. */
  end(): void
}

/** `since`: the first failure in a row. `failures`: since a pause was ended. `last`: absent after that. */
type Pause = {
  readonly since: Moment
  readonly failures: number
  readonly last?: { readonly began: Moment; readonly ended: Moment; readonly why: UnreadGroup }
}
/** `groups`: id → its pause. */
type OfDirectory = { readonly groups: Map<string, Pause>; state: string }

/** Of one directory. The oldest ones are forgotten, which only costs requests. */
const pausesMax = 100_000
const reasonsMax = 3

export function openMemberPauses(clock: Pick<Clock, 'now' | 'wall'>): MemberPauses {
  const directories = new Map<string, OfDirectory>()
  let declaration: string | undefined
  const end = () => {
    for (const { groups } of directories.values()) endPauses(groups)
  }

  function paused(name: string, state: string): Map<string, Pause> {
    const known = directories.get(name)
    if (known === undefined) directories.set(name, { groups: new Map(), state })
    else if (known.state !== state) {
      endPauses(known.groups)
      known.state = state
    }
    return (directories.get(name) as OfDirectory).groups
  }

  return {
    around: (directory, read, cycleMs, state) => async (groups, asOfMs, signal) => {
      const pauses = paused(directory, await state())
      const began = momentOf(clock)
      const due = groups.filter(({ id }) => isDue(pauses.get(id), began, cycleMs))
      // A group that failed may need all the time that there is.
      const [failedBefore, others] = [due.filter(({ id }) => pauses.has(id)), due.filter(({ id }) => !pauses.has(id))]
      const asked = [...others, ...failedBefore]
      const reading = asked.length === 0 ? nothingAsked(clock.now()) : await read(asked, asOfMs, signal)
      if (!signal.aborted) takeNote(pauses, asked, reading, began, momentOf(clock))
      const againMs = ({ failures, last }: Pause) =>
        last === undefined ? clock.wall() : dateOf(clock, last.began.steadyMs + memberPauseMs(failures, cycleMs))
      return withPauses(reading, groups, pauses, againMs)
    },
    declared(hash) {
      if (declaration !== undefined && declaration !== hash) end()
      declaration = hash
    },
    end,
  }
}

function endPauses(groups: Map<string, Pause>): void {
  for (const [id, { since }] of groups) groups.set(id, { since, failures: 0 })
}

/** A cycle may begin a little early, so half of one is not waited for. */
const isDue = (pause: Pause | undefined, now: Moment, cycleMs: number): boolean =>
  pause?.last === undefined || ageMs(pause.last.began, now) >= memberPauseMs(pause.failures, cycleMs) - cycleMs / 2

const nothingAsked = (atMs: number): MembersReading => ({ status: 'complete', value: new Map(), atMs, tookMs: 0 })

/** Why a group was not read; undefined if it was, or if the directory has no list of its members. */
function whyUnread(reading: MembersReading, id: string): UnreadGroup | undefined {
  if (valueIfRead(reading)?.has(id) === true || reading.status === 'complete') return undefined
  const own = reading.unread?.get(id)
  if (own !== undefined) return own
  return reading.status === 'failed'
    ? { why: reading.why, ...(reading.cure === undefined ? {} : { cure: reading.cure }) }
    : { why: reading.missing }
}

function takeNote(pauses: Map<string, Pause>, asked: readonly Group[], reading: MembersReading, began: Moment, ended: Moment): void {
  for (const { id } of asked) {
    const why = whyUnread(reading, id)
    if (valueIfRead(reading)?.has(id) === true) pauses.delete(id)
    if (why === undefined || why.notAsked === true) continue
    const before = pauses.get(id)
    // Two workspaces may ask at the same time, which is one failure.
    const isSame = before?.last !== undefined && began.steadyMs <= before.last.ended.steadyMs
    pauses.delete(id)
    pauses.set(id, {
      since: before?.since ?? ended,
      failures: (before?.failures ?? 0) + (isSame ? 0 : 1),
      last: { began: isSame ? before.last.began : began, ended, why },
    })
    const [oldest] = pauses.keys()
    if (pauses.size > pausesMax && oldest !== undefined) pauses.delete(oldest)
  }
}

/** The reading, which also says why it lacks groups that have a pause, since when, and until when. */
function withPauses(
  reading: MembersReading,
  groups: readonly Group[],
  pauses: ReadonlyMap<string, Pause>,
  againMs: (pause: Pause) => number,
): MembersReading {
  const value = valueIfRead(reading)
  const unread = new Map<string, UnreadGroup>()
  for (const { id } of groups) {
    if (value?.has(id) === true) continue
    const pause = pauses.get(id)
    const why = pause?.last?.why ?? whyUnread(reading, id)
    if (why === undefined) continue
    unread.set(id, pause?.last === undefined ? why : { ...why, pause: { sinceMs: pause.since.wallMs, againMs: againMs(pause) } })
  }
  if (unread.size === 0) return reading
  if (reading.status === 'failed') return { ...reading, unread }
  const own = whyIncomplete(reading)
  const others = new Set([...unread.values()].map(({ why }) => why).filter((why) => own?.includes(why) !== true))
  const reasons = [...(own === undefined ? [] : [own]), ...others]
  const missing = listedFirst(reasons.slice(0, reasonsMax), reasons.length)
  return { ...reading, status: 'partial', missing, unread }
}
