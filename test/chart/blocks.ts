import { readFileSync } from 'node:fs'

const block = /^( *)```(\w+)\n([^]*?)^ *```$/gm
/** The code blocks of a page, without their indentation. */
export const blocksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(block)].map(([, blanks = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${blanks}`, 'gm'), ''),
  }))
