/**
 * The words of an API in the body of an error. They are on the lists of its documentation, so they name nobody, and may be shown where the text may not.
 *
 * Okta: developer.okta.com/docs/reference/error-codes. Graph: learn.microsoft.com/graph/errors. Google: cloud.google.com/apis/design/errors and
 * developers.google.com/workspace/admin/directory/v1/limits. SCIM: RFC 7644 §3.12, RFC 9865 §2.1. Keycloak and OAuth: RFC 6749 §5.2, RFC 6750 §3.1.
 */
const words: ReadonlySet<string> = new Set([
  ...['Authorization_IdentityNotFound', 'Authorization_RequestDenied', 'Directory_ExpiredPageToken', 'Directory_QuotaExceeded'],
  ...['InvalidAuthenticationToken', 'Authentication_ExpiredToken', 'Request_BadRequest', 'Request_ResourceNotFound'],
  ...['Request_UnsupportedQuery', 'Request_ThrottledTemporarily', 'Service_InternalServerError', 'Service_ServiceUnavailable'],
  ...['InternalServerError', 'ServiceUnavailable', 'ServiceNotAvailable', 'TooManyRequests', 'BadRequest', 'Forbidden', 'UnknownError'],
  ...['accessDenied', 'activityLimitReached', 'generalException', 'invalidRequest', 'itemNotFound', 'notAllowed', 'notSupported'],
  ...['quotaLimitReached', 'resourceModified', 'serviceNotAvailable', 'unauthenticated'],
  ...['forbidden', 'notFound', 'resourceNotFound', 'groupNotFound', 'backendError', 'internalError', 'invalid', 'badRequest', 'required'],
  ...['authError', 'insufficientPermissions', 'rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded'],
  ...['accessNotConfigured', 'SERVICE_DISABLED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'PERMISSION_DENIED', 'NOT_FOUND', 'UNAUTHENTICATED'],
  ...['INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'ABORTED'],
  ...['invalidFilter', 'tooMany', 'uniqueness', 'mutability', 'invalidSyntax', 'invalidPath', 'noTarget', 'invalidValue', 'invalidVers'],
  ...['sensitive', 'invalidCursor', 'expiredCursor', 'invalidCount'],
  ...[
    'unknown_error',
    'invalid_request',
    'invalid_token',
    'insufficient_scope',
    'access_denied',
    'server_error',
    'temporarily_unavailable',
  ],
])
const oktaCode = /^E\d{7}$/

export const isApiWord = (word: string): boolean => words.has(word) || oktaCode.test(word)

/** The first such word in an error of one of the kinds of directories; undefined if there is none. @param body its JSON */
export function apiWordIn(body: unknown): string | undefined {
  const error = field(body, 'error')
  const [first] = [field(error, 'errors')].flat()
  const candidates = [
    field(body, 'errorCode'),
    field(body, 'scimType'),
    field(error, 'code'),
    field(first, 'reason'),
    field(error, 'status'),
    error,
  ]
  return candidates.find((word): word is string => typeof word === 'string' && isApiWord(word))
}

const field = (of: unknown, name: string): unknown => (of instanceof Object && Object.hasOwn(of, name) ? Reflect.get(of, name) : undefined)
