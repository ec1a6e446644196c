import type { ServerResponse } from 'node:http'

/** One answer before it becomes bytes. Without `body` the answer has none. */
export type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly json: unknown; readonly indented?: true } | { readonly html: string }
}

export const json = (status: number, value: unknown, headers?: Record<string, string>): Reply => ({
  status,
  body: { json: value },
  ...(headers && { headers }),
})
export const empty = (status: number, headers: Record<string, string> = {}): Reply => ({ status, headers })
/** `{"detail": …}`, the form of the framework. */
export const detail = (status: number, text: string, headers?: Record<string, string>): Reply => json(status, { detail: text }, headers)
/** `{"error": …}`, the form of the endpoints. */
export const error = (status: number, text: string): Reply => json(status, { error: text })
/** JSON for a person. */
export const indented = (value: object): Reply => ({ status: 200, body: { json: value, indented: true } })
export const html = (status: number, text: string): Reply => ({ status, body: { html: text } })

export const noPermission = (): Reply => detail(403, 'You do not have permission to perform this action.')
export const objectNotFound = (): Reply => error(404, 'The requested resource does not exist.')
export const serverError = (): Reply => error(500, 'Something went wrong please try again later')

/** Bytes and headers of a reply. */
export function encode(reply: Reply): { readonly bytes: Buffer; readonly headers: Record<string, string> } {
  if (reply.body === undefined) return { bytes: Buffer.alloc(0), headers: { ...reply.headers } }
  const [text, type] = 'json' in reply.body ? [jsonText(reply.body), 'application/json'] : [reply.body.html, 'text/html; charset=utf-8']
  return { bytes: Buffer.from(text), headers: { 'Content-Type': type, ...reply.headers } }
}

const jsonText = ({ json, indented }: { readonly json: unknown; readonly indented?: true }): string =>
  indented ? `${JSON.stringify(json, undefined, 2)}\n` : JSON.stringify(json)

/**
 * Sends an answer. `Connection` is set here: if Node sets this header itself, it also adds `Keep-Alive`, which the service does not send. The
 * connection is closed where the client asked for it, or speaks HTTP/1.0 and did not ask for the opposite.
 *
 * @param half only half of the body: as a whole answer, or as one that breaks off
 */
export function send(outgoing: ServerResponse, reply: Reply, half?: 'whole' | 'cut off'): void {
  const { bytes, headers } = encode(reply)
  const part = half === undefined ? bytes : bytes.subarray(0, bytes.length >> 1)
  const length = reply.status === 204 ? {} : { 'Content-Length': String(half === 'cut off' ? bytes.length : part.length) }
  outgoing.writeHead(reply.status, { Connection: outgoing.shouldKeepAlive ? 'keep-alive' : 'close', ...headers, ...length })
  if (half === 'cut off') outgoing.write(part, () => outgoing.destroy())
  else outgoing.end(part)
}
