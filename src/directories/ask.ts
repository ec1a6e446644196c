import { visible } from '../core/safeName.ts'
import type { TokenSource } from '../http/clientCredentials.ts'
import { NotUtf8, parseJson, TooManyValues } from '../http/json.ts'
import { type Answer, NoAnswer, type Origin } from '../http/origin.ts'
import { z } from '../yaml/zod.ts'
import { DirectoryError, fromNoAnswer } from './directoryError.ts'

/** Sends a GET and reads the JSON of the answer by the schema. `path` is relative to the directory's address. @throws {DirectoryError} */
export type Ask = <T>(path: string, query: Readonly<Record<string, string>>, schema: z.ZodType<T>, signal: AbortSignal) => Promise<T>

type AskOptions = {
  readonly origin: Pick<Origin, 'url' | 'request'>
  readonly bearer: TokenSource
  /** Attempts of one request, including the first. */
  readonly attemptsMax: number
  /** Requests of the whole reading, including repeated ones. */
  readonly requestsMax: number
  /** Why this kind of directory answers 401, 403 or 404, and what to do. */
  readonly explain: (status: number) => { readonly why: string; readonly cure: string } | undefined
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
}

const waitFirstMs = 200
const waitMaxMs = 5_000

/** Requests to a directory. A failure that may be over soon is repeated a few times, with full jitter; a refused token is renewed once. */
export function asking({ origin, bearer, attemptsMax, requestsMax, explain, wait, random }: AskOptions): Ask {
  let requests = 0

  async function send(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer> {
    for (let renewed = false; ; renewed = true) {
      if (++requests > requestsMax) {
        throw new DirectoryError('bound', `${origin.url.href}: not read after ${requestsMax} requests`, {
          cure: 'check whether the server fails repeatedly, or sends the same page again',
        })
      }
      const token = await bearer.token(signal)
      const answer = await origin.request({ method: 'GET', path, query, headers: { authorization: `Bearer ${token}` } }, signal)
      if (answer.status !== 401) return answer
      bearer.forget(token)
      if (renewed) return answer
    }
  }

  function understand<T>(answer: Answer, where: string, schema: z.ZodType<T>): T {
    if (answer.status !== 200) throw refusal(answer, where, explain)
    const parsed = schema.safeParse(jsonOf(answer, where))
    if (parsed.success) return parsed.data
    const [problem] = parsed.error.issues
    throw new DirectoryError('garbled', `${where}: the answer has an unexpected shape (${problem?.path.join('.')}: ${problem?.message})`, {
      cure: 'check that the directory is of this kind, and that its version is supported',
    })
  }

  return async (path, query, schema, signal) => {
    const where = `${origin.url.href.replace(/\/$/, '')}${path}`
    for (let attempt = 1; ; attempt++) {
      try {
        return understand(await send(path, query, signal), where, schema)
      } catch (error) {
        const why = error instanceof NoAnswer ? fromNoAnswer(error) : error
        if (!(why instanceof DirectoryError) || !why.retryable || attempt >= attemptsMax) throw why
        await wait(random() * Math.min(waitMaxMs, waitFirstMs * 2 ** attempt), signal)
      }
    }
  }
}

/** A server that dies while it answers can send a 200 whose JSON is cut but properly chunked and ended (measured on Keycloak 26.7.3). */
function jsonOf(answer: Answer, where: string): unknown {
  const { body, headers } = answer
  try {
    return parseJson(answer)
  } catch (error) {
    if (error instanceof NotUtf8) throw new DirectoryError('garbled', `${where}: the answer has ${error.message}`, { retryable: true })
    if (error instanceof TooManyValues)
      throw new DirectoryError('bound', `${where}: the answer has ${error.message}`, { cure: 'lower pageSize' })
    const kind = visible(headers['content-type'] ?? 'no content type')
    throw new DirectoryError('garbled', `${where}: 200, but its ${body.length} characters are not whole JSON (${kind})`, {
      retryable: true,
    })
  }
}

function refusal(answer: Answer, where: string, explain: AskOptions['explain']): DirectoryError {
  const { status } = answer
  const meant = explain(status)
  const what = `${where}: ${status}${meant === undefined ? '' : `, ${meant.why}`} (${said(answer)})`
  const cure = meant === undefined ? {} : { cure: meant.cure }
  if (status === 401) return new DirectoryError('credentials', what, cure)
  if (status === 403) return new DirectoryError('rights', what, cure)
  if (status === 404) return new DirectoryError('missing', what, cure)
  // A 400 too: while its database is down, Keycloak answers a GET with 400 "Cannot parse the JSON".
  const retryable = status >= 500 || status === 400 || status === 408 || status === 429
  return new DirectoryError('failing', what, { retryable, ...cure })
}

/** The beginning of the body. A proxy's error page may show the request, so texts that look like a token are replaced, before the cut. */
const said = ({ body }: Answer): string =>
  body === ''
    ? 'no text'
    : visible(
        body
          .slice(0, 4_096)
          .replace(/[\w.~+/=-]{24,}/g, '•••')
          .slice(0, 200),
      )
