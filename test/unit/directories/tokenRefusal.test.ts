import { ClientError, ResponseBodyError } from 'openid-client'
import { expect, test } from 'vitest'
import { oauthCure, tokenRefusal } from '../../../src/directories/overHttp/tokenRefusal.ts'
import { NoAnswer } from '../../../src/http/origin.ts'

const circumstances = {
  account: 'client "reader"',
  check: 'check the certificate',
  home: new URL('https://sso.example.com/realms/t'),
  at: 'https://sso.example.com/token',
  detail: '',
  wall: () => 0,
}
const noAnswer = (code: 'tls' | 'cut', cause: string) =>
  new NoAnswer(code, false, 0, `it failed (${cause})`, Object.assign(new Error('x'), { code: cause }), 'GET x', 'the usual cure')

test.each([
  ['tls', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'check the certificate'],
  ['tls', 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'check the certificate'],
  ['tls', 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'check the certificate'],
  ['tls', 'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'check the certificate'],
  ['tls', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'check the certificate'],
  ['tls', 'ERR_SSL_WRONG_VERSION_NUMBER', 'the usual cure'],
  ['tls', 'CERT_HAS_EXPIRED', 'the usual cure'],
  ['cut', 'UND_ERR_SOCKET', 'check the certificate'],
] as const)('a client certificate, and %s by %s: %s', (code, cause, cure) => {
  const error = noAnswer(code, cause)
  expect(tokenRefusal(error, { ...circumstances, showsCertificate: true })).toMatchObject({ cure })
  expect(tokenRefusal(error, { ...circumstances, showsCertificate: false })).toMatchObject({ cure: 'the usual cure' })
})

test.each([
  ['https://sso.example.com/realms/t', 'a Keycloak may have a path before /realms/'],
  ['https://oauth2.example.com/token', 'check the address https://oauth2.example.com/token'],
])('a 404 of %s: %s', (home, cure) => {
  const error = new ResponseBodyError('x', { cause: { error: 'x' }, response: new Response(null, { status: 404 }) })
  const refusal = tokenRefusal(error, { ...circumstances, home: new URL(home), showsCertificate: false })
  expect(refusal).toMatchObject({ code: 'missing', cure: expect.stringContaining(cure) })
})

test.each([
  ['invalid_target', 'credentials'],
  ['access_denied', 'credentials'],
  ['busy', 'failing'],
])('400 %s: %s', (error, code) => {
  const body = new ResponseBodyError('x', { cause: { error }, response: new Response(null, { status: 400 }) })
  expect(tokenRefusal(body, { ...circumstances, showsCertificate: false })).toMatchObject({ code })
})

test.each([
  ['invalid_dpop_proof', 'The DPoP proof JWT header is missing.'],
  ['use_dpop_nonce', ''],
  ['invalid_request', 'DPoP proof is missing'],
])('a client that must prove its key, %s: DPoP is switched off', (error, description) => {
  const body = new ResponseBodyError('x', { cause: { error }, response: new Response(null, { status: 400 }) })
  const refusal = tokenRefusal(body, { ...circumstances, detail: `${error}: ${description}`, showsCertificate: false })
  expect(refusal).toMatchObject({ code: 'credentials', retryable: false, cure: expect.stringMatching(/^switch DPoP off.*Okta.*Keycloak/) })
})

test('a token of the type DPoP: the same cure', () => {
  const error = new TypeError('the token is of the type DPoP, and this program uses only tokens of the type Bearer')
  expect(tokenRefusal(error, { ...circumstances, showsCertificate: false })).toMatchObject({
    cure: expect.stringMatching(/^switch DPoP off/),
  })
})

test.each([
  ['invalid_scope: unknown', /grant it to the client/],
  ['unsupported_grant_type', /switch this grant on/],
  ['invalid_request: HTTPS required', /use https/],
  ['invalid_client: invalid_scope', undefined],
  ['', undefined],
])('%j is about something else than the secret', (detail, cure) => {
  expect(oauthCure(detail)).toEqual(cure === undefined ? undefined : expect.stringMatching(cure))
})

test('the password of an address in a redirect is not shown', () => {
  const response = new Response(null, { status: 302, headers: { location: 'https://u:secretpw@evil.example/x' } })
  const odd = new ClientError('x', { cause: response })
  expect(tokenRefusal(odd, { ...circumstances, showsCertificate: false })).toMatchObject({
    message: 'https://sso.example.com/token: 302, a redirect to https://•••@evil.example/x, which is not followed',
  })
})
