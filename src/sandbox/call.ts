import type { Caller } from './authentication.ts'
import type { Chance } from './chance.ts'
import type { Dialect } from './dialect.ts'
import type { QuirkKind, Quirks } from './fault.ts'
import type { Reply } from './reply.ts'
import type { Request } from './request.ts'
import type { State, Workspace } from './state.ts'

/** The arguments of an operation, which runs after every gate has let the request pass. */
export type Call = {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly state: State
  readonly dialect: Dialect
  readonly chance: Chance
  readonly quirks: Quirks
  readonly nowMs: number
}
export type WorkspaceCall = Call & { readonly workspace: Workspace }
/** The token endpoint is called without a credential of the API. */
export type OpenCall = Omit<Call, 'caller'>

export type Operation<C> = {
  readonly scope?: string
  readonly writes?: true
  /** The kinds of quirks that it can show. */
  readonly quirks?: readonly QuirkKind[]
  readonly run: (call: C) => Reply
}
export type Methods<C> = { readonly [Method in 'GET' | 'POST' | 'PATCH' | 'DELETE']?: Operation<C> }
