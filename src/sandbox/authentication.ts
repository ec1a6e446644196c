import type { Request } from './request.ts'
import type { State, User } from './state.ts'
import type { Limit } from './throttle.ts'

/** The user of a request and their rights. `id` identifies the credential's budget and is not shown; `name` is for the log. */
export type Caller = {
  readonly id: string
  readonly name: string
  readonly by: 'key' | 'token'
  readonly user: User
  readonly rights: 'admin' | 'read-only'
  readonly workspaces: readonly string[] | undefined
  /** The scopes of a token; undefined for a key, which has all of them. */
  readonly scopes: readonly string[] | undefined
  readonly limit: Limit
}

export type Identity =
  | { readonly is: 'missing' }
  | { readonly is: 'refused'; readonly by: Caller['by'] }
  | { readonly is: 'known'; readonly caller: Caller }

/** If a request has a key and a token, only the key counts (measured on the Community Edition). */
export function identify(state: State, { headers }: Request, nowMs: number): Identity {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key !== '') return byKey(state, key, nowMs)
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return token === undefined ? { is: 'missing' } : byToken(state, token, nowMs)
}

function byKey(state: State, value: string, nowMs: number): Identity {
  const key = state.keys.find((candidate) => candidate.value === value)
  if (key === undefined || !key.enabled || (key.expiresAt !== undefined && key.expiresAt <= nowMs)) return { is: 'refused', by: 'key' }
  const { owner, name = owner, rights, workspaces, limit = state.limit } = key
  return {
    is: 'known',
    caller: { id: `key ${value}`, name, by: 'key', user: userNamed(state, owner), rights, workspaces, scopes: undefined, limit },
  }
}

function byToken(state: State, value: string, nowMs: number): Identity {
  const token = state.tokens.find((candidate) => candidate.value === value)
  const application = state.applications.find(({ clientId }) => clientId === token?.clientId)
  if (token === undefined || application === undefined || token.expiresAt <= nowMs) return { is: 'refused', by: 'token' }
  return {
    is: 'known',
    caller: {
      id: `token ${value}`,
      name: application.clientId,
      by: 'token',
      user: userNamed(state, application.owner),
      rights: 'admin',
      workspaces: application.workspaces,
      scopes: token.scopes,
      limit: state.limit,
    },
  }
}

/** The name of a credential: that of the key, of its owner, or of the application. */
export function nameOf(identity: Identity): string {
  if (identity.is === 'missing') return 'none'
  return identity.is === 'known' ? identity.caller.name : `refused ${identity.by}`
}

/** The user with a name. If the state has no entry for the name, an entry is made up, because a person may change the state while the server runs. */
export function userNamed(state: State, name: string): User {
  return state.users.find((user) => user.name === name) ?? { id: name, name, email: `${name}@example.com`, utcOffsetMinutes: 0 }
}
