import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What happens to the answer for a page: after so many bytes of it, or before the server is asked. */
export type WireFault =
  | { readonly kind: 'cut' | 'stall' | 'reset'; readonly afterBytes: number }
  | { readonly kind: 'kill' }
  | { readonly kind: 'delay'; readonly ms: number }

export type FaultyWire = AsyncDisposable & { readonly port: number; kill(): void }

/** The paging control (RFC 2696), which every request for a page carries. */
const pagedResults = '1.2.840.113556.1.4.319'

/**
 * A TCP proxy before an LDAP server. It cuts an answer at any byte, also within an entry.
 *
 * @param faultOf what happens to the answer for this page of a connection, from 1
 */
export async function faultyWire(upstreamPort: number, faultOf: (page: number) => WireFault | undefined): Promise<FaultyWire> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(upstreamPort, '127.0.0.1')
    const end = () => [client, upstream].forEach((socket) => socket.destroy())
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    let page = 0
    let fault: WireFault | undefined
    let leftBytes = 0
    client.on('data', (data: Buffer) => {
      if (data.includes(pagedResults)) {
        fault = faultOf(++page)
        leftBytes = fault !== undefined && 'afterBytes' in fault ? fault.afterBytes : 0
      }
      if (fault?.kind === 'kill') kill()
      else upstream.write(data)
    })
    const within = (then: 'cut' | 'stall' | 'reset', data: Buffer) => {
      client.write(data.subarray(0, leftBytes), () => {
        if (leftBytes > 0 || then === 'stall') return
        if (then === 'cut') end()
        else client.resetAndDestroy()
      })
      leftBytes = Math.max(0, leftBytes - data.length)
    }
    upstream.on('data', (data: Buffer) => {
      if (fault === undefined || fault.kind === 'kill') client.write(data)
      else if (fault.kind === 'delay') setTimeout(() => client.destroyed || client.write(data), fault.ms)
      else within(fault.kind, data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  function kill(): void {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, kill, [Symbol.asyncDispose]: async () => kill() }
}
