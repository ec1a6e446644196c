import { openFormIndex } from './formIndex.ts'
import { secretForms } from './secretForms.ts'

/** Knows every secret value that was ever read, and takes them out of texts. */
export type Scrubber = {
  /** From now on no text that passes contains it. */
  readonly add: (secret: string) => void
  readonly scrub: (text: string) => string
}

/** What stands in a secret's place. */
export const scrubbed = '•••'

/**
 * @param secretsMax rotation adds values for as long as the process lives; those least recently read are forgotten above this. More than
 * the credentials of any process, twice over; a kilobyte each (measured).
 */
export function openScrubber(secretsMax = 40_000): Scrubber {
  const forms = new Map<string, readonly string[]>()
  const index = openFormIndex()

  return {
    add(value) {
      // Whoever sends it may trim it; blanks at its edges are no secret.
      const secret = value.trim()
      if (secret === '') return
      const known = forms.get(secret)
      forms.delete(secret)
      forms.set(secret, known ?? secretForms(secret))
      if (known !== undefined) return
      for (const form of forms.get(secret) ?? []) index.add(form)
      const [oldest] = forms
      if (forms.size <= secretsMax || oldest === undefined) return
      forms.delete(oldest[0])
      for (const form of oldest[1]) index.remove(form)
    },
    scrub(text) {
      let safe = ''
      let from = 0
      for (const { start, end } of index.found(text)) {
        safe += text.slice(from, start) + scrubbed
        from = end
      }
      return from === 0 ? text : safe + text.slice(from)
    },
  }
}
