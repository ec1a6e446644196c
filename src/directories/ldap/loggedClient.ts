import { type Client, ResultCodeError } from 'ldapts'
import type { CallEnd, LoggedCall } from '../../core/call.ts'
import { errnoOf } from '../../files/errno.ts'

/** A request of LDAP. `status`: its result code. */
export type LdapCall = Pick<LoggedCall, 'operation' | 'tookMs' | 'attempt'> & { readonly server: string } & CallEnd

/** Where the calls of a reading are logged. */
export type CallSink = {
  readonly now: () => number
  /** Called after each request, if the log shows them. */
  readonly onCall?: (call: LdapCall) => void
}

const operations: ReadonlyMap<PropertyKey, string> = new Map([
  ['startTLS', 'ldap.startTls'],
  ['bind', 'ldap.bind'],
  ['exop', 'ldap.extended'],
  ['search', 'ldap.search'],
])

/** A client that logs its requests, without their arguments. `attempt`: the place of this address among those that were tried, from 1. */
export function loggedClient(client: Client, server: string, attempt: number, { now, onCall }: CallSink): Client {
  if (onCall === undefined) return client
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      const operation = operations.get(name)
      if (typeof value !== 'function') return value
      if (operation === undefined) return value.bind(target) as unknown
      return async (...args: unknown[]): Promise<unknown> => {
        const beganMs = now()
        const log = (end: CallEnd) => onCall({ server, operation, tookMs: now() - beganMs, attempt, ...end })
        try {
          const result: unknown = await Reflect.apply(value, target, args)
          log({ status: 0 })
          return result
        } catch (error) {
          log(error instanceof ResultCodeError ? { status: error.code } : { failure: errnoOf(error) ?? 'ended' })
          throw error
        }
      }
    },
  })
}
