import { isIP, type Socket, connect as tcpConnect } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { Client } from 'ldapts'
import { type Incoming, incomingOf } from './incoming.ts'
import type { LdapSettings } from './settings.ts'

/** A client that connects exactly once. `destroy` ends it without a word, and ends every request that waits on it. */
export type Connection = {
  readonly client: Client
  readonly incoming: Incoming
  readonly address: string
  /** Still the socket on which the bind succeeded. ldapts alone does not notice a loss after StartTLS. */
  isBound(): boolean
  /** Why this side ended it: given up, too large a message. ldapts shows only that the socket closed. */
  brokenBy(): Error | undefined
  /** Says goodbye; never fails. */
  close(): Promise<void>
  destroy(): void
}

/**
 * A fresh ldapts client on its own socket, with StartTLS done where it is asked for; `ldaps://` and plain addresses connect at the first request.
 * ldapts would reconnect after a loss, without the bind and in plain text: here a second socket is refused.
 */
export async function openConnection(address: string, settings: LdapSettings, signal: AbortSignal): Promise<Connection> {
  const sockets: Socket[] = []
  const url = new URL(address)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // Over StartTLS Node checks the certificate against `localhost` where neither is given; without servername it names no host to the server.
  const tls = {
    host,
    // Said here, or NODE_TLS_REJECT_UNAUTHORIZED in the environment would decide.
    rejectUnauthorized: true,
    ...(settings.serverName === undefined && isIP(host) ? {} : { servername: settings.serverName ?? host }),
    ...(settings.ca === undefined ? {} : { ca: settings.ca }),
  }
  /** Ends those below it. To destroy the plain socket under a TLS one crashes Node (SIGSEGV, 26.10), or raises errors that nobody hears. */
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
      sockets.push(socket)
      return socket
    }) as Open
  }

  const client = new Client({
    url: address,
    timeout: settings.timeoutMs,
    connectTimeout: settings.timeoutMs,
    // Given to an ldap:// address they would mean TLS from the first byte.
    ...(url.protocol === 'ldaps:' ? { tlsOptions: tls } : {}),
    createConnection: single(tcpConnect),
    createSecureConnection: single(tlsConnect),
  })
  const incoming = incomingOf(client, breakWith)
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
    // The handshake inside startTLS is the one wait to which ldapts gives no timeout.
    const late = setTimeout(() => breakWith(new Error('StartTLS: timeout')), settings.timeoutMs)
    try {
      await Promise.race([client.startTLS(tls), broken.promise])
      // The parser would put them before what comes encrypted (the STARTTLS injection of CVE-2011-0411).
      if (incoming.pendingBytes() > 0) throw new Error('somebody added plain text to the answer to StartTLS')
    } catch (error) {
      destroy()
      throw reason ?? error
    } finally {
      clearTimeout(late)
    }
  }
  return { client, incoming, address, isBound, brokenBy: () => reason, close, destroy }
}
