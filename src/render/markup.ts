import { count } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'

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

export const line = (cells: Cells): string => `| ${cells.join(' | ')} |`

/** Rows are lines already. `hidden`: how many entries have no row for lack of room. */
export function table(titles: Cells, rows: readonly string[], hidden: number): string {
  const rest = hidden === 0 ? [] : ['', `… and ${count(hidden)} more (\`--format json\` shows all)`]
  return [line(titles), `|${titles.map(() => '---|').join('')}`, ...rows, ...rest].join('\n')
}

/** What a click opens and closes. */
export const details = (title: string, body: string, isOpen = false): string =>
  `<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n\n${body}\n\n</details>`
