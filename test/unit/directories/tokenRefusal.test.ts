import { ResponseBodyError } from 'openid-client'
import { expect, test } from 'vitest'
import { tokenRefusal } from '../../../src/directories/overHttp/tokenRefusal.ts'
import { NoAnswer } from '../../../src/http/origin.ts'

const circumstances = {
  clientId: 'reader',
  check: 'check the certificate',
  home: new URL('https://sso.example.com/realms/t'),
  at: 'https://sso.example.com/token',
  said: '',
  now: () => 0,
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

test('a token endpoint that does not exist: only a Keycloak has a realm', () => {
  const notFound = new ResponseBodyError('x', { cause: { error: 'x' }, response: new Response(null, { status: 404 }) })
  const other = { ...circumstances, showsCertificate: false }
  expect(tokenRefusal(notFound, other)).toMatchObject({ code: 'missing', cure: expect.stringContaining('the realm') })
  const home = new URL('https://login.example.com/t/oauth2/v2.0/token')
  expect(tokenRefusal(notFound, { ...other, home })).toMatchObject({ cure: `check the address in ${home.href}` })
})
