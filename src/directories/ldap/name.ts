import type { Attribute } from './attribute.ts'
import { isType } from './values.ts'

type Valued = Pick<Attribute, 'type' | 'values'>

/**
 * More values of one attribute are not read, and more names of one entry are not made: a value in an entry has 3 bytes, and needs 200 bytes when it is
 * read. An entry with several names is held under each of them. `nameCount` says whether there are more.
 */
export const entryNamesMax = 1_000

/** `AD\{sAMAccountName}` → `AD\`, `{sAMAccountName}` */
export const parts = (name: string): readonly string[] => name.split(/(\{[^{}]*\})/).filter((part) => part !== '')
export const isPlaceholder = (part: string): boolean => part.startsWith('{')

/** The attributes that the setting `groups.name` needs: `cn` needs itself, and `AD\{sAMAccountName}` the attributes in its braces. */
export function nameAttributes(name: string): readonly string[] {
  const placed = parts(name).filter(isPlaceholder)
  return placed.length === 0 ? [name] : [...new Set(placed.map((part) => part.slice(1, -1)))]
}

/** How many names the values of an entry make, before any of them is read. Equal ones count as often as they come. */
export function nameCount(attributes: readonly Pick<Attribute, 'type' | 'count' | 'emptyCount'>[], name: string): number {
  const countOf = (wanted: string, withEmpty: boolean) =>
    attributes.reduce((sum, { type, count, emptyCount }) => sum + (isType(type, wanted) ? count - (withEmpty ? 0 : emptyCount) : 0), 0)
  const placed = parts(name).filter(isPlaceholder)
  if (placed.length === 0) return countOf(name, true)
  return placed.reduce((product, part) => product * countOf(part.slice(1, -1), false), 1)
}

/**
 * The names of an entry, at most `entryNamesMax`: the values of an attribute, or the texts that a template makes of the values of its attributes. Values are
 * bytes, which need not be UTF-8. A template has no name without a value for each of its attributes.
 */
export function namesOf(attributes: readonly Valued[], name: string): readonly Buffer[] {
  const all = parts(name)
  if (!all.some(isPlaceholder)) return valuesOf(attributes, name)
  let made: readonly Buffer[] = [Buffer.alloc(0)]
  for (const part of all) {
    const values = isPlaceholder(part) ? valuesOf(attributes, part.slice(1, -1)).filter(({ length }) => length > 0) : [Buffer.from(part)]
    made = pairs(made, values)
  }
  return made
}

/** Each beginning with each value, the first `entryNamesMax` of them. */
function pairs(beginnings: readonly Buffer[], values: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = []
  for (const begun of beginnings) {
    for (const value of values.slice(0, entryNamesMax - joined.length)) joined.push(Buffer.concat([begun, value]))
  }
  return joined
}

/** The text of an attribute that has one value, in ASCII; undefined for all others: `valuesOf` then says what they are. */
export function onlyAscii(attributes: readonly Pick<Attribute, 'type' | 'ascii'>[], name: string): string | undefined {
  let only: (typeof attributes)[number] | undefined
  for (const attribute of attributes) {
    if (!isType(attribute.type, name)) continue
    if (only !== undefined) return undefined
    only = attribute
  }
  return only?.ascii()
}

/** The first values of an attribute, at most `entryNamesMax`. The name is compared without case. */
export function valuesOf(attributes: readonly Valued[], name: string): readonly Buffer[] {
  const values: Buffer[] = []
  for (const attribute of attributes) {
    if (isType(attribute.type, name)) for (const value of attribute.values(entryNamesMax - values.length)) values.push(value)
  }
  return values
}
