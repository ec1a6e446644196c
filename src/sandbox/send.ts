import type { ServerResponse } from 'node:http'
import { encode, type Reply } from './reply.ts'

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
