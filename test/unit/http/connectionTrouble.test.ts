import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../src/directories/ldap/failure.ts'
import { connectionTrouble } from '../../../src/http/connectionTrouble.ts'
import { ProxyFailure, whyNoAnswer } from '../../../src/http/whyNoAnswer.ts'

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes, and Node's code for all others of OpenSSL. */
const certificateCodes = [
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_CRL', 'UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'UNABLE_TO_DECRYPT_CRL_SIGNATURE'],
  ...['UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'CERT_SIGNATURE_FAILURE', 'CRL_SIGNATURE_FAILURE', 'CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'],
  ...['CRL_NOT_YET_VALID', 'CRL_HAS_EXPIRED', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
  ...['ERROR_IN_CRL_LAST_UPDATE_FIELD', 'ERROR_IN_CRL_NEXT_UPDATE_FIELD', 'OUT_OF_MEM', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_CHAIN_TOO_LONG'],
  ...['CERT_REVOKED', 'INVALID_CA', 'PATH_LENGTH_EXCEEDED', 'INVALID_PURPOSE', 'CERT_UNTRUSTED', 'CERT_REJECTED', 'UNSPECIFIED'],
]
const otherNameCodes = ['HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID']
const tlsCodes = ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_OSSL_EVP_UNSUPPORTED']
const networkCodes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EACCES', 'EPERM']

const coded = (code: string): Error => Object.assign(new Error(`an error ${code}`), { code })
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
const ldap = (code: string) =>
  failureOf(coded(code), { step: 'open', address: 'ldaps://ldap.example.com:636', what: 'bind', account: 'cn=r', timeoutMs: 1_000 })

describe('a code of Node has one sentence, whichever protocol met it', () => {
  test.each([
    ...certificateCodes.map((code) => [code, 'certificate', 'tls'] as const),
    ...otherNameCodes.map((code) => [code, 'otherName', 'tls'] as const),
    ...tlsCodes.map((code) => [code, 'tls', 'tls'] as const),
    ...networkCodes.map((code) => [code, 'network', 'unreachable'] as const),
    ['ENOTFOUND', 'resolver', 'unreachable'] as const,
    ['EAI_AGAIN', 'resolver', 'unreachable'] as const,
  ])('%s: %s', (code, kind, noAnswer) => {
    const here = connectionTrouble(code, 'ldap.example.com', 'system')
    expect(here?.kind).toBe(kind)
    expect(here?.why).toContain(code)
    expect(ldap(code).message).toContain(`ldaps://ldap.example.com:636: ${here?.why}`)
    const there = connectionTrouble(code, 'plane.example.com', 'system')
    expect(answer(coded(code))).toMatchObject({ code: noAnswer, why: there?.why })
  })

  test.each(['ECONNRESET', 'UND_ERR_SOCKET', 'ENOENT', ''])('%j is about none of them', (code) => {
    expect(connectionTrouble(code, 'h', 'system')).toBeUndefined()
  })
})

test.each([
  ['system', 'check its issuers and the clock of this machine'],
  ['caFile', 'check its issuers, the certificates in caFile and the clock of this machine'],
  ['proxy', 'check its issuers and the clock of this machine'],
] as const)('an expired certificate may be a wrong clock: %s', (trust, cure) => {
  expect(connectionTrouble('CERT_HAS_EXPIRED', 'h', trust)?.cure).toBe(`renew the server's certificate; if it is valid, ${cure}`)
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
