import { compose, type Program } from '../compose/compose.ts'
import { type RealWorld, type World, worldOf } from '../compose/world.ts'
import type { Waiver } from '../core/judge/guards.ts'
import { emptyMemory, type Memory, remember } from '../core/memory/memory.ts'
import { realDisk } from '../journal/disk.ts'
import { readMemory } from '../journal/folder.ts'
import { type PassedOver, passedOverFindings } from '../journal/passedOver.ts'
import { findingLine } from '../log/findingLine.ts'
import { writeLines } from '../log/line.ts'
import { logLevels } from '../log/logger.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { brokenReferences } from '../settings/references.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { sayBudgetWaits } from './budgetWait.ts'
import { type Call, choice, type Terminal } from './command.ts'
import { InvalidSettings, openSettings } from './settings.ts'

export type Open = AsyncDisposable & {
  readonly loaded: LoadedSettings
  readonly program: Program
  readonly memory: Memory
  readonly world: World
}

/** For commands that only look: the journal is read, never opened. */
export async function openProgram(
  values: Call['values'],
  terminal: Terminal,
  waivers: readonly Waiver[],
  signal: AbortSignal,
): Promise<Open> {
  const loaded = await openSettings(values, terminal, signal)
  const { journal, service } = loaded.settings
  const world = worldFor(loaded, values, terminal)
  const { unknownOutcomeWait } = service
  const read =
    journal === 'none' ? undefined : await readMemory(loaded.path(journal.folder), realDisk(terminal.processes), unknownOutcomeWait)
  const memory = read === undefined ? emptyMemory : asIfStarted(read.memory, world.clock.now(), unknownOutcomeWait)
  if (read !== undefined) tellPassedOver(loaded, read.passedOver, world)
  await requireReferences(loaded, world)
  const program = await compose(loaded, world, waivers, () => memory)
  const waits = saysWaits(values, terminal)
    ? sayBudgetWaits({ queues: () => program.queues, clock: world.clock, say: terminal.err })
    : undefined
  return {
    ...{ loaded, program, memory, world },
    async [Symbol.asyncDispose]() {
      waits?.[Symbol.dispose]()
      await program.close()
    },
  }
}

/** Whether a person waits: who reads a document from standard output may take standard error for a failure. */
export const saysWaits = (values: Call['values'], { isTerminal }: Terminal): boolean =>
  isTerminal.err || values.format === undefined || values.format === 'text'

/** What an apply that began now would wait for, so that a plan shows it: open writes, and how the last process ended. */
function asIfStarted(memory: Memory, atMs: number, waitMs: number): Memory {
  const service = memory.service ?? { host: '', slugs: {} }
  const waits = memory.endedClean ? 'no' : 'yes'
  return remember(memory, { entry: 'start', atMs, run: '', version: '', command: 'plan', waits, service }, waitMs)
}

/** @throws {InvalidSettings} where a secret or certificate that the settings name is not there */
export async function requireReferences(loaded: LoadedSettings, { secret }: World): Promise<void> {
  const problems = await brokenReferences(loaded, secret)
  if (problems.length > 0) throw new InvalidSettings(invalidFiles(problems))
}

/** Says what of the journal counts for nothing, since a newer version wrote it. */
export function tellPassedOver({ settings: { journal }, path }: LoadedSettings, passedOver: PassedOver, { log }: RealWorld): void {
  const findings = journal === 'none' ? [] : passedOverFindings(path(journal.folder), passedOver)
  for (const finding of findings) writeLines(log, [findingLine(undefined, finding)])
}

/** The real world; its log is as the settings say, unless the command line says otherwise. */
export function worldFor(loaded: LoadedSettings, values: Call['values'], terminal: Terminal): RealWorld {
  const { log } = loaded.settings
  const level = choice('log-level', values['log-level'], logLevels, log.level)
  const format = choice('log-format', values['log-format'], ['auto', 'json', 'pretty'], log.format)
  const color = terminal.isTerminal.err && values['no-color'] !== true && (terminal.env.NO_COLOR ?? '') === ''
  return worldOf(loaded, { level, format, color }, terminal)
}
