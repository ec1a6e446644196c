import { visible } from '../core/safeName.ts'

/**
 * The beginning of a text from outside, safe to show: control and direction characters are escaped, secrets are replaced.
 *
 * @param secrets values that must not appear, neither plain nor base64- or URL-encoded
 */
export function excerpt(text: string, secrets: readonly string[] = [], lengthMax = 200): string {
  // Secrets are replaced before the text is cut, so that no part of a secret stays.
  let safe = text
  for (const secret of secrets) {
    if (secret.length === 0) continue
    for (const form of [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)]) safe = safe.replaceAll(form, '•••')
  }
  const shown = safe.length > lengthMax ? `${safe.slice(0, lengthMax)}…` : safe
  return visible(shown.trim().replaceAll(/\s+/g, ' '))
}
