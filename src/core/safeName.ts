/** The service's stated limit of `idp_group_name` (API v2 documentation). */
export const groupNameCharactersMax = 255

/** The most characters of a text that a person writes, such as a reason or an owner. A row of a plan shows the beginning. */
export const noteCharactersMax = 500

/**
 * Characters that are invisible or look like something else: controls, formats and directions, separators, private use, halves of surrogate
 * pairs, what a font may ignore (Unicode's Default_Ignorable_Code_Point: variation selectors, fillers), the blank Braille pattern, every
 * blank but the space.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/**
 * Why a group name is refused; undefined if it is safe. The service trims texts, so a mapping for a name with blanks at its edges would
 * never be found again, and would be created in each cycle. An invisible character makes one name look like another in a review. Letters of every script, quotes, slashes, commas and
 * backslashes are fine. ZERO WIDTH (NON-)JOINER belongs to several scripts, but it is invisible, so it is refused, too.
 */
export function unsafeName(name: string): string | undefined {
  if (name.length === 0) return 'it is empty'
  const characters = name.length > groupNameCharactersMax ? Array.from(name).length : 0
  if (characters > groupNameCharactersMax) return `it has ${characters} characters, the service takes ${groupNameCharactersMax}`
  if (name.trim() !== name) return 'it begins or ends with a blank, which the service would cut off'
  return unsafeLetters(name)
}

/** Why no safe name can contain a text; undefined if one can. */
export function unsafeLetters(text: string): string | undefined {
  const [letter] = text.match(unseen) ?? []
  if (letter !== undefined) return `it contains ${codePoint(letter)}, which cannot be seen`
  if (text.normalize('NFC') !== text) return 'its letters are composed in an unusual way (not Unicode NFC), so that two names look alike'
  return undefined
}

/** The first control character or line separator of a text, such as `U+000A`. */
export function controlIn(text: string): string | undefined {
  const [character] = /[\p{Cc}\p{Zl}\p{Zp}]/u.exec(text) ?? []
  return character === undefined ? undefined : codePoint(character)
}

const codePoint = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Every blank, also of Unicode, line breaks, and characters without width that separate or hide words. */
const blanks = /[\s\p{Z}\u0085\u115F\u1160\u180E\u200B-\u200D\u2060\u2800\u3164\uFEFF\uFFA0]+/gu

/**
 * A sentence or note from outside as a part of one line: each run of blanks is one blank, so that it makes no columns, and a long text is cut at its
 * own place. A name is never changed like this: `nameInLine`, `visible`.
 */
export const oneLine = (text: string, charactersMax = 300): string => cutTo(visible(text.replaceAll(blanks, ' ').trim()), charactersMax)

/** A name from outside as a part of one line, also one that is far too long for a group. Its blanks stay, so that two names do not look alike. */
export const nameInLine = (name: string): string => cutTo(visible(name), noteCharactersMax)

function cutTo(shown: string, charactersMax: number): string {
  if (shown.length <= charactersMax) return shown
  const characters = Array.from(shown)
  return characters.length <= charactersMax
    ? shown
    : `${characters
        .slice(0, charactersMax - 1)
        .join('')
        .trimEnd()}…`
}

/** Makes a text from outside safe for a terminal and a log line: invisible characters are written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** A text as one word of a shell. Other signs than those of usual names are quoted, so that the shell does not read them. */
export function shellWord(text: string): string {
  const shown = visible(text)
  return /^[A-Za-z0-9_./][\w./:=@%+,-]*$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`
}
