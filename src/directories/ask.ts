import { visible } from '../core/safeName.ts'
import type { TokenSource } from '../http/clientCredentials.ts'
import { parseJson, TooManyValues } from '../http/json.ts'
import { type Answer, NoAnswer, type Origin } from '../http/origin.ts'
import { z } from '../yaml/zod.ts'
import { DirectoryError, fromNoAnswer } from './directoryError.ts'

/** A GET whose answer is JSON of the schema's shape. `path` is relative to the directory's address. Throws DirectoryError. */
export type Ask = <T>(path: string, query: Readonly<Record<string, string>>, schema: z.ZodType<T>, signal: AbortSignal) => Promise<T>

type AskOptions = {
  readonly origin: Pick<Origin, 'url' | 'request'>
  readonly bearer: TokenSource
  /** For one request, the first included. */
  readonly attemptsMax: number
  /** For the whole reading, attempts included. */
  readonly requestsMax: number
  /** What this kind of directory means by 401, 403 or 404. */
  readonly explain: (status: number) => { readonly why: string; readonly cure: string } | undefined
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
}

const waitFirstMs = 200
const waitMaxMs = 5_000

/** Asks a directory, again where asking again may help: full jitter, a bounded number of times. A token refused once is renewed once. */
export function asking({ origin, bearer, attemptsMax, requestsMax, explain, wait, random }: AskOptions): Ask {
  let requests = 0

  async function send(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer> {
    for (let renewed = false; ; renewed = true) {
      if (++requests > requestsMax) {
        throw new DirectoryError('bound', `${origin.url.href}: not read after ${requestsMax} requests`, {
          cure: 'does the server fail again and again, or repeat itself?',
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
    throw new DirectoryError('garbled', `${where}: the answer has another shape (${problem?.path.join('.')}: ${problem?.message})`, {
      cure: 'is this the right kind of directory, in a version that is supported?',
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

/** A 200 whose text ends in the middle is a server that died while answering, properly chunked and ended (measured on Keycloak 26.7.3). */
function jsonOf({ body, headers }: Answer, where: string): unknown {
  try {
    return parseJson(body)
  } catch (error) {
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
  // 400 too: Keycloak says "Cannot parse the JSON" to a GET while its database is down.
  const retryable = status >= 500 || status === 400 || status === 408 || status === 429
  return new DirectoryError('failing', what, { retryable, ...cure })
}

/** A proxy's error page may show the request: whatever looks like a token goes before it is cut. */
const said = ({ body }: Answer): string =>
  body === ''
    ? 'without a word'
    : visible(
        body
          .slice(0, 4_096)
          .replace(/[\w.~+/=-]{24,}/g, '•••')
          .slice(0, 200),
      )
