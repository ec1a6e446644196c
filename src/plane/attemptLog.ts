import type { CallEnd, LoggedCall } from '../core/call.ts'
import type { Answer } from '../http/origin.ts'
import { requestIdOf } from '../http/requestId.ts'
import type { Queue } from './rate/queue.ts'

type Observed = Pick<LoggedCall, 'operation' | 'workspace' | 'credential' | 'tookMs'> & CallEnd

/** Logs each attempt of one call, with the budget before and after it. */
export type AttemptLog = {
  /** To be called directly before an attempt is sent. The budget has counted it already. */
  begin(): void
  end(observed: Observed, answer: Answer | undefined): void
  /** To be called when the budget has counted the answer. It writes the line of the attempt that has ended. */
  write(): void
}

const silent: AttemptLog = { begin: () => undefined, end: () => undefined, write: () => undefined }

export function openAttemptLog(queue: Pick<Queue, 'view'>, logCall: ((call: LoggedCall) => void) | undefined): AttemptLog {
  if (logCall === undefined) return silent
  let attempt = 0
  let before = 0
  let ended: LoggedCall | undefined
  return {
    begin() {
      attempt++
      before = queue.view().remaining + 1
    },
    end(observed, answer) {
      ended = { ...observed, attempt, ...requestIdOf(answer) }
    },
    write() {
      if (ended !== undefined) logCall({ ...ended, budget: { before, after: queue.view().remaining } })
      ended = undefined
    },
  }
}
