import type { Group } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { type LdapEntry, textBytesMax } from './ber.ts'
import { type LdapSettings, stableIds } from './settings.ts'
import { type Counted, countValues, isType } from './values.ts'

/**
 * One entry as a group, or why it is none. `counted`: the members in this entry; undefined if members are not counted, or if it is unclear which part
 * of them the server sent.
 */
export type EntryResult =
  | { readonly kind: 'group'; readonly group: Group; readonly counted: Counted | undefined }
  | {
      readonly kind: 'nameless'
      readonly place: string
      readonly why: 'no value' | 'several values' | 'too long a value' | 'a value that is not UTF-8'
    }

/** The name must be the attribute's only value: of several values it is unknown which one is in the claim. */
export function takeEntry({ dn: place, attributes }: LdapEntry, wanted: LdapSettings['groups']): EntryResult {
  const [only, ...others] = valuesOf(attributes, wanted.name)
  if (only === undefined || only.length === 0) return { kind: 'nameless', place, why: 'no value' }
  if (others.length > 0) return { kind: 'nameless', place, why: 'several values' }
  if (only.length > textBytesMax) return { kind: 'nameless', place, why: 'too long a value' }
  const name = text(only) as GroupName | undefined
  if (name === undefined) return { kind: 'nameless', place, why: 'a value that is not UTF-8' }

  const id = stableId(attributes, wanted.id) ?? place
  const counted = wanted.members === undefined ? undefined : countValues(attributes, wanted.members, 0)
  const group = counted && counted.next === undefined ? { name, id, place, people: counted.count } : { name, id, place }
  return { kind: 'group', group, counted }
}

function valuesOf(attributes: LdapEntry['attributes'], name: string): readonly Buffer[] {
  const values: Buffer[] = []
  for (const attribute of attributes) {
    if (isType(attribute.type, name)) for (const value of attribute.values()) values.push(value)
  }
  return values
}

function stableId(attributes: LdapEntry['attributes'], wanted: string | undefined): string | undefined {
  for (const name of wanted === undefined ? stableIds : [wanted]) {
    const [value] = valuesOf(attributes, name)
    if (value && value.length <= textBytesMax)
      return isType(name, 'objectGUID') && value.length === 16 ? guid(value) : (text(value) ?? value.toString('hex'))
  }
  return undefined
}

/** A GUID as Active Directory prints it: the first three parts are little-endian (RFC 4122 §4.1.2, MS-DTYP 2.3.4). */
function guid(bytes: Buffer): string {
  const part = (from: number, to: number) => bytes.subarray(from, to).toString('hex')
  const swapped = (from: number, to: number) => Buffer.from(bytes.subarray(from, to).toReversed()).toString('hex')
  return [swapped(0, 4), swapped(4, 6), swapped(6, 8), part(8, 10), part(10, 16)].join('-')
}

/** The bytes as text; undefined if they are not UTF-8. A byte order mark is kept: it is part of a name. */
function text(bytes: Buffer): string | undefined {
  const decoded = bytes.toString('utf8')
  return decoded.includes('\ufffd') && !Buffer.from(decoded).equals(bytes) ? undefined : decoded
}
