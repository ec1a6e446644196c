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
 * @param secretsMax rotation adds values for as long as the process lives; those least recently read are forgotten above this
 */
export function openScrubber(secretsMax = 200): Scrubber {
  const forms = new Map<string, readonly string[]>()
  let all: readonly string[] = []

  return {
    add(value) {
      // Whoever sends it may trim it; blanks at its edges are no secret.
      const secret = value.trim()
      if (secret === '') return
      const known = forms.get(secret)
      forms.delete(secret)
      forms.set(secret, known ?? secretForms(secret))
      if (known !== undefined) return
      const [oldest] = forms.keys()
      if (forms.size > secretsMax && oldest !== undefined) forms.delete(oldest)
      all = [...new Set([...forms.values()].flat())].toSorted((a, b) => b.length - a.length)
    },
    scrub(text) {
      let safe = text
      for (const form of all) if (safe.includes(form)) safe = safe.replaceAll(form, scrubbed)
      return safe
    },
  }
}
