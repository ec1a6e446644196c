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
