import { count } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'

/**
 * A name, shown exactly as it is. In code, GitHub and GitLab do not turn it into a mention, an issue or a commit. A name with a character that ends
 * a code span or a cell is written as HTML, with that character as an entity.
 */
export function code(text: string): string {
  const shown = visible(text)
  if (shown === '') return ''
  return /^[^`|\\\s](?:[^`|\\]*[^`|\\\s])?$/.test(shown) ? `\`${shown}\`` : `<code>${entities(shown)}</code>`
}

/** A sentence that may contain text from outside. A zero-width space after `@` and `#` prevents mentions and issue links. */
export const prose = (text: string): string =>
  visible(text)
    .trim()
    .replaceAll(markup, entity)
    .replaceAll(/&#(?:64|35);/g, '$&&#8203;')

/**
 * Characters with a meaning in a line of GitHub-flavoured Markdown or HTML. A colon has one in the address of a link and in `:emoji:`, a full stop
 * after `www`, and others at the beginning of a line.
 */
const markup = /[&<>`*_[\]|~\\$#@]|:(?=\/\/|[\w+-]+:)|(?<=www)\.|^[-+=]|(?<=^\d+)[.)]/gi

/** Every ASCII sign but blanks, hyphens, commas, slashes and full stops as an entity; the full stop of `www.`, which begins a link, too. */
const entities = (text: string): string => text.replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, entity)

const entity = (character: string): string => `&#${character.charCodeAt(0)};`

/** A command line, to be copied. */
export const shellBlock = (command: string): readonly string[] => codeBlock('sh', command)

/** @param text no line of it may begin with a fence */
export const codeBlock = (language: string, text: string): readonly string[] => [`\`\`\`${language}`, text, '```']

type Cells = readonly string[]

export const line = (cells: Cells): string => `| ${cells.join(' | ')} |`

/** @param rows lines that `line` has made */
export function table(titles: Cells, rows: readonly string[], { hidden = 0, kinds = '', shared = 0 }: Folded = {}): string {
  const notes = [
    ...(hidden === 0 ? [] : [`… and ${count(hidden)} more (${kinds === '' ? '' : `${kinds}; `}${showsEach})`]),
    ...(shared === 0 ? [] : [`${count(shared)} in rows for several groups (${showsEach})`]),
  ]
  return [line(titles), `|${titles.map(() => '---|').join('')}`, ...rows, ...notes.flatMap((note) => ['', note])].join('\n')
}

const showsEach = '`--format text --all` shows each'

/** `hidden`: entries without a row for lack of room. `kinds`: `10 create, 2 raise`. `shared`: entries in rows for several groups. */
type Folded = { readonly hidden?: number; readonly kinds?: string; readonly shared?: number }

/** A section that the reader opens and closes by a click. `title` is HTML. */
export const details = (title: string, body: string, isOpen = false): string =>
  `<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n\n${body}\n\n</details>`
