import { visible } from '../safeName.ts'
import { count } from './quantity.ts'

/**
 * A name, exactly as it is. Everything that Markdown or HTML could understand is an entity, and inside `<code>` GitHub and GitLab make no
 * mention, issue or commit of it.
 */
export const code = (text: string): string => (text === '' ? '' : `<code>${entities(visible(text))}</code>`)

/** A sentence, which may carry text from outside: the same, but with a blank that cannot be seen after what would call somebody. */
export const prose = (text: string): string => entities(visible(text)).replace(/&#(?:64|35);/g, '$&&#8203;')

/** Blanks, hyphens, commas, slashes and full stops mean nothing inside a line; but `www.` begins a link. */
const entities = (text: string): string =>
  text.replace(/[!-+:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/www\./gi, (www) => `${www.slice(0, 3)}&#46;`)

type Cells = readonly string[]

/** A table of as many rows as `charactersMax` has room for. The cells are Markdown already. */
export function table(titles: Cells, rows: readonly (() => Cells)[], charactersMax: number): string {
  const lines = [line(titles), `|${titles.map(() => '---|').join('')}`]
  let left = charactersMax
  for (const [index, row] of rows.entries()) {
    const text = line(row())
    left -= text.length + 1
    if (left < 0) return [...lines, '', `… and ${count(rows.length - index)} more (\`--format json\` shows all)`].join('\n')
    lines.push(text)
  }
  return lines.join('\n')
}

/** A table that is opened by a click; nothing where there are no rows. */
export function folded(title: string, titles: Cells, rows: readonly (() => Cells)[], charactersMax: number): readonly string[] {
  if (rows.length === 0) return []
  return [`<details><summary>${title} (${count(rows.length)})</summary>\n\n${table(titles, rows, charactersMax)}\n\n</details>`]
}

const line = (cells: Cells): string => `| ${cells.join(' | ')} |`
