import { type WithoutEntities, withoutEntities } from './entities.ts'
import { type FormPlace, openFormIndex } from './formIndex.ts'
import { secretForms } from './secretForms.ts'

/** Removes secrets from texts. */
export type Scrubber = {
  /** From now on `scrub` removes this secret. */
  readonly add: (secret: string) => void
  readonly scrub: (text: string) => string
}

function replaced(text: string, places: Iterable<FormPlace>): string {
  let safe = ''
  let from = 0
  for (const { start, end } of places) {
    safe += text.slice(from, start) + replacement
    from = end
  }
  return from === 0 ? text : safe + text.slice(from)
}

/** Translates places of the text without entities into places of the original text. */
function* placesBefore({ starts }: WithoutEntities, places: Iterable<FormPlace>): Generator<FormPlace> {
  for (const { start, end } of places) yield { start: starts[start] ?? 0, end: starts[end] ?? 0 }
}

/** Replaces a secret. */
export const replacement = '•••'

/**
 * @param secretsMax above this the secrets that were read least recently are forgotten, because rotation adds values as long as the process
 * lives. It is more than twice the credentials of any process; a secret takes a kilobyte (measured).
 */
export function openScrubber(secretsMax = 40_000): Scrubber {
  const forms = new Map<string, readonly string[]>()
  const index = openFormIndex()

  return {
    add(value) {
      // A sender may trim the secret; blanks at its ends are not secret.
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
      const decoded = withoutEntities(text)
      // A rendering escapes texts before they arrive here, and a page of a server may have entities, too.
      const safe = decoded === undefined ? text : replaced(text, placesBefore(decoded, index.placesIn(decoded.text)))
      return replaced(safe, index.placesIn(safe))
    },
  }
}
