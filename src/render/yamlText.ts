/** A text as a YAML yamlScalar. A text that YAML could read as something else is quoted; invisible characters are escaped. */
export function yamlScalar(text: string): string {
  if (/^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/.test(text) && !reserved.test(text)) return text
  return JSON.stringify(text).replace(unseen, (character) =>
    Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join(''),
  )
}

const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu
/** Words that some version of YAML reads as a boolean, as null or as a number, and the word for "no mapping" in a waiver. */
const reserved = /^(?:true|false|yes|no|on|off|null|none|y|n|e\d+|inf|nan)$/i

/** `[a, b]`; one text without brackets. */
export const flowList = (texts: readonly string[]): string =>
  texts.length === 1 ? yamlScalar(texts[0] ?? '') : `[${texts.map(yamlScalar).join(', ')}]`

/** `{ project: PAY, group: devs }`. The values are YAML already. */
export const flowMap = (entries: readonly (readonly [name: string, value: string])[]): string =>
  `{ ${entries.map(([name, value]) => `${name}: ${value}`).join(', ')} }`
