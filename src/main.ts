import { readFileSync } from 'node:fs'
import { helpPointer, understand } from './commands/argv.ts'
import { type ExitCode, exitCodes, type Terminal } from './commands/command.ts'
import { errorReport } from './commands/errorReport.ts'
import { columnsOf, hasColours, outputLost } from './commands/terminal.ts'
import { openScrubber } from './core/scrub.ts'
import { openLiveLine, withoutControls } from './log/liveLine.ts'
import { openLossyOutput } from './log/lossyOutput.ts'

/** argv → command → exit code. The one place that touches `process`. */
async function main(argv: readonly string[]): Promise<ExitCode> {
  const request = await understand(argv)
  switch (request.kind) {
    case 'version':
      return printed(`${terminal.version}\n`)
    case 'help':
      return printed((await import('./commands/usage.ts')).usage(helpColumns()))
    case 'helpOf':
      return printed(await (await import('./commands/usage.ts')).usageOf(request.name, helpColumns()))
    case 'complete':
      return printed(await (await import('./commands/candidates.ts')).candidatesText(request.words, process.env))
    case 'command': {
      const { name, entry, values, positionals } = request
      pointer = helpPointer(name)
      const { command } = await entry.load()
      if (command.takesHangUp?.(values) === true) process.off('SIGHUP', stopAtHangUp).on('SIGHUP', () => undefined)
      return command.run({ values, positionals, terminal, signal: stop.signal })
    }
    default:
      return request satisfies never
  }
}

/** The next step after a wrong command line. */
let pointer: string | undefined

function printed(text: string): ExitCode {
  terminal.out(text)
  return exitCodes.done
}

/** A help that goes to no terminal is as wide as the usual one. */
const helpColumns = (): number =>
  process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : (columnsOf(process.env) ?? 80)

/** `secrets` removes the known secrets from all output of the process. `withoutControls` then replaces control characters from outside. */
const secrets = openScrubber()

const errors = openLossyOutput(process.stderr)
/** Node leaves `isTTY` undefined for what is no terminal, although its type says boolean. */
const isTerminal = ({ isTTY }: { readonly isTTY?: boolean }): boolean => isTTY === true

/** Control sequences for colours are kept at a terminal, or if colours were asked for. */
const shown = (text: string, { isTTY }: { readonly isTTY: boolean }): string =>
  withoutControls(secrets.scrub(text), isTTY || hasColours(process.env, false))

const hasLine = process.stderr.isTTY && process.env.TERM !== 'dumb'
const liveLine = hasLine
  ? openLiveLine({ shown: (text) => shown(text, process.stderr), write: errors.write, columns: () => process.stderr.columns })
  : undefined
const aboveLine = (text: string, write: () => void): void => (liveLine === undefined ? write() : liveLine.around(text, write))

const terminal: Terminal = {
  env: process.env,
  version: (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version,
  node: process.version,
  secrets,
  out: (text) => aboveLine(text, () => void process.stdout.write(shown(text, process.stdout))),
  err: (text) => aboveLine(text, () => errors.write(shown(text, process.stderr))),
  liveLine,
  errLosses: errors,
  isTerminal: {
    get in() {
      return isTerminal(process.stdin)
    },
    out: isTerminal(process.stdout),
    err: isTerminal(process.stderr),
  },
  // 0: the terminal does not know its width.
  columns: process.stdout.columns || (columnsOf(process.env) ?? 120),
  errStream: process.stderr,
  // Node makes the stream when it is first asked for, and few commands read it.
  inStream: () => process.stdin,
  processes: { pid: process.pid, isAlive },
  signals: process,
  async ask(question, signal) {
    liveLine?.hide()
    const { createInterface } = await import('node:readline/promises')
    // The terminal itself edits the line. Readline would switch the terminal to raw mode, in which Ctrl-Z and `fg` leave it deaf.
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
    const ended = new AbortController()
    const askAgain = () => errors.write(shown(question, process.stderr))
    process.on('SIGCONT', askAgain)
    lines.once('close', () => ended.abort())
    try {
      return await lines.question(shown(question, process.stderr), { signal: AbortSignal.any([signal, ended.signal]) })
    } catch {
      // The answer would have ended the line.
      errors.write('\n')
      return undefined
    } finally {
      process.off('SIGCONT', askAgain)
      lines.close()
    }
  },
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** How long a process that was asked to stop still waits for the readers of its output. */
const lastOutputMs = 500

const stop = new AbortController()
const isStopped = (error: unknown): boolean => stop.signal.aborted && error === stop.signal.reason
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(name))
// A terminal sends SIGHUP when it is closed. A write to the terminal then fails with EIO.
const stopAtHangUp = () => stop.abort('SIGHUP')
process.on('SIGHUP', stopAtHangUp)
// Without a listener, Node opens a debugger at this signal. Every account of the machine, or container of the pod, could then read the secrets.
process.on('SIGUSR1', () => undefined)
let isOutputLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has ended (`plan | head`), or the terminal is closed. This is no error; further output is dropped.
  if (error.code === 'EPIPE' || error.code === 'EIO' || isOutputLost) return
  isOutputLost = true
  terminal.err(outputLost(error))
  process.exitCode = exitCodes.failed
})

/** Runs the command to its end. It throws nothing. */
async function run(): Promise<void> {
  // Keeps the process running until the command has ended. Without it, a process whose only timers are unreferenced ends early, with code 0 (measured).
  const running = setInterval(() => undefined, 2 ** 30)
  try {
    const code = await main(process.argv.slice(2))
    process.exitCode = isOutputLost ? exitCodes.failed : code
  } catch (error) {
    const { text, code } = isStopped(error) ? { text: '', code: exitCodes.failed } : errorReport(error, pointer)
    terminal.err(text)
    process.exitCode = code
  } finally {
    clearInterval(running)
  }
  if (stop.signal.aborted) endBySignal(stop.signal.reason as NodeJS.Signals)
}

function endBySignal(name: NodeJS.Signals): void {
  // A stream whose reader does not read keeps the process running. After a signal the process waits for it at most `lastOutputMs`.
  setTimeout(() => process.exit(), lastOutputMs).unref()
  if (process.exitCode === exitCodes.done) return
  // A command that did not come to its end because of a signal ends by this signal. Otherwise a loop of a shell would go on with its next command after
  // Ctrl-C. The daemon ends with 0.
  process.once('exit', () => {
    process.removeAllListeners(name)
    process.kill(process.pid, name)
  })
}

// Not awaited: the bundler joins fewer files if a module waits at its top level.
void run()
