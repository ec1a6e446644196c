/** The result of a probe, with the reason in a sentence. */
export type Health = { readonly ok: boolean; readonly reason: string }

/** The daemon's activity, for its probes. Times are epoch ms. */
type CycleProgress = {
  readonly began: (atMs: number) => void
  /** A cycle ended. `reported` is false if it made no report: it threw, or it only answered an order. */
  readonly ended: (atMs: number, reported: boolean) => void
  /** When the next cycle is due. */
  readonly next: (atMs: number) => void
  /** A request ended, with any outcome. It shows progress in a long cycle, such as one over many workspaces that share a credential. */
  readonly requestEnded: (atMs: number) => void
  /** Whether there is progress. Success is not asked for, because a restart only helps a process that hangs. */
  readonly healthy: (nowMs: number) => Health
  /** Whether a cycle has made a report. It stays ready afterwards, because what this process has read stays in use. */
  readonly ready: () => Health
}

/** @param stillMaxMs the longest time without progress that is healthy; three intervals of the schedule, if they are longer */
export function openProgress(startedMs: number, stillMaxMs: number): CycleProgress {
  let beganMs = startedMs
  let endedMs: number | undefined
  let nextMs: number | undefined
  let lastRequestMs = startedMs
  let attempted = false

  function healthy(nowMs: number): Health {
    const running = endedMs === undefined || beganMs > endedMs
    const cycleMs = Math.max(beganMs, endedMs ?? 0)
    const lastMs = Math.max(cycleMs, lastRequestMs)
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
    requestEnded: (atMs) => {
      lastRequestMs = atMs
    },
    healthy,
    ready: () =>
      attempted
        ? { ok: true, reason: 'a cycle has ended with a report' }
        : { ok: false, reason: 'no cycle has ended with a report yet: the first one is running, or the log says why it failed' },
  }
}

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 1000))} s`
