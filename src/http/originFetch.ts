import { NoAnswer, type Origin } from './origin.ts'

/** The part of `fetch` that OAuth libraries use. */
export type OriginFetch = (
  address: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown },
) => Promise<Response>

/** Maximum of an answer. A token with its metadata has a few thousand characters; the library has no limit of its own. */
export const oauthCharactersMax = 1_000_000

/**
 * A `fetch` for one origin, with its CA, proxy, deadline and limit on bytes. The global `fetch` has none of these, and the metadata of a server
 * could lead it to any host.
 *
 * @param admit called with each address before a request; throws for an address that must get no request
 */
export function originFetch(origin: Pick<Origin, 'url' | 'request'>, admit: (address: URL) => void, signal: AbortSignal): OriginFetch {
  const prefix = origin.url.pathname.replace(/\/$/, '')
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    admit(url)
    if (url.origin !== origin.url.origin || !url.pathname.startsWith(`${prefix}/`))
      throw new TypeError(`${address} is not below ${origin.url.href}`)
    const answer = await origin.request(
      {
        method: method === 'POST' ? 'POST' : 'GET',
        path: url.pathname.slice(prefix.length) + url.search,
        headers,
        ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      },
      signal,
    )
    if (answer.body.length > oauthCharactersMax) {
      const why = `the answer has more than ${oauthCharactersMax} characters, too many for a token or for metadata`
      throw new NoAnswer('tooLarge', true, answer.receivedAtMs, why, undefined, `${method} ${url.origin}${url.pathname}`)
    }
    // A Response with one of these statuses may not even have an empty body.
    const empty = answer.status === 204 || answer.status === 205 || answer.status === 304
    return new Response(empty ? null : answer.body, { status: answer.status, headers: answer.headers })
  }
}
