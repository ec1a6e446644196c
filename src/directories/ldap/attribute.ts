export type Attribute = {
  readonly type: string
  /** The number of values. `emptyCount`: the number of values without bytes. */
  readonly count: number
  readonly emptyCount: number
  /** The first values, at most `max`. */
  values(max: number): readonly Buffer[]
  /** How many bytes the values have in the message, with their tags and lengths. */
  readonly size: number
  /** The same attribute in bytes of its own, so that the message in which it arrived can be freed. */
  copy(): Attribute
  /** Calls `value` once for each value, with the range of its bytes, so that no value needs a buffer of its own. */
  each(value: (bytes: Buffer, start: number, end: number) => void): void
  /** The value as text, if there is only one, and it is ASCII and no longer than `textBytesMax`. */
  ascii(): string | undefined
}

/** An attribute in the bytes that arrived, whose lengths have been checked. A class, since a reading makes several for each entry. */
export class ReceivedAttribute implements Attribute {
  readonly type: string
  readonly count: number
  readonly emptyCount: number
  readonly #buffer: Buffer
  readonly #start: number
  readonly #end: number
  constructor(type: string, count: number, emptyCount: number, buffer: Buffer, start: number, end: number) {
    this.type = type
    this.count = count
    this.emptyCount = emptyCount
    this.#buffer = buffer
    this.#start = start
    this.#end = end
  }

  values(max: number): readonly Buffer[] {
    const values: Buffer[] = []
    this.#walk(max, (bytes, start, end) => values.push(bytes.subarray(start, end)))
    return values
  }

  get size(): number {
    return this.#end - this.#start
  }

  copy(): Attribute {
    return new ReceivedAttribute(
      this.type,
      this.count,
      this.emptyCount,
      Buffer.from(this.#buffer.subarray(this.#start, this.#end)),
      0,
      this.size,
    )
  }

  each(value: (bytes: Buffer, start: number, end: number) => void): void {
    this.#walk(this.count, value)
  }

  #walk(max: number, value: (bytes: Buffer, start: number, end: number) => void): void {
    const buffer = this.#buffer
    for (let at = this.#start, left = max; at < this.#end && left > 0; left--) {
      const from = this.#valueStart(at)
      const length = buffer[at + 1] as number
      at = from + (length < 0x80 ? length : buffer.readUIntBE(at + 2, length - 0x80))
      value(buffer, from, at)
    }
  }

  ascii(): string | undefined {
    return this.count === 1 ? asciiText(this.#buffer, this.#valueStart(this.#start), this.#end) : undefined
  }

  /** Where the bytes of the value begin whose tag is at `at`: behind the tag and the length. */
  #valueStart(at: number): number {
    const length = this.#buffer[at + 1] as number
    return at + 2 + (length < 0x80 ? 0 : length - 0x80)
  }
}

/** Maximum of a DN or a name: longer than any in use. One is kept for each group. */
export const textBytesMax = 4_096

/** The bytes as text, if all of them are ASCII, as in most names. This is several times as quick as the check and the decoding of UTF-8. */
export function asciiText(buffer: Buffer, start: number, end: number): string | undefined {
  if (end - start > textBytesMax) return undefined
  for (let at = start; at < end; at++) if ((buffer[at] as number) >= 0x80) return undefined
  return buffer.toString('latin1', start, end)
}

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
  const nameParts = parts(name)
  if (!nameParts.some(isPlaceholder)) return valuesOf(attributes, name)
  let made: readonly Buffer[] = [Buffer.alloc(0)]
  for (const part of nameParts) {
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

/** Whether an attribute has a value, also one without bytes. The values are not decoded. */
export const hasValue = (attributes: readonly Pick<Attribute, 'type' | 'count'>[], name: string): boolean =>
  attributes.some(({ type, count }) => count > 0 && isType(type, name))

/** How many values of an attribute an entry has; `next`: where the next part begins, if the server sends the values in parts. */
export type Counted = { readonly count: number; readonly next?: number }

type Values = Pick<Attribute, 'type' | 'count' | 'emptyCount'>

/**
 * Counts the values of one attribute. For more than 1,500 values Active Directory sends `member` without values and `member;range=0-1499`
 * (MS-ADTS 3.1.1.3.1.3.3). Empty values do not count: they are the placeholder of a groupOfNames without members.
 *
 * @param from the first value that was requested
 * @returns `absent` if there is no value, not even a placeholder; `unclear` if the answer does not have the requested part: no values, another
 *   beginning, or fewer values than its range
 */
export function countValues(attributes: readonly Values[], name: string, from: number): Counted | 'absent' | 'unclear' {
  let whole = 0
  let isPresent = false
  for (const { type, count, emptyCount } of attributes) {
    if (isType(type, name)) {
      whole += count - emptyCount
      isPresent ||= count > 0
    }
    if (!isRange(type, name)) continue
    const [, first, last] = /;range=(\d+)-(\*|\d+)$/i.exec(type) ?? []
    if (count === 0 || Number(first) !== from) return 'unclear'
    if (last === '*') return { count }
    const next = Number(last) + 1
    return next - from === count ? { count, next } : 'unclear'
  }
  if (from > 0) return 'unclear'
  return isPresent ? { count: whole } : 'absent'
}

/** Whether an attribute has the values of `name`, or a part of them. */
export const hasValuesOf = ({ type }: Pick<Attribute, 'type'>, name: string): boolean => isType(type, name) || isRange(type, name)

export const isRange = (type: string, name: string): boolean =>
  type[name.length] === ';' && isType(type.slice(0, name.length + 7), `${name};range=`)

/** `member;lang-en` → `member` */
export function withoutOptions(type: string): string {
  const end = type.indexOf(';')
  return end < 0 ? type : type.slice(0, end)
}

/** Compares attribute names without case: 389-ds answers in the case of the request, other servers in the case of their schema. */
export const isType = (type: string, name: string): boolean =>
  type === name || (type.length === name.length && type.toLowerCase() === name.toLowerCase())
