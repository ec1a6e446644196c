import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { type Endpoint, path } from '../sideBySide/client.ts'

/** A 429 as an error, for libraries that expect an error. */
export class TooMany extends Error {
  override readonly name = 'TooMany'
  readonly retryAfterMs: number | undefined
  constructor(retryAfterMs: number | undefined) {
    super('429')
    this.retryAfterMs = retryAfterMs
  }
}

export type Getting = {
  /** One request. @throws {TooMany} */
  get(): Promise<void>
  close(): Promise<void>
}

/** The plain HTTP client for libraries without one: undici with its defaults, in the same version as ours. */
export function openGet({ url }: Endpoint): Getting {
  const dispatcher = new Agent()
  async function get(): Promise<void> {
    const { statusCode, headers, body } = await request(url + path, { dispatcher })
    await body.dump()
    if (statusCode === 429) {
      const told = Number(headers['retry-after'])
      throw new TooMany(told > 0 ? told * 1000 : undefined)
    }
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
  }
  return { get, close: () => dispatcher.close() }
}

/**
 * The usual reaction to a 429, for libraries that leave it to their user: wait as long as Retry-After says, then try again. Without Retry-After:
 * exponential backoff with full jitter, here from one second up to a window. The retry loop runs inside the library's limiter, not around it.
 * Around it, each retry would take another place in the limiter, although the service does not count a refused request. The library would then be
 * slower (measured: 1.5 times).
 *
 * @see https://www.rfc-editor.org/rfc/rfc6585#section-4
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export async function retrying(attempt: () => Promise<void>, { windowMs, speed }: Endpoint): Promise<void> {
  for (let refusals = 0; ; refusals++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TooMany)) throw error
      await sleep(error.retryAfterMs ?? Math.random() * Math.min(windowMs, (1_000 * 2 ** refusals) / speed))
    }
  }
}
