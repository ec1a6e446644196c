import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A complete request. `path` is as it was sent, without its query. */
export type Request = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const bodyBytesMax = 1024 * 1024

/** Reads a request; undefined if its body is larger than `bodyBytesMax`. Rejects if the client disconnects. */
export async function readRequest(incoming: IncomingMessage): Promise<Request | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  const [path = '/', query = ''] = (incoming.url ?? '/').split(/\?(.*)/s)
  return {
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  }
}
