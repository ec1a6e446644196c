import { isIP, type Socket, connect as tcpConnect } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { Client, ResultCodeError } from 'ldapts'
import type { CallEnd, LoggedCall } from '../../core/loggedCall.ts'
import { errnoOf } from '../../files/errno.ts'
import { type Incoming, incomingOf } from './incoming.ts'
import { externalBindOf, type LdapSettings } from './settings.ts'

/** A client that connects exactly once. `destroy` closes the socket without an unbind; waiting requests fail. */
export type Connection = {
  readonly client: Client
  readonly incoming: Incoming
  readonly address: string
  /** Whether the socket on which the bind succeeded is still open. ldapts does not notice a loss after StartTLS. */
  isBound(): boolean
  /** Why this program ended the connection: given up, or a message too large. ldapts only shows that the socket closed. */
  brokenBy(): Error | undefined
  /** Sends an unbind and closes the socket; never fails. */
  close(): Promise<void>
  destroy(): void
}

/**
 * A new ldapts client on its own socket. With `startTls` the upgrade is done on return; `ldaps://` and plain addresses connect at the first request.
 * A second socket is refused: after a loss ldapts would reconnect, without the bind and in plain text.
 */
export async function openConnection(
  address: string,
  attempt: number,
  settings: LdapSettings,
  calls: CallSink,
  signal: AbortSignal,
): Promise<Connection> {
  const sockets: Socket[] = []
  const url = new URL(address)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // With neither `host` nor `servername`, Node would check the certificate after StartTLS against `localhost`. `servername` also goes to the
  // server (SNI); it must not be an IP address.
  const external = externalBindOf(settings)?.external
  const tls = {
    host,
    // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment has no effect.
    rejectUnauthorized: true,
    ...(settings.serverName === undefined && isIP(host) ? {} : { servername: settings.serverName ?? host }),
    ...(settings.ca === undefined ? {} : { ca: settings.ca }),
    ...(external === undefined ? {} : { cert: external.certificate, key: external.key }),
  }
  /** Destroying the last socket also ends the one under it. Destroying the plain socket under a TLS one crashes Node (SIGSEGV, 26.10). */
  const outermost = () => sockets.at(-1)
  let reason: Error | undefined
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  const breakWith = (error: Error) => {
    reason ??= error
    broken.reject(error)
    outermost()?.destroy(error)
  }
  const single = <Open extends (...args: never[]) => Socket>(open: Open): Open => {
    let opened = false
    return ((...args: never[]) => {
      if (opened || reason) throw reason ?? new Error('Connection closed: it is not opened again')
      opened = true
      const socket = open(...args)
      // Otherwise the system keeps a small request back until the server has acknowledged the one before (RFC 896), although several searches run at once.
      socket.setNoDelay(true)
      sockets.push(socket)
      return socket
    }) as Open
  }

  const bare = new Client({
    url: address,
    timeout: settings.timeoutMs,
    connectTimeout: settings.timeoutMs,
    // For an ldap:// address these options would start TLS with the first byte.
    ...(url.protocol === 'ldaps:' ? { tlsOptions: tls } : {}),
    createConnection: single(tcpConnect),
    createSecureConnection: single(tlsConnect),
  })
  const client = loggedClient(bare, address, attempt, calls)
  const incoming = incomingOf(bare, breakWith)
  const onAbort = () => breakWith(new Error('given up before the end'))
  signal.addEventListener('abort', onAbort, { once: true })

  const destroy = () => {
    signal.removeEventListener('abort', onAbort)
    outermost()?.destroy()
  }
  const isBound = () => client.isBound && sockets.every((socket) => !socket.destroyed)
  async function close() {
    if (isBound()) await client.unbind().catch(() => undefined)
    destroy()
  }
  if (url.protocol === 'ldap:' && settings.startTls) {
    // ldapts has no timeout for the handshake inside startTLS.
    const late = setTimeout(() => breakWith(new Error('StartTLS: timeout')), settings.timeoutMs)
    try {
      await Promise.race([client.startTLS(tls), broken.promise])
      // The parser would read these bytes as if they had come encrypted (STARTTLS injection, CVE-2011-0411).
      if (incoming.pendingBytes() > 0) throw new Error('plain text follows the answer to StartTLS; it may come from an attacker')
    } catch (error) {
      destroy()
      throw reason ?? error
    } finally {
      clearTimeout(late)
    }
  }
  return { client, incoming, address, isBound, brokenBy: () => reason, close, destroy }
}

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
function loggedClient(client: Client, server: string, attempt: number, { now, onCall }: CallSink): Client {
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
