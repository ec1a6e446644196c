import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The output of the demo, and the program that it runs. */
export type Stage = {
  /** Prints a sentence for the viewer. */
  readonly say: (text: string) => void
  /** Prints a heading, and below it `commands` to copy. Their effect is the same as that of the demo's own calls. */
  readonly heading: (text: string, commands?: readonly string[]) => void
  /** Shows the command, then runs the program. Throws if the exit code is not one of the expected ones. */
  readonly run: (args: readonly string[], exitCodes: readonly number[]) => Promise<void>
  /** Shows the command, then starts the program. */
  readonly start: (args: readonly string[]) => ChildProcess
  readonly signal: AbortSignal
}

export type Staging = {
  readonly env: NodeJS.ProcessEnv
  readonly terminal: { readonly isTTY?: boolean; write(text: string): unknown }
  readonly signal: AbortSignal
}

export function openStage({ env, terminal, signal }: Staging): Stage {
  const colours = terminal.isTTY === true && (env['NO_COLOR'] ?? '') === ''
  const painted = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
  const show = (command: string) => terminal.write(`${painted(36, `$ ${command}`)}\n`)

  function start(args: readonly string[]): ChildProcess {
    show(['bin/plane-group-sync', ...args].join(' '))
    return spawn('bin/plane-group-sync', args, { env, stdio: 'inherit' })
  }

  return {
    signal,
    start,
    say: (text) => void terminal.write(`\n${text}\n`),
    heading: (text, commands = []) => {
      terminal.write(`\n${painted(1, `# ${text}`)}\n`)
      for (const command of commands) show(command)
    },
    async run(args, exitCodes) {
      signal.throwIfAborted()
      const child = start(args)
      const [code] = (await once(child, 'exit')) as [number | null]
      signal.throwIfAborted()
      if (!exitCodes.includes(code ?? -1))
        throw new Error(`${args[0]} ended with exit code ${code}, ${exitCodes.join(' or ')} was expected`)
    },
  }
}
