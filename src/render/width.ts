import { oneLine } from '../core/safeName.ts'

let segmenter: Intl.Segmenter | undefined
/** The graphemes of a text, in order. The segmenter is made when a text needs it, since it takes 10 ms to make (measured). */
function graphemesOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}

const wide =
  /^(?:(?![\uFF61-\uFFDC])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\p{Script=Khitan_Small_Script}\u2E80-\u303E\u3200-\u33FF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation})|\uFE0F/u
const narrow = /^[\u0020-\u02FF\u2010-\u20CF\u2100-\u22FF]*$/

/** The columns that a text takes on a terminal: one for a grapheme, two for an East-Asian wide grapheme or an emoji. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length
  return graphemesOf(text).reduce((columns, grapheme) => columns + columnsOf(grapheme), 0)
}

const columnsOf = (grapheme: string): number => (wide.test(grapheme) ? 2 : 1)

/** A text, with blanks after it up to `columns`. A longer text stays whole. */
export const padEnd = (text: string, columns: number): string => text + blanks(columns - widthOf(text))

/** A text, with blanks before it up to `columns`. A longer text stays whole. */
export const padStart = (text: string, columns: number): string => blanks(columns - widthOf(text)) + text

const blanks = (columns: number): string => ' '.repeat(Math.max(0, columns))

/** The longest beginning of a text that fits into `columns`. */
export const firstColumns = (text: string, columns: number): string =>
  narrow.test(text) ? text.slice(0, columns) : fitting(graphemesOf(text), columns).join('')

/** The longest end of a text that fits into `columns`. */
export const lastColumns = (text: string, columns: number): string => fitting(graphemesOf(text).toReversed(), columns).toReversed().join('')

function fitting(graphemes: readonly string[], columns: number): readonly string[] {
  let left = columns
  const end = graphemes.findIndex((grapheme) => {
    left -= columnsOf(grapheme)
    return left < 0
  })
  return end < 0 ? graphemes : graphemes.slice(0, end)
}

/** A blank before a word that is no mark of a row: a line that is wrapped never begins like a row. */
const beforeWord = / (?![‼!?+↑↓~»⚙·=✗✓-]+(?: |$))/u

/**
 * Breaks a text at blanks into lines of at most `width` columns. A longer word stays whole, so that it can be copied. A mark stays on the line of the
 * word before it.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(beforeWord)) {
    if (widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].filter((text) => text !== '')
}

/** An owner beside a place. The JSON has it whole. */
export const ownerText = (owner: string): string => oneLine(owner, 60)

const fileMax = 120

/** The path of a file, or its end. */
export function fileText(file: string): string {
  const characters = Array.from(oneLine(file, Number.POSITIVE_INFINITY))
  return characters.length <= fileMax ? characters.join('') : `…${characters.slice(1 - fileMax).join('')}`
}
