import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../src/directories/ldap/failure.ts'
import { connectionTrouble } from '../../../src/http/connectionTrouble.ts'
import { clientCertificateAlert } from '../../../src/http/tlsTrouble.ts'
import { ProxyFailure, whyNoAnswer } from '../../../src/http/whyNoAnswer.ts'

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes, without those that name another cause below. */
const certificateCodes = [
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_CRL', 'UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'UNABLE_TO_DECRYPT_CRL_SIGNATURE'],
  ...['UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'CERT_SIGNATURE_FAILURE', 'CRL_SIGNATURE_FAILURE', 'CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'],
  ...['CRL_NOT_YET_VALID', 'CRL_HAS_EXPIRED', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
  ...['ERROR_IN_CRL_LAST_UPDATE_FIELD', 'ERROR_IN_CRL_NEXT_UPDATE_FIELD', 'OUT_OF_MEM', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_CHAIN_TOO_LONG'],
  ...['CERT_REVOKED', 'INVALID_CA', 'PATH_LENGTH_EXCEEDED', 'INVALID_PURPOSE', 'CERT_UNTRUSTED', 'CERT_REJECTED'],
]
const otherNameCodes = ['HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID']
const handshakeCodes = [
  ...['EPROTO', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_OSSL_EVP_UNSUPPORTED', 'ERR_SSL_UNSUPPORTED_PROTOCOL', 'ERR_SSL_NO_SHARED_CIPHER'],
  ...['ERR_SSL_DH_KEY_TOO_SMALL', 'ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED', 'ERR_SSL_LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED'],
  ...['ERR_SSL_UNEXPECTED_EOF_WHILE_READING'],
]
const networkCodes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EACCES', 'EPERM']

const coded = (code: string, message = `an error ${code}`): Error & { code: string } => Object.assign(new Error(message), { code })
const answer = (error: Error) =>
  whyNoAnswer(error, {
    url: new URL('https://plane.example.com'),
    deadlineMs: 1_000,
    hasCaFile: false,
    sent: false,
    aborted: false,
    late: false,
    waitedFor: undefined,
    proxy: { variable: 'https_proxy', hasPassword: false },
  })
const ldap = (error: Error) =>
  failureOf(error, { step: 'open', address: 'ldaps://ldap.example.com:636', what: 'bind', account: 'cn=r', timeoutMs: 1_000 })

describe('a code of Node has one sentence and a cure, whichever protocol met it', () => {
  test.each([
    ...certificateCodes.map((code) => [code, 'certificate', 'tls'] as const),
    ...otherNameCodes.map((code) => [code, 'otherName', 'tls'] as const),
    ...handshakeCodes.map((code) => [code, 'handshake', 'tls'] as const),
    ...networkCodes.map((code) => [code, 'network', 'unreachable'] as const),
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'plainText', 'tls'] as const,
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'plainText', 'tls'] as const,
    ['ERR_SSL_EE_KEY_TOO_SMALL', 'clientCertificate', 'tls'] as const,
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'clientCertificate', 'tls'] as const,
    ['ENOTFOUND', 'resolver', 'unreachable'] as const,
    ['EAI_AGAIN', 'resolver', 'unreachable'] as const,
  ])('%s: %s', (code, kind, noAnswer) => {
    const here = connectionTrouble(coded(code), 'ldap.example.com', 'system')
    expect(here?.kind).toBe(kind)
    expect(here?.why).toContain(code)
    expect(here?.cure).toMatch(/^\w.{20,}[^.]$/s)
    expect(ldap(coded(code)).message).toBe(`ldaps://ldap.example.com:636: ${here?.why}`)
    expect(ldap(coded(code)).cure).toBeDefined()
    const there = connectionTrouble(coded(code), 'plane.example.com', 'system')
    expect(answer(coded(code))).toMatchObject({ code: noAnswer, why: there?.why })
  })

  test.each(['ECONNRESET', 'UND_ERR_SOCKET', 'ENOENT', ''])('%j is about none of them', (code) => {
    expect(connectionTrouble(coded(code), 'h', 'system')).toBeUndefined()
  })
})

/** https://github.com/openssl/openssl/blob/openssl-3.5/crypto/x509/x509_txt.c: errors for which Node has no code of its own. */
const opensslWords: readonly (readonly [words: string, why: RegExp, cure: RegExp])[] = [
  [
    'CA signature digest algorithm too weak',
    /no longer safe, such as with SHA-1 or MD5/,
    /new certificate whose whole chain is signed with SHA-256/,
  ],
  ['EE certificate key too weak', /the key of the server is too short/, /new certificate with a key of at least 2,048 bits/],
  ['CA certificate key too weak', /the key of a CA above it is too short/, /of a CA with a key of at least 2,048 bits/],
  ['permitted subtree violation', /may not issue certificates for this name/, /of a CA that may issue it for this name/],
  ['excluded subtree violation', /may not issue certificates for this name/, /of a CA that may issue it for this name/],
  ['unhandled critical extension', /a critical extension/, /without this extension/],
  ['key usage does not include certificate signing', /not made for a server/, /serverAuth/],
  ['invalid non-CA certificate (has CA markings)', /not made for a server/, /serverAuth/],
  ['hostname mismatch', /for another name/, /name of the certificate/],
  ['Cannot find certificate signature algorithm', /breaks a rule of X.509/, /SHA-256/],
  ['unable to get CRL issuer certificate', /list of revoked certificates/, /reads no such lists/],
  ['Subject name empty', /breaks a rule of X.509/, /new certificate/],
  ['words of a later version', /breaks a rule of X.509/, /new certificate/],
]

describe('UNSPECIFIED, Node’s code for all other errors of OpenSSL, is never said', () => {
  test.each(opensslWords)('%s', (words, why, cure) => {
    const error = coded('UNSPECIFIED', `${words}; if the root CA is installed locally, try running Node.js with --use-system-ca`)
    for (const trust of ['system', 'caFile', 'proxy'] as const) {
      const trouble = connectionTrouble(error, 'h', trust)
      expect(trouble).toMatchObject({ kind: 'certificate', why: expect.stringMatching(why), cure: expect.stringMatching(cure) })
      expect(trouble?.why).toContain(`(${words})`)
    }
    for (const text of [ldap(error).message, answer(error).why]) expect(text).not.toMatch(/UNSPECIFIED|use-system-ca/)
  })

  test('an error without words says so', () => {
    expect(connectionTrouble(coded('UNSPECIFIED', ''), 'h', 'system')?.why).toMatch(/\(without a reason\)$/)
  })
})

describe('an alert of the server', () => {
  const text = (number: number) => `4063:error:0A0:SSL routines:ssl3_read_bytes:alert:../rec_layer_s3.c:918:SSL alert number ${number}\n`

  test.each([
    [
      40,
      'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
      /without a reason/,
      /cipher.*demands a certificate/,
    ],
    [42, 'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', /damaged, or there is none/, /bind\.external/],
    [45, 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', /it has expired/, /renew it/],
    [48, 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /does not know its CA/, /add its CA/],
    [70, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /TLS 1\.2 or 1\.3/, /switch on TLS/],
    [71, 'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY', 'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY', /no cipher in common/, /ECDHE/],
    [80, 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', /error in its own TLS/, /log/],
    [112, 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /\(SNI\)/, /name in the address/],
    [
      116,
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      /the server demands one/,
      /client\.tls/,
    ],
  ])('%i has its words, by its number or by the code of any version of OpenSSL', (number, now, before, why, cure) => {
    const expected = { why: expect.stringMatching(why), cure: expect.stringMatching(cure) }
    for (const error of [coded(now, text(number)), coded('EPROTO', text(number)), coded(now), coded(before)])
      expect(connectionTrouble(error, 'h', 'system'), error.code).toMatchObject(expected)
  })

  test.each([5, 47, 50, 51, 86, 120, 255])('%i, about which nothing more is known, is shown by its number', (number) => {
    expect(connectionTrouble(coded('ERR_SSL_X', text(number)), 'h', 'system')?.why).toBe(`TLS failed (alert ${number}, ERR_SSL_X)`)
  })

  test.each([
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', true],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', true],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', true],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', true],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', false],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', false],
    ['ECONNRESET', false],
  ])('%s is about the certificate of the client: %s', (code, isSo) => {
    expect(clientCertificateAlert(new Error('x', { cause: coded(code) })) !== undefined).toBe(isSo)
  })
})

describe('a certificate for another name', () => {
  const error = (subjectaltname: unknown, host: unknown = 'ldap', subject: unknown = { CN: 'old.example.com' }) =>
    Object.assign(coded('ERR_TLS_CERT_ALTNAME_INVALID'), { host, cert: { subjectaltname, subject } })
  const why = (...of: Parameters<typeof error>) => connectionTrouble(error(...of), 'asked', 'system')?.why

  test('is named by its own names', () => {
    expect(why('DNS:a.example.com, DNS:*.b.example.com, IP Address:10.0.0.1')).toBe(
      'the certificate is for another name: it is for a.example.com, *.b.example.com and 10.0.0.1, not for ldap (ERR_TLS_CERT_ALTNAME_INVALID)',
    )
    expect(why(undefined, null)).toContain('it is for old.example.com, not for asked')
    expect(why(undefined, 'ldap', null)).toBe('the certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)')
  })

  test('cannot fill or change the line', () => {
    const names = Array.from({ length: 500 }, (_, i) => `DNS:n${i}${'x'.repeat(300)}\u001b[2J`).join(', ')
    const said = why(names) ?? ''
    expect(said).toMatch(/and 495 more, not for ldap/)
    expect(said.length).toBeLessThan(800)
    expect(said).not.toContain('\u001b')
  })
})

test.each([
  ['system', 'check its issuers and the clock of this machine'],
  ['caFile', 'check its issuers, the certificates in caFile and the clock of this machine'],
  ['proxy', 'check its issuers and the clock of this machine'],
] as const)('an expired certificate may be a wrong clock: %s', (trust, cure) => {
  expect(connectionTrouble(coded('CERT_HAS_EXPIRED'), 'h', trust)?.cure).toBe(`renew the server's certificate; if it is valid, ${cure}`)
})

test('where a file names the trusted CAs, no cure tells to name one in the settings', () => {
  for (const code of certificateCodes)
    expect(connectionTrouble(coded(code), 'h', 'caFile')?.cure, code).not.toMatch(/in the settings|NODE_EXTRA_CA_CERTS/)
})

test.each(['Client network socket disconnected before secure TLS connection was established', 'read ECONNRESET'])(
  'a server that closes when TLS begins: %s',
  (message) => {
    expect(answer(coded('ECONNRESET', message))).toMatchObject({
      code: 'unreachable',
      why: 'the server closed the connection when TLS began (ECONNRESET)',
      cure: expect.stringContaining('that the server has a certificate'),
    })
    expect(ldap(coded('ECONNRESET', message)).cure).toMatch(/has (?:a|no) certificate/)
  },
)

test('an alert after the request may have been sent is no proof that it was not carried out', () => {
  const error = coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
  const url = new URL('https://plane.example.com')
  const failed = { url, deadlineMs: 1, hasCaFile: false, sent: true, aborted: false, late: false, waitedFor: undefined } as const
  expect(whyNoAnswer(error, { ...failed, proxy: { variable: 'https_proxy', hasPassword: false } })).toMatchObject({
    code: 'cut',
    why: expect.stringContaining('the server demands one'),
  })
})

describe('a proxy', () => {
  const through = (code: string) => answer(new ProxyFailure('https://proxy:3128', undefined, coded(code)))

  test.each([
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'no trusted CA issued it', 'in the variable NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its issuer is neither', 'in the variable NODE_EXTRA_CA_CERTS'],
    ['CERT_HAS_EXPIRED', 'the certificate has expired', 'renew'],
    ['EPROTO', 'TLS failed (EPROTO)', 'check that this port speaks TLS'],
  ])('whose TLS fails with %s is named, with the cure of this code', (code, why, cure) => {
    expect(through(code)).toMatchObject({ code: 'tls', why: expect.stringContaining(why), cure: expect.stringContaining(cure) })
    expect(through(code).why).toContain('the proxy https://proxy:3128: ')
  })

  test('that cannot be reached is no trouble of its certificate', () => {
    expect(through('ECONNREFUSED')).toMatchObject({
      code: 'unreachable',
      why: 'cannot connect to the proxy https://proxy:3128 (ECONNREFUSED)',
    })
  })
})
