import { linkOf } from '../../http/linkHeader.ts'
import { type Answer, NoAnswer, type Origin } from '../../http/origin.ts'
import type { TokenSource } from '../../http/tokenSource.ts'
import type { z } from '../../yaml/zod.ts'
import type { Deadline } from '../deadline.ts'
import { DirectoryError, fromNoAnswer } from '../directoryError.ts'
import { bodyOf } from './answerBody.ts'
import { openLinks } from './nextLink.ts'
import { type Explain, meaningOf, refusal } from './refusal.ts'
import { type AskedWait, openRequestPace } from './requestPace.ts'

/**
 * Sends a GET and reads the JSON of the answer by the schema. `path` is relative to the directory's address. It may have a query of its own, as the
 * path of a link has; then `query` is empty. @throws {DirectoryError}
 *
 * @param shownPath what errors and the log show instead of the path, if the path names a person; then the text of a refusal is not shown either
 */
export type Ask = <T>(path: string, query: Query, schema: z.ZodType<T>, signal: AbortSignal, shownPath?: string) => Promise<Asked<T>>

/** Header names are lower-case. `nextLink`: the link `next` of the header `Link`. */
type Asked<T> = { readonly body: T; readonly headers: Answer['headers']; readonly nextLink: string | undefined }
type Query = Readonly<Record<string, string>>

/** The API of a directory during one reading. */
export type DirectoryApi = {
  readonly ask: Ask
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
  const { origin, bearer, scheme, attemptsMax, requestsMax, explain, wall } = options
  const pace = openRequestPace(options)
  let requests = 0
  /** The token that was requested after a 403. It has all rights that were granted by then, so a further 403 needs no new one. */
  let renewedFor403: string | undefined

  async function send({ path, shownPath }: Place, query: Query, where: string, signal: AbortSignal): Promise<Sent> {
    await pace.turn(where, signal)
    if (++requests > requestsMax) {
      throw new DirectoryError('bound', `${origin.url.href}: not read after ${requestsMax} requests`, {
        cure: 'check whether the server fails repeatedly, or sends the same page again',
      })
    }
    const token = await bearer.token(signal)
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

  function understand<T>(answer: Answer, where: string, schema: z.ZodType<T>, showsText: boolean): Asked<T> {
    const { headers, status } = answer
    if (status !== 200) throw refusal(showsText ? answer : withoutText(answer), meaningOf(answer, explain), where, wall())
    return { body: bodyOf(answer, schema, where), headers, nextLink: linkOf(headers['link'], 'next') }
  }

  const ask: Ask = async (path, query, schema, signal, shownPath) => {
    const where = `${origin.url.href.replace(/\/$/, '')}${(shownPath ?? path).split('?', 1)[0]}`
    const place = { path, shownPath }
    const renewal: Renewal = { isUsed: false }
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await sendWithFreshToken(place, query, where, renewal, signal)
        return understand(answer, where, schema, shownPath === undefined)
      } catch (error) {
        const why = error instanceof NoAnswer ? fromNoAnswer(error) : error
        if (!(why instanceof DirectoryError) || !why.retryable || attempt >= attemptsMax) throw why
        await pace.beforeRetry(why, attempt, signal)
      }
    }
  }

  return { ask, follow: openLinks(origin.url) }
}

/** A cache must not answer with a page of an earlier reading, unless it has asked the server whether the page is still the same (RFC 9111 §5.2.1.4). */
const current = { 'cache-control': 'no-cache' }

/** The text of a refusal may name people. */
const withoutText = (answer: Answer): Answer => ({ ...answer, body: '' })

type Place = { readonly path: string; readonly shownPath: string | undefined }
type Sent = { readonly answer: Answer; readonly token: string }
/** Whether a request has been repeated with a new token. */
type Renewal = { isUsed: boolean }
