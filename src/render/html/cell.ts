import { type Html, html } from './html.ts'

/** A cell of a table. A short text does not wrap; a word that is longer than a column may be is the only one that is broken, so that it makes no table too wide. */
export const td = (text: string, shown: Html = withDates(text)): Html =>
  text === '' ? html`<td></td>` : html`<td${wrapOf(text)}>${shown}</td>`

/** The cell that names its row. */
export const rowHead = (text: string): Html => html`<th scope="row" class="n${longWord.test(text) ? ' x' : ''}">${text}</th>`

function wrapOf(text: string): Html {
  if (longWord.test(text)) return html` class="x"`
  return text.length <= shortMax ? html` class="s"` : html``
}

/** A date is not broken at its hyphens. */
const withDates = (text: string): Html =>
  date.test(text) ? html`${text.split(date).map((part, at) => (at % 2 === 1 ? html`<time>${part}</time>` : html`${part}`))}` : html`${text}`
const date = /(\d{4}-\d\d-\d\d)/

/** `until 2099-12-31`, `contributor` */
const shortMax = 16
/** A line may end after a blank, a hyphen or a slash. */
const longWord = /[^\s/-]{17}/
