import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = ['sandbox.md', 'dev/sandbox-reference.md']
  .map((name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'))
  .join('\n')

/** The text below a heading of one of the two pages about the sandbox, to the next heading. */
export const sectionBelow = (heading: string): string => (page.split(`\n${heading}\n`)[1] ?? '').split('\n## ')[0] ?? ''

/** The first block of code in a language below a heading of docs/sandbox.md. */
export function blockBelow(heading: string, language: string): string {
  const [, section] = page.split(`\n${heading}\n`)
  const [, block] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(section ?? '') ?? []
  if (block === undefined) throw new Error(`docs/sandbox.md has no ${language} below "${heading}"`)
  return block
}

/** The port that the page names. A test takes another one. */
export const pagePort = '8787'
export const program = fileURLToPath(new URL('../../bin/plane-group-sync', import.meta.url))
