/** One call of an official client, as a line of JSON to its driver. */
export type Call = Credential & {
  readonly url: string
  /** Resource and method as the client names them: `work_items.list`. */
  readonly call: string
  readonly arguments: readonly unknown[]
  /** The query parameters. Each client takes them in its own way. */
  readonly query?: Readonly<Record<string, unknown>>
}

/** With `application`, the driver calls the client's own OAuth class. All other calls need `key` or `token`. */
export type Credential = {
  readonly key?: string
  readonly token?: string
  readonly application?: { readonly id: string; readonly secret: string }
}

/** The value of the client, or the class of its error: the service refused with a status, or the client refused fields of the answer. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly error: string; readonly status?: number | undefined; readonly body?: unknown; readonly fields?: readonly string[] }

/** An operation of the client. It is found by a call with invented arguments that sends nothing. */
export type Address = { readonly call: string; readonly method: string; readonly path: string }
