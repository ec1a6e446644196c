import { count } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'

/**
 * A name, shown exactly as it is. Characters with a meaning in Markdown or HTML become entities. Inside `<code>`, GitHub and GitLab do not turn
 * it into a mention, an issue or a commit.
 */
export const code = (text: string): string => (text === '' ? '' : `<code>${entities(visible(text))}</code>`)

/** A sentence that may contain text from outside, escaped likewise. A zero-width space after `@` and `#` prevents mentions and issue links. */
export const prose = (text: string): string => entities(visible(text)).replace(/&#(?:64|35);/g, '$&&#8203;')

/** Leaves blanks, hyphens, commas, slashes and full stops: they have no meaning inside a line, except that `www.` begins a link. */
const entities = (text: string): string =>
  text.replace(/[!-+:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/www\./gi, (www) => `${www.slice(0, 3)}&#46;`)

type Cells = readonly string[]

export const line = (cells: Cells): string => `| ${cells.join(' | ')} |`

/**
 * @param rows lines that `line` has made
 * @param hidden how many entries have no row for lack of room
 */
export function table(titles: Cells, rows: readonly string[], hidden: number): string {
  const rest = hidden === 0 ? [] : ['', `… and ${count(hidden)} more (\`--format json\` shows all)`]
  return [line(titles), `|${titles.map(() => '---|').join('')}`, ...rows, ...rest].join('\n')
}

/** A section that the reader opens and closes by a click. `title` is HTML. */
export const details = (title: string, body: string, isOpen = false): string =>
  `<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n\n${body}\n\n</details>`
