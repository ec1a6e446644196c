/** One request to the sandbox. Times are epoch milliseconds. The credential is not stored. */
export type LoggedRequest = {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  readonly query: string
  /** Empty for a request for a token, since the body may contain the client's secret. */
  readonly body: string
  readonly receivedAt: number
  /** The texts of the faults that struck it. */
  readonly faults: readonly string[]
  /** When its operation ran with success; absent if it has not run, or if it failed. The operation of a refused request does not run. */
  committedAt?: number
  /** The status of the answer; absent if none was sent. */
  status?: number
  answeredAt?: number
}

/** The body for the log. */
export const loggedBody = (path: string, body: Buffer): string => (path.includes('/auth/o/') ? '' : body.toString())

const entriesMax = 100_000

export function enter(log: LoggedRequest[], entry: LoggedRequest): LoggedRequest {
  log.push(entry)
  if (log.length > entriesMax) log.splice(0, log.length - entriesMax)
  return entry
}
