import { BerReader, type Client, MessageParser, ProtocolOperation, SearchResponse } from 'ldapts'
import { type LdapEntry, parseEntry, requireEncoding } from './ber.ts'

/** What a server sends to one client, seen before ldapts keeps it. */
export type Incoming = {
  /** Runs a search whose entries go to `entry` one by one and are kept by nobody. What it throws breaks the connection. */
  during<T>(search: () => Promise<T>, entry: (entry: LdapEntry) => void, done: (response: SearchResponse) => void): Promise<T>
  /** Of a message that is not whole yet. */
  pendingBytes(): number
}

/** ldapts keeps every reference of a page. A reading of a million groups has some thousands of pages. */
const passedMax = 100_000

/** One entry with all its members is one message; what is larger would be memory given to whoever answers. */
const messageBytesMax = 16 * 1024 * 1024

/**
 * Steps between the socket and the message parser of a client: the one private part of ldapts that is used. Nothing public shows the cookie
 * of a page, lets go of an entry before its page ends, or bounds a message; and a length of 2³¹ or more would keep ldapts in a loop for ever.
 * The functional tests against a real server are its contract.
 *
 * @param broken called for what is no LDAP message, or too large a one; ldapts alone would wait for its timeout
 */
export function incomingOf(client: Client, broken: (error: Error) => void): Incoming {
  const parser: unknown = Reflect.get(client, 'messageParser')
  if (!(parser instanceof MessageParser)) throw new Error('this version of ldapts keeps its message parser elsewhere')
  const pass = parser.read.bind(parser)
  let listening: { entry: (entry: LdapEntry) => void; done: (response: SearchResponse) => void } | undefined
  let chunks: Buffer[] = []
  let pendingBytes = 0
  let neededBytes = 0
  let passed = 0

  parser.on('error', broken)
  parser.on('message', (message) => {
    if (message instanceof SearchResponse) listening?.done(message)
  })
  parser.read = (data, requests) => {
    chunks.push(data)
    pendingBytes += data.length
    if (pendingBytes < neededBytes) return
    const buffer = chunks.length === 1 ? data : Buffer.concat(chunks)
    const reader = new BerReader(buffer)
    let start = 0
    try {
      let end = messageEnd(reader, start)
      for (; end <= buffer.length; end = messageEnd(reader, start)) {
        const isAsked = requests.has(String(reader.readInt()))
        if (listening && isAsked && reader.peek() === ProtocolOperation.LDAP_RES_SEARCH_ENTRY) {
          listening.entry(parseEntry(reader, end))
        } else {
          requireEncoding(reader, end)
          if (++passed > passedMax) throw new Error(`more than ${passedMax} references and other messages that are no entries`)
          pass(buffer.subarray(start, end), requests)
        }
        start = end
      }
      chunks = [buffer.subarray(start)]
      pendingBytes = buffer.length - start
      neededBytes = end - start
    } catch (error) {
      broken(error instanceof Error ? error : new Error(String(error)))
    }
  }

  return {
    pendingBytes: () => pendingBytes,
    async during(search, entry, done) {
      listening = { entry, done }
      try {
        return await search()
      } finally {
        listening = undefined
      }
    },
  }
}

/** Steps into the message that begins at `start`, and says where it ends: where its length has not arrived yet, at least one byte later. */
function messageEnd(reader: BerReader, start: number): number {
  reader.offset = start
  const tag = reader.peek()
  if (reader.readSequence() === null) return reader.buffer.length + 1
  const end = reader.offset + reader.length
  if (tag !== 0x30 || reader.length < 0) throw new Error('the answer is not LDAP')
  if (end - start <= messageBytesMax) return end
  throw new Error(`one entry is larger than ${messageBytesMax / 1024 / 1024} MiB; leave groups.member out, then it is not asked for`)
}
