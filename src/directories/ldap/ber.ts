import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { BerReader, ProtocolOperation } from 'ldapts'

/** An entry, in the bytes that arrived. Values are counted when it is parsed; `values()` reads them. */
export type LdapEntry = { readonly dn: string; readonly attributes: readonly Attribute[] }

export type Attribute = {
  readonly type: string
  /** The number of values. `emptyCount`: the number of values without bytes. */
  readonly count: number
  readonly emptyCount: number
  values(): readonly Buffer[]
  /** Calls `value` once for each value, with the range of its bytes, so that no value needs a buffer of its own. */
  each(value: (bytes: Buffer, start: number, end: number) => void): void
}

/** A search result entry (RFC 4511 §4.5.2). Values are stepped over by their length, so a thousand members are not decoded. */
export function parseEntry(reader: BerReader, limit: number): LdapEntry {
  const end = enter(reader, ProtocolOperation.LDAP_RES_SEARCH_ENTRY, limit)
  const dn = readDn(reader, end)
  const attributes: Attribute[] = []
  const attributesEnd = enter(reader, 0x30, end)
  while (reader.offset < attributesEnd) attributes.push(parseAttribute(reader, attributesEnd))
  return { dn, attributes }
}

function parseAttribute(reader: BerReader, limit: number): Attribute {
  const end = enter(reader, 0x30, limit)
  const type = readType(reader, end)
  const valuesEnd = enter(reader, ProtocolOperation.LBER_SET, end)
  const start = reader.offset
  let count = 0
  let emptyCount = 0
  while (reader.offset < valuesEnd) {
    reader.offset = enter(reader, 0x04, valuesEnd)
    count++
    if (reader.length === 0) emptyCount++
  }
  const { buffer } = reader
  return {
    type,
    count,
    emptyCount,
    values() {
      const values: Buffer[] = []
      eachValue(buffer, start, valuesEnd, (bytes, from, to) => values.push(bytes.subarray(from, to)))
      return values
    },
    each: (value) => eachValue(buffer, start, valuesEnd, value),
  }
}

/** Steps from value to value by their lengths, which `parseAttribute` has checked. */
function eachValue(buffer: Buffer, start: number, end: number, value: (bytes: Buffer, start: number, end: number) => void): void {
  for (let at = start; at < end; ) {
    const length = buffer.readUInt8(at + 1)
    const lengthBytes = length > 0x80 ? length - 0x80 : 0
    const from = at + 2 + lengthBytes
    at = from + (lengthBytes === 0 ? length : buffer.readUIntBE(at + 2, lengthBytes))
    value(buffer, from, at)
  }
}

/** Maximum of a DN or a name: longer than any in use. One is kept for each group. */
export const textBytesMax = 4_096

/**
 * The DN as text. If the DN is too long or not UTF-8, the text is its beginning and a hash. So different entries stay different, and a person who may
 * rename one entry cannot make the whole reading fail.
 */
function readDn(reader: BerReader, limit: number): string {
  const end = enter(reader, 0x04, limit)
  const bytes = reader.buffer.subarray(reader.offset, end)
  const text = bytes.toString('utf8', 0, textBytesMax)
  reader.offset = end
  if (bytes.length <= textBytesMax && isUtf8(bytes)) return text
  return `${text.slice(0, dnBeginning)}… (SHA-256 ${createHash('sha256').update(bytes).digest('hex').slice(0, 32)})`
}
const dnBeginning = 200

function readType(reader: BerReader, limit: number): string {
  const end = enter(reader, 0x04, limit)
  if (end - reader.offset > textBytesMax) throw new Error(`the name of an attribute is longer than ${textBytesMax} bytes`)
  const text = reader.buffer.toString('utf8', reader.offset, end)
  reader.offset = end
  return text
}

/**
 * Steps into an element and returns where it ends. An end after `limit` is an error, and so is one before the beginning: ldapts reads a
 * length of 2³¹ or more as a negative number.
 */
function enter(reader: BerReader, tag: number, limit: number): number {
  const found = reader.peek()
  const end = reader.readSequence() === null ? Number.NaN : reader.offset + reader.length
  if (found === tag && reader.length >= 0 && end <= limit) return end
  throw new Error('the answer is not encoded as LDAP requires')
}

/** Checks every length of a message before ldapts reads it: ldapts would loop for ever on a negative length. */
export function requireEncoding(reader: BerReader, limit: number, depth = 0): void {
  while (reader.offset < limit) {
    const tag = reader.peek() ?? 0
    const end = enter(reader, tag, limit)
    const isConstructed = (tag & 0x20) !== 0
    if (isConstructed && depth < 8) requireEncoding(reader, end, depth + 1)
    reader.offset = end
  }
}
