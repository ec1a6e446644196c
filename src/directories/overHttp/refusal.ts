import { visible } from '../../core/safeName.ts'
import { withoutSecretForms } from '../../core/secretText.ts'
import { parseJson } from '../../http/json.ts'
import type { Answer } from '../../http/origin.ts'
import { retryAfter } from '../../http/rateHeaders.ts'
import { DirectoryError } from '../directoryError.ts'

/** An answer other than 200. `body`: its JSON; undefined if it is none. */
type Refused = Pick<Answer, 'status' | 'headers'> & { readonly body: unknown }

/**
 * What a refusal means for a kind of directory: the same request may succeed later, or it is refused for this reason. For undefined the status alone
 * decides: 400, 408, 429 and 5xx are retried.
 */
export type Meaning =
  | { readonly kind: 'retry'; readonly why: string; readonly cure?: string }
  | { readonly kind: 'refuse'; readonly why: string; readonly cure: string }
  | undefined
export type Explain = (answer: Refused) => Meaning

export const meaningOf = (answer: Answer, explain: Explain): Meaning => explain({ ...answer, body: jsonIn(answer) })

function jsonIn(answer: Answer): unknown {
  try {
    return parseJson(answer)
  } catch {
    return undefined
  }
}

/**
 * @param where the address that was asked
 * @param wallMs the time of the machine's clock
 */
export function refusal(answer: Answer, meaning: Meaning, where: string, wallMs: number): DirectoryError {
  const { status, headers } = answer
  const what = `${where}: ${status}${meaning === undefined ? '' : `, ${meaning.why}`} (${detailOf(answer)})`
  if (meaning?.kind === 'retry') {
    // Without the status: by RFC 9110 the header has a meaning only with some of them, and this kind of directory knows another one.
    const waitMs = retryAfter({ status: 429, headers }, wallMs) ?? 0
    return new DirectoryError(status >= 500 ? 'failing' : 'throttled', what, {
      retryable: true,
      waitMs,
      cure: meaning.cure ?? usualCure(status >= 500 ? status : 429),
    })
  }
  const cure = { cure: meaning?.cure ?? usualCure(status) }
  if (status === 401) return new DirectoryError('credentials', what, cure)
  if (status === 403) return new DirectoryError('rights', what, cure)
  if (status === 404) return new DirectoryError('missing', what, cure)
  const waitMs = retryAfter(answer, wallMs) ?? 0
  // A 400 too: while its database is down, Keycloak answers a GET with 400 "Cannot parse the JSON".
  const retryable = meaning === undefined && (status >= 500 || status === 400 || status === 408 || status === 429)
  return new DirectoryError(status === 429 ? 'throttled' : 'failing', what, { retryable, waitMs, ...cure })
}

/** What to do after a status of which the kind of directory knows no more. */
function usualCure(status: number): string {
  if (status < 300) return 'check that no proxy changes the answers of the server'
  if (status < 400) return 'a redirect is not followed: name the final address in the settings'
  if (status === 429) return 'find out which other program uses up the rate limit'
  return 'look for the reason in the log of the server, or of a proxy before it'
}

/** The beginning of the body. A proxy's error page may show the request, so texts that look like a token are replaced, before the cut. */
const detailOf = ({ body }: Answer): string =>
  body === ''
    ? 'no text'
    : visible(
        withoutSecretForms(body.slice(0, 4_096))
          .replace(/[\w.~+/=-]{24,}/g, '•••')
          .slice(0, 200),
      )
