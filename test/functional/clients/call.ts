/** One call of an official client, as a line of JSON to its driver. */
export type Call = Credential & {
  readonly url: string
  /** Resource and method as the client names them: `work_items.list`. */
  readonly call: string
  readonly arguments: readonly unknown[]
  /** The parameters of the address, however the client takes them. */
  readonly query?: Readonly<Record<string, unknown>>
}

/** An application calls the client's own OAuth methods; everything else needs a key or a token. */
export type Credential = {
  readonly key?: string
  readonly token?: string
  readonly application?: { readonly id: string; readonly secret: string }
}

/** What the client returned, or the class of its error: refused by the service with a status, or by the client because of fields in the answer. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly error: string; readonly status?: number | undefined; readonly body?: unknown; readonly fields?: readonly string[] }

/** An operation that the client has, found by calling it with made-up arguments and sending nothing. */
export type Address = { readonly call: string; readonly method: string; readonly path: string }
