/** SGR codes that are legible on a dark and on a light background. */
const codes = { plain: 0, bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, alarm: '1;31' } as const
export type Style = keyof typeof codes
export type Paint = (style: Style, text: string) => string

export const paintOf =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && style !== 'plain' && text !== '' ? `\u001B[${codes[style]}m${text}\u001B[0m` : text
