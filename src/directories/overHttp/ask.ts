import { doubt } from '../../core/doubt.ts'
import { counted, durationText } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { compressionOf, NotUtf8, parseJson, TooManyValues } from '../../http/json.ts'
import { linkOf } from '../../http/linkHeader.ts'
import { type Answer, NoAnswer, type Origin } from '../../http/origin.ts'
import { factsOf } from '../../http/rateHeaders.ts'
import type { TokenSource } from '../../http/tokenSource.ts'
import type { z } from '../../yaml/zod.ts'
import type { Deadline } from '../deadline.ts'
import { concerningAll, DirectoryError, fromNoAnswer } from '../directoryError.ts'
import { type Explain, meaningOf, refusal } from './refusal.ts'

/**
 * Sends a GET and reads the JSON of the answer by the schema. `path` is relative to the directory's address. It may have a query of its own, as the
 * path of a link has; then `query` is empty. @throws {DirectoryError}
 *
 * @param shownPath what errors and the log show instead of the path, if the path names a person; then the text of a refusal is not shown either, as if the
 *   reading were one of members
 */
export type Ask = <T>(path: string, query: Query, schema: z.ZodType<T>, signal: AbortSignal, shownPath?: string) => Promise<Asked<T>>

/** Header names are lower-case. `nextLink`: the link `next` of the header `Link`. */
type Asked<T> = { readonly body: T; readonly headers: Answer['headers']; readonly nextLink: string | undefined }
type Query = Readonly<Record<string, string>>

/** The API of a directory during one reading. */
export type DirectoryApi = {
  readonly ask: Ask
  readonly deadline: Deadline
  /**
   * The path to ask for the next page of a list, by an absolute link of an answer. @throws {DirectoryError} if the link leads out of the directory's
   * address, or was followed before
   */
  follow(link: string): string
}

type AskOptions = {
  readonly origin: Pick<Origin, 'url' | 'request'>
  readonly bearer: TokenSource
  readonly scheme: 'Bearer' | 'SSWS'
  /** Sent with each request; their names are lower-case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Attempts of one request, including the first. */
  readonly attemptsMax: number
  /** Requests of the whole reading, including repeated ones. */
  readonly requestsMax: number
  /** The share of each rate limit that is left for other programs. */
  readonly reserve?: number | undefined
  /** The wait that an earlier reading was asked for. */
  readonly asked: AskedWait
  readonly explain: Explain
  /** Members are read: the text of a refusal may name them, so it is not shown. */
  readonly ofPeople?: boolean
  /** What to do if an answer is too large. Default: lower `pageSize`. */
  readonly tooLargeCure?: string
  readonly deadline: Deadline
  readonly now: () => number
  /** The machine's clock, for dates in answers. */
  wall(): number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
}

/**
 * Requests to a directory. A failure that may be over soon is repeated a few times, with full jitter, and after the time that the server asks to wait.
 * After a 401 the token is renewed, once for each request, and after a 403 once for the reading: rights may have been granted after the token was made.
 */
export function openApi(options: AskOptions): DirectoryApi {
  const { origin, bearer, scheme, attemptsMax, requestsMax, explain, ofPeople = false, tooLargeCure, wall } = options
  const pace = openRequestPace(options)
  let requests = 0
  /** The token that was requested after a 403. It has all rights that were granted by then, so a further 403 needs no new one. */
  let renewedFor403: string | undefined

  async function send({ path, shownPath }: Place, query: Query, where: string, signal: AbortSignal): Promise<Sent> {
    await pace.turn(where, signal)
    if (++requests > requestsMax) {
      throw new DirectoryError('bound', doubt('http.requestsMax', `${origin.url.href}: not read after ${requestsMax} requests`), {
        cure: 'check whether the server fails repeatedly, or sends the same page again',
        concernsAll: true,
      })
    }
    const token = await bearer.token(signal).catch((error: unknown) => {
      throw concerningAll(error)
    })
    const headers = { ...current, ...options.headers, authorization: `${scheme} ${token}` }
    const request = { method: 'GET', path, headers, ...(shownPath === undefined ? {} : { shownPath }) } as const
    const answer = await origin.request(Object.keys(query).length === 0 ? request : { ...request, query }, signal)
    pace.answered(answer)
    return { answer, token }
  }

  async function sendWithFreshToken(place: Place, query: Query, where: string, renewal: Renewal, signal: AbortSignal): Promise<Answer> {
    const { answer, token } = await send(place, query, where, signal)
    const lacksRights = answer.status === 403 && token !== renewedFor403 && meaningOf(answer, explain)?.kind !== 'retry'
    if ((answer.status !== 401 && !lacksRights) || renewal.isUsed) return answer
    bearer.forget(token)
    renewal.isUsed = true
    const again = await send(place, query, where, signal)
    if (lacksRights) renewedFor403 = again.token
    return again.answer
  }

  function understand<T>(answer: Answer, where: string, schema: z.ZodType<T>, namesPeople: boolean): Asked<T> {
    const { headers, status } = answer
    if (status !== 200) throw refusal(answer, meaningOf(answer, explain), where, wall(), namesPeople)
    return { body: bodyOf(answer, schema, where, tooLargeCure), headers, nextLink: linkOf(headers['link'], 'next') }
  }

  const ask: Ask = async (path, query, schema, signal, shownPath) => {
    const where = `${origin.url.href.replace(/\/$/, '')}${(shownPath ?? path).split('?', 1)[0]}`
    const place = { path, shownPath }
    const renewal: Renewal = { isUsed: false }
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await sendWithFreshToken(place, query, where, renewal, signal)
        return understand(answer, where, schema, ofPeople || shownPath !== undefined)
      } catch (error) {
        const why = error instanceof NoAnswer ? fromNoAnswer(error, tooLargeCure) : error
        if (!(why instanceof DirectoryError) || !why.retryable || attempt >= Math.min(attemptsMax, why.attemptsMax ?? attemptsMax))
          throw why
        await pace.beforeRetry(why, attempt, signal)
      }
    }
  }

  return { ask, deadline: options.deadline, follow: openLinks(origin.url) }
}

/** A cache must not answer with a page of an earlier reading, unless it has asked the server whether the page is still the same (RFC 9111 §5.2.1.4). */
const current = { 'cache-control': 'no-cache' }

type Place = { readonly path: string; readonly shownPath: string | undefined }
type Sent = { readonly answer: Answer; readonly token: string }
/** Whether a request has been repeated with a new token. */
type Renewal = { isUsed: boolean }

/** The body of a 200 by its schema. @param where the address that was asked. @throws {DirectoryError} */
export function bodyOf<T>(answer: Answer, schema: z.ZodType<T>, where: string, tooLargeCure?: string): T {
  const parsed = schema.safeParse(jsonOf(answer, where, tooLargeCure))
  if (parsed.success) return parsed.data
  const [problem] = parsed.error.issues
  const why = `${where}: the answer has an unexpected shape (${problem?.path.join('.')}: ${problem?.message})`
  throw new DirectoryError('garbled', doubt('http.otherShape', why), {
    cure: 'check that the directory is of this kind, and that its version is supported',
  })
}

/** A server that dies while it answers can send a 200 whose JSON is cut but properly chunked and ended (measured on Keycloak 26.7.3). */
function jsonOf(answer: Answer, where: string, tooLargeCure = 'lower pageSize'): unknown {
  const { body, headers } = answer
  try {
    return parseJson(answer)
  } catch (error) {
    if (error instanceof TooManyValues)
      throw new DirectoryError('bound', doubt('http.tooManyValues', `${where}: the answer has ${error.message}`), { cure: tooLargeCure })
    const compressed = compressionOf(answer)
    if (compressed !== undefined) {
      const why = `${where}: the answer is ${compressed}, although the request asks for none that is`
      throw new DirectoryError('garbled', doubt('http.compressed', why), {
        retryable: true,
        cure: 'check that the server, or the proxy before it, obeys the header Accept-Encoding: identity',
      })
    }
    if (error instanceof NotUtf8)
      throw new DirectoryError('garbled', doubt('http.notUtf8', `${where}: the answer has ${error.message}`), {
        retryable: true,
        cure: garbledCure,
      })
    const kind = visible(headers['content-type'] ?? 'no content type')
    const why = `${where}: 200, but its body (${counted(body.length, 'character')}) is not whole JSON (${kind})`
    throw new DirectoryError('garbled', doubt('http.notJson', why), {
      retryable: true,
      cure: garbledCure,
    })
  }
}

const garbledCure = 'check that no proxy answers in the place of the server, and look into the log of the server'

/** A longer link is refused: servers refuse request lines of this length, too. */
const charactersMax = 8_000

/**
 * The path and query of a link to the next page, relative to `base`, for a request to the origin of `base`. The link is an absolute URL from an
 * answer. It is followed only on the same scheme, host and port, and below the path of `base`, because the request has a token.
 *
 * @throws {DirectoryError} with the host to which the link leads
 */
function sameOrigin(link: string, base: URL): string {
  const refused = (why: string) =>
    new DirectoryError('foreign', doubt('http.linkToOtherHost', `${base.href}: the link to the next page ${why}, so it is not followed`), {
      cure: 'check that the address in the settings (url, or graphUrl) is the one by which the server calls itself, and that no proxy changes its answers',
    })
  if (link.length > charactersMax) throw refused(`has ${link.length} characters`)
  // URL accepts and silently repairs `https:host`, `https:\\host`, blanks and control characters; other programs read the same text as another address.
  if (!writtenInFull.test(link) || !URL.canParse(link)) throw refused('is not an absolute address of HTTP')
  const url = new URL(link)
  if (url.origin !== base.origin) throw refused(`leads to another host, ${url.origin}`)
  if (url.username !== '' || url.password !== '') throw refused(`has a user name before its host, ${url.host}`)
  const prefix = base.pathname.replace(/\/$/, '')
  if (hasDotSegments(link)) throw refused(`to ${url.host} has a path with dot segments`)
  if (url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) throw refused(`to ${url.host} leads out of ${prefix}/`)
  return url.pathname.slice(prefix.length) + url.search
}

/** An authority of ASCII characters: of other characters `URL` makes ASCII ones, so that a host looks like another one. */
const writtenInFull = /^https?:\/\/[\x21-\x2e\x30-\x3e\x40-\x5b\x5d-\x7e]+(?:[/?#][^\s\\\p{Cc}]*)?$/iu

/** `.` or `..` in the path, also percent-encoded, and also behind an encoded slash: a server may decode them after the check of the prefix. */
const hasDotSegments = (link: string): boolean =>
  (link.split(/[?#]/, 1)[0] ?? '')
    .replaceAll(/%2e/gi, '.')
    .split(/\/|%2f|%5c/i)
    .some((segment) => /^\.\.?(?:;|$)/.test(segment))

/**
 * Follows the links from page to page of the lists of one reading.
 *
 * @param base the address of the directory
 * @returns gives the path of the next page. @throws {DirectoryError} if the link leads elsewhere, or was followed before
 */
export function openLinks(base: URL): (link: string) => string {
  const followed = new Set<string>()
  return (link) => {
    const path = sameOrigin(link, base)
    if (followed.has(path)) {
      const why = `${base.href}: the link to the next page leads to a page that was read before`
      throw new DirectoryError('garbled', doubt('http.linkTwice', why), {
        cure: 'the list would never end; look into the log of the server, or of a proxy before it',
      })
    }
    followed.add(path)
    return path
  }
}

/** What answers of a directory have said about its rate limit: nothing is sent before `untilMs`. All readings of the directory share it. */
export type AskedWait = { untilMs: number; toldMs: number }
export const noWaitAsked = (): AskedWait => ({ untilMs: Number.NEGATIVE_INFINITY, toldMs: Number.NEGATIVE_INFINITY })

type PaceOptions = {
  readonly asked: AskedWait
  /** The share of each rate limit, from 0 to 1, that is left for other programs. Default: 0. */
  readonly reserve?: number | undefined
  readonly deadline: Deadline
  readonly now: () => number
  /** The machine's clock, for dates in answers. */
  wall(): number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
}

/** When the next request of a reading may be sent. */
type RequestPace = {
  /** Waits until the server allows a request. */
  turn(where: string, signal: AbortSignal): Promise<void>
  /** Takes note of the rate limit in an answer. */
  answered(answer: Pick<Answer, 'status' | 'headers'>): void
  /** Waits before the same request is sent again. */
  beforeRetry(failure: DirectoryError, attempt: number, signal: AbortSignal): Promise<void>
}

const waitFirstMs = 200
const waitMaxMs = 5_000
/** A later reading asks anew after this, since a server may have meant less than it said. Windows of rate limits are shorter. */
const carriedMaxMs = 300_000

/**
 * Obeys `Retry-After` and the rate-limit headers: if only the reserve is left of a limit, the next request waits for the reset. A wait that is longer
 * than the rest of the reading ends the reading. @throws {DirectoryError}
 */
function openRequestPace({ asked, reserve = 0, deadline, now, wall, wait, random }: PaceOptions): RequestPace {
  const usedUp = reserve > 0 ? 'the rate limit of the server is used up to the reserve' : 'the rate limit of the server is used up'
  const reserveCure = 'raise readingTimeout, lower reserve, or find out which other program uses up the rate limit'
  asked.untilMs = Math.min(asked.untilMs, asked.toldMs + carriedMaxMs)
  const blockedMs = () => Math.max(0, asked.untilMs - now())

  async function pause(ms: number, why: string, cure: string | undefined, signal: AbortSignal): Promise<void> {
    const leftMs = deadline.leftMs()
    if (ms < leftMs) return wait(ms, signal)
    throw new DirectoryError('throttled', `${why}; the next request is due in ${durationText(ms)}, and ${rest(leftMs)}`, {
      cure: cure ?? 'raise readingTimeout, or find out which other program uses up the rate limit',
    })
  }

  return {
    async turn(where, signal) {
      const ms = blockedMs()
      if (ms > 0) await pause(ms, `${where}: ${usedUp}`, reserve > 0 ? reserveCure : undefined, signal)
    },
    answered(answer) {
      const { quotas, retryAfterMs = 0 } = factsOf(answer, wall())
      const untilResetMs = quotas.reduce(
        (most, { limit = 0, remaining = Number.POSITIVE_INFINITY, resetMs = 0 }) =>
          remaining <= reserve * limit ? Math.max(most, resetMs) : most,
        0,
      )
      const untilMs = now() + Math.max(retryAfterMs, untilResetMs)
      if (untilMs > asked.untilMs) Object.assign(asked, { untilMs, toldMs: now() })
    },
    async beforeRetry({ message, cure, waitMs }, attempt, signal) {
      const jitterMs = random() * Math.min(waitMaxMs, waitFirstMs * 2 ** attempt)
      const askedMs = Math.max(waitMs, blockedMs())
      await pause(Math.max(jitterMs, askedMs), message, askedMs > jitterMs ? undefined : cure, signal)
    },
  }
}

const rest = (leftMs: number): string => (leftMs > 0 ? `the reading has ${durationText(leftMs)} left` : 'the reading has no time left')
