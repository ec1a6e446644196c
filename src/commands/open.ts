import { compose, type Program } from '../compose/compose.ts'
import { openEnvironment, type ProgramEnvironment, type RealEnvironment } from '../compose/environment.ts'
import type { KeyEvent } from '../core/explain/keyEvents.ts'
import type { Key } from '../core/mapping.ts'
import { boundService } from '../core/memory/confirmed.ts'
import type { Entry } from '../core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../core/memory/memory.ts'
import { defined } from '../core/optionalFields.ts'
import type { Waiver } from '../core/waiver.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { realDisk } from '../journal/disk.ts'
import { keyHistory } from '../journal/keyHistory.ts'
import { type PassedOver, passedOverFindings } from '../journal/passedOver.ts'
import { isInUse, readMemory } from '../journal/readMemory.ts'
import { findingLine, writeLines } from '../log/line.ts'
import type { ReadingsKeeper } from '../recording/readings.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { brokenReferences } from '../settings/references.ts'
import type { Settings } from '../settings/schema.ts'
import { serviceOf } from '../settings/service.ts'
import { invalidFiles } from '../yaml/frame.ts'
import type { Call, Terminal } from './command.ts'
import { requireOwnJournal } from './journal.ts'
import { isDaemonHere } from './orders/askDaemon.ts'
import { type DryOptions, planOnly } from './planOnly.ts'
import { progressOf } from './progress.ts'
import { InvalidSettings, openSettings } from './settings.ts'
import { loggingOf } from './terminal.ts'

export type Open = AsyncDisposable & {
  readonly loaded: LoadedSettings
  readonly program: Program
  readonly memory: Memory
  readonly world: RealEnvironment
  readonly isBesideDaemon: boolean
}

/** Opens settings and program for a command that does not write. The journal is read without its lock. */
export async function openProgram(
  values: Call['values'],
  terminal: Terminal,
  waivers: readonly Waiver[],
  signal: AbortSignal,
): Promise<Open> {
  return openProgramOf(await openSettings(values, terminal, signal), values, terminal, waivers, signal)
}

/** The same for settings that are loaded already. */
export async function openProgramOf(
  loaded: LoadedSettings,
  values: Call['values'],
  terminal: Terminal,
  waivers: readonly Waiver[],
  signal: AbortSignal,
  keeper?: ReadingsKeeper,
): Promise<Open> {
  const world = { ...worldFor(loaded, values, terminal), ...defined({ keeper }) }
  const { journal } = loaded.settings
  const isWritten = journal !== 'none' && (await isInUse(loaded.path(journal.folder), terminal.processes))
  const isBesideDaemon = await isDaemonHere(loaded, terminal)
  const stored = (await journalMemory(loaded, terminal, world)) ?? emptyMemory
  const memory = journal === 'none' ? stored : asIfStarted(stored, loaded.settings, isWritten, world.clock.now())
  await requireReferences(loaded, world)
  const program = await compose(loaded, world, waivers, () => memory)
  const progress = progressOf(values, terminal, { program: () => program, clock: world.ticker, signal })
  return {
    loaded,
    program: { ...program, sources: { ...program.sources, directories: progress.watching(program.sources.directories) } },
    memory,
    world,
    isBesideDaemon,
    async [Symbol.asyncDispose]() {
      progress[Symbol.dispose]()
      await program.close()
    },
  }
}

/** The memory that the journal has, read without its lock; undefined without a journal. @throws {OperationalError} if it is about another host */
export async function journalMemory(loaded: LoadedSettings, { processes }: Terminal, world: RealEnvironment): Promise<Memory | undefined> {
  const { journal, service } = loaded.settings
  if (journal === 'none') return undefined
  const { memory, passedOver } = await readMemory(loaded.path(journal.folder), realDisk(processes), service.unknownOutcomeWait)
  requireOwnJournal(memory, loaded)
  tellPassedOver(loaded, passedOver, world)
  return memory
}

/** The last events of a key that the journal has, the newest first; undefined without a journal. */
export async function keyEventsOf(
  { settings: { journal }, path }: LoadedSettings,
  key: Key,
  max: number,
  { processes }: Terminal,
  signal: AbortSignal,
): Promise<readonly KeyEvent[] | undefined> {
  return journal === 'none' ? undefined : keyHistory(path(journal.folder), realDisk(processes), key, max, signal)
}

/**
 * The memory as an `apply` that starts now would have it, so that a plan shows the same quarantines. If a process has the journal open, it is that
 * process which writes next, with the memory and the waits that it has, after it has read the settings again.
 */
function asIfStarted(memory: Memory, settings: Settings, isWritten: boolean, atMs: number): Memory {
  const about = { atMs, run: '', service: boundService(memory, serviceOf(settings)) }
  const entry: Entry = isWritten ? { kind: 'service', ...about } : { kind: 'start', version: '', command: 'plan', waits: 'no', ...about }
  return remember(memory, entry, settings.service.unknownOutcomeWait)
}

/**
 * @throws {InvalidSettings} if a secret or certificate that the settings name cannot be read, or if the environment names an invalid proxy
 * @param only checks only this part of the settings; default: all
 */
export async function requireReferences(
  loaded: LoadedSettings,
  { env, secret }: ProgramEnvironment,
  only?: { readonly directories: ReadonlySet<string> },
): Promise<void> {
  const problems = await brokenReferences(loaded, env, secret, only)
  if (problems.length > 0) throw new InvalidSettings(invalidFiles(problems))
}

/** Logs the journal's entries that are ignored because a newer version wrote them. */
export function tellPassedOver({ settings: { journal }, path }: LoadedSettings, passedOver: PassedOver, { log }: RealEnvironment): void {
  const findings = journal === 'none' ? [] : passedOverFindings(path(journal.folder), passedOver)
  for (const finding of findings) writeLines(log, [findingLine(undefined, finding)])
}

/** The real environment. An option of the command line overrides the same setting of the log. */
export function worldFor(loaded: LoadedSettings, values: Call['values'], terminal: Terminal): RealEnvironment {
  return openEnvironment(loaded, loggingOf(values, loaded.settings.log, terminal), terminal)
}

/** Runs one cycle that only plans, with the parts that a command has opened. */
export function dryCycle(
  { loaded, program, memory, world, isBesideDaemon }: Pick<Open, 'loaded' | 'program' | 'memory' | 'world' | 'isBesideDaemon'>,
  options: DryOptions,
  signal: AbortSignal,
): Promise<CycleReport> {
  world.cycle.begin()
  const { unknownOutcomeWait: unknownOutcomeWaitMs } = loaded.settings.service
  return planOnly({ sources: program.sources, memory, clock: world.clock, unknownOutcomeWaitMs, isBesideDaemon }, options, signal)
}
