/** One request to the sandbox. Times are epoch milliseconds. The credential is not stored, only its name. */
export type LoggedRequest = {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  readonly query: string
  /** At most `bodyBytesKept` bytes. Empty for a request for a token, since the body may contain the client's secret. */
  readonly body: string
  readonly bodyBytes: number
  readonly userAgent?: string
  /** Whose credential it has: the name of a key or its owner, or the application of a token; `none`; `refused key` or `refused token`. */
  credential: string
  readonly receivedAt: number
  /** The texts of the faults that struck it. */
  readonly faults: readonly string[]
  /** How many requests the limiter then had left; absent if it did not count this one. */
  remaining?: number
  /** When its operation ran with success; absent if it has not run, or if it failed. The operation of a refused request does not run. */
  committedAt?: number
  /** The status of the answer; absent if none was sent. */
  status?: number
  answeredAt?: number
}

/** The last requests, oldest first. `forgotten` counts those that were dropped for `entriesMax` or `charactersMax`. */
export type RequestLog = { readonly entries: LoggedRequest[]; characters: number; forgotten: number }

const entriesMax = 100_000
/** Of all entries together. */
const charactersMax = 64 * 1024 * 1024
const bodyBytesKept = 64 * 1024
/** The fields of an entry that have a fixed size. */
const entryCharacters = 256

export const openRequestLog = (): RequestLog => ({ entries: [], characters: 0, forgotten: 0 })

/** The body for the log. */
export const loggedBody = (path: string, body: Buffer): string =>
  path.includes('/auth/o/') ? '' : body.subarray(0, bodyBytesKept).toString()

export function enter(log: RequestLog, entry: LoggedRequest): LoggedRequest {
  log.entries.push(entry)
  log.characters += charactersOf(entry)
  let forgotten = 0
  while (log.entries.length - forgotten > entriesMax || log.characters > charactersMax) {
    const oldest = log.entries[forgotten]
    if (oldest === undefined) break
    log.characters -= charactersOf(oldest)
    forgotten += 1
  }
  if (forgotten > 0) log.entries.splice(0, forgotten)
  log.forgotten += forgotten
  return entry
}

export function clear(log: RequestLog): void {
  log.entries.length = 0
  Object.assign(log, { characters: 0, forgotten: 0 })
}

const charactersOf = ({ path, query, body, userAgent = '' }: LoggedRequest): number =>
  entryCharacters + path.length + query.length + body.length + userAgent.length
