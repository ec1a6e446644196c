import type { Program } from '../compose/compose.ts'
import type { Change } from '../core/change.ts'
import type { SteadyClock } from '../core/clock.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { WritingStep } from '../cycle/apply.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { LiveLine } from '../log/liveLine.ts'
import type { Work } from '../render/cost.ts'
import { type ProgressView, progressText } from '../render/progressText.ts'
import { type RemainingWork, toGo } from '../render/toGo.ts'
import type { Call, Terminal } from './command.ts'
import { type BudgetQueue, openWaitWatch, sayBudgetWaits } from './waitWatch.ts'
import { openWriteTally } from './writeTally.ts'

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
  readonly work: (workspace: WorkspaceName, changes: readonly Change[]) => Work & { readonly credential: string }
}

/** The pause between two lines where none can be drawn again. */
const sayMs = 10_000

export function startProgress({ line, say, clock, signal, queues, work }: ProgressOptions): Progress {
  const over = new AbortController()
  const tally = openWriteTally()
  const waits = openWaitWatch(queues, clock.now)
  const pace = openPace(clock.now)
  const writing = new Set<WorkspaceName>()
  let saidMs = clock.now()
  let estimate: ProgressView['toGo']

  function estimated(wait: ProgressView['wait']): ProgressView['toGo'] {
    // A service that is slow or does not answer makes every estimate false.
    if (wait?.kind === 'answer' || [...queues().values()].some((queue) => queue.view().circuit.open)) return undefined
    const now = clock.now()
    const remainingWork = tally.remaining().map((tallied): RemainingWork => {
      const { credential, ...whole } = work(tallied.workspace, tallied.now)
      const present: Work = tallied.hasCreated ? { ...whole, changesBeforeCheck: undefined } : whole
      return { credential, now: present, later: work(tallied.workspace, tallied.waiting), laterInMs: Math.max(0, tallied.untilMs - now) }
    })
    const model = toGo(remainingWork)
    return model && pace.slowed(model, remainingWork)
  }

  function measure(workspace: WorkspaceName): void {
    const { credential, budget } = work(workspace, [])
    pace.written(credential, budget.waitMs === 0)
  }

  function viewed(): ProgressView {
    const wait = waits.wait()
    const isWriting = writing.size > 0 || waits.isPaused()
    const counts = tally.counts()
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
    if (say === undefined || clock.now() - saidMs < sayMs || writing.size === 0) return
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
      tally.add(workspace, step)
      if (step.kind === 'begins') writing.add(workspace)
      if (step.kind === 'ends') writing.delete(workspace)
      if (step.kind === 'tried') measure(workspace)
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
const saysLines = (values: Call['values'], { isTerminal }: Terminal): boolean =>
  isTerminal.err || values.format === undefined || values.format === 'text'

/** Measures how long one write takes where the rate limit does not delay it. */
type Pace = {
  /** A write of this credential has ended. `isFree`: the next one need not wait for the rate limit. */
  written(credential: string, isFree: boolean): void
  /** The estimate, or a longer one if the service is slower than the estimate assumes. */
  slowed(estimate: Estimate, remainingWork: readonly RemainingWork[]): Estimate
}

type Estimate = { readonly ms: number; readonly fits: boolean }
type Measured = { readonly lastMs: number; readonly isFree: boolean; readonly tookMs: readonly number[] }

/** An estimate rests on this many of the last writes. */
const samplesMax = 20

function openPace(now: () => number): Pace {
  const each = new Map<string, Measured>()

  function writeMs(credential: string): number {
    const tookMs = each.get(credential)?.tookMs ?? []
    return tookMs.length === 0 ? 0 : tookMs.reduce((sum, ms) => sum + ms, 0) / tookMs.length
  }

  return {
    written(credential, isFree) {
      const before = each.get(credential)
      const more = before?.isFree === true ? [now() - before.lastMs] : []
      each.set(credential, { lastMs: now(), isFree, tookMs: [...(before?.tookMs ?? []), ...more].slice(-samplesMax) })
    },
    slowed(estimate, remainingWork) {
      const changes = new Map<string, number>()
      for (const { credential, now: present, later } of remainingWork)
        changes.set(credential, (changes.get(credential) ?? 0) + present.changes + later.changes)
      const slowest = [...changes].reduce((ms, [credential, count]) => Math.max(ms, writeMs(credential) * count), 0)
      return slowest > estimate.ms ? { ms: slowest, fits: false } : estimate
    },
  }
}
