/** A tag with four bytes of length, and the content. */
function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, { length }) => sum + length, 0)
  const head = Buffer.from([tag, 0x84, 0, 0, 0, 0])
  head.writeUInt32BE(length, 2)
  return Buffer.concat([head, ...content])
}

const short = (tag: number, content: string | Buffer): Buffer => Buffer.concat([Buffer.from([tag, content.length]), Buffer.from(content)])
const text = (content: string): Buffer => (content.length > 127 ? element(0x04, Buffer.from(content)) : short(0x04, content))

/** Many parts of one length, written side by side. `part` gives each; it has at most 127 bytes. */
function repeated(count: number, part: (index: number) => Buffer): Buffer {
  const size = part(0).length
  const all = Buffer.alloc(count * size)
  for (let index = 0; index < count; index++) part(index).copy(all, index * size)
  return all
}

/** One attribute with `count` values. @param value all of one length */
export const manyValues = (type: string, count: number, value: (index: number) => string | Buffer): Buffer =>
  element(
    0x30,
    text(type),
    element(
      0x31,
      repeated(count, (index) => short(0x04, value(index))),
    ),
  )

/** `count` attributes without values. @param type all of one length */
export const manyAttributes = (count: number, type: (index: number) => string): Buffer =>
  repeated(count, (index) => {
    const name = short(0x04, type(index))
    return Buffer.concat([Buffer.from([0x30, name.length + 2]), name, Buffer.from([0x31, 0])])
  })

/** The message of an entry. It is quicker to make than one of `searchEntry`, and may be as large as a message can be. */
export const rawEntry = (id: number, dn: string, ...attributes: readonly Buffer[]): Buffer =>
  element(0x30, Buffer.from([2, 1, id]), element(0x64, element(0x04, Buffer.from(dn)), element(0x30, ...attributes)))

/** A number as a text of a fixed length. */
export const numbered = (length: number) => (index: number) => index.toString(36).padStart(length, '0')
