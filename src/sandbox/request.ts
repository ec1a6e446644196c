import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A complete request. `path` is as it was sent, without its query. */
export type Request = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The target of a request. `host` is that of an absolute address (RFC 9112 §3.2.2), which counts instead of the header `Host`. */
export type Target = { readonly path: string; readonly query: string; readonly host: string | undefined }

export function targetOf({ url = '/' }: Pick<IncomingMessage, 'url'>): Target {
  const [, host, rest = url] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  const [path = '', query = ''] = rest.split(/\?(.*)/s)
  return { path: path === '' ? '/' : path, query, host }
}

/** The bytes of all bodies that are in memory. */
export type BodyBytes = { held: number }

/** Of all requests together. */
const heldBytesMax = 64 * 1024 * 1024
/** The rest of a body that is too large is read and dropped, since a client reads the answer when it has sent everything. */
const droppedBytesMax = 256 * 1024 * 1024

/**
 * Reads a body. The bytes that were read count in `bytes`; the caller takes them off. Rejects if the client disconnects, or sends without an end.
 *
 * @returns why it was dropped, if it was
 */
export async function readBytes(incoming: IncomingMessage, max: number, bytes: BodyBytes): Promise<Buffer | 'too large' | 'no room'> {
  const chunks: Buffer[] = []
  let length = 0
  let dropped: 'too large' | 'no room' | undefined
  function drop(why: 'too large' | 'no room'): void {
    dropped = why
    bytes.held -= chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    chunks.length = 0
  }
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > droppedBytesMax) throw new Error('the body has no end')
      if (dropped !== undefined) continue
      if (length > max) drop('too large')
      else if (bytes.held + chunk.length > heldBytesMax) drop('no room')
      else {
        bytes.held += chunk.length
        chunks.push(chunk)
      }
    }
  } catch (cause) {
    drop('too large')
    throw cause
  }
  return dropped ?? Buffer.concat(chunks)
}
