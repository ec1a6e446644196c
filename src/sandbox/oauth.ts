import type { OpenCall } from './call.ts'
import { json, type Reply } from './reply.ts'
import type { Request } from './request.ts'

/** The oldest tokens end when there are more. */
const tokensMax = 10_000

/**
 * `POST /auth/o/token/`: client credentials (RFC 6749 §4.4), and the installation of the application as `app_installation_id`. The client
 * authenticates by HTTP Basic or in the body (§2.3.1); the body is a form, or JSON as Plane's Python client sends it. There is no refresh
 * token; errors are those of §5.2.
 */
export function issueToken({ request, state, chance, nowMs }: OpenCall): Reply {
  const form = readForm(request)
  if (form === undefined) return refusal(400, 'invalid_request', 'The body must be application/x-www-form-urlencoded or a JSON object.')
  const { authorization } = request.headers
  if (authorization !== undefined && form.has('client_secret')) {
    return refusal(400, 'invalid_request', 'The client must authenticate in one way only.')
  }
  const client = authorization === undefined ? inBody(form) : basic(authorization)
  const application = state.applications.find(({ clientId, clientSecret }) => clientId === client?.id && clientSecret === client.secret)
  if (application === undefined) return refusal(401, 'invalid_client', 'Client authentication failed.', { 'WWW-Authenticate': 'Basic' })
  if (form.get('grant_type') !== 'client_credentials') return refusal(400, 'unsupported_grant_type', 'Only client_credentials is served.')
  if (form.get('app_installation_id') !== application.installationId) {
    return refusal(400, 'invalid_grant', 'app_installation_id names no installation of this application.')
  }
  const asked =
    form
      .get('scope')
      ?.split(' ')
      .filter((scope) => scope !== '') ?? []
  const unknown = asked.filter((scope) => !application.scopes.includes(scope))
  if (unknown.length > 0) return refusal(400, 'invalid_scope', `Not granted to this application: ${unknown.join(' ')}`)
  const scopes = asked.length > 0 ? asked : [...application.scopes]
  const token = { value: chance.token(), clientId: application.clientId, scopes, expiresAt: nowMs + application.tokenLifetimeS * 1000 }
  state.tokens = [...state.tokens.filter(({ expiresAt }) => expiresAt > nowMs), token].slice(-tokensMax)
  return json(
    200,
    { access_token: token.value, token_type: 'Bearer', expires_in: application.tokenLifetimeS, scope: scopes.join(' ') },
    { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  )
}

function readForm({ headers, body }: Request): URLSearchParams | undefined {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(body.toString())
  if (type !== 'application/json') return undefined
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return new URLSearchParams(Object.entries(value).filter((field): field is [string, string] => typeof field[1] === 'string'))
  } catch {
    return undefined
  }
}

function inBody(form: URLSearchParams): { id: string; secret: string } | undefined {
  const id = form.get('client_id')
  const secret = form.get('client_secret')
  return id === null || secret === null ? undefined : { id, secret }
}

/** Identifier and secret may be form-encoded before Basic joins them (RFC 6749 §2.3.1); many clients do not. */
function basic(header: string): { id: string; secret: string } | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(header)?.[1]
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  return id === undefined || secret === undefined ? undefined : { id: formDecoded(id), secret: formDecoded(secret) }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text // a bare percent sign: it was not encoded
  }
}

const refusal = (status: number, code: string, text: string, headers?: Record<string, string>): Reply =>
  json(status, { error: code, error_description: text }, headers)
