import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Exchange, type Passed, send } from './faultyProxy.ts'

/** One request for a page of the list. `nth` counts the requests for this page of this list. */
export type PageRequest = Exchange & { readonly page: number; readonly nth: number }

/** `answered`: it has answered in its own way. `changed`: it has changed the server, which answers. `spared`: it did nothing. */
export type Struck = 'answered' | 'changed' | 'spared'
export type Strike = (asked: PageRequest) => Promise<Struck> | Struck

/** Does it for this page, at each attempt. */
export const at =
  (page: number, strike: (asked: PageRequest) => Promise<void> | void): Strike =>
  async (asked) => {
    if (asked.page !== page) return 'spared'
    await strike(asked)
    return 'answered'
  }

/** An answer of the proxy itself. */
export const status = (code: number, headers: Passed['headers'] = {}, body = '{"error":"x"}'): Passed => ({
  status: code,
  headers: { 'content-type': 'application/json', ...headers },
  body,
})
export const answering =
  (passed: Passed) =>
  ({ response }: PageRequest) =>
    send(response, passed)

/** Sends the first half of an answer, and does `then` with the connection. */
export const half =
  (then: (asked: PageRequest) => void) =>
  async (asked: PageRequest): Promise<void> => {
    const { status: code, headers, body } = await asked.pass()
    asked.response.writeHead(code, { ...headers, 'content-length': Buffer.byteLength(body) })
    asked.response.write(body.slice(0, body.length / 2))
    await sleep(20)
    then(asked)
  }

/** Changes the answer of the server. */
export const edited =
  (edit: (passed: Passed, asked: PageRequest) => Passed) =>
  async (asked: PageRequest): Promise<void> =>
    send(asked.response, edit(await asked.pass(), asked))

export const stream =
  (headers: Record<string, string>, chunk: Buffer, times: number) =>
  async ({ response }: PageRequest): Promise<void> => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    await pipeline(Readable.from(repeated(chunk, times)), response).catch(() => undefined)
  }

function* repeated(chunk: Buffer, times: number): Iterable<Buffer> {
  for (let sent = 0; sent < times; sent++) yield chunk
}

/** A gzip of ten mebibytes of blanks is ten kilobytes. */
export const bomb = () => gzipSync(Buffer.alloc(10 * 1024 * 1024, ' '))
