import { describe, expect, test } from 'vitest'
import { difference } from '../../../src/directories/google/list.ts'
import { exchangeCure, jwtCure, reasonsIn } from '../../../src/directories/google/refusal.ts'
import { claimsOf } from '../../../src/directories/google/tokens.ts'

describe('two orders of one list', () => {
  const a = { id: '1', email: 'a@example.com', name: 'A' }
  const b = { id: '2', email: 'b@example.com', name: 'B' }
  test('are the same groups, whatever their order', () => expect(difference([a, b], [b, a])).toBeUndefined())

  test.each([
    ['a group only in the first', [a, b], [a], 'b@example.com (2)'],
    ['a group only in the second', [a], [a, b], 'b@example.com (2)'],
    ['another address', [a, b], [a, { ...b, email: 'c@example.com' }], 'b@example.com (2)'],
    ['another name', [a, b], [{ ...a, name: 'Ä' }, b], 'a@example.com (1)'],
    ['a name that is missing', [a, b], [{ id: '1', email: 'a@example.com' }, b], 'a@example.com (1)'],
    ['another group with the same address', [a, b], [{ ...a, id: '3' }, b], 'a@example.com (1)'],
    ['a name of a terminal', [{ ...a, email: 'a\u001b[2J' }], [], 'a\\u{1b}[2J (1)'],
  ])('%s', (_, one, other, shown) => expect(difference(one, other)).toContain(`the group ${shown} is not the same`))
})

test('the reasons of both forms of an error', () => {
  const errors = [{ reason: 'quotaExceeded', domain: 'usageLimits' }]
  expect(reasonsIn({ error: { errors, code: 403 } })).toEqual(new Set(['quotaExceeded']))
  expect(reasonsIn({ error: { status: 'PERMISSION_DENIED', details: [{ '@type': 'x' }, { reason: 'SERVICE_DISABLED' }] } })).toEqual(
    new Set(['PERMISSION_DENIED', 'SERVICE_DISABLED']),
  )
  for (const other of [undefined, null, 'x', [], {}, { error: 'invalid_grant' }, { error: { errors: 'x' } }])
    expect(reasonsIn(other)).toEqual(new Set())
})

test('the claims are in whole seconds, and valid for an hour', () => {
  const tokenUrl = new URL('https://oauth2.googleapis.com/token')
  expect(claimsOf({ email: 'r@p', subject: undefined, tokenUrl }, 1_999)).toMatchObject({ aud: tokenUrl.href, iat: 1, exp: 3_601 })
})

/** Texts of Google. */
test.each([
  ['unauthorized_client: Client is unauthorized to retrieve access tokens using this method', 'admin@e', 'domain-wide delegation'],
  ['access_denied: Requested client not authorized', 'admin@e', 'domain-wide delegation'],
  ['unauthorized_client: x', undefined, 'exists and is not disabled'],
  ['invalid_grant: Invalid JWT Signature.', undefined, 'make a new one'],
  ['invalid_grant: Invalid JWT: No valid verifier found for issuer', undefined, 'make a new one'],
  ['invalid_grant: Invalid grant: account not found', 'admin@e', 'was deleted'],
  [
    'invalid_grant: Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp',
    'admin@e',
    'clock',
  ],
  ['invalid_grant: Invalid email or User ID', 'admin@e', 'check that account.subject, admin@e'],
  ['invalid_grant: Not a valid email', 'admin@e', 'check that account.subject, admin@e'],
  ['invalid_request: Invalid impersonation prn email address', 'admin@e', 'check that account.subject, admin@e'],
  ['invalid_scope: Invalid OAuth scope or ID token audience provided.', undefined, 'may use the scope'],
  ['invalid_grant: Bad Request', 'admin@e', 'the user admin@e and the key exist'],
  ['', undefined, 'the service account r@p and the key exist'],
])('%s: %s %s', (said, subject, cure) => expect(jwtCure(said, { email: 'r@p', subject })).toContain(cure))

test.each([
  ['invalid_target: The target service indicated by the "audience" parameters is invalid.', 'check account.workloadIdentity.provider, p'],
  ['unauthorized_client: The given credential is rejected by the attribute condition.', 'attribute condition of the provider p'],
  ["invalid_grant: Error connecting to the given credential's issuer.", 'Google must reach the keys'],
  ['invalid_grant: The audience in ID Token does not match the expected audience.', 'the issuer and the audience'],
])('%s: %s', (said, cure) => expect(exchangeCure(said, 'p')).toContain(cure))
