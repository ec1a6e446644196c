/** Where a mistake of indentation is, and its words. `start` and `end` are offsets into the text. */
type Mistake = { readonly start: number; readonly end: number; readonly sentence: string; readonly cure: string }

type Line = { readonly number: number; readonly at: number; readonly indent: number; readonly text: string }

/**
 * The parser finds a key below a value and reports the value. The mistake is the line below, which begins further to the right.
 *
 * @param start the offset of the reported value
 */
export function keyTooDeep(text: string, start: number): Mistake | undefined {
  const lines = linesAround(text, start)
  const here = lines.above.at(-1)
  const { next } = lines
  if (here === undefined || next === undefined || /:\s/.test(text.slice(start, here.at + here.indent + here.text.length))) return undefined
  const before = text.slice(here.at, start)
  const [, lead = '', key] = /^([ -]*)([^\s:]+):\s*$/.exec(before) ?? []
  const [, dash, nextKey] = /^(- )?([^\s:]+):(?:\s|$)/.exec(next.text) ?? []
  if (key === undefined || nextKey === undefined || dash !== undefined || next.indent <= lead.length) return undefined
  const from = next.at + next.indent
  return {
    start: from,
    end: from + nextKey.length,
    sentence: 'this key is indented further than the key above, which has a value already',
    cure: `keys of one map begin in the same column: the key in line ${here.number} begins in column ${lead.length + 1}, this one in column ${next.indent + 1}`,
  }
}

/** The words for a line that does not begin in the column of the lines beside it; undefined if a bracket above may be open. */
export function uneven(text: string, start: number): { readonly cure: string; readonly block: number } | undefined {
  const { above } = linesAround(text, start)
  const here = above.at(-1)
  if (here === undefined) return undefined
  const parentAt = above.findLastIndex(({ indent }) => indent < here.indent)
  const parent = above[parentAt]
  const first = above[parentAt + 1]
  if (parent === undefined || first === undefined || first.number === here.number || isOpen(above.slice(parentAt, -1))) return undefined
  const block = first.number
  if (first.indent !== here.indent) {
    const columns = `below line ${parent.number}, line ${block} begins in column ${first.indent + 1}, and this line in column ${here.indent + 1}`
    return { block, cure: `${columns}; lines of one list or map begin in the same column, so one of these three lines is wrong` }
  }
  return first.text.startsWith('- ') && !here.text.startsWith('- ')
    ? {
        block,
        cure: `line ${block} begins a list item in this column; the keys of an item begin two columns after its "- ", and a key after the list begins in column ${parent.indent + 1}, like line ${parent.number}`,
      }
    : undefined
}

const isOpen = (lines: readonly Line[]): boolean =>
  lines.reduce((open, { text }) => open + (text.match(/[[{]/g)?.length ?? 0) - (text.match(/[\]}]/g)?.length ?? 0), 0) !== 0

/** A mistake is looked for in so many characters above and below. */
const charactersMax = 20_000

/** The lines from above to that of `offset`, which is the last, and the one below. Empty lines and comments are left out. */
function linesAround(text: string, offset: number): { readonly above: readonly Line[]; readonly next: Line | undefined } {
  const from = text.lastIndexOf('\n', Math.max(0, offset - charactersMax)) + 1
  let number = text.slice(0, from).split('\n').length
  let at = from
  const above: Line[] = []
  for (const whole of text.slice(from, offset + charactersMax).split('\n')) {
    const trimmed = whole.trim()
    const line = { number, at, indent: whole.length - whole.trimStart().length, text: trimmed }
    number++
    at += whole.length + 1
    if (trimmed === '' || trimmed.startsWith('#')) continue
    if (line.at > offset) return { above, next: line }
    above.push(line)
  }
  return { above, next: undefined }
}
