/** A document for programs as JSON text, without a line break at the end. It is indented, and invisible characters are escaped as `\uXXXX`. */
export const documentText = (document: object): string => JSON.stringify(document, undefined, 2).replace(unseen, escaped)

/** The same in one line, without blanks. */
export const documentLine = (document: object): string => JSON.stringify(document).replace(unseen, escaped)

const unseen = /[\p{Cf}\p{Zl}\p{Zp}\u007F-\u009F]/gu

/** As JSON escapes, because a terminal or an editor would interpret the characters. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join('')
