import {
  BerReader,
  type Client,
  ExtendedResponse,
  MessageParser,
  ProtocolOperation,
  SearchRequest,
  SearchResponse,
  StatusCodeParser,
} from 'ldapts'
import { OperationalError } from '../../core/operationalError.ts'
import { type LdapEntry, openTypeNames, optionsIn, parseEntry, requireEncoding } from './ber.ts'

/** Gets the answers to one search. */
export type Listener = {
  /** Gets each entry, which is not stored. An error thrown here ends the connection. */
  entry(entry: LdapEntry): void
  /** Gets the last message. */
  done(response: SearchResponse): void
  /** Called in the place of `entry` if an entry is too large; its bytes are dropped. Absent: such an entry ends the connection. */
  tooLarge?: (() => void) | undefined
}

/** The messages from a server to one client, before ldapts stores them. */
export type Incoming = {
  /** Runs a search. Several can run at the same time. @param attributes of the search; this very array shows which answers belong to it */
  during<T>(attributes: readonly string[], listener: Listener, search: () => Promise<T>): Promise<T>
  /** How many bytes of an incomplete message have arrived. */
  pendingBytes(): number
}

/** The searches that wait for answers, as ldapts keeps them. */
type Requests = Parameters<MessageParser['read']>[1]

/** Maximum of messages other than entries, because ldapts stores every reference. A reading of a million groups has some thousands of pages. */
const passedMax = 100_000

/** Maximum of one message, which bounds the memory that a server can use up. One entry with all its members is one message. */
const messageBytesMax = 16 * 1024 * 1024

/** The beginning of a message: its tag, its length, and the number that says to which search it belongs. */
const headBytes = 16

/**
 * Puts itself between the socket and the message parser of a client. The parser is the only private part of ldapts that this program uses: the
 * public interface does not show the cookie of a page, stores all entries until a page ends, and has no limit on a message. ldapts would also
 * loop for ever on a length of 2³¹ or more. The functional tests against a real server check that the parser works as assumed here.
 *
 * @param broken called for a message that is not LDAP or is too large, and with the reason if the server says that it ends the connection; ldapts alone would
 *   wait for its timeout
 */
export function incomingOf(client: Client, broken: (error: Error) => void): Incoming {
  const parser: unknown = Reflect.get(client, 'messageParser')
  if (!(parser instanceof MessageParser)) throw new Error('this version of ldapts keeps its message parser elsewhere')
  const pass = parser.read.bind(parser)
  const options = new Set<string>()
  const typeOf = openTypeNames(options)
  const listeners = new Map<readonly string[], Listener>()
  /** The search to which the message belongs that ldapts reads now. */
  let passing: Listener | undefined
  let chunks: Buffer[] = []
  let pendingBytes = 0
  let neededBytes = 0
  let droppedBytes = 0
  let passed = 0
  let isBroken = false

  parser.on('error', broken)
  parser.on('message', (message) => {
    if (message instanceof SearchResponse) passing?.done(message)
    else if (message instanceof ExtendedResponse && isDisconnection(message)) broken(StatusCodeParser.parse(message))
  })
  parser.read = (received, requests) => {
    if (isBroken) return
    let data = received
    try {
      while (data.length > 0) {
        if (droppedBytes > 0) {
          const dropped = Math.min(droppedBytes, data.length)
          droppedBytes -= dropped
          data = data.subarray(dropped)
        } else if (pendingBytes === 0) {
          take(data, requests)
          return
        } else {
          // Only the message that has begun is copied. All others are read where they are.
          const part = data.subarray(0, neededBytes - pendingBytes)
          chunks.push(part)
          pendingBytes += part.length
          data = data.subarray(part.length)
          if (pendingBytes === neededBytes) take(Buffer.concat(chunks), requests)
        }
      }
    } catch (error) {
      isBroken = true
      broken(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Reads the messages at the beginning of `buffer` that have arrived whole, and keeps what follows. */
  function take(buffer: Buffer, requests: Requests): void {
    const reader = new BerReader(buffer)
    const requestOf = () => requests.get(String(reader.readInt()))?.message
    const listenerOf = (request: ReturnType<typeof requestOf>) =>
      request instanceof SearchRequest ? listeners.get(request.attributes) : undefined
    /** The same for a message that has not arrived whole. One without a number belongs to no search. */
    const listenerOfHead = () => {
      try {
        return listenerOf(requestOf())
      } catch {
        return undefined
      }
    }
    let start = 0
    let end = messageEnd(reader, start)
    for (; end <= buffer.length; end = messageEnd(reader, start)) {
      const request = requestOf()
      requireRequest(request, reader.peek())
      const listener = listenerOf(request)
      if (listener && reader.peek() === ProtocolOperation.LDAP_RES_SEARCH_ENTRY) {
        listener.entry(parseEntry(buffer, reader.offset, end, typeOf))
      } else {
        if (listener) requireSearchAnswer(reader.peek())
        requireEncoding(reader, end)
        if (++passed > passedMax) throw new Error(`more than ${passedMax} references and other messages that are no entries`)
        passing = listener
        pass(buffer.subarray(start, end), requests)
      }
      start = end
    }
    if (end - start > messageBytesMax) {
      const hasHead = buffer.length - start >= headBytes
      if (hasHead) {
        const { tooLarge } = listenerOfHead() ?? {}
        if (tooLarge === undefined) throw new MessageTooLarge()
        tooLarge()
        droppedBytes = end - buffer.length
        start = buffer.length
      }
      end = start + (hasHead ? 1 : headBytes)
    }
    chunks = start === buffer.length ? [] : [buffer.subarray(start)]
    pendingBytes = buffer.length - start
    neededBytes = end - start
  }

  return {
    pendingBytes: () => pendingBytes,
    async during(attributes, listener, search) {
      listeners.set(attributes, listener)
      for (const name of optionsIn(attributes)) options.add(name)
      try {
        return await search()
      } finally {
        listeners.delete(attributes)
      }
    },
  }
}

/** The notice by which a server ends a connection, with the reason (RFC 4511 §4.4.1). ldapts does not look at it. */
const isDisconnection = ({ messageId, oid }: ExtendedResponse): boolean => messageId === 0 && oid === '1.3.6.1.4.1.1466.20036'

/** ldapts passes over an entry whose number no request has. It may belong to a search, and the list would look whole without it. */
function requireRequest(request: unknown, tag: number | null): void {
  if (request === undefined && (tag === ProtocolOperation.LDAP_RES_SEARCH_ENTRY || tag === ProtocolOperation.LDAP_RES_SEARCH_REF))
    throw new Error('the server sent an entry to no search of this connection')
}

/** The messages that answer a search, beside its entries (RFC 4511 §4.5.2, §4.13). ldapts takes any message for the end of the search. */
const searchAnswers: ReadonlySet<number | null> = new Set([ProtocolOperation.LDAP_RES_SEARCH, ProtocolOperation.LDAP_RES_SEARCH_REF, 0x79])

function requireSearchAnswer(tag: number | null): void {
  if (!searchAnswers.has(tag)) throw new Error('the server answered the search with the answer to another kind of request')
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
  return end
}
