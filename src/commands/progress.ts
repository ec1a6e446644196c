import type { Program } from '../compose/compose.ts'
import type { SteadyClock } from '../core/clock.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { WritingStep } from '../cycle/apply.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { LiveLine } from '../log/liveLine.ts'
import { openWriteProgress, type WorkOf } from '../log/writeProgress.ts'
import { type ProgressView, progressText } from '../render/progressText.ts'
import type { Call, Terminal } from './command.ts'
import { type BudgetQueue, openWaitWatch, sayBudgetWaits } from './waitWatch.ts'

/**
 * Says how far a command is and what it waits for. At a terminal this is one line, which is drawn again each second. Elsewhere it is a new line when a
 * longer wait begins, and every ten seconds while an apply writes.
 */
export type Progress = Disposable & {
  /** Takes a step of the writing. */
  step(workspace: WorkspaceName, step: WritingStep): void
  /** The same directories. Their readings are watched. */
  watching(directories: ReadonlyMap<string, Directory>): ReadonlyMap<string, Directory>
  /** A pause begins that ends at `untilMs`; undefined: it is over. */
  pause(untilMs: number | undefined): void
}

type ProgressOptions = {
  /** The line of the terminal; undefined if standard error cannot draw one. */
  readonly line: LiveLine | undefined
  /** Writes a line where none can be drawn; undefined: nothing is said. */
  readonly say: ((sentence: string) => void) | undefined
  /** Its sleeps do not keep the process running. */
  readonly clock: SteadyClock
  readonly signal: AbortSignal
  readonly queues: () => ReadonlyMap<string, BudgetQueue>
  /** What writing these changes costs. */
  readonly work: WorkOf
}

/** The pause between two lines where none can be drawn again. */
const sayMs = 10_000

export function startProgress({ line, say, clock, signal, queues, work }: ProgressOptions): Progress {
  const over = new AbortController()
  const writes = openWriteProgress({ now: clock.now, queues, work })
  const waits = openWaitWatch(queues, clock.now)
  let saidMs = clock.now()
  let estimate: ProgressView['toGo']

  /** A service that is slow makes every estimate false. */
  const estimated = (wait: ProgressView['wait']): ProgressView['toGo'] => (wait?.kind === 'answer' ? undefined : writes.estimate())

  function viewed(): ProgressView {
    const wait = waits.wait()
    const isWriting = writes.isWriting() || waits.isPaused()
    const counts = writes.counts()
    return {
      ...(isWriting && counts.total > 0 ? { counts, toGo: estimate } : {}),
      wait,
      isStopping: signal.aborted && isWriting,
    }
  }

  function draw(): void {
    const view = viewed()
    if (view.counts === undefined && view.wait === undefined) line?.hide()
    else line?.show((columns) => progressText(view, columns))
  }

  function refresh(): void {
    if (line === undefined || over.signal.aborted) return
    estimate = estimated(waits.wait())
    draw()
  }

  async function watched<T>(directory: string, reading: Promise<T>): Promise<T> {
    try {
      return await waits.reading(directory, reading)
    } finally {
      // The line about the wait must not stand below the result.
      refresh()
    }
  }

  function sayAtTimes(): void {
    if (say === undefined || clock.now() - saidMs < sayMs || !writes.isWriting()) return
    saidMs = clock.now()
    estimate = estimated(waits.wait())
    say(`${progressText(viewed(), Number.POSITIVE_INFINITY)}\n`)
  }

  async function tick(): Promise<void> {
    for (;;) {
      await clock.sleep(waits.nextMs(), over.signal)
      refresh()
    }
  }
  using plain = new DisposableStack()
  // Disposing interrupts the sleep, which rejects.
  if (line !== undefined) tick().catch(() => undefined)
  else if (say !== undefined) plain.use(sayBudgetWaits({ queues, clock, say }))
  const ends = plain.move()
  signal.addEventListener('abort', refresh, { once: true, signal: over.signal })

  return {
    step(workspace, step) {
      writes.step(workspace, step)
      if (line === undefined) sayAtTimes()
      else if (step.kind === 'tried') draw()
      else refresh()
    },
    watching: (directories) =>
      new Map([...directories].map(([name, directory]) => [name, { ...directory, read: (until) => watched(name, directory.read(until)) }])),
    pause(untilMs) {
      waits.pause(untilMs)
      refresh()
    },
    [Symbol.dispose]() {
      over.abort()
      ends.dispose()
      line?.hide()
    },
  }
}

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
export const saysLines = (values: Call['values'], { isTerminal }: Pick<Terminal, 'isTerminal'>): boolean =>
  isTerminal.err || values.format === undefined || values.format === 'text'
