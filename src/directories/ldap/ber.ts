import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type BerReader, ProtocolOperation } from 'ldapts'
import { OperationalError } from '../../core/operationalError.ts'
import { count } from '../../core/quantity.ts'
import { type Attribute, asciiText, ReceivedAttribute, textBytesMax } from './attribute.ts'
import { quoted } from './failure.ts'

/** An entry, in the bytes that arrived. Values are counted when it is parsed; `values()` reads them. */
export type LdapEntry = { readonly dn: string; readonly attributes: readonly Attribute[] }

/** A search asks for some ten attributes, and a server must not send one twice (RFC 4511 §4.1.7). */
const attributesMax = 1_000

/**
 * A search result entry (RFC 4511 §4.5.2). Values are stepped over by their length, so a thousand members are not decoded. Attributes whose names `typeOf`
 * does not tell are left out.
 *
 * @throws {Error} if it is not encoded like this. {OperationalError} if it has more than `attributesMax` attributes
 */
export function parseEntry(buffer: Buffer, start: number, limit: number, typeOf: TypeNames): LdapEntry {
  const cursor = new Cursor(buffer, start)
  const end = cursor.enter(ProtocolOperation.LDAP_RES_SEARCH_ENTRY, limit)
  const dnEnd = cursor.enter(0x04, end)
  const dn = dnOf(buffer, cursor.at, dnEnd)
  cursor.at = dnEnd
  const attributes: Attribute[] = []
  const attributesEnd = cursor.enter(0x30, end)
  while (cursor.at < attributesEnd) {
    const attribute = parseAttribute(cursor, attributesEnd, typeOf)
    if (attribute === undefined) continue
    if (attributes.length === attributesMax) throw tooManyAttributes(dn)
    attributes.push(attribute)
  }
  return { dn, attributes }
}

const tooManyAttributes = (dn: string) =>
  new OperationalError('TooManyAttributes', `the entry ${quoted(dn)} has more than ${count(attributesMax)} attributes`, {
    cure: 'exclude it with the filter; the server sends attributes that were not requested',
  })

function parseAttribute(cursor: Cursor, limit: number, typeOf: TypeNames): Attribute | undefined {
  const { buffer } = cursor
  const end = cursor.enter(0x30, limit)
  const typeEnd = cursor.enter(0x04, end)
  const type = typeOf(buffer, cursor.at, typeEnd)
  cursor.at = typeEnd
  if (type === undefined) {
    cursor.at = end
    return undefined
  }
  const valuesEnd = cursor.enter(ProtocolOperation.LBER_SET, end)
  const start = cursor.at
  let values = 0
  let emptyCount = 0
  while (cursor.at < valuesEnd) {
    const valueEnd = cursor.enter(0x04, valuesEnd)
    if (valueEnd === cursor.at) emptyCount++
    values++
    cursor.at = valueEnd
  }
  return new ReceivedAttribute(type, values, emptyCount, buffer, start, valuesEnd)
}

/**
 * The DN as text. If the DN is too long or not UTF-8, the text is its beginning and a hash. So different entries stay different, and a person who may
 * rename one entry cannot make the whole reading fail.
 */
function dnOf(buffer: Buffer, start: number, end: number): string {
  const ascii = asciiText(buffer, start, end)
  if (ascii !== undefined) return ascii
  const bytes = buffer.subarray(start, end)
  const text = bytes.toString('utf8', 0, textBytesMax)
  if (bytes.length <= textBytesMax && isUtf8(bytes)) return text
  return `${text.slice(0, dnBeginning)}… (SHA-256 ${createHash('sha256').update(bytes).digest('hex').slice(0, 32)})`
}
const dnBeginning = 200

/** Decodes the name of an attribute. Undefined: it has an option that no search asked for, such as `cn;lang-de`. */
type TypeNames = (buffer: Buffer, start: number, end: number) => string | undefined

/** The requested names with options, in lower case and without a range. */
type RequestedOptions = ReadonlySet<string>

const knownMax = 32

/** The entries of a reading have the same few attributes, so each name is decoded once. */
export function openTypeNames(requested: RequestedOptions = new Set()): TypeNames {
  const known: { readonly bytes: Buffer; readonly text: string }[] = []
  return (buffer, start, end) => {
    for (const { bytes, text } of known) if (hasBytes(buffer, start, end, bytes)) return text
    if (hasOtherOption(buffer, start, end, requested)) return undefined
    if (end - start > textBytesMax) throw new Error(`the name of an attribute is longer than ${textBytesMax} bytes`)
    const text = buffer.toString('utf8', start, end)
    if (known.length < knownMax) known.push({ bytes: Buffer.from(buffer.subarray(start, end)), text })
    return text
  }
}

const semicolon = 0x3b
const range = ';range='

/** Whether the name has options that were not requested. A person may add any number of them to an entry of OpenLDAP. */
function hasOtherOption(buffer: Buffer, start: number, end: number, requested: RequestedOptions): boolean {
  let at = start
  while (at < end && buffer[at] !== semicolon) at++
  if (at === end || buffer.toString('latin1', at, Math.min(end, at + range.length)).toLowerCase() === range) return false
  return requested.size === 0 || end - start > textBytesMax || !requested.has(withoutRange(buffer.toString('utf8', start, end)))
}

/** Active Directory sends `member;range=0-1499` for `member`. */
const withoutRange = (name: string): string => name.toLowerCase().replace(/;range=[^;]*$/, '')

/** Of requested names, those with options, such as `cn;lang-de`, as `RequestedOptions` has them. */
export const optionsIn = (attributes: readonly string[]): readonly string[] =>
  attributes.map(withoutRange).filter((name) => name.includes(';'))

function hasBytes(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false
  for (let at = 0; at < bytes.length; at++) if (buffer[start + at] !== bytes[at]) return false
  return true
}

/** A place in a message. It is quicker than the reader of ldapts, which needs several calls for each value: a reading may have millions of values. */
class Cursor {
  readonly buffer: Buffer
  at: number
  constructor(buffer: Buffer, at: number) {
    this.buffer = buffer
    this.at = at
  }

  /** Steps into an element and returns where it ends. An element that is not whole before `limit` is an error. */
  enter(tag: number, limit: number): number {
    const { buffer, at } = this
    let from = at + 2
    let length = from <= limit && buffer[at] === tag ? (buffer[at + 1] as number) : Number.NaN
    if (length >= 0x80) {
      const lengthEnd = from + length - 0x80
      length = length > 0x80 && length <= 0x84 && lengthEnd <= limit ? 0 : Number.NaN
      for (; from < lengthEnd && length >= 0; from++) length = length * 0x100 + (buffer[from] as number)
    }
    const end = from + length
    if (!(end <= limit)) throw notEncoded()
    this.at = from
    return end
  }
}

const notEncoded = () => new Error('the answer is not encoded as LDAP requires')

/** Checks every length of a message before ldapts reads it: ldapts would loop for ever on a negative length. */
export function requireEncoding(reader: BerReader, limit: number, depth = 0): void {
  while (reader.offset < limit) {
    const tag = reader.peek() ?? 0
    const end = reader.readSequence() === null ? Number.NaN : reader.offset + reader.length
    // ldapts reads a length of 2³¹ or more as a negative number.
    if (!(reader.length >= 0 && end <= limit)) throw notEncoded()
    const isConstructed = (tag & 0x20) !== 0
    if (isConstructed && depth < 8) requireEncoding(reader, end, depth + 1)
    reader.offset = end
  }
}
