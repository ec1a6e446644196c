/** An answer to "are you well?", with the reason in a sentence. */
export type Health = { readonly ok: boolean; readonly reason: string }

/** What the daemon has been doing, for its probes. Moments are epoch ms. */
type Progress = {
  readonly began: (atMs: number) => void
  /** `reported`: it came to a report; false: it threw, so nothing was attempted. */
  readonly ended: (atMs: number, reported: boolean) => void
  /** When the next cycle is due. */
  readonly next: (atMs: number) => void
  /** A request ended, whatever came of it: a cycle over many workspaces of one key takes as long as its budget makes it. */
  readonly moved: (atMs: number) => void
  /** A restart is the cure of what stands still, so this asks for movement, not for success. */
  readonly healthy: (nowMs: number) => Health
  /** Once ready, always ready: with an invalid file the last good one goes on. */
  readonly ready: () => Health
}

/** @param stillMaxMs how long a cycle may go on without anything moving */
export function openProgress(startedMs: number, stillMaxMs: number): Progress {
  let [beganMs, endedMs, nextMs] = [startedMs, undefined as number | undefined, undefined as number | undefined]
  let movedMs = startedMs
  let attempted = false

  function healthy(nowMs: number): Health {
    const running = endedMs === undefined || beganMs > endedMs
    const cycleMs = Math.max(beganMs, endedMs ?? 0)
    const lastMs = Math.max(cycleMs, movedMs)
    const intervalMs = nextMs === undefined || endedMs === undefined ? 0 : nextMs - endedMs
    const limitMs = Math.max(3 * intervalMs, stillMaxMs)
    const what = endedMs === undefined ? 'the first cycle' : running ? 'a cycle' : 'the last cycle'
    const since = `${what} ${running ? 'began' : 'ended'} ${seconds(nowMs - cycleMs)} ago`
    const request = lastMs > cycleMs ? `, a request ended ${seconds(nowMs - lastMs)} ago` : ''
    const reason = `${since}${request}; at most ${seconds(limitMs)} are expected`
    return { ok: nowMs - lastMs <= limitMs, reason }
  }

  return {
    began: (atMs) => {
      beganMs = atMs
    },
    ended: (atMs, reported) => {
      endedMs = atMs
      attempted ||= reported
    },
    next: (atMs) => {
      nextMs = atMs
    },
    moved: (atMs) => {
      movedMs = atMs
    },
    healthy,
    ready: () =>
      attempted
        ? { ok: true, reason: 'a cycle was attempted with a valid configuration' }
        : { ok: false, reason: 'no cycle was attempted with a valid configuration yet' },
  }
}

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 1000))} s`
