/** The text that replaces a secret. */
export const hidden = '•••'

/** A secret with fewer characters is refused. It would be in nearly every line, so to hide it would destroy the log and documents. */
export const secretCharactersMin = 4

/** Replaces all characters but line ends with dots. */
export const dots = (text: string): string => text.replaceAll(/[^\r\n]/g, '•')

/** Whether a key of this name usually holds a secret: `apiKey`, `client_secret`, `DB-PASSWORD`, `client-key-data`. */
export function namesSecret(name: string): boolean {
  const letters = name.replaceAll(/[^a-z]/gi, '').toLowerCase()
  return /secret|passw|passphrase|pwd|token|credential|authorization|bearer|cookie|keydata|(?:key|auth|pass|pw|pin)s?$/.test(letters)
}

/** Index of the first value that follows `password:`, `PLANE_API_KEY=` and the like; undefined if there is none. */
export function secretValueIn(text: string): number | undefined {
  // A name with an escape (`\u0070assword`) may stand for any name, so it is treated as the name of a secret.
  const names = text.matchAll(/(?<![\w.-])(?:(["']?)([A-Za-z_][\w.-]{0,80})\1|"[^"\n]{0,80}\\[^"\n]{0,80}")\s{0,9}[:=]/g)
  for (const { index, 0: match, 2: name } of names) if (name === undefined || namesSecret(name)) return index + match.length
  return undefined
}

/**
 * Patterns of secrets in any text. The first group is the part that may be shown, the second the secret. They are bounded, so that no text
 * takes long.
 */
const forms: readonly RegExp[] = [
  // A parameter of an address.
  /([?&;][\w.-]{0,40}(?:secret|passw|pwd|token|credential|key|auth)[\w.-]{0,40}=)([^\s&#"']+)/gi,
  // Keys of Plane.
  /()\b(plane_api_\w{6,})/gi,
  /()(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$))/g,
]

/**
 * Hides what looks like a secret in a text: credentials in addresses, keys of Plane, private keys. A scrubber hides the values that were
 * read as secrets; this function hides secrets that were never read.
 *
 * @param hide gives the text that replaces a secret
 */
export function withoutSecretForms(text: string, hide: (secret: string) => string = () => hidden): string {
  const addressed = text.replaceAll(/\S+/g, (word) => withoutUserinfo(word, hide))
  return forms.reduce((shown, form) => shown.replaceAll(form, (_, before: string, secret: string) => before + hide(secret)), addressed)
}

/** Hides what stands between the scheme of an address and the last `@`, also if `:`, `/` or `@` are percent-encoded. */
function withoutUserinfo(word: string, hide: (secret: string) => string): string {
  const scheme = /(?:https?|ldaps?)(?::|%3a)(?:[\\/]|%2f|%5c)*|(?::|%3a)(?:[\\/]|%2f|%5c){2,}/i.exec(word)
  if (scheme === null) return word
  const start = scheme.index + scheme[0].length
  const end = Math.max(word.lastIndexOf('@'), word.lastIndexOf('%40'))
  return end <= start ? word : word.slice(0, start) + hide(word.slice(start, end)) + word.slice(end)
}

/** Whether a text has a password before an `@`, with a scheme before it or without: `https://u:p@host`, `u:p@host`, `https:u%3Ap@host`. */
function hasUserinfo(text: string): boolean {
  const plain = text.replaceAll(/%3a/gi, ':').replaceAll('%40', '@')
  const colon = plain.indexOf(':')
  return colon !== -1 && plain.includes('@', colon)
}

/** Whether a value looks like a secret, whatever its key is. */
export const givesAway = (text: string): boolean =>
  hasUserinfo(text) || secretValueIn(text) !== undefined || withoutSecretForms(text) !== text

/**
 * Whether the name in `{ env: … }` may be shown: by convention such names are upper-case. A secret that was put there by mistake is seldom
 * upper-case.
 */
export const isVariableName = (name: string): boolean => /^[A-Z][A-Z0-9_]{0,99}$/.test(name)

/** Whether a text looks like a name that a person chose: `default`, `acme-2`. A key or password seldom does. */
export const isPlainName = (text: string): boolean => /^[a-z]+(?:[-_.][a-z]+)*[-_.]?\d{0,2}$/.test(text)

/**
 * Whether the path in `{ file: … }` may be shown: a path from a root, a drive, `.`, `..` or `~`, or a relative path in lower case. A key or
 * password that was put there by mistake has capitals or digits.
 */
export const isFilePath = (path: string): boolean =>
  !givesAway(path) && /^(?:(?:[A-Za-z]:|\.{1,2}|~)?[\\/]\P{Cc}*|(?:[a-z0-9_.-]+[\\/])+[a-z0-9_.-]+|[a-z]+(?:[-_.][a-z]+)*)$/u.test(path)
