import { type NodeError, type TlsTrouble, type TrustSource, tlsTrouble } from './tlsTrouble.ts'

/**
 * Why a connection could not be opened, and what to do about it. Without a full stop; the place stands before it.
 * The kinds of TLS are kinds of their own, because a protocol may have a better cure.
 */
export type ConnectionTrouble = {
  readonly kind: TlsTrouble['kind'] | 'closed' | 'resolver' | 'network'
  readonly why: string
  readonly cure: string
}

/**
 * The words for an error of Node about a certificate, TLS, a name or the network, for HTTP and LDAP; undefined for any other error.
 *
 * @param host the name or address that was connected to
 */
export function connectionTrouble(error: NodeError, host: string, trust: TrustSource): ConnectionTrouble | undefined {
  const { code, message } = error
  const tls = tlsTrouble(error, host, trust)
  if (tls !== undefined) return tls
  if (/^(ENOTFOUND|EAI_)/.test(code)) return { kind: 'resolver', why: `the name ${host} cannot be resolved (${code})`, cure: resolverCure }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EACCES|EPERM)$/.test(code))
    return { kind: 'network', why: cannotConnect(code), cure: networkCure }
  // The words of Node where the other side ends a connection in the handshake.
  if (code === 'ECONNRESET' && message.includes('before secure TLS connection')) return closedInTls(code)
  return undefined
}

export const cannotConnect = (code: string): string => `cannot connect (${code})`
export const resolverCure = "check the host name, and the DNS of this machine (in a cluster: the pods of the cluster's DNS)"
export const networkCure = 'check the address, that the server runs, and that firewalls and network policies let it through'
/** The other side ended the connection before TLS was established. */
export const closedInTls = (code: string): ConnectionTrouble => ({
  kind: 'closed',
  why: `the server closed the connection when TLS began (${code})`,
  cure: closedCure,
})

const closedCure =
  'check that this port speaks TLS, and that the server has a certificate (a domain controller without one closes like this); a firewall that reads the name in TLS (SNI) may close it, too'
