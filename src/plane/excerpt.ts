import { visible } from '../core/safeName.ts'

/**
 * A piece of somebody else's text, safe to show: bounded, control and direction characters escaped, secrets replaced.
 *
 * @param secrets values that must never appear, also not base64- or URL-encoded
 */
export function excerpt(text: string, secrets: readonly string[] = [], lengthMax = 200): string {
  // Cut after replacing, so that no half of a secret stays.
  let safe = text
  for (const secret of secrets) {
    if (secret.length === 0) continue
    for (const form of [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)]) safe = safe.replaceAll(form, '•••')
  }
  const shown = safe.length > lengthMax ? `${safe.slice(0, lengthMax)}…` : safe
  return visible(shown.trim().replaceAll(/\s+/g, ' '))
}
