import type { Program } from '../compose/compose.ts'
import type { SteadyClock } from '../core/clock.ts'
import type { Call, Terminal } from './command.ts'
import { type Progress, startProgress } from './progress.ts'

type Shown = {
  /** Undefined for a command that does not call Plane. */
  readonly program: () => Pick<Program, 'queues' | 'work'> | undefined
  /** Its sleeps do not keep the process running. */
  readonly clock: SteadyClock
  readonly signal: AbortSignal
}

/** The progress of a command as its options and its terminal ask for it. */
export function progressOf(values: Call['values'], terminal: Terminal, { program, clock, signal }: Shown): Progress {
  const isQuiet = values.quiet === true
  return startProgress({
    line: isQuiet ? undefined : terminal.liveLine,
    say: isQuiet || !saysLines(values, terminal) ? undefined : terminal.err,
    clock,
    signal,
    queues: () => program()?.queues ?? new Map(),
    work: (workspace, changes) => (program() as Program).work(workspace, changes),
  })
}

/**
 * Whether waits are reported on standard error. They are not reported if standard error is no terminal and the command prints a document: the program
 * that reads the document could take the text for a failure.
 */
const saysLines = (values: Call['values'], { isTerminal }: Terminal): boolean =>
  isTerminal.err || values.format === undefined || values.format === 'text'
