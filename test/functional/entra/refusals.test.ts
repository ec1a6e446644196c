import { describe, expect, test } from 'vitest'
import { application, clientId, graphError, tenantId, tokenError } from '../standIns/entra.ts'
import { always, directory, first, never, reading, usual } from './world.ts'

describe('a refusal says what to do', () => {
  test.each([
    [401, 'InvalidAuthenticationToken', 'the token is refused (InvalidAuthenticationToken)', 'the clock of this machine'],
    [401, 'Authorization_IdentityNotFound', 'no account in this tenant', 'consent to the permissions of client'],
    [403, 'Authorization_RequestDenied', `client "${clientId}" may not read this`, 'application permission GroupMember.Read.All of'],
    [404, 'Request_ResourceNotFound', 'Graph does not know this address', 'check cloud and graphUrl'],
    [400, 'Directory_ExpiredPageToken', 'the link to the next page has expired', 'raise pageSize'],
    [400, 'Request_BadRequest', 'Graph does not accept this request', 'set checkTotal: false'],
    [400, 'Request_UnsupportedQuery', 'Graph does not accept this request', 'set checkTotal: false'],
  ])('%i %s of Graph', async (status, code, why, cure) => {
    const { result, asked } = await reading(
      usual,
      first('groups', always, (response) => graphError(response, status, code)),
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why), cure: expect.stringContaining(cure) })
    expect(asked.filter((key) => key === 'groups').length).toBeLessThanOrEqual(2)
  })

  test.each([
    [401, 'invalid_client', 7000215, 'the value of the client secret'],
    [401, 'invalid_client', 7000222, 'the secret has expired'],
    [400, 'unauthorized_client', 700016, 'check client.id, the application (client) id, and tenant'],
    [400, 'invalid_request', 90002, 'check tenant and cloud'],
    [401, 'invalid_client', 700024, 'the clock of this machine is right'],
    [401, 'invalid_client', 700027, 'upload the certificate'],
    [400, 'invalid_request', 70021, 'issuer, subject and audience'],
    [401, 'invalid_client', 700213, 'issuer, subject and audience'],
    [400, 'invalid_resource', 500011, 'check cloud'],
    [401, 'invalid_client', 9999999, `check the id "${clientId}", its secret`],
  ])('%i %s AADSTS%i of the token endpoint', async (status, error, number, cure) => {
    const { result, asked } = await reading(
      usual,
      first('token', always, (response) => tokenError(response, status, error, number, 'Something.')),
    )
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(
        new RegExp(`/${tenantId}/oauth2/v2\\.0/token: client "${clientId}" is refused, ${status} .*AADSTS${number}`),
      ),
      cure: expect.stringContaining(cure),
    })
    expect(asked).toEqual(['token'])
  })

  test('an unknown number: the usual check of a client, without a setting that this kind lacks', async () => {
    const unknown = first('token', always, (response) => tokenError(response, 401, 'invalid_client', 9_999_999, 'Something.'))
    const { result } = await reading(usual, unknown)
    expect(result).toMatchObject({
      cure: expect.stringMatching(/its secret, and that the client may use service accounts \(client credentials\)$/),
    })
  })

  test.each([
    ['tenant', { tenant: 'contoso.onmicrosoft.com' }, 'AADSTS90002'],
    ['client', { clientId: application }, 'AADSTS700016'],
    ['secret', { secret: 'another' }, 'AADSTS7000215'],
  ])('a wrong %s', async (_, part, number) => {
    expect((await reading(usual, never, part)).result).toMatchObject({ status: 'failed', why: expect.stringContaining(number) })
  })

  test('an error of the token endpoint that may be over soon is asked again', async () => {
    const busy = first('token', 1, (response) => tokenError(response, 503, 'temporarily_unavailable', 90033, 'A transient error.'))
    expect((await reading(usual, busy)).result.status).toBe('complete')
  })

  test('plain http to another host: nothing is sent', async () => {
    expect(await directory(new URL('http://graph.example.org')).read(AbortSignal.timeout(5_000))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('without encryption'),
    })
  })
})
