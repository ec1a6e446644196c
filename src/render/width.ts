const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wide =
  /^(?:(?![\uFF61-\uFFDC])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation})|\uFE0F/u
const narrow = /^[\u0020-\u02FF\u2010-\u20CF\u2100-\u22FF]*$/

/** Columns of a terminal that a text takes: a grapheme is one, an East-Asian wide one or an emoji two. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) columns += wide.test(segment) ? 2 : 1
  return columns
}

/** Breaks at blanks; a word that is longer than a line stays whole, so that it can be copied. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].filter((some) => some !== '')
}
