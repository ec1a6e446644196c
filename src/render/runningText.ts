import { isoTime } from '../core/quantity.ts'
import type { RunningDocument } from '../documents/running.ts'
import { cut, progressText } from './progressText.ts'
import { widthOf } from './width.ts'

/**
 * `A cycle runs since 04:00:42 UTC: 54/80 written · waits 10 s · about 1 min to go`
 *
 * @param nowMs epoch ms, by the date. A cycle that began on another day has its date
 */
export function runningText(running: RunningDocument, nowMs: number): string {
  const { began } = running
  const isToday = isoTime(nowMs)?.slice(0, 10) === began.slice(0, 10)
  const since = `${isToday ? '' : `${began.slice(0, 10)} `}${began.slice(11, 19)} UTC`
  return afterLead(`A cycle runs since ${since}`, running, Number.POSITIVE_INFINITY)
}

/** The line of an order that waits for the daemon's cycle, or whose own cycle runs now: at most `columns` columns. */
export const orderText = (running: RunningDocument, isOfOrder: boolean, columns: number): string =>
  afterLead(isOfOrder ? 'This order' : "This order comes after the daemon's cycle", running, columns)

function afterLead(lead: string, { workspaces, written, of, waitMs, waitWhy = '', leftMs }: RunningDocument, columns: number): string {
  const view = {
    counts: of === 0 ? undefined : { written, total: of, workspaces: 1, unknown: 0, refused: 0, notSent: 0 },
    workspaces: workspaces.of > 1 ? workspaces : undefined,
    wait: waitMs > 0 ? { kind: 'until' as const, ms: waitMs, why: waitWhy } : undefined,
    toGo: leftMs === undefined ? undefined : { ms: leftMs, fits: false },
  }
  const progress = progressText(view, columns - widthOf(lead) - 2)
  return cut(`${lead}: ${progress === '' ? 'it reads' : progress}`, columns)
}
