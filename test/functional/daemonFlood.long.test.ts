import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type HttpServer, serveHttp } from '../../src/daemon/http.ts'

const opened: { readonly servers: HttpServer[]; readonly sockets: Socket[] } = { servers: [], sockets: [] }
afterEach(async () => {
  for (const socket of opened.sockets.splice(0)) socket.destroy()
  for (const server of opened.servers.splice(0)) await server.close()
})

/** A server whose page of metrics has `length` bytes and takes 20 ms of the processor, as that of some hundred workspaces does. */
async function serving(length: number) {
  const pages = { made: 0 }
  const body = 'x'.repeat(length)
  const server = await serveHttp('127.0.0.1:0', {
    healthy: () => ({ ok: true, reason: 'moving' }),
    ready: () => ({ ok: true, reason: 'attempted' }),
    metrics: async () => {
      pages.made++
      const untilMs = performance.now() + 20
      while (performance.now() < untilMs);
      await pause(1)
      return { contentType: 'text/plain', body }
    },
    onError: (error) => expect.unreachable(String(error)),
  })
  opened.servers.push(server)
  return { ...server, pages }
}

/** Sends requests for metrics at once, and reads no answer. */
async function asking(url: string, requests: number): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  opened.sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n'.repeat(requests))
  return socket
}

const statusOf = async (url: string) => (await fetch(url)).status

test('50 clients that ask 100 times each and read nothing do not delay a probe, and cost few pages', async () => {
  const { url, pages } = await serving(30_000)
  for (let client = 0; client < 50; client++) await asking(url, 100)
  const beganMs = performance.now()
  expect(await statusOf(`${url}/healthz`)).toBe(200)
  // The pages of 5,000 requests would take more than a minute.
  expect(performance.now() - beganMs).toBeLessThan(10_000)
  expect(pages.made).toBeLessThan(50)
  for (const socket of opened.sockets.splice(0)) socket.destroy()
  await expect.poll(() => statusOf(`${url}/metrics`), { timeout: 5_000 }).toBe(200)
})

test('a client that does not read its answer is cut after ten seconds, and its place is free', { timeout: 60_000 }, async () => {
  const { url } = await serving(20_000_000)
  const plain = (socket: Socket) => socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n')
  const sockets = await Promise.all(Array.from({ length: 5 }, () => asking(url, 0)))
  sockets.map(plain)
  await expect.poll(() => statusOf(`${url}/metrics`)).toBe(503)
  expect(await statusOf(`${url}/healthz`)).toBe(200)
  await expect.poll(() => statusOf(`${url}/metrics`), { timeout: 20_000, interval: 500 }).toBe(200)
})
