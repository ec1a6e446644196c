import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { ProtocolOperation } from 'ldapts'
import { OperationalError } from '../../core/operationalError.ts'
import { count } from '../../core/quantity.ts'
import { type Attribute, asciiText, ReceivedAttribute, textBytesMax } from './attribute.ts'
import { Cursor } from './cursor.ts'
import { quoted } from './failure.ts'
import type { TypeNames } from './typeNames.ts'

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
