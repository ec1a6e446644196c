import { BerReader, type Client, MessageParser, ProtocolOperation, SearchResponse } from 'ldapts'
import { OperationalError } from '../../core/operationalError.ts'
import { type LdapEntry, parseEntry, requireEncoding } from './ber.ts'

/** The messages from a server to one client, before ldapts stores them. */
export type Incoming = {
  /** Runs a search. Each entry goes to `entry` and is not stored; an error thrown there ends the connection. `done` gets the last message. */
  during<T>(search: () => Promise<T>, entry: (entry: LdapEntry) => void, done: (response: SearchResponse) => void): Promise<T>
  /** How many bytes of an incomplete message have arrived. */
  pendingBytes(): number
}

/** Maximum of messages other than entries, because ldapts stores every reference. A reading of a million groups has some thousands of pages. */
const passedMax = 100_000

/** Maximum of one message, which bounds the memory that a server can use up. One entry with all its members is one message. */
const messageBytesMax = 16 * 1024 * 1024

/**
 * Puts itself between the socket and the message parser of a client. The parser is the only private part of ldapts that this program uses: the
 * public interface does not show the cookie of a page, stores all entries until a page ends, and has no limit on a message. ldapts would also
 * loop for ever on a length of 2³¹ or more. The functional tests against a real server check that the parser works as assumed here.
 *
 * @param broken called for a message that is not LDAP or is too large; ldapts alone would wait for its timeout
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

/** One message is larger than the limit: an entry with very many values. */
export class MessageTooLarge extends OperationalError {
  constructor() {
    super('MessageTooLarge', `one entry is larger than ${messageBytesMax / 1024 / 1024} MiB`, { cure: 'exclude it with groups.filter' })
  }
}

/** Steps into the message that begins at `start` and returns its end; if its length has not arrived yet, one byte after the buffer. */
function messageEnd(reader: BerReader, start: number): number {
  reader.offset = start
  const tag = reader.peek()
  if (reader.readSequence() === null) return reader.buffer.length + 1
  const end = reader.offset + reader.length
  if (tag !== 0x30 || reader.length < 0) throw new Error('the answer is not LDAP')
  if (end - start <= messageBytesMax) return end
  throw new MessageTooLarge()
}
