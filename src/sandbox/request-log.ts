import type { Fault } from './fault.ts'

/** One request as the sandbox saw it. Times are epoch milliseconds; nothing of its credential is kept. */
export type LoggedRequest = {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly query: string
  /** Empty where a client asks for a token, since its secret may be in there. */
  readonly body: string
  readonly receivedAt: number
  readonly faults: readonly Fault['kind'][]
  /** When its operation ran; absent: it never did (yet). A refused request has run nothing. */
  committedAt?: number
  /** What was answered, as far as the sandbox sent it; absent: nothing (yet). */
  status?: number
  answeredAt?: number
}

/** What is kept of the body of a request to this path. */
export const loggedBody = (path: string, body: Buffer): string => (path.includes('/auth/o/') ? '' : body.toString())

const entriesMax = 100_000

export function enter(log: LoggedRequest[], entry: LoggedRequest): LoggedRequest {
  log.push(entry)
  if (log.length > entriesMax) log.splice(0, log.length - entriesMax)
  return entry
}
