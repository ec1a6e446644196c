/** The service's stated limit of `idp_group_name` (API v2 documentation). */
export const groupNameCharactersMax = 255

// biome-ignore lint: these are the characters that the rule is about
const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/**
 * Why a group name cannot be sent or shown as it is, or undefined where it can. The service trims texts, so a name with blank edges would be
 * patched for ever; control and direction characters make one name look like another in a review. Letters of every script, quotes, slashes,
 * commas and backslashes are fine. ZERO WIDTH (NON-)JOINER is a letter's part in several scripts, but also invisible: it is refused too.
 */
export function unsafeName(name: string): string | undefined {
  if (name.length === 0) return 'it is empty'
  const characters = name.length > groupNameCharactersMax ? Array.from(name).length : 0
  if (characters > groupNameCharactersMax) return `it has ${characters} characters, the service takes ${groupNameCharactersMax}`
  if (name.trim() !== name) return 'it begins or ends with a blank, which the service would cut off'
  const found = control.exec(name)
  if (found) return `it contains U+${(found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}, which cannot be seen`
  return undefined
}

/** A text from outside, safe in a terminal and in a log line: what cannot be seen is written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
