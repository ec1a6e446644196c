import type { CustomFetch } from 'openid-client'
import type { Origin } from '../http/origin.ts'
import { DirectoryError } from './directoryError.ts'

/**
 * What openid-client asks through: one origin, with its CA, proxy, deadline and limit on bytes. The global fetch has none of them, and would
 * follow the metadata to whatever host they name. `trail` remembers the last address, for sentences.
 */
export function fetchFrom(origin: Pick<Origin, 'request'>, home: URL, trail: { last: string }, signal: AbortSignal): CustomFetch {
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    trail.last = url.origin + url.pathname
    if (url.origin !== home.origin) {
      throw new DirectoryError(
        'foreign',
        `${home.href}: it names a token address on another host, ${url.origin}; the secret is not sent there`,
        {
          cure: 'name the issuer by the host that gives the tokens',
        },
      )
    }
    const answer = await origin.request(
      {
        method: method === 'POST' ? 'POST' : 'GET',
        path: url.pathname + url.search,
        headers,
        ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      },
      signal,
    )
    const empty = answer.status === 204 || answer.status === 205 || answer.status === 304
    return new Response(empty ? null : answer.body, { status: answer.status, headers: answer.headers })
  }
}
