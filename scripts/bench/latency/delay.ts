import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Listens on loopback and passes everything on to a server there. What the server sends arrives `latencyMs` after the last bytes that the client has
 * sent before, so that the server's own time is a part of the latency.
 *
 * @returns the port
 */
export async function startDelay(serverPort: number, latencyMs: number): Promise<number> {
  const listener = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1')
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => undefined)
    let askedAtMs = performance.now()
    const toNear = delayed(near)
    near.on('data', (data: Buffer) => {
      askedAtMs = performance.now()
      far.write(data)
    })
    near.on('close', () => far.destroy())
    far.on('data', (data: Buffer) => toNear(data, askedAtMs + latencyMs))
    far.on('end', () => toNear('end', askedAtMs + latencyMs))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return (listener.address() as AddressInfo).port
}

/** Writes in the order of the calls, never before the time of each. */
function delayed(socket: Socket): (data: Buffer | 'end', dueMs: number) => void {
  const waiting: { readonly data: Buffer | 'end'; readonly dueMs: number }[] = []
  function drain(): void {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const restMs = first.dueMs - performance.now()
      // A timer may end up to a millisecond early, and is then set again.
      if (restMs > 0) return void setTimeout(drain, restMs)
      waiting.shift()
      if (first.data === 'end') socket.end()
      else socket.write(first.data)
    }
  }
  return (data, dueMs) => {
    waiting.push({ data, dueMs })
    if (waiting.length === 1) drain()
  }
}
