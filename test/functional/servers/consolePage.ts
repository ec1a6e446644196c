import { stripVTControlCharacters } from 'node:util'

/** One command of a page with its output, from a block of the language `console`. */
export type Shown = { readonly command: string; readonly output: string }

const block = /^( *)```console\n([^]*?)^ *```$/gm
/** A command begins with `$ `. It goes on in the next line if it ends with a backslash. */
const step = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm

const steps = (text: string): readonly Shown[] =>
  [...text.matchAll(step)].map(([, command = '', output = '']) => ({ command, output: output.trimEnd() }))
const outdented = (text: string, blanks: string): string => text.replaceAll(new RegExp(`^${blanks}`, 'gm'), '')

/** All commands of a page in their order. */
export const shownIn = (page: string): readonly Shown[] =>
  [...page.matchAll(block)].flatMap(([, blanks = '', text = '']) => steps(outdented(text, blanks)))

/** The page with these outputs, one for each command. */
export function filled(page: string, outputs: readonly string[]): string {
  const left = [...outputs]
  return page.replaceAll(block, (_, blanks: string, text: string) => {
    const lines = steps(outdented(text, blanks)).flatMap(({ command }) =>
      [`$ ${command}`, left.shift() ?? ''].filter((part) => part !== ''),
    )
    const whole = ['```console', ...lines, '```'].join('\n')
    return whole.replaceAll(/^(?=.)/gm, blanks)
  })
}

/** What a terminal shows at the end, without the identifiers and dates of one run. */
export const settled = (out: string): string =>
  stripVTControlCharacters(out)
    .replaceAll('\r\n', '\n')
    .replaceAll(/^.*\r/gm, '')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .trim()

/** Replaces the parts of an output that differ from run to run. Equal fingerprints of plans stay equal: each becomes a number. */
export function timeless(text: string): string {
  const numbers = new Map<string, number>()
  return text
    .replaceAll(/\d+ (?:ms|s)\b/g, 'TIME')
    .replaceAll(/\d\d:\d\d:\d\d(?:\.\d+)?/g, 'CLOCK')
    .replaceAll(/\bplan\s([0-9a-f]{8})\b/g, (_, fingerprint: string) => {
      if (!numbers.has(fingerprint)) numbers.set(fingerprint, numbers.size + 1)
      return `plan ${numbers.get(fingerprint)}`
    })
}
