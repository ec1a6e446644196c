import type { OpenCall } from './call.ts'
import { json, type Reply } from './reply.ts'

/**
 * `POST /auth/o/token/`: client credentials (RFC 6749 §4.4) with HTTP Basic authentication, and the installation of the
 * application as `app_installation_id`. There is no refresh token; errors are those of RFC 6749 §5.2.
 */
export function issueToken({ request, state, chance, nowMs }: OpenCall): Reply {
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    return refusal(400, 'invalid_request', 'The body must be application/x-www-form-urlencoded.')
  }
  const client = basic(request.headers.authorization)
  const application = state.applications.find(({ clientId, clientSecret }) => clientId === client?.id && clientSecret === client.secret)
  if (application === undefined) return refusal(401, 'invalid_client', 'Client authentication failed.', { 'WWW-Authenticate': 'Basic' })
  const form = new URLSearchParams(request.body.toString())
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
  state.tokens = [...state.tokens.filter(({ expiresAt }) => expiresAt > nowMs), token]
  return json(
    200,
    { access_token: token.value, token_type: 'Bearer', expires_in: application.tokenLifetimeS, scope: scopes.join(' ') },
    { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  )
}

/** Identifier and secret may be form-encoded before Basic joins them (RFC 6749 §2.3.1); many clients do not. */
function basic(header: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(header ?? '')?.[1]
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
