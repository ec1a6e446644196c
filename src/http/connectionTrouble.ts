/**
 * Why a connection could not be opened, and what to do about it. Without a full stop; the place stands before it.
 * `otherName` and `tls` have a kind of their own, because a protocol may have a better cure.
 */
export type ConnectionTrouble = {
  readonly kind: 'certificate' | 'otherName' | 'tls' | 'resolver' | 'network'
  readonly why: string
  readonly cure: string
}

/** Where the trusted certificates come from: the system, the setting `caFile` instead of it, or, for a proxy, the system with NODE_EXTRA_CA_CERTS. */
type TrustSource = 'system' | 'caFile' | 'proxy'

/**
 * The words for an error code of Node about a certificate, TLS, a name or the network, for HTTP and LDAP; undefined for any other code.
 *
 * @param host the name or address that was connected to
 */
export function connectionTrouble(code: string, host: string, trust: TrustSource): ConnectionTrouble | undefined {
  const certificate = certificateTrouble(code, trust)
  if (certificate !== undefined) return { kind: 'certificate', ...certificate }
  if (code.includes('ALTNAME') || code === 'HOSTNAME_MISMATCH')
    return {
      kind: 'otherName',
      why: `the certificate is for another name (${code})`,
      cure: 'use a name of the certificate in the address, or give the server a certificate for this name',
    }
  if (/^(ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO)/.test(code))
    return {
      kind: 'tls',
      why: `TLS failed (${code})`,
      cure: 'check that this port speaks TLS, and which versions of TLS the server accepts',
    }
  if (/^(ENOTFOUND|EAI_)/.test(code)) return { kind: 'resolver', why: `the name ${host} cannot be resolved (${code})`, cure: resolverCure }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EACCES|EPERM)$/.test(code))
    return { kind: 'network', why: cannotConnect(code), cure: networkCure }
  return undefined
}

export const cannotConnect = (code: string): string => `cannot connect (${code})`
export const resolverCure = "check the host name, and the DNS of this machine (in a cluster: the pods of the cluster's DNS)"
export const networkCure = 'check the address, that the server runs, and that firewalls and network policies let it through'

/** The error codes of a certificate whose chain does not end at a trusted certificate. */
const issuerUnknown = /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_GET_ISSUER_CERT/

/** The codes of https://nodejs.org/api/tls.html#x509-certificate-error-codes; `UNSPECIFIED` is Node's code for all others of OpenSSL. */
const refused = /^(CERT_|CRL_|ERROR_IN_|UNABLE_TO_|OUT_OF_MEM$|INVALID_CA$|PATH_LENGTH_EXCEEDED$|INVALID_PURPOSE$|UNSPECIFIED$)/

function certificateTrouble(code: string, trust: TrustSource): Omit<ConnectionTrouble, 'kind'> | undefined {
  const place = trust === 'proxy' ? 'the variable NODE_EXTRA_CA_CERTS' : 'the settings (caFile)'
  if (code === 'CERT_HAS_EXPIRED') {
    const also = trust === 'caFile' ? ', the certificates in caFile and the clock of this machine' : ' and the clock of this machine'
    return {
      why: `the certificate has expired (${code})`,
      cure: `renew the server's certificate; if it is valid, check its issuers${also}`,
    }
  }
  if (code === 'CERT_NOT_YET_VALID')
    return {
      why: `the certificate is not valid yet (${code})`,
      cure: "check the clock of this machine, and from which time on the server's certificate is valid",
    }
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    return {
      why: `the certificate is refused: its issuer is neither sent along nor trusted (${code})`,
      cure:
        trust === 'caFile'
          ? 'let the server send its intermediate certificates, too, or add the issuer (PEM) to caFile, which does not contain it'
          : `let the server send its intermediate certificates, too; if the CA is private, name its certificate in ${place}`,
    }
  if (issuerUnknown.test(code))
    return {
      why: `the certificate is refused: no trusted CA issued it (${code})`,
      cure:
        trust === 'caFile'
          ? 'add the CA that issued it (PEM) to caFile, which does not contain it'
          : `name the CA that issued it in ${place}`,
    }
  if (refused.test(code))
    return { why: `the certificate is refused (${code})`, cure: 'openssl s_client shows the certificate; the server needs another one' }
  return undefined
}

/**
 * The code of the TLS alert by which a server refuses the certificate of the client; undefined for any other error. A server may also only close the
 * connection: undici reports nothing else with TLS 1.3, and slapd with GnuTLS does so with any version (measured).
 */
export function clientCertificateAlert(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^ERR_SSL_(?:TLSV1[3_]+|SSLV3_)ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/.test(code) ? code : undefined
}
