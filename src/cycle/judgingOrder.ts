import type { WorkspaceName } from '../core/mapping.ts'
import { Stopped } from './readExisting.ts'

/** The fixed order in which the limits of a run judge its workspaces. Without it the fastest reading would take what the limits leave. */
type JudgingOrder = {
  /**
   * Resolves when every workspace before this one has left.
   *
   * @throws {Stopped} by the promise, if `signal` fires before
   */
  waitForEarlier(workspace: WorkspaceName, signal: AbortSignal): Promise<void>
  /** The workspace is judged, or it has failed and writes nothing. Nobody waits for it any more. */
  leave(workspace: WorkspaceName): void
}

/** @param order a workspace that is not in it does not wait */
export function openJudgingOrder(order: readonly WorkspaceName[]): JudgingOrder {
  const places = new Map(order.map((workspace, place) => [workspace, place]))
  const left = new Set<WorkspaceName>()
  const waiting = new Map<number, () => void>()
  /** The place of the first workspace that has not left. */
  let first = 0
  return {
    waitForEarlier(workspace, signal) {
      const place = places.get(workspace) ?? 0
      return new Promise((resolve, reject) => {
        if (place <= first) return resolve()
        const stop = () => reject(new Stopped('stopped before the plan was judged', { cause: signal.reason }))
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        waiting.set(place, () => {
          signal.removeEventListener('abort', stop)
          resolve()
        })
      })
    },
    leave(workspace) {
      left.add(workspace)
      for (let next = order[first]; next !== undefined && left.has(next); next = order[first]) waiting.get(++first)?.()
    },
  }
}
