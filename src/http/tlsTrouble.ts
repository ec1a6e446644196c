import { errorChain } from '../core/errorText.ts'
import { listedFirst } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'

/** Where the trusted certificates come from: the system, the setting `caFile` instead of it, or, for a proxy, the system with NODE_EXTRA_CA_CERTS. */
export type TrustSource = 'system' | 'caFile' | 'proxy'

/** An error of Node. `host` and `cert` are there if the certificate is for another name. */
export type NodeError = { readonly code: string; readonly message: string; readonly host?: unknown; readonly cert?: unknown }

/** @param code of the error, or of its cause */
export function nodeErrorOf(error: Error, code: string): NodeError {
  const { host, cert } = error as { readonly host?: unknown; readonly cert?: unknown }
  return { code, message: error.message, host, cert }
}

/**
 * `certificate`: the certificate of the server, or one above it. `otherName`: it is for another name. `plainText`: the port does not speak TLS.
 * `clientCertificate`: the server wants another certificate of this program, or wants one at all. `handshake`: any other trouble of TLS.
 */
export type TlsTrouble = {
  readonly kind: 'certificate' | 'otherName' | 'plainText' | 'clientCertificate' | 'handshake'
  readonly why: string
  readonly cure: string
}

/**
 * The words for an error of TLS, for HTTP and LDAP; undefined for any other error. A code always stands in the sentence, so that it can be looked up;
 * in the place of Node's `UNSPECIFIED` stand the words of OpenSSL, which say more.
 */
export function tlsTrouble(error: NodeError, host: string, trust: TrustSource): TlsTrouble | undefined {
  const { code } = error
  if (code.includes('ALTNAME') || code === 'HOSTNAME_MISMATCH') return otherName(error, host)
  const verification = verificationOf(error)
  if (verification !== undefined) {
    const { why, cure } = verification
    return {
      kind: 'certificate',
      why: `${why} (${code === 'UNSPECIFIED' ? opensslWords(error) : code})`,
      cure: typeof cure === 'string' ? cure : cure(trust),
    }
  }
  if (!/^(?:ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO)/.test(code)) return undefined
  const alert = alertIn(error)
  const { kind = 'handshake', why, cure } = (alert === undefined ? handshakeOf(code) : alerts[alert]) ?? anyHandshake
  return { kind, why: `${why} (${alert === undefined ? code : `alert ${alert}, ${code}`})`, cure }
}

type Words = { readonly why: string; readonly cure: string | ((trust: TrustSource) => string) }

const showIt = 'openssl s_client -showcerts -connect HOST:PORT shows each certificate of the chain'
const newCertificate = (more: string): string => `give the server a new certificate ${more}; ${showIt}`

const nameTheCa = (trust: TrustSource): string =>
  trust === 'caFile'
    ? 'add the CA that issued it (PEM) to caFile, which does not contain it'
    : `name the CA that issued it in ${trust === 'proxy' ? 'the variable NODE_EXTRA_CA_CERTS' : 'the settings (caFile)'}`

const tooWeakKey = {
  why: 'the certificate is refused: the key of the server is too short',
  cure: newCertificate('with a key of at least 2,048 bits (RSA) or 224 bits (EC)'),
} as const
const damaged = {
  why: 'the certificate is refused: it, or one above it, is not encoded as X.509 requires',
  cure: newCertificate('in the place of the damaged one'),
} as const
const noList = {
  why: 'the certificate is refused because of a list of revoked certificates',
  cure: 'this program reads no such lists: check the variables of the environment that begin with NODE_ and SSL_',
} as const
const forbiddenName = {
  why: 'the certificate is refused: a CA above it may not issue certificates for this name (name constraints)',
  cure: newCertificate('of a CA that may issue it for this name'),
} as const
const notThisUse = {
  why: 'the certificate is refused: it is not made for a server of TLS, or the one above it is not that of a CA',
  cure: newCertificate('with the extended key usage serverAuth, from a certificate with the basic constraint CA:TRUE'),
} as const
const unsuitable = {
  why: 'the certificate is refused: it, or one above it, breaks a rule of X.509',
  cure: newCertificate('without this mistake'),
} as const

/** The codes of https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const verification: Readonly<Record<string, Words>> = {
  CERT_HAS_EXPIRED: {
    why: 'the certificate has expired',
    cure: (trust) =>
      `renew the server's certificate; if it is valid, check its issuers${trust === 'caFile' ? ', the certificates in caFile' : ''} and the clock of this machine`,
  },
  CERT_NOT_YET_VALID: {
    why: 'the certificate is not valid yet',
    cure: "check the clock of this machine, and from which time on the server's certificate is valid",
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    why: 'the certificate is refused: its issuer is neither sent along nor trusted',
    cure: (trust) =>
      trust === 'caFile'
        ? 'let the server send its intermediate certificates, too, or add the issuer (PEM) to caFile, which does not contain it; caFile may also be that of another CA'
        : `let the server send its intermediate certificates, too; if the CA is private, name its certificate in ${trust === 'proxy' ? 'the variable NODE_EXTRA_CA_CERTS' : 'the settings (caFile)'}`,
  },
  UNABLE_TO_GET_ISSUER_CERT: {
    why: 'the certificate is refused: an issuer in the middle of its chain is known, and the issuer of that one is not',
    cure: (trust) =>
      trust === 'caFile' ? 'add the root, the last issuer of the chain (PEM), to caFile, which does not contain it' : nameTheCa(trust),
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { why: 'the certificate is refused: no trusted CA issued it', cure: nameTheCa },
  SELF_SIGNED_CERT_IN_CHAIN: {
    why: 'the certificate is refused: no trusted CA issued it, the server sends a root that is not trusted',
    cure: (trust) => `${nameTheCa(trust)}; if you do not know this CA, a proxy that reads TLS may stand between`,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    why: 'the certificate is refused: no trusted CA issued it, the server has signed it itself',
    cure: (trust) => {
      const place = trust === 'proxy' ? 'the variable NODE_EXTRA_CA_CERTS' : trust === 'caFile' ? 'caFile' : 'the settings (caFile)'
      return trust === 'caFile'
        ? 'add this certificate itself (PEM) to caFile, which does not contain it, or give the server one of your CA'
        : `name this certificate itself (PEM) in ${place}, or give the server one of your CA`
    },
  },
  CERT_SIGNATURE_FAILURE: {
    why: 'the certificate is refused: its signature is not that of the issuer that it names',
    cure: (trust) =>
      trust === 'caFile'
        ? 'the CA was perhaps made again under its old name: put its present certificate (PEM) into caFile'
        : `the CA was perhaps made again under its old name: name its present certificate in ${trust === 'proxy' ? 'the variable NODE_EXTRA_CA_CERTS' : 'the settings (caFile)'}`,
  },
  CERT_REVOKED: { why: 'the certificate is refused: its CA has revoked it', cure: newCertificate('that is not revoked') },
  CERT_CHAIN_TOO_LONG: {
    why: 'the certificate is refused: there are too many certificates between it and the root',
    cure: 'let the server send only the certificates between its own and the root',
  },
  PATH_LENGTH_EXCEEDED: {
    why: 'the certificate is refused: a CA above it may have fewer CAs below it (path length)',
    cure: newCertificate('of a CA whose path length allows it'),
  },
  INVALID_CA: {
    why: 'the certificate is refused: the one above it is not that of a CA',
    cure: newCertificate('that a certificate with the basic constraint CA:TRUE has signed'),
  },
  INVALID_PURPOSE: notThisUse,
  CERT_UNTRUSTED: { why: 'the certificate is refused: its root is not trusted for servers', cure: nameTheCa },
  CERT_REJECTED: { why: 'the certificate is refused: its root is marked as not to be trusted', cure: nameTheCa },
  ERROR_IN_CERT_NOT_BEFORE_FIELD: damaged,
  ERROR_IN_CERT_NOT_AFTER_FIELD: damaged,
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: damaged,
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: damaged,
  OUT_OF_MEM: { why: 'the certificate could not be checked: this machine has no memory left', cure: 'give this program more memory' },
}

/** The codes of certificates that the table does not name, and of lists of revoked certificates, which this program does not use. */
const otherVerification = /^(CERT_|CRL_|ERROR_IN_|UNABLE_TO_|UNSPECIFIED$)/

/** The words of OpenSSL (`X509_verify_cert_error_string`), for the errors that have no code in Node. */
const byOpensslWords: readonly (readonly [RegExp, Words])[] = [
  [
    /digest algorithm too weak/,
    {
      why: 'the certificate is refused: it, or one above it, is signed in a way that is no longer safe, such as with SHA-1 or MD5',
      cure: newCertificate('whose whole chain is signed with SHA-256 or better'),
    },
  ],
  [/^EE certificate key too weak/, tooWeakKey],
  [
    /^CA certificate key too weak/,
    {
      why: 'the certificate is refused: the key of a CA above it is too short',
      cure: newCertificate('of a CA with a key of at least 2,048 bits (RSA) or 224 bits (EC)'),
    },
  ],
  [/subtree violation|name constraint/, forbiddenName],
  [
    /hostname mismatch|IP address mismatch/,
    { why: 'the certificate is for another name', cure: 'use a name of the certificate in the address' },
  ],
  [
    /unhandled critical extension/,
    {
      why: 'the certificate is refused: it has a critical extension that OpenSSL does not know',
      cure: newCertificate('without this extension, or let its CA mark it as not critical'),
    },
  ],
  [/signature algorithm|signature type/i, { ...unsuitable, cure: newCertificate('signed with RSA or ECDSA and SHA-256') }],
  [/key usage|purpose|non-CA|CA cert/i, notThisUse],
  [/CRL/, noList],
]

function verificationOf(error: NodeError): Words | undefined {
  const { code } = error
  if (Object.hasOwn(verification, code)) return verification[code]
  if (!otherVerification.test(code)) return undefined
  if (code.includes('CRL')) return noList
  return code === 'UNSPECIFIED' ? (byOpensslWords.find(([words]) => words.test(error.message))?.[1] ?? unsuitable) : unsuitable
}

/** Node adds an advice to some of them. */
const opensslWords = ({ message }: NodeError): string => visible((message.split(';', 1)[0] ?? '').slice(0, 100)) || 'without a reason'

const namesMax = 5

/** The names of the certificate, as Node lists them: `DNS:a.example.com, IP Address:10.0.0.1`. */
function otherName({ code, host, cert }: NodeError, asked: string): TlsTrouble {
  const names = namesIn(cert)
  const wanted = typeof host === 'string' && host !== '' ? host : asked
  const whose = names.length === 0 ? '' : `: it is for ${listedFirst(names.slice(0, namesMax), names.length)}, not for ${visible(wanted)}`
  return {
    kind: 'otherName',
    why: `the certificate is for another name${whose} (${code})`,
    cure: 'use a name of the certificate in the address, or give the server a certificate for this name',
  }
}

function namesIn(cert: unknown): readonly string[] {
  const field = (of: unknown, name: string): unknown => (of instanceof Object ? Reflect.get(of, name) : undefined)
  const alternative = field(cert, 'subjectaltname')
  const common = field(field(cert, 'subject'), 'CN')
  // Without alternative names Node compares the common name.
  const names = typeof alternative === 'string' ? alternative.split(', ') : [common].flat().filter((name) => typeof name === 'string')
  return names.map((name) => visible(name.replace(/^(?:DNS|IP Address):/, '').slice(0, 100)))
}

type Handshake = { readonly kind?: TlsTrouble['kind']; readonly why: string; readonly cure: string }

const anyHandshake: Handshake = {
  why: 'TLS failed',
  cure: 'check that this port speaks TLS, and which versions of TLS the server accepts; its log has the reason',
}
const oldVersion: Handshake = {
  why: 'the server does not speak TLS 1.2 or 1.3, and older versions are no longer safe',
  cure: 'switch on TLS 1.2 or 1.3 in the server, or renew a server that does not have it',
}
const noCommonCipher: Handshake = {
  why: 'the server and this program have no cipher in common',
  cure: 'switch on TLS 1.3 in the server, or a cipher of TLS 1.2 such as ECDHE-RSA-AES256-GCM-SHA384',
}
const plainText: Handshake = {
  kind: 'plainText',
  why: 'TLS failed: the port answers without TLS',
  cure: 'check that this port speaks TLS; use the port of the server for TLS',
}
const weakHandshake: Handshake = {
  why: 'the server signs the beginning of TLS in a way that is no longer safe, such as with SHA-1',
  cure: 'switch on TLS 1.3, or SHA-256 for signatures of TLS 1.2, in the server, and give it a certificate with an RSA or EC key',
}
const ownCertificate: Handshake = {
  kind: 'clientCertificate',
  why: 'the certificate that this program would show is not safe enough: its key is too short, or it is signed with SHA-1 or MD5',
  cure: 'make a new certificate, with a key of at least 2,048 bits (RSA) or 224 bits (EC), that its CA signs with SHA-256',
}

/** Codes of OpenSSL without an alert: what this side finds. They end with the reason, and begin with `ERR_SSL_`. */
const reasons: Readonly<Record<string, Handshake>> = {
  WRONG_VERSION_NUMBER: plainText,
  PACKET_LENGTH_TOO_LONG: plainText,
  RECORD_TOO_SMALL: plainText,
  HTTP_REQUEST: plainText,
  UNKNOWN_PROTOCOL: plainText,
  UNSUPPORTED_PROTOCOL: oldVersion,
  NO_PROTOCOLS_AVAILABLE: oldVersion,
  WRONG_SSL_VERSION: oldVersion,
  NO_SHARED_CIPHER: noCommonCipher,
  NO_CIPHERS_AVAILABLE: noCommonCipher,
  WRONG_CIPHER_RETURNED: noCommonCipher,
  UNKNOWN_CIPHER_RETURNED: noCommonCipher,
  DH_KEY_TOO_SMALL: {
    why: 'the server uses Diffie-Hellman with a number that is too short',
    cure: 'give the server parameters of at least 2,048 bits (openssl dhparam 2048), or ciphers with ECDHE',
  },
  UNSAFE_LEGACY_RENEGOTIATION_DISABLED: {
    why: 'the server, or a device before it, knows only the unsafe renegotiation of TLS (before RFC 5746, of 2010)',
    cure: 'renew the server or the device before it, or switch on secure renegotiation or TLS 1.3 there',
  },
  LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED: weakHandshake,
  WRONG_SIGNATURE_TYPE: weakHandshake,
  NO_SUITABLE_SIGNATURE_ALGORITHM: weakHandshake,
  EE_KEY_TOO_SMALL: ownCertificate,
  CA_KEY_TOO_SMALL: ownCertificate,
  CA_MD_TOO_WEAK: ownCertificate,
  UNEXPECTED_EOF_WHILE_READING: {
    why: 'the server ended the connection in the middle of TLS',
    cure: 'look for the reason in the log of the server, or of a proxy before it',
  },
}

const handshakeOf = (code: string): Handshake | undefined => {
  const reason = code.replace(/^ERR_SSL_/, '')
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
}

const showsCertificates =
  'this program shows a certificate to an LDAP server (bind.external) and to a token endpoint (client.tls), to no other'
const refusesOurs = (why: string, cure: string): Handshake => ({
  kind: 'clientCertificate',
  why: `the server does not accept a certificate of this program: ${why}`,
  cure: `${cure}; ${showsCertificates}`,
})

/**
 * The alerts of the server, by number (https://www.iana.org/assignments/tls-parameters#tls-parameters-6). Node's codes for them change with the version
 * of OpenSSL: 40 is `ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE` or `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`.
 */
const alerts: Readonly<Record<number, Handshake>> = {
  40: {
    why: 'the server ends the handshake of TLS without a reason',
    cure: `${noCommonCipher.cure}; if the server demands a certificate of this program: ${showsCertificates}`,
  },
  42: refusesOurs('it is damaged, or there is none', 'let the server trust it, or not demand one'),
  43: refusesOurs('it is of a kind that the server does not know', 'make one with an RSA or EC key'),
  44: refusesOurs('it is revoked', 'make a new one'),
  45: refusesOurs('it has expired', 'renew it, and check the clock of the server'),
  46: refusesOurs('for a reason that the server does not tell', "look for the reason in the server's log"),
  48: refusesOurs('the server does not know its CA', 'add its CA to those that the server trusts'),
  49: refusesOurs('it may not be used here', 'map it to an account in the server'),
  70: oldVersion,
  71: noCommonCipher,
  80: {
    why: 'the server has an error in its own TLS',
    cure: "look for the reason in the server's log: it may lack a certificate or its key",
  },
  112: {
    why: 'the server knows no certificate for the name in the address (SNI)',
    cure: 'use a name in the address that the server, or the proxy before it, serves',
  },
  116: refusesOurs('there is none, and the server demands one', 'let the server not demand one'),
}

/** The same by the code of Node alone, for an error without the text of OpenSSL. */
const alertWords: Readonly<Record<string, number>> = {
  HANDSHAKE_FAILURE: 40,
  BAD_CERTIFICATE: 42,
  UNSUPPORTED_CERTIFICATE: 43,
  CERTIFICATE_REVOKED: 44,
  CERTIFICATE_EXPIRED: 45,
  CERTIFICATE_UNKNOWN: 46,
  UNKNOWN_CA: 48,
  ACCESS_DENIED: 49,
  PROTOCOL_VERSION: 70,
  INSUFFICIENT_SECURITY: 71,
  INTERNAL_ERROR: 80,
  UNRECOGNIZED_NAME: 112,
  CERTIFICATE_REQUIRED: 116,
}

function alertIn({ code, message }: Pick<NodeError, 'code' | 'message'>): number | undefined {
  const [, number] = /\bSSL alert number (\d{1,3})\b/.exec(message) ?? []
  if (number !== undefined) return Number(number)
  const [, word = ''] = /^ERR_SSL_(?:TLSV1(?:3)?|SSLV3|SSL\/TLS)_+(?:ALERT_)?(\w+)$/.exec(code) ?? []
  return Object.hasOwn(alertWords, word) ? alertWords[word] : undefined
}

/** A server that wants no certificate, and gets one, does not send these. */
const aboutClient: ReadonlySet<number | undefined> = new Set([42, 43, 44, 45, 46, 48, 49, 116])

/**
 * The code of the TLS alert by which a server refuses the certificate of the client; undefined for any other error. A server may also only close the
 * connection: undici reports nothing else with TLS 1.3, and slapd with GnuTLS does so with any version (measured).
 */
export function clientCertificateAlert(error: unknown): string | undefined {
  for (const at of errorChain(error)) {
    if (!(at instanceof Error) || !('code' in at) || typeof at.code !== 'string') continue
    if ((at.code.startsWith('ERR_SSL_') || at.code === 'EPROTO') && aboutClient.has(alertIn({ code: at.code, message: at.message })))
      return at.code
  }
  return undefined
}
