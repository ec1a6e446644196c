import { positionAt, type Source } from './source.ts'

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
  const line = lines.above.at(-1)
  const { next } = lines
  if (line === undefined || next === undefined || /:\s/.test(text.slice(start, line.at + line.indent + line.text.length))) return undefined
  const before = text.slice(line.at, start)
  const [, lead = '', key] = /^([ -]*)([^\s:]+):\s*$/.exec(before) ?? []
  const [, dash, nextKey] = /^(- )?([^\s:]+):(?:\s|$)/.exec(next.text) ?? []
  if (key === undefined || nextKey === undefined || next.indent <= lead.length) return undefined
  const from = next.at + next.indent
  if (dash !== undefined) return { start: from, end: from + 1, ...itemInText(line.number) }
  return {
    start: from,
    end: from + nextKey.length,
    sentence: 'this key is indented further than the key above, which has a value already',
    cure: `keys of one map begin in the same column: the key in line ${line.number} begins in column ${lead.length + 1}, this one in column ${next.indent + 1}`,
  }
}

/**
 * The first line that continues a text without quotes, with the words for it. YAML makes one text of such lines: `devs ops`, or `devs - ops`. Nearly
 * always the second line was meant to be an item or a key.
 *
 * Programs that write YAML (Helm, PyYAML) fold long texts without quotes at 80 columns. So a line that is full does not count.
 *
 * @param start the offset at which the text begins
 * @returns `meant`: the text above that line
 */
export function continuedText(source: Source, start: number, end: number): (Mistake & { readonly meant: string }) | undefined {
  const { text } = source
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    const [whole = '', first = ''] = /^\s*(\S+)/.exec(text.slice(at + 1, Math.min(end, at + 1 + charactersMax))) ?? []
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trimEnd()
    if (before.length + 1 + first.length > fullFrom) continue
    const from = at + 1 + whole.length - first.length
    const { line } = positionAt(source, start)
    const meant = text.slice(start, at).trimEnd()
    if (first === '-') return { start: from, end: from + 1, meant, ...itemInText(line) }
    return {
      start: from,
      end: from + first.length,
      meant,
      sentence: `this line continues the text in line ${line}, which has no quotes`,
      cure: `indent it like the lines around it, begin an item with "- ", and separate items in [ ] by commas; if it is a part of the text, put the text in quotes`,
    }
  }
  return undefined
}

/** Less than 80, since the text may have been moved to the left afterwards. */
const fullFrom = 60

/** The words for an item that would continue the text in line `line`. */
const itemInText = (line: number): Pick<Mistake, 'sentence' | 'cure'> => ({
  sentence: `this list item is indented further than the text in line ${line}, so it would be a part of that text`,
  cure: 'items of one list have their "- " in the same column; if this is no item, put the text in quotes',
})

/** The words for a file whose first line is indented and a later line is not; undefined if the first line is not the mistake. */
export function firstIndented(text: string): (Mistake & { readonly until: number }) | undefined {
  let first: Line | undefined
  let number = 0
  let at = 0
  for (const whole of text.slice(0, charactersMax).split('\n')) {
    number++
    const trimmed = whole.trim()
    const line = { number, at, indent: whole.length - whole.trimStart().length, text: trimmed }
    at += whole.length + 1
    if (trimmed === '' || trimmed === '---' || trimmed.startsWith('#')) continue
    if (first === undefined && line.indent === 0) return undefined
    first ??= line
    if (line.indent >= first.indent) continue
    return {
      start: first.at + first.indent,
      end: first.at + first.indent + first.text.length,
      until: line.at,
      sentence: `this line is indented further than line ${number}`,
      cure: `the keys of one map begin in the same column: begin this line in column ${line.indent + 1}, like line ${number}`,
    }
  }
  return undefined
}

/** The words for a line that does not begin in the column of the lines beside it; undefined if a bracket above may be open. */
export function uneven(text: string, start: number): { readonly cure: string; readonly block: number } | undefined {
  const { above } = linesAround(text, start)
  const line = above.at(-1)
  if (line === undefined) return undefined
  const parentAt = above.findLastIndex(({ indent }) => indent < line.indent)
  const parent = above[parentAt]
  const first = above[parentAt + 1]
  if (parent === undefined || first === undefined || first.number === line.number || isOpen(above.slice(parentAt, -1))) return undefined
  const block = first.number
  if (first.indent !== line.indent) {
    const columns = `below line ${parent.number}, line ${block} begins in column ${first.indent + 1}, and this line in column ${line.indent + 1}`
    return { block, cure: `${columns}; lines of one list or map begin in the same column, so one of these three lines is wrong` }
  }
  return first.text.startsWith('- ') && !line.text.startsWith('- ')
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
