import { openFormIndex } from './formIndex.ts'
import { hidden, secretCharactersMin } from './secretText.ts'

/** Removes secrets from texts. */
export type Scrubber = {
  /** From now on `scrub` removes this secret. */
  readonly add: (secret: string) => void
  readonly scrub: (text: string) => string
}

/**
 * A text is searched as it is, and as each encoding of `decodings.ts` decodes it, also several inside one another. What stands for a secret is cut out of
 * the original text. Thousands of secrets do not make it slower than a few.
 *
 * @param secretsMax above this the secrets that were read least recently are forgotten, because rotation adds values as long as the process
 * lives. It is more than twice the credentials of any process; a secret takes a kilobyte (measured).
 */
export function openScrubber(secretsMax = 40_000): Scrubber {
  const known = new Map<string, readonly string[]>()
  const index = openFormIndex()

  return {
    add(value) {
      // A sender may trim the secret; blanks at its ends are not secret.
      const secret = value.trim()
      if (secret === '') return
      const before = known.get(secret)
      const forms = before ?? formsOf(secret)
      known.delete(secret)
      known.set(secret, forms)
      if (before !== undefined) return
      for (const form of forms) index.add(form)
      const [oldest] = known
      if (known.size <= secretsMax || oldest === undefined) return
      known.delete(oldest[0])
      for (const form of oldest[1]) index.remove(form)
    },
    scrub(text) {
      let safe = ''
      let from = 0
      for (const { start, end } of index.placesIn(text)) {
        safe += text.slice(from, start) + hidden
        from = end
      }
      return from === 0 ? text : safe + text.slice(from)
    },
  }
}

/** Characters of the shortest base64 piece that is removed. A shorter one is in any text by chance. */
const piecesMin = 4

/**
 * What is searched for: the secret, and the forms that do not encode it character by character. They are hex, and base64 of both alphabets, also as a part of a
 * longer text (`Basic` joins it with a name, and a client of OAuth encodes it for a URL first).
 */
function formsOf(secret: string): readonly string[] {
  const value = secret.toWellFormed()
  const hex = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const pieces = [value, encodeURIComponent(value), new URLSearchParams({ _: value }).toString().slice(2)].flatMap(base64Forms)
  return [...new Set([value, hex, hex.toUpperCase(), ...pieces.filter(({ length }) => length >= piecesMin)].map(comparable))]
}

/**
 * A form writes a blank as `+`, and other senders fold line breaks into blanks. So all of them count as equal. Backslashes are not compared, because encodings double
 * them again and again.
 */
function comparable(form: string): string {
  const blanks = form.replaceAll(/[\t-\r ]/g, '+')
  const rest = blanks.replaceAll('\\', '')
  return rest.length < secretCharactersMin ? blanks : rest
}

/**
 * A text in base64: whole, and inside a longer text, where it may begin at the first, second or third byte of three. Inside, the characters at
 * its edges depend on the neighbours and are left out.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  const within = [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  )
  return [btoa(bytes), ...within].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')])
}
