import { visible } from '../../core/safeName.ts'

/** Text that is HTML already. Only `html` makes it, so no text from outside becomes markup. */
export class Html {
  readonly #text: string
  private constructor(text: string) {
    this.#text = text
  }
  static of(parts: readonly string[], values: readonly Value[]): Html {
    let text = parts[0] ?? ''
    for (let at = 0; at < values.length; at++) text += textOf(values[at]) + (parts[at + 1] ?? '')
    return new Html(text)
  }
  static joined(pieces: readonly Html[]): Html {
    return new Html(pieces.map((piece) => piece.#text).join(''))
  }
  toString(): string {
    return this.#text
  }
}

/** `undefined` is nothing. */
type Value = string | number | Html | readonly Html[] | undefined

/** A template whose holes are escaped: a text in a hole is text on the page, whatever it contains, and its invisible characters are written as `\u{…}`. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => Html.of(parts, values)

export const nothing = html``

function textOf(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return `${value}`
  return value instanceof Html ? value.toString() : Html.joined(value).toString()
}

/** The names of most groups need nothing. */
const plain = /^[\w .,:;/()+=@-]*$/

const escaped = (text: string): string => (plain.test(text) ? text : visible(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? ''))

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
