/**
 * One request to Plane, to a directory or to a token endpoint, as the log shows it. It has no body, no header and no query, so that no secret is in it.
 * A repeated request gives one each time.
 */
export type LoggedCall = {
  /** The name of the directory; absent for calls to Plane. */
  readonly directory?: string
  readonly workspace?: string
  /** The name of the credential of Plane. */
  readonly credential?: string
  /** The address of a directory's server. */
  readonly server?: string
  readonly operation: string
  readonly tookMs: number
  /** From 1. */
  readonly attempt: number
  /** How many requests the budget allowed before this request was counted, and how many it allows after the answer; for Plane only. */
  readonly budget?: { readonly before: number; readonly after: number }
  /** The id that the server gave to the request. */
  readonly requestId?: string
} & CallEnd

/** `status`: of HTTP, or the result code of LDAP. `failure`: why there was no complete answer. */
export type CallEnd = { readonly status: number } | { readonly failure: string }
