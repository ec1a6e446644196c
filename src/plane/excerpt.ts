import { visible } from '../core/safeName.ts'
import { openScrubber } from '../core/scrub.ts'
import { withoutSecretForms } from '../core/secretText.ts'

/** Only so much of a text is searched for secrets. It is far more than is shown. */
const searchedMax = 10_000

/**
 * The beginning of a text from outside, safe to show: control and direction characters are escaped. Secrets are replaced, also those that are not
 * known, such as the password in an address.
 *
 * @param secrets values that must not appear, in any form that a scrubber knows
 */
export function excerpt(text: string, secrets: readonly string[] = [], lengthMax = 200): string {
  // Secrets are replaced before the text is cut to what is shown, so that no part of a secret stays.
  const { add, scrub } = openScrubber()
  for (const secret of secrets) add(secret)
  const safe = withoutSecretForms(scrub(text.slice(0, searchedMax)))
  const shown = safe.length > lengthMax ? `${safe.slice(0, lengthMax)}…` : safe
  return visible(shown.trim().replaceAll(/\s+/g, ' '))
}
