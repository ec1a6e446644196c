import { visible } from '../../core/safeName.ts'
import { withoutSecretForms } from '../../core/secretText.ts'
import { parseJson } from '../../http/json.ts'
import type { Answer } from '../../http/origin.ts'
import { retryAfter } from '../../http/rateHeaders.ts'
import { DirectoryError } from '../directoryError.ts'
import { notShown } from '../memberText.ts'
import { apiWordIn, isApiWord } from './apiWords.ts'

/** An answer other than 200. `body`: its JSON; undefined if it is none. */
type Refused = Pick<Answer, 'status' | 'headers'> & { readonly body: unknown }

/**
 * What a refusal means for a kind of directory: the same request may succeed later, or it is refused for this reason. For undefined the status alone
 * decides: 400, 408, 429 and 5xx are retried.
 */
export type Meaning =
  | { readonly kind: 'retry'; readonly why: string; readonly cure?: string }
  | {
      readonly kind: 'refuse'
      readonly why: string
      readonly cure: string
      /** What to do instead if the same account may do the same with other groups. */
      readonly cureOfOne?: string
      /** The request is repeated once, since the same refusal also comes by mistake. */
      readonly again?: true
    }
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
 * @param ofPeople whether the text of the answer may name people, so that it is not shown
 */
export function refusal(answer: Answer, known: Meaning, where: string, wallMs: number, ofPeople = false): DirectoryError {
  const { status, headers } = answer
  const meaning = ofAnyKind(answer) ?? known
  const detail = ofPeople ? withoutPeople(answer, meaning) : detailOf(answer)
  const what = `${where}: ${status}${meaning === undefined ? '' : `, ${meaning.why}`} (${detail})`
  if (meaning?.kind === 'retry') {
    // Without the status: by RFC 9110 the header has a meaning only with some of them, and this kind of directory knows another one.
    const waitMs = retryAfter({ status: 429, headers }, wallMs) ?? 0
    return new DirectoryError(status >= 500 ? 'failing' : 'throttled', what, {
      retryable: true,
      waitMs,
      cure: meaning.cure ?? usualCure(status >= 500 ? status : 429),
    })
  }
  const cure = { cure: meaning?.cure ?? usualCure(status), cureOfOne: meaning?.cureOfOne }
  if (meaning?.again === true) return new DirectoryError('failing', what, { retryable: true, attemptsMax: 2, ...cure })
  if (status === 401) return new DirectoryError('credentials', what, cure)
  if (status === 403) return new DirectoryError('rights', what, cure)
  if (status === 404) return new DirectoryError('missing', what, cure)
  const waitMs = retryAfter(answer, wallMs) ?? 0
  // A 400 too: while its database is down, Keycloak answers a GET with 400 "Cannot parse the JSON".
  const retryable = meaning === undefined && isPassing(status)
  return new DirectoryError(status === 429 ? 'throttled' : 'failing', what, { retryable, waitMs, ...cure })
}

/** Whether the same request may succeed a moment later. 501, 505 and 511 say that it never will. */
export const isPassing = (status: number): boolean =>
  status === 400 || status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505 && status !== 511)

/** What to do after a status of which the kind of directory knows no more. */
export function usualCure(status: number): string {
  if (status < 300) return 'check that no proxy changes the answers of the server'
  if (status < 400) return 'a redirect is not followed: name the final address in the settings'
  return usualCures[status] ?? 'look for the reason in the log of the server, or of a proxy before it'
}

/** What says the same of each kind of directory, because it does not come from its API, or is not about what was asked for. */
function ofAnyKind(answer: Answer): Meaning {
  const { status, headers, body } = answer
  if (wantsDpop(answer)) return { kind: 'refuse', why: 'the token needs a proof (DPoP)', cure: dpopCure }
  if (status === 431 || (status === 400 && longHeader.test(body)))
    return { kind: 'refuse', why: 'the headers of the request are too long', cure: headerCure }
  // A server may call an answer without a text HTML, too (django-scim2 0.23.0).
  const isPage = (body !== '' && /^text\/html\b/i.test(headers['content-type'] ?? '')) || /^\s*<(?:!doctype|html)\b/i.test(body)
  if (isPage && (status === 401 || status === 403))
    return { kind: 'refuse', why: 'with a page of HTML, as a proxy or firewall sends it', cure: pageCure }
  return undefined
}

const pageCure =
  'let the proxy or firewall before the server pass the requests of this program on, without a sign-in of its own; if there is none, look into the log of the server'
const headerCure =
  'the token makes the headers longer than the server, or a proxy before it, allows: raise that limit (nginx: large_client_header_buffers), or take roles that it does not need from the account'
/** nginx says so with the status 400. */
const longHeader = /Request Header Or Cookie Too Large/i
const tooLarge = 'the server, or a proxy before it, allows no request of this size: raise its limit'

const usualCures: Readonly<Record<number, string>> = {
  405: 'check the address in the settings: another kind of server may answer there',
  407: 'a proxy wants a password: see http_proxy and https_proxy',
  410: 'the address is gone for good: check the address in the settings, and the version of the server',
  413: tooLarge,
  414: tooLarge,
  429: 'find out which other program uses up the rate limit',
  431: tooLarge,
  501: 'the server does not have this request: check the address in the settings, and the version of the server',
  502: 'a proxy got no right answer of the server: look whether the server runs, and into the log of both',
  503: 'the server, or a proxy before it, is overloaded or being started: look into its log',
  504: 'a proxy did not wait long enough for the server: see why the server is slow, or raise the time limit of the proxy',
}

/** The server wants a proof that the client has the key of the token (RFC 9449 §7.1; Okta also says so with the status 400). This program sends none. */
const wantsDpop = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  (status === 400 || status === 401) && /\bdpop\b|_dpop_/i.test(headers['www-authenticate'] ?? '')
export const dpopCure =
  'switch DPoP off for this client, since this program does not use it: in Okta "Require Demonstrating Proof of Possession (DPoP) header in token requests" of the service app, in Keycloak "Require DPoP bound tokens" of the client'

/** Only the words of the API are shown of a text that may name people. */
function withoutPeople(answer: Answer, meaning: Meaning): string {
  if (answer.body === '') return 'no text'
  const word = apiWordIn(jsonIn(answer))
  return word === undefined || meaning?.why.includes(word) === true ? notShown : `${word}; ${notShown}`
}

/** The beginning of the body. A proxy's error page may show the request, so texts that look like a token are replaced, before the cut. */
const detailOf = ({ body }: Answer): string =>
  body === ''
    ? 'no text'
    : visible(
        withoutSecretForms(body.slice(0, 4_096))
          .replace(/[\w.~+/=-]{24,}/g, (long) => (isApiWord(long) ? long : '•••'))
          .slice(0, 200),
      )
