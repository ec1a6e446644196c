import { wrap } from '../render/width.ts'

/** The lines of a text that begins `indent` columns from the left, on a terminal of `columns`. */
export const wrapped = (text: string, indent: number, columns: number): readonly string[] =>
  wrap(text, columns - indent).map((line) => `${' '.repeat(indent)}${line.trim()}`)
