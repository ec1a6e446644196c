import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { errorChain } from '../../core/errorText.ts'
import { visible } from '../../core/safeName.ts'
import { withoutSecretForms } from '../../core/secretText.ts'
import { NoAnswer } from '../../http/origin.ts'
import { factsOf } from '../../http/rateHeaders.ts'
import { clientCertificateAlert } from '../../http/tlsTrouble.ts'
import { ForeignAddress } from '../../http/tokenServer.ts'
import { DirectoryError, fromNoAnswer } from '../directoryError.ts'
import { dpopCure, isPassing, usualCure } from './refusal.ts'

/**
 * `account`: what asks, in words, such as `client "reader"`. `check`: the cure if it is refused. `at`: the address that was asked. `said`: the
 * server's `error` and `error_description`, or nothing.
 */
type Circumstances = {
  readonly account: string
  readonly check: string
  /** What to do after this error, if the kind of directory knows it. Such an error is about the client, and is not asked again. */
  readonly cure?: string | undefined
  /** The client shows a certificate (mutual TLS). */
  readonly showsCertificate: boolean
  readonly home: URL
  readonly at: string
  readonly detail: string
  /** The machine's clock, for dates in answers. */
  wall(): number
}

/**
 * Turns an error of openid-client into one for people. The original error is not its cause: it has the answer, which may contain a token.
 */
export function tokenRefusal(error: unknown, { account, check, cure, showsCertificate, home, at, detail, wall }: Circumstances): unknown {
  const ours = ownError(error, { account, check, showsCertificate, home })
  if (ours !== undefined) return ours
  if (error instanceof ResponseBodyError) {
    const { status } = error
    if (status === 404) return missing(at, home)
    if (isAboutDpop(error.error, detail))
      return new DirectoryError('credentials', `${at}: ${account} is refused, ${status} (${shown(detail)})`, { cure: dpopCure })
    if (cure === undefined && status !== 401 && status !== 403 && (status >= 500 || !oauthErrors.has(error.error))) {
      return new DirectoryError(status === 429 ? 'throttled' : 'failing', `${at}: ${status} (${shown(detail)})`, {
        retryable: isPassing(status),
        waitMs: waitOf(error.response, wall()),
        cure: usualCure(status),
      })
    }
    return new DirectoryError('credentials', `${at}: ${account} is refused, ${status} (${shown(detail)})`, { cure: cure ?? check })
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    if (isAboutDpop('', `${detail} ${error.response.headers.get('www-authenticate') ?? ''}`))
      return new DirectoryError('credentials', `${at}: ${account} is refused, ${error.status} (DPoP)`, { cure: dpopCure })
    return new DirectoryError('credentials', `${at}: ${account} is refused, ${error.status}${detail === '' ? '' : ` (${shown(detail)})`}`, {
      cure: cure ?? check,
    })
  }
  if (error instanceof ClientError) {
    if (error.cause instanceof Response) {
      // The metadata of a server are asked for without a proof.
      if (error.cause.status !== 401 || at.includes('/.well-known/')) return oddAnswer(error.cause, { at, home, detail }, wall())
      return new DirectoryError('credentials', `${at}: ${account} is refused, 401`, { cure: cure ?? check })
    }
    if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return otherIssuer(error.cause, home)
    const retryable = error.code === 'OAUTH_PARSE_ERROR'
    // The library's own reason names a field, and none of its values.
    const why = detail === '' ? (error.cause instanceof Error ? error.cause : error).message : shown(detail)
    return new DirectoryError('garbled', `${at}: not an answer of an OAuth server: ${why} (${error.code ?? 'no code'})`, {
      retryable,
      cure: issuesCure(home),
    })
  }
  if (error instanceof TypeError && error.message.includes('DPoP'))
    return new DirectoryError('credentials', `${at}: ${error.message}`, { cure: dpopCure })
  // Any other TypeError of openid-client is about metadata, such as a missing token_endpoint.
  if (error instanceof TypeError) return new DirectoryError('garbled', `${at}: ${error.message}`, { cure: issuesCure(home) })
  return error
}

const issuesCure = (home: URL): string => `check that ${home.href} issues tokens`

/** A client, in words. */
export const clientText = (id: string): string => `client "${id}"`

const shown = (detail: string): string =>
  visible(
    detail
      .slice(0, 4_096)
      .replace(/(secret|assertion|token)=[^&\s]*/gi, '$1=•••')
      .slice(0, 200),
  )

/**
 * The errors of RFC 6749 §5.2 and §4.1.2.1 and of RFC 8693 §2.2.2, which are about the client. A 400 with another text is not about the client: Keycloak
 * says "Cannot parse the JSON" while its database is down.
 */
const oauthErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
  'consent_required', // Okta, if the client has none of the scopes.
])

/** RFC 9449 §7 and §8. Keycloak says `invalid_request: DPoP proof is missing`. */
const isAboutDpop = (error: string, detail: string): boolean =>
  error === 'invalid_dpop_proof' || error === 'use_dpop_nonce' || /\bDPoP\b/i.test(detail)

/** What to do after an error that is about something else than the identity of a client. @param detail the error and its description */
export function oauthCure(detail: string): string | undefined {
  if (/^invalid_request: HTTPS required/i.test(detail))
    return 'the server takes requests for tokens over https only: use https in the settings, or let the proxy before it say that https was used (X-Forwarded-Proto)'
  const [error = ''] = detail.split(': ', 1)
  return oauthCures.get(error)
}
const oauthCures: ReadonlyMap<string, string> = new Map([
  [
    'invalid_scope',
    'the server does not give this client the scope that was asked for: grant it to the client, or correct the scope in the settings',
  ],
  [
    'unsupported_grant_type',
    'the server gives no tokens by client credentials: switch this grant on, or name the address of a server that does',
  ],
  ['invalid_target', 'the server does not know what the token is for: check the address, the scope and the audience in the settings'],
])

/** The wait that the server asks for, by `Retry-After`, or by the reset of a rate limit that is used up. */
function waitOf({ status, headers }: Response, wallMs: number): number {
  const { retryAfterMs = 0, quotas } = factsOf({ status, headers: Object.fromEntries(headers) }, wallMs)
  if (status !== 429) return retryAfterMs
  return quotas.reduce((most, { remaining, resetMs = 0 }) => (remaining === 0 ? Math.max(most, resetMs) : most), retryAfterMs)
}

function ownError(
  error: unknown,
  { account, check, showsCertificate, home }: Pick<Circumstances, 'account' | 'check' | 'showsCertificate' | 'home'>,
): DirectoryError | undefined {
  const alert = showsCertificate ? clientCertificateAlert(error) : undefined
  if (alert !== undefined)
    return new DirectoryError('credentials', `${home.origin}: the certificate of ${account} is refused (${alert})`, {
      cure: check,
    })
  for (const at of errorChain(error)) {
    if (at instanceof ForeignAddress) {
      const why = `${home.href}: it names a token address on another host, ${at.address.origin}; the secret is not sent there`
      return new DirectoryError('foreign', why, { cure: 'set the issuer to an address of the host that issues the tokens' })
    }
    // The cure of `fromNoAnswer` is about page size, and a token has no pages.
    if (at instanceof NoAnswer && at.code === 'tooLarge')
      return new DirectoryError('bound', at.message, { cure: issuesCure(home), cause: at })
    // A server that does not accept the certificate may only close the connection.
    if (at instanceof NoAnswer && at.code === 'cut' && showsCertificate)
      return new DirectoryError('unreachable', at.message, { retryable: true, cure: check, cause: at })
    if (at instanceof NoAnswer) return fromNoAnswer(at)
  }
  return undefined
}

function oddAnswer(answer: Response, { at, home, detail }: Pick<Circumstances, 'at' | 'home' | 'detail'>, wallMs: number): DirectoryError {
  const { status, headers } = answer
  if (status === 404) return missing(at, home)
  if (status >= 300 && status < 400) {
    const to = visible(withoutSecretForms(headers.get('location') ?? 'nowhere'))
    return new DirectoryError('foreign', `${at}: ${status}, a redirect to ${to}, which is not followed`, { cure: 'name the final address' })
  }
  const kind = visible(headers.get('content-type') ?? 'no content type')
  const what = `${at}: ${status} (${detail === '' ? kind : shown(detail)}), not an answer with a token`
  if (status === 200) return new DirectoryError('garbled', what, { cure: issuesCure(home) })
  return new DirectoryError(status === 429 ? 'throttled' : 'failing', what, {
    retryable: isPassing(status),
    waitMs: waitOf(answer, wallMs),
    cure: usualCure(status),
  })
}

function missing(at: string, home: URL): DirectoryError {
  const isRealm = home.pathname.includes('/realms/')
  return new DirectoryError('missing', `${at}: 404, there is no token endpoint`, {
    cure: isRealm
      ? `check the address and the realm in ${home.href}: a Keycloak may have a path before /realms/, such as /auth`
      : `check the address ${home.href}`,
  })
}

/** The metadata must name exactly the issuer that was asked (OpenID Connect Discovery 1.0 §4.3). Otherwise any host could act as another one. */
function otherIssuer(cause: unknown, home: URL): DirectoryError {
  const body = cause instanceof Object && 'body' in cause ? cause.body : undefined
  const issuer =
    body instanceof Object && 'issuer' in body && typeof body.issuer === 'string' ? visible(body.issuer.slice(0, 200)) : 'another one'
  return new DirectoryError('foreign', `${home.href}: its metadata names ${issuer} as the issuer`, {
    cure: 'set the issuer to exactly the name in the metadata',
  })
}
