/** What stands in a secret's place. */
export const hidden = '•••'

/** A part of a text, as UTF-16 indexes. */
export type Range = { readonly start: number; readonly end: number }

/** `apiKey`, `client_secret`, `DB-PASSWORD`, `client-key-data`: whether a key of this name usually holds a secret. */
export function namesSecret(name: string): boolean {
  const letters = name.replaceAll(/[^a-z]/gi, '').toLowerCase()
  return /secret|passw|passphrase|pwd|token|credential|authorization|bearer|cookie|keydata|(?:key|auth|pw|pin)s?$/.test(letters)
}

/** Forms that give a secret away wherever they stand, each with the part before it that may be shown. Bounded, so that no text takes long. */
const forms: readonly RegExp[] = [
  // A parameter of an address.
  /([?&;][\w.-]{0,40}(?:secret|passw|pwd|token|credential|key|auth)[\w.-]{0,40}=)[^\s&#"']+/gi,
  // Keys of Plane.
  /()\bplane_[a-z]{2,12}_\w{6,}/gi,
  /()-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/g,
]

/** Where in a text a secret stands that can be told by its form alone. Sorted, apart from each other. */
export function secretFormsIn(text: string): readonly Range[] {
  const found = forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ index, 0: { length }, 1: before = '' }) => ({ start: index + before.length, end: index + length })),
  )
  return joined([...found, ...userinfoIn(text)])
}

/** A text without what has the form of a secret. A scrubber knows values; this is for those that were never read as secrets. */
export const withoutSecretForms = (text: string): string => withoutRanges(text, secretFormsIn(text))

/** Between the scheme of an address and the last `@` before a blank, also where `:`, `/` or `@` are percent-encoded. */
function userinfoIn(text: string): Range[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ index, 0: word }) => {
    const scheme = /(?::|%3a)(?:[\\/]|%2f|%5c){2,}/i.exec(word)
    if (scheme === null) return []
    const start = scheme.index + scheme[0].length
    const end = Math.max(word.lastIndexOf('@'), word.lastIndexOf('%40'))
    return end <= start ? [] : [{ start: index + start, end: index + end }]
  })
}

/** Whether a text has a password before an `@`, with a scheme before it or without: `https://u:p@host`, `u:p@host`, `https:u%3Ap@host`. */
export function hasUserinfo(text: string): boolean {
  const plain = text.replaceAll(/%3a/gi, ':').replaceAll('%40', '@')
  const colon = plain.indexOf(':')
  return colon !== -1 && plain.includes('@', colon)
}

/** Sorted, those that touch as one. */
export function joined(ranges: readonly Range[]): readonly Range[] {
  const apart: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else apart.push({ start, end })
  }
  return apart
}

/** @param ranges sorted, apart from each other */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  let shown = ''
  let from = 0
  for (const { start, end } of ranges) {
    shown += text.slice(from, start) + hidden
    from = end
  }
  return shown + text.slice(from)
}

/**
 * Whether the name in `{ env: … }` may be shown: by convention such names have capitals only. A secret that was written in the place of the
 * name seldom looks so.
 */
export const isVariableName = (name: string): boolean => /^[A-Z][A-Z0-9_]{0,99}$/.test(name)

/**
 * Whether the path in `{ file: … }` may be shown: one from a root or a folder that is named, or a relative one of small letters. Keys and
 * passwords that were written in its place have capitals or digits.
 */
export const isFilePath = (path: string): boolean =>
  secretFormsIn(path).length === 0 &&
  /^(?:(?:[A-Za-z]:|\.{1,2}|~)?[\\/]\P{Cc}*|(?:[a-z0-9_.-]+[\\/])+[a-z0-9_.-]+|[a-z]+(?:[-_.][a-z]+)*)$/u.test(path)
