import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type BerReader, ProtocolOperation } from 'ldapts'
import { OperationalError } from '../../core/operationalError.ts'
import { count } from '../../core/quantity.ts'
import { type Attribute, asciiText, isRange, ReceivedAttribute, textBytesMax, withoutOptions } from './attribute.ts'
import { quoted } from './failure.ts'

/** An entry, in the bytes that arrived. Values are counted when it is parsed; `values()` reads them. */
export type LdapEntry = { readonly dn: string; readonly attributes: readonly Attribute[] }

/** A search asks for some ten attributes, and a server must not send one twice (RFC 4511 §4.1.7). */
const attributesMax = 1_000

/**
 * A search result entry (RFC 4511 §4.5.2). Values are stepped over by their length, so a thousand members are not decoded. The values of an attribute with
 * options that no search asked for become one attribute, with the first of these names: a person may add any number of options to an entry of OpenLDAP.
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
  const withOptions = new Map<string, Ranges>()
  const attributesEnd = cursor.enter(0x30, end)
  while (cursor.at < attributesEnd) {
    const attributeEnd = cursor.enter(0x30, attributesEnd)
    const typeEnd = cursor.enter(0x04, attributeEnd)
    const { type, base } = typeOf(buffer, cursor.at, typeEnd)
    const earlier = base === undefined ? undefined : withOptions.get(base)
    if (earlier === undefined && attributes.length + withOptions.size === attributesMax) throw tooManyAttributes(dn)
    cursor.at = typeEnd
    const valuesEnd = cursor.enter(ProtocolOperation.LBER_SET, attributeEnd)
    const from = cursor.at
    const attribute = parseValues(type, cursor, valuesEnd)
    if (base === undefined) attributes.push(attribute)
    else if (earlier === undefined) withOptions.set(base, { type, ends: [from, valuesEnd] })
    else if (from < valuesEnd) earlier.ends.push(from, valuesEnd)
  }
  for (const ranges of withOptions.values()) attributes.push(joined(ranges, buffer))
  return { dn, attributes }
}

const tooManyAttributes = (dn: string) =>
  new OperationalError('TooManyAttributes', `the entry ${quoted(dn)} has more than ${count(attributesMax)} attributes`, {
    cure: 'exclude it with the filter; the server sends attributes that were not requested',
  })

function parseValues(type: string, cursor: Cursor, end: number): Attribute {
  const { buffer, at: start } = cursor
  let values = 0
  let emptyCount = 0
  while (cursor.at < end) {
    const valueEnd = cursor.enter(0x04, end)
    if (valueEnd === cursor.at) emptyCount++
    values++
    cursor.at = valueEnd
  }
  return new ReceivedAttribute(type, values, emptyCount, buffer, start, end)
}

/** Where the values of an attribute are in a message: a beginning, an end, the next beginning. Numbers need less memory than objects. */
type Ranges = { readonly type: string; readonly ends: number[] }

function joined({ type, ends }: Ranges, buffer: Buffer): Attribute {
  const bytes = Buffer.alloc(ends.reduce((sum, end, index) => (index % 2 === 0 ? sum - end : sum + end), 0))
  let length = 0
  for (let index = 0; index < ends.length; index += 2) length += buffer.copy(bytes, length, ends[index], ends[index + 1])
  return parseValues(type, new Cursor(bytes, 0), length)
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

/** The name of an attribute. `base`: the name without options, in lower case, if it has an option that no search asked for, such as `cn;lang-de`. */
type TypeName = { readonly type: string; readonly base?: string }
type TypeNames = (buffer: Buffer, start: number, end: number) => TypeName

/** The requested names with options, in lower case and without a range. */
type RequestedOptions = ReadonlySet<string>

const knownMax = 32
/** Messages show at most this many characters of a name with options. */
const shownMax = 100

/** The entries of a reading have the same few attributes, so each name is decoded once. */
export function openTypeNames(requested: RequestedOptions = new Set()): TypeNames {
  const known: { readonly bytes: Buffer; readonly name: TypeName }[] = []
  return (buffer, start, end) => {
    for (const { bytes, name } of known) if (hasBytes(buffer, start, end, bytes)) return name
    const name = typeName(buffer.toString('utf8', start, Math.min(end, start + textBytesMax)), requested)
    if (name.base !== undefined) return name
    if (end - start > textBytesMax) throw new Error(`the name of an attribute is longer than ${textBytesMax} bytes`)
    if (known.length < knownMax) known.push({ bytes: Buffer.from(buffer.subarray(start, end)), name })
    return name
  }
}

function typeName(type: string, requested: RequestedOptions): TypeName {
  const base = withoutOptions(type)
  const isKnown = base === type || isRange(type, base) || requested.has(withoutRange(type))
  return isKnown ? { type } : { type: type.slice(0, shownMax), base: base.toLowerCase() }
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
