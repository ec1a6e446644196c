import { randomUUID } from 'node:crypto'
import { compose, type Program, type World } from '../compose.ts'
import type { Waiver } from '../core/guards.ts'
import type { Memory } from '../core/memory.ts'
import type { Cycle, Writing } from '../cycle.ts'
import { type Journal, journalOfNothing, openJournal } from '../journal/folder.ts'
import type { Observed } from '../plane/call.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Writer } from '../workspace.ts'
import { type RealWorld, worldOf } from '../world.ts'
import type { Call, Terminal } from './command.ts'
import { openSettings } from './open.ts'

/** All that a command which writes holds. Disposing says in the journal that nothing is on its way. */
export type OpenWriting = AsyncDisposable & {
  readonly loaded: LoadedSettings
  readonly program: Program
  readonly journal: Journal
  readonly world: RealWorld
  /** What can write, for a program that may have been composed anew. */
  readonly writing: (program: Program) => Writing
  /** Says in the journal that nothing is on its way. */
  readonly settled: () => Promise<void>
  readonly cycle: Pick<Cycle, 'now' | 'memory' | 'createsFromMs'>
  readonly run: string
}

export type WritingOptions = {
  readonly command: string
  readonly waivers: readonly Waiver[]
  /** The operator's word that nobody else has written: no wait before the first create. */
  readonly noWait: boolean
  readonly progress?: Writer['progress']
  readonly observe?: (observed: Observed) => void
}

/** Opens settings, journal and program for a command that writes. @throws {InvalidSettings} {JournalInUse} */
export async function openWriting(values: Call['values'], terminal: Terminal, options: WritingOptions): Promise<OpenWriting> {
  const loaded = await openSettings(values, terminal)
  const world = { ...worldOf(loaded, values, terminal), ...(options.observe === undefined ? {} : { observe: options.observe }) }
  const journal = await journalOf(loaded, world)
  const { now } = world.clock
  const run = randomUUID().slice(0, 8)
  const startedMs = now()
  await journal.append({ atMs: startedMs, run, entry: 'start', version: terminal.version, command: options.command })
  const program = await compose(loaded, world, options.waivers, journal.memory)
  const settled = async () => {
    if (!journal.memory().endedClean) await journal.append({ atMs: now(), run, entry: 'end' })
  }
  const waits = !journal.trusted && !options.noWait
  return {
    loaded,
    program,
    journal,
    world,
    run,
    writing: (current) =>
      current.writing({ append: journal.append, run, ...(options.progress === undefined ? {} : { progress: options.progress }) }),
    settled,
    cycle: {
      now,
      memory: (): Memory => journal.memory(),
      createsFromMs: waits ? startedMs + loaded.settings.service.unknownOutcomeWait : 0,
    },
    async [Symbol.asyncDispose]() {
      await program.close()
      await settled()
      await journal.close()
    },
  }
}

async function journalOf({ settings, path }: LoadedSettings, { clock }: World): Promise<Journal> {
  const options = { unknownOutcomeWaitMs: settings.service.unknownOutcomeWait, now: clock.now }
  if (settings.journal === 'none') return journalOfNothing(options)
  const { folder, bytesMax, filesMax } = settings.journal
  return openJournal(path(folder), { ...options, bytesMax, filesMax })
}
