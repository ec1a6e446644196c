import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { BerReader, BerWriter, BindRequest, ExtendedRequest, PagedResultsControl, ProtocolOperation, SearchRequest } from 'ldapts'

/**
 * An LDAP server whose answers a test decides. It produces answers that a real server does not give on request. It also answers a search without a
 * bind. A real server may refuse such a search, so the program must bind first.
 */
export type FakeLdap = AsyncDisposable & {
  readonly url: string
  /** All received searches. */
  readonly searches: readonly FakeSearch[]
  connections(): number
  /** How many extended requests came. */
  extended(): number
  /** Connections that are open now. */
  open(): number
  /** Closes all connections, and accepts new ones. */
  drop(): void
}

export type FakeSearch = {
  readonly base: string
  readonly scope: string
  readonly filter: string
  readonly attributes: readonly string[]
  readonly sizeLimit: number
  readonly timeLimitS: number
  readonly typesOnly: boolean
  readonly page: { readonly size: number; readonly critical: boolean; readonly cookie: string } | undefined
  readonly boundAs: string
}

export type FakeEntry = { readonly dn: string; readonly attributes: Readonly<Record<string, readonly (string | Buffer)[]>> }

/** `cookie` absent: the answer has no paging control. `no value`: it has the control without a value. `result` default: success. */
export type FakeAnswer = {
  readonly entries?: readonly FakeEntry[]
  readonly references?: readonly string[]
  readonly result?: number
  readonly cookie?: 'no value' | (string & {})
  /** Bytes after the entries; `id` is the number of the message that is answered. */
  readonly raw?: Buffer | ((id: number) => Buffer)
  /** If true, the server cuts the connection after the entries and sends no result. */
  readonly cut?: boolean
}

export type FakeOptions = {
  readonly search: (search: FakeSearch, number: number) => FakeAnswer | 'silence'
  readonly bind?: (dn: string, password: string) => { readonly code: number; readonly text?: string } | 'silence' | Buffer
  /** The answer to "Who am I?", or a result code; `end`: the server closes the connection. Default: `dn:` and the bound name. */
  readonly whoAmI?: 'end' | (string & {}) | number
  /** The server accepts StartTLS. Then it is silent, closes the connection, or sends this text. Absent: the server does not know StartTLS. */
  readonly startTls?: 'silence' | 'end' | (string & {})
}

export async function startFakeLdap(options: FakeOptions): Promise<FakeLdap> {
  const searches: FakeSearch[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let extended = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    let boundAs = ''
    let stalled = false
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      if (stalled) return
      rest = Buffer.concat([rest, data])
      for (let reader = whole(rest); reader; reader = whole(rest)) {
        const { id, tag } = reader
        rest = reader.after
        if (tag === ProtocolOperation.LDAP_REQ_BIND) {
          const request = parseBind(id, reader.body)
          const answer = options.bind?.(request.dn, request.password) ?? { code: 0 }
          if (answer === 'silence') return
          if (Buffer.isBuffer(answer)) {
            socket.end(answer)
            return
          }
          if (answer.code === 0) boundAs = request.dn
          socket.write(result(id, ProtocolOperation.LDAP_RES_BIND, answer.code, answer.text))
        } else if (tag === ProtocolOperation.LDAP_REQ_EXTENSION) {
          extended++
          const request = new ExtendedRequest({ messageId: id })
          request.parse(reader.body, [])
          const isStartTls = request.oid === '1.3.6.1.4.1.1466.20037'
          const answer = isStartTls ? (options.startTls ? 0 : 2) : (options.whoAmI ?? (boundAs === '' ? '' : `dn:${boundAs}`))
          if (answer === 'end') {
            socket.end()
            return
          }
          socket.write(
            typeof answer === 'number'
              ? result(id, ProtocolOperation.LDAP_RES_EXTENSION, answer)
              : result(id, ProtocolOperation.LDAP_RES_EXTENSION, 0, '', (writer) => writer.writeString(answer, 0x8b)),
          )
          if (isStartTls && options.startTls) {
            stalled = true
            if (options.startTls === 'end') socket.end()
            else if (options.startTls !== 'silence') socket.write(options.startTls)
          }
        } else if (tag === ProtocolOperation.LDAP_REQ_SEARCH) {
          const search = parseSearch(id, reader.body, boundAs)
          searches.push(search)
          const answer = options.search(search, searches.length)
          if (answer !== 'silence') reply(socket, id, answer)
        } else {
          socket.end()
        }
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `ldap://127.0.0.1:${address.port}`,
    searches,
    connections: () => connections,
    extended: () => extended,
    open: () => sockets.size,
    drop() {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The first complete message of a buffer. */
function whole(buffer: Buffer): { id: number; tag: number; body: BerReader; after: Buffer } | undefined {
  if (buffer.length === 0) return undefined
  const frame = new BerReader(buffer)
  if (frame.readSequence() === null || frame.remain < frame.length) return undefined
  const end = frame.offset + frame.length
  const body = new BerReader(buffer.subarray(0, end))
  body.readSequence()
  return { id: body.readInt() ?? 0, tag: body.readSequence() ?? 0, body, after: buffer.subarray(end) }
}

/** A simple bind, or one by SASL: then without a name and a password. */
function parseBind(messageId: number, body: BerReader): { readonly dn: string; readonly password: string } {
  const start = body.offset
  body.readInt()
  body.readString()
  if (body.peek() === ProtocolOperation.LDAP_REQ_BIND_SASL) return { dn: '', password: '' }
  body.offset = start
  const request = new BindRequest({ messageId })
  request.parse(body, [])
  return request
}

function parseSearch(messageId: number, body: BerReader, boundAs: string): FakeSearch {
  const request = new SearchRequest({ messageId, filter: undefined as never })
  request.parse(body, [])
  const control = request.controls?.find((control) => control instanceof PagedResultsControl)
  const page = control && {
    size: control.value?.size ?? 0,
    critical: control.critical,
    cookie: control.value?.cookie?.toString('latin1') ?? '',
  }
  const { baseDN: base, scope, filter, attributes, sizeLimit, timeLimit: timeLimitS } = request
  const typesOnly = !request.returnAttributeValues
  return { base, scope, filter: filter.toString(), attributes, sizeLimit, timeLimitS, typesOnly, page, boundAs }
}

function reply(socket: Socket, id: number, { entries = [], references = [], result: code = 0, cookie, raw, cut }: FakeAnswer): void {
  for (const entry of entries) socket.write(searchEntry(id, entry))
  for (const reference of references) {
    socket.write(message(id, ProtocolOperation.LDAP_RES_SEARCH_REF, (writer) => writer.writeString(reference)))
  }
  if (raw) socket.write(typeof raw === 'function' ? raw(id) : raw)
  if (cut) socket.end()
  else socket.write(result(id, ProtocolOperation.LDAP_RES_SEARCH, code, '', undefined, cookie))
}

export function searchEntry(id: number, { dn, attributes }: FakeEntry): Buffer {
  return message(id, ProtocolOperation.LDAP_RES_SEARCH_ENTRY, (writer) => {
    writer.writeString(dn)
    writer.startSequence()
    for (const [name, values] of Object.entries(attributes)) {
      writer.startSequence()
      writer.writeString(name)
      writer.startSequence(ProtocolOperation.LBER_SET)
      for (const value of values) writer.writeBuffer(Buffer.from(value), 0x04)
      writer.endSequence()
      writer.endSequence()
    }
    writer.endSequence()
  })
}

/** A notice of disconnection (RFC 4511 §4.4.1), or another message that no request asked for. */
export const notice = (code: number, text: string, oid = '1.3.6.1.4.1.1466.20036'): Buffer =>
  result(0, ProtocolOperation.LDAP_RES_EXTENSION, code, text, (writer) => writer.writeString(oid, 0x8a))

function result(id: number, tag: number, code: number, text = '', more?: (writer: BerWriter) => void, cookie?: string): Buffer {
  const body = (writer: BerWriter) => {
    writer.writeEnumeration(code)
    writer.writeString('')
    writer.writeString(text)
    more?.(writer)
  }
  if (cookie === undefined) return message(id, tag, body)
  return message(id, tag, body, (writer) => {
    const value = new BerWriter()
    value.startSequence()
    value.writeInt(0)
    value.writeBuffer(Buffer.from(cookie, 'latin1'), 0x04)
    value.endSequence()
    writer.startSequence(ProtocolOperation.LDAP_CONTROLS)
    writer.startSequence()
    writer.writeString(PagedResultsControl.type)
    if (cookie !== 'no value') writer.writeBuffer(value.buffer, 0x04)
    writer.endSequence()
    writer.endSequence()
  })
}

function message(id: number, tag: number, body: (writer: BerWriter) => void, controls?: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(tag)
  body(writer)
  writer.endSequence()
  controls?.(writer)
  writer.endSequence()
  return writer.buffer
}
