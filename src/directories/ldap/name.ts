import type { Attribute } from './attribute.ts'
import { isType } from './values.ts'

type Valued = Pick<Attribute, 'type' | 'values'>

/** More names of one entry are not made. An entry with several names is held under each of them. */
const namesMax = 1_000

/** `AD\{sAMAccountName}` → `AD\`, `{sAMAccountName}` */
const parts = (name: string): readonly string[] => name.split(/(\{[^{}]*\})/).filter((part) => part !== '')
const isPlaceholder = (part: string): boolean => part.startsWith('{')

/** The attributes that the setting `groups.name` needs: `cn` needs itself, and `AD\{sAMAccountName}` the attributes in its braces. */
export function nameAttributes(name: string): readonly string[] {
  const placed = parts(name).filter(isPlaceholder)
  return placed.length === 0 ? [name] : [...new Set(placed.map((part) => part.slice(1, -1)))]
}

/**
 * The names of an entry: the values of an attribute, or all texts that a template makes of the values of its attributes. Values are bytes, which need not
 * be UTF-8. A template has no name without a value for each of its attributes.
 */
export function namesOf(attributes: readonly Valued[], name: string): readonly Buffer[] {
  const all = parts(name)
  if (!all.some(isPlaceholder)) return valuesOf(attributes, name)
  let made: readonly Buffer[] = [Buffer.alloc(0)]
  for (const part of all) {
    const values = isPlaceholder(part) ? valuesOf(attributes, part.slice(1, -1)).filter(({ length }) => length > 0) : [Buffer.from(part)]
    made = made.flatMap((begun) => values.map((value) => Buffer.concat([begun, value]))).slice(0, namesMax)
  }
  return made
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

/** The values of an attribute, compared without case. */
export function valuesOf(attributes: readonly Valued[], name: string): readonly Buffer[] {
  const values: Buffer[] = []
  for (const attribute of attributes) {
    if (isType(attribute.type, name)) for (const value of attribute.values()) values.push(value)
  }
  return values
}
