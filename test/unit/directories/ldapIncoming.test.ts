import { BerWriter, Client, type Message, PagedResultsControl, PresenceFilter, SearchRequest } from 'ldapts'
import { expect, test } from 'vitest'
import { incomingOf, type Listener } from '../../../src/directories/ldap/incoming.ts'

type Requests = Map<string, { message: Message }>

/** A client that has sent these searches, and never connects. `receive` is the arrival of bytes. */
function opened() {
  const client = new Client({ url: 'ldap://127.0.0.1:1' })
  const errors: Error[] = []
  const incoming = incomingOf(client, (error) => errors.push(error))
  const requests: Requests = new Map()
  const parser = Reflect.get(client, 'messageParser') as { read(data: Buffer, requests: Requests): void }
  const heard: string[] = []
  function search(id: number, name: string, more: Partial<Listener> = {}) {
    const message = new SearchRequest({ messageId: id, filter: new PresenceFilter({ attribute: 'cn' }), attributes: ['cn'] })
    requests.set(String(id), { message })
    const listener: Listener = {
      entry: ({ dn }) => heard.push(`${name}: ${dn}`),
      done: ({ controls }) => heard.push(`${name} ends: ${(controls?.[0] as PagedResultsControl | undefined)?.value?.cookie?.toString()}`),
      ...more,
    }
    void incoming.during(message.attributes, listener, () => new Promise(() => undefined))
  }
  return { search, heard, errors, receive: (data: Buffer) => parser.read(data, requests) }
}

function encoded(id: number, body: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  body(writer)
  writer.endSequence()
  return writer.buffer
}

const entry = (id: number, dn: string) =>
  encoded(id, (writer) => {
    writer.startSequence(0x64)
    writer.writeString(dn)
    writer.startSequence()
    writer.endSequence()
    writer.endSequence()
  })

const end = (id: number, cookie: string) =>
  encoded(id, (writer) => {
    writer.startSequence(0x65)
    writer.writeEnumeration(0)
    writer.writeString('')
    writer.writeString('')
    writer.endSequence()
    writer.startSequence(0xa0)
    new PagedResultsControl({ value: { size: 0, cookie: Buffer.from(cookie) } }).write(writer)
    writer.endSequence()
  })

/** An entry of 17 MiB, of which only the head means something. */
function tooLarge(id: number): Buffer {
  const bytes = Buffer.alloc(17 * 1024 * 1024)
  bytes.write('308400000000020400000000', 'hex')
  bytes.writeUInt32BE(bytes.length - 6, 2)
  bytes.writeUInt32BE(id, 8)
  return bytes
}

/** The bytes one by one, and the rest at once. */
const inPieces = (bytes: Buffer, pieces = 40): readonly Buffer[] => [
  ...Array.from({ length: pieces }, (_, at) => bytes.subarray(at, at + 1)),
  bytes.subarray(pieces),
]

test('each answer goes to its search, also if searches run at the same time', () => {
  const { search, heard, receive } = opened()
  search(2, 'one')
  search(3, 'two')
  receive(Buffer.concat([entry(3, 'cn=a'), entry(2, 'cn=b'), end(3, 'x'), entry(2, 'cn=c'), end(2, 'y')]))
  expect(heard).toEqual(['two: cn=a', 'one: cn=b', 'two ends: x', 'one: cn=c', 'one ends: y'])
})

test('an entry that is too large is dropped, wherever its bytes are cut, and the answers after it arrive', () => {
  const { search, heard, errors, receive } = opened()
  search(2, 'one', { tooLarge: () => heard.push('one: too large') })
  search(3, 'two')
  for (const piece of inPieces(Buffer.concat([entry(3, 'cn=a'), tooLarge(2)]))) receive(piece)
  for (const piece of inPieces(end(2, 'x'), 10)) receive(piece)
  receive(end(3, 'y'))
  expect(heard).toEqual(['two: cn=a', 'one: too large', 'one ends: x', 'two ends: y'])
  expect(errors).toEqual([])
})

test('an entry that is too large ends the connection if its search does not expect one', () => {
  const { search, heard, errors, receive } = opened()
  search(2, 'one', { tooLarge: () => heard.push('one: too large') })
  search(3, 'two')
  for (const piece of inPieces(tooLarge(3))) if (errors.length === 0) receive(piece)
  expect(errors.map(({ message }) => message)).toEqual(['one entry is larger than 16 MiB'])
  expect(heard).toEqual([])
})
