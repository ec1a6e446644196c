import { ClientError, ResponseBodyError } from 'openid-client'
import { expect, test } from 'vitest'
import { tokenRefusal } from '../../../src/directories/overHttp/tokenRefusal.ts'
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

test('the password of an address in a redirect is not shown', () => {
  const response = new Response(null, { status: 302, headers: { location: 'https://u:secretpw@evil.example/x' } })
  const odd = new ClientError('x', { cause: response })
  expect(tokenRefusal(odd, { ...circumstances, showsCertificate: false })).toMatchObject({
    message: 'https://sso.example.com/token: 302, a redirect to https://•••@evil.example/x, which is not followed',
  })
})
