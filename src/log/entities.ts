/**
 * A text without the entities of HTML and Markdown. `starts[i]` is the place in the original at which character `i` begins. One further element at
 * the end is the length of the original.
 */
export type WithoutEntities = { readonly text: string; readonly starts: readonly number[] }

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g
/** Renderings put it after characters that have a meaning in Markdown. */
const zeroWidthSpace = 0x200b

/** Undefined if the text has no entity. */
export function withoutEntities(text: string): WithoutEntities | undefined {
  let plain = ''
  let from = 0
  const starts: number[] = []
  const keep = (end: number) => {
    for (let at = from; at < end; at++) starts.push(at)
    plain += text.slice(from, end)
  }
  for (const { 0: whole, 1: decimal, 2: hex, 3: name = '', index } of text.matchAll(entity)) {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    const character = named[name] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined)
    if (character === undefined) continue
    keep(index)
    from = index + whole.length
    if (code === zeroWidthSpace) continue
    for (let unit = 0; unit < character.length; unit++) starts.push(index)
    plain += character
  }
  if (from === 0) return undefined
  keep(text.length)
  starts.push(text.length)
  return { text: plain, starts }
}
