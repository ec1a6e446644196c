/** The service's stated limit of `idp_group_name` (API v2 documentation). */
export const groupNameCharactersMax = 255

/**
 * What a person does not see, or takes for something else: controls, formats and directions, separators, private use, halves of pairs, what a
 * font may ignore (Unicode's Default_Ignorable_Code_Point: variation selectors, fillers), the blank Braille pattern, every blank but the space.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/**
 * Why a group name cannot be sent or shown as it is, or undefined where it can. The service trims texts, so a name with blank edges would be
 * patched for ever; what cannot be seen makes one name look like another in a review. Letters of every script, quotes, slashes, commas and
 * backslashes are fine. ZERO WIDTH (NON-)JOINER is a letter's part in several scripts, but also invisible: it is refused too.
 */
export function unsafeName(name: string): string | undefined {
  if (name.length === 0) return 'it is empty'
  const characters = name.length > groupNameCharactersMax ? Array.from(name).length : 0
  if (characters > groupNameCharactersMax) return `it has ${characters} characters, the service takes ${groupNameCharactersMax}`
  if (name.trim() !== name) return 'it begins or ends with a blank, which the service would cut off'
  const [found] = name.match(unseen) ?? []
  if (found !== undefined) return `it contains ${codePoint(found)}, which cannot be seen`
  if (name.normalize('NFC') !== name) return 'its letters are composed in an unusual way (not Unicode NFC), so that two names look alike'
  return undefined
}

const codePoint = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A text from outside, safe in a terminal and in a log line: what cannot be seen is written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
