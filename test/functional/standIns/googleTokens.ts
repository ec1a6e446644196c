import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { json, statusBody } from './googleAnswers.ts'
import type { GoogleMember } from './googleMembers.ts'

/** What an administrator of the stand-in has set up. */
export type Tenant = {
  readonly customer?: string
  readonly domains?: readonly string[]
  /** Service accounts with an admin role that may read groups. Default: `reader@…`. */
  readonly readers?: readonly string[]
  /** Users with such a role. Default: `admin@example.com`. */
  readonly admins?: readonly string[]
  /** Whether the service account may act for users with the scope. Default: true. */
  readonly isDelegated?: boolean
  /** Id of a group → its direct members. */
  readonly members?: Readonly<Record<string, readonly GoogleMember[]>>
  /** Seconds for which tokens are valid. */
  readonly lifetimeS?: number
}

export const reader = 'reader@project.iam.gserviceaccount.com'
export const provider = 'projects/123456/locations/global/workloadIdentityPools/pool/providers/cluster'
const groupsScope = 'https://www.googleapis.com/auth/admin.directory.group.readonly'
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyId = 'a1b2c3'

/** The file of a key, as Google makes it: https://cloud.google.com/iam/docs/keys-create-delete */
export const keyFile = (email: string = reader, more: object = {}): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'project',
    private_key_id: keyId,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: email,
    client_id: '100000000000000000001',
    ...more,
  })

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The token of a workload, as another issuer makes it. The stand-in knows it by its subject. */
export const workloadJwt = (sub = 'system:serviceaccount:plane:sync'): string => `${base64url({ alg: 'RS256' })}.${base64url({ sub })}.c2ln`

type Claims = Readonly<Record<'iss' | 'sub' | 'scope' | 'aud', string | undefined>> & { readonly iat: number; readonly exp: number }
type Asked = { readonly body: string; readonly authorization: string; readonly base: string }

/** The endpoints that give tokens, and what is known of the tokens. */
export function tokenEndpoints({ readers = [reader], admins = ['admin@example.com'], isDelegated = true, lifetimeS = 3_599 }: Tenant) {
  /** Token → who it belongs to. */
  const tokens = new Map<string, string>()
  const bearerOf = (authorization: string) => authorization.replace(/^Bearer /, '')

  function issue(account: string): string {
    const token = `ya29.token-${tokens.size + 1}`
    tokens.set(token, account)
    return token
  }

  function answer(key: string, asked: Asked, response: ServerResponse): void {
    if (key === 'token') return void exchangeJwt(asked, response)
    if (key === 'sts') return void exchangeForeign(asked, response)
    return void useServiceAccount(key, asked, response)
  }

  /** https://developers.google.com/identity/protocols/oauth2/service-account#error-codes */
  function exchangeJwt({ body, base, authorization }: Asked, response: ServerResponse): true {
    const form = new URLSearchParams(body)
    const refuse = (status: number, error: string, error_description: string) => json(response, status, { error, error_description })
    if (authorization !== '' || form.has('client_id')) return refuse(400, 'invalid_request', 'no client is expected')
    if (form.get('grant_type') !== jwtBearer) return refuse(400, 'unsupported_grant_type', 'Invalid grant_type')
    const [header = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned) return refuse(400, 'invalid_grant', 'Invalid JWT Signature.')
    const nowS = Date.now() / 1000
    if (claims.exp - claims.iat > 3_600 || Math.abs(claims.iat - nowS) > 300 || claims.aud !== `${base}/token`)
      return refuse(
        400,
        'invalid_grant',
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      )
    if (claims.scope !== groupsScope) return refuse(400, 'invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
    if (claims.sub !== undefined && !isDelegated)
      return refuse(
        401,
        'unauthorized_client',
        'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
      )
    if (claims.sub !== undefined && !admins.includes(claims.sub) && !claims.sub.endsWith('@example.com'))
      return refuse(400, 'invalid_grant', 'Invalid email or User ID')
    return json(response, 200, { access_token: issue(claims.sub ?? claims.iss ?? ''), expires_in: lifetimeS, token_type: 'Bearer' })
  }

  /** https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token */
  function exchangeForeign({ body, authorization }: Asked, response: ServerResponse): true {
    const form = Object.fromEntries(new URLSearchParams(body))
    const refuse = (error: string, error_description: string) => json(response, 400, { error, error_description })
    if (authorization !== '') return refuse('invalid_request', 'no Authorization header is expected')
    if (form['audience'] !== `//iam.googleapis.com/${provider}`)
      return refuse(
        'invalid_target',
        'The target service indicated by the "audience" parameters is invalid. This might either be because the pool or provider is disabled or deleted or because it doesn\'t exist.',
      )
    const isWhole =
      form['grant_type'] === 'urn:ietf:params:oauth:grant-type:token-exchange' &&
      form['requested_token_type'] === 'urn:ietf:params:oauth:token-type:access_token' &&
      form['subject_token_type'] === 'urn:ietf:params:oauth:token-type:jwt' &&
      form['scope'] === 'https://www.googleapis.com/auth/iam'
    if (!isWhole) return refuse('invalid_request', 'Invalid value for a field.')
    const { sub = '' } = JSON.parse(Buffer.from(form['subject_token']?.split('.')[1] ?? '', 'base64url').toString()) as { sub?: string }
    if (!sub.startsWith('system:serviceaccount:plane:'))
      return refuse('unauthorized_client', 'The given credential is rejected by the attribute condition.')
    return json(response, 200, {
      access_token: issue(`principal://${sub}`),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3_600,
    })
  }

  /** https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts */
  function useServiceAccount(method: string, { body, authorization }: Asked, response: ServerResponse): true {
    const isFederated = tokens.get(bearerOf(authorization))?.startsWith('principal://') ?? false
    if (!isFederated) return json(response, 401, statusBody(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'))
    const asked = JSON.parse(body) as { readonly scope?: readonly string[]; readonly payload?: string }
    if (method === 'signJwt') {
      const content = `${base64url({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${Buffer.from(asked.payload ?? '').toString('base64url')}`
      return json(response, 200, {
        keyId,
        signedJwt: `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`,
      })
    }
    if (asked.scope?.join() !== groupsScope)
      return json(response, 400, statusBody(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'))
    return json(response, 200, { accessToken: issue(reader), expireTime: new Date(Date.now() + 3_600_000).toISOString() })
  }

  return {
    answer,
    isValid: (authorization: string) => authorization === 'Bearer static-token' || tokens.has(bearerOf(authorization)),
    mayRead: (authorization: string) =>
      authorization === 'Bearer static-token' || [...readers, ...admins].includes(tokens.get(bearerOf(authorization)) ?? ''),
  }
}
