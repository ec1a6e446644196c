import type { BerReader } from 'ldapts'

/** A place in a message. It is quicker than the reader of ldapts, which needs several calls for each value: a reading may have millions of values. */
export class Cursor {
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
