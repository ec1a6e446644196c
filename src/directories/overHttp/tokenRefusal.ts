import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { errorChain } from '../../core/errorText.ts'
import { visible } from '../../core/safeName.ts'
import { ForeignAddress } from '../../http/foreignAddress.ts'
import { NoAnswer } from '../../http/origin.ts'
import { retryAfter } from '../../http/rateHeaders.ts'
import { DirectoryError, fromNoAnswer } from '../directoryError.ts'

/** `at`: the address that was asked. `said`: the server's `error` and `error_description`, or nothing. `check`: the cure if the client is refused. */
type Circumstances = {
  readonly clientId: string
  readonly check: string
  /** What to do after this error, if the kind of directory knows it. Such an error is about the client, and is not asked again. */
  readonly cure?: string | undefined
  /** The client shows a certificate (mutual TLS). */
  readonly showsCertificate: boolean
  readonly home: URL
  readonly at: string
  readonly said: string
  readonly now: () => number
}

/**
 * Turns an error of openid-client into one for people. The original error is not its cause: it has the answer, which may contain a token.
 */
export function tokenRefusal(error: unknown, { clientId, check, cure, showsCertificate, home, at, said, now }: Circumstances): unknown {
  const ours = ownError(error, { clientId, check, showsCertificate, home })
  if (ours !== undefined) return ours
  if (error instanceof ResponseBodyError) {
    const { status } = error
    if (status === 404) return missing(at, home)
    if (cure === undefined && status !== 401 && status !== 403 && (status >= 500 || !oauthErrors.has(error.error))) {
      return new DirectoryError('failing', `${at}: ${status} (${shown(said)})`, { retryable: true, waitMs: waitOf(error.response, now()) })
    }
    return new DirectoryError('credentials', `${at}: client "${clientId}" is refused, ${status} (${shown(said)})`, { cure: cure ?? check })
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return new DirectoryError(
      'credentials',
      `${at}: client "${clientId}" is refused, ${error.status}${said === '' ? '' : ` (${shown(said)})`}`,
      { cure: cure ?? check },
    )
  }
  if (error instanceof ClientError) {
    if (error.cause instanceof Response) return oddAnswer(error.cause, at, home, now())
    if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return otherIssuer(error.cause, home)
    const retryable = error.code === 'OAUTH_PARSE_ERROR'
    return new DirectoryError('garbled', `${at}: not an answer of an OAuth server: ${error.message} (${error.code ?? 'no code'})`, {
      retryable,
    })
  }
  // Any other TypeError of openid-client is about metadata, such as a missing token_endpoint.
  if (error instanceof TypeError)
    return new DirectoryError('garbled', `${at}: ${error.message}`, { cure: `check that ${home.href} issues tokens` })
  return error
}

const shown = (said: string): string =>
  visible(
    said
      .slice(0, 4_096)
      .replace(/(secret|assertion|token)=[^&\s]*/gi, '$1=•••')
      .slice(0, 200),
  )

/** The errors of RFC 6749 §5.2. A 400 with another text is not about the client: Keycloak says "Cannot parse the JSON" while its database is down. */
const oauthErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
])

const waitOf = ({ status, headers }: Response, now: number): number =>
  retryAfter({ status, headers: Object.fromEntries(headers) }, now) ?? 0

function ownError(
  error: unknown,
  { clientId, check, showsCertificate, home }: Pick<Circumstances, 'clientId' | 'check' | 'showsCertificate' | 'home'>,
): DirectoryError | undefined {
  const alert = showsCertificate
    ? errorChain(error)
        .map(certificateAlert)
        .find((code) => code !== undefined)
    : undefined
  if (alert !== undefined)
    return new DirectoryError('credentials', `${home.origin}: the certificate of client "${clientId}" is refused (${alert})`, {
      cure: check,
    })
  for (const at of errorChain(error)) {
    if (at instanceof ForeignAddress) {
      const why = `${home.href}: it names a token address on another host, ${at.address.origin}; the secret is not sent there`
      return new DirectoryError('foreign', why, { cure: 'set the issuer to an address of the host that issues the tokens' })
    }
    // The cure of `fromNoAnswer` is about page size, and a token has no pages.
    if (at instanceof NoAnswer && at.code === 'tooLarge')
      return new DirectoryError('bound', at.message, { cure: `check that ${home.href} issues tokens`, cause: at })
    // A server that does not accept the certificate may only close the connection.
    if (at instanceof NoAnswer && at.code === 'cut' && showsCertificate)
      return new DirectoryError('unreachable', at.message, { retryable: true, cure: check, cause: at })
    if (at instanceof NoAnswer) return fromNoAnswer(at)
  }
  return undefined
}

function oddAnswer(answer: Response, at: string, home: URL, now: number): DirectoryError {
  const { status, headers } = answer
  if (status === 404) return missing(at, home)
  if (status >= 300 && status < 400) {
    const to = visible(headers.get('location') ?? 'nowhere')
    return new DirectoryError('foreign', `${at}: ${status}, a redirect to ${to}, which is not followed`, { cure: 'name the final address' })
  }
  const kind = visible(headers.get('content-type') ?? 'no content type')
  const what = `${at}: ${status} (${kind}), not an answer with a token`
  if (status === 200) return new DirectoryError('garbled', what, { cure: `check that ${home.href} issues tokens` })
  const retryable = status >= 500 || status === 400 || status === 408 || status === 429
  return new DirectoryError('failing', what, { retryable, waitMs: waitOf(answer, now) })
}

/** The alert by which a server of TLS 1.2 refuses a client certificate. With TLS 1.3 undici only reports that the connection was closed (measured). */
function certificateAlert(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^ERR_SSL_(?:TLSV1[3_]+|SSLV3_)ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/.test(code) ? code : undefined
}

function missing(at: string, home: URL): DirectoryError {
  const realm = home.pathname.includes('/realms/') ? ' and the realm' : ''
  const hint = realm === '' ? '' : ': a Keycloak may have a path before /realms/, such as /auth'
  return new DirectoryError('missing', `${at}: 404, there is no token endpoint`, {
    cure: `check the address${realm} in ${home.href}${hint}`,
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
