import { stripVTControlCharacters } from 'node:util'
import { alone } from './emptyFolder.ts'
import type { Place } from './program.ts'
import { atTerminal } from './terminals.ts'

/** Ctrl-C and Ctrl-D. */
const controls: ReadonlySet<string> = new Set(['\u0003', '\u0004'])

/**
 * Runs a command in the folder `empty` at a terminal, and answers its questions, each when it is asked.
 *
 * @param answers a part of the question, and the answer without the line end. A control character is sent without one
 */
export async function answered(
  place: Place,
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
  env: Record<string, string> = {},
) {
  const running = place.start(args, await alone(place, { env, wrap: (command) => atTerminal(command, { columns: 120 }) }))
  let from = 0
  for (const [question, answer] of answers) {
    const at = await running.until(() => {
      const found = running.out().indexOf(question, from)
      return found !== -1 && running.out().indexOf(': ', found + question.length) !== -1 && found + question.length
    })
    from = at
    running.child.stdin?.write(controls.has(answer) ? answer : `${answer}\n`)
  }
  const { code, out } = await running.ended
  return { code, out: stripVTControlCharacters(out).replaceAll('\r\n', '\n') }
}
