import { randomUUID } from 'node:crypto'
import { compose, type Program } from '../compose/compose.ts'
import type { RealEnvironment } from '../compose/environment.ts'
import type { WritingAccess } from '../compose/writers.ts'
import type { Waiver } from '../core/waiver.ts'
import type { Cycle, Writing } from '../cycle/cycle.ts'
import { openMemberPauses } from '../cycle/memberPauses.ts'
import { type Disk, realDisk } from '../journal/disk.ts'
import type { LockedAs } from '../journal/holder.ts'
import type { Observation } from '../plane/call.ts'
import { openReadingsKeeper } from '../recording/readings.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Call, Terminal } from './command.ts'
import { beginRun, type JournalledRun } from './journal.ts'
import { requireReferences, tellPassedOver, worldFor } from './open.ts'
import { openSettings } from './settings.ts'

/** The parts that a writing command needs. Disposing adds the entry `end` to the journal (no write is in flight) and closes it. */
export type OpenWriting = AsyncDisposable & {
  readonly loaded: LoadedSettings
  readonly program: Program
  readonly run: JournalledRun
  readonly disk: Disk
  readonly world: RealEnvironment
  /** Makes the writer of a program; a reload makes a new program. */
  readonly writing: (program: Program) => Writing
  readonly cycle: Pick<Cycle, 'now' | 'wall' | 'memory' | 'rebind'>
}

type WritingOptions = {
  readonly command: string
  readonly lockedAs: LockedAs
  readonly waivers: readonly Waiver[]
  /** `--no-wait`: the operator confirms that no other process wrote recently, so creates do not wait. */
  readonly noWait: boolean
  readonly progress?: NonNullable<WritingAccess['progress']>
  /** Whether the command shows its writes in the same place as the log. A log that is the only record has them all the same. */
  readonly showsWrites?: boolean
  readonly observe?: (observed: Observation) => void
  /** The settings, if the command has read them already. */
  readonly loaded?: LoadedSettings
  /** Called with the environment as soon as it exists, before anything else can fail. */
  readonly onWorld?: (world: RealEnvironment) => void
}

/** Opens settings, journal and program for a command that writes. @throws {InvalidSettings} {JournalInUse} */
export async function openWriting(
  values: Call['values'],
  terminal: Terminal,
  options: WritingOptions,
  signal: AbortSignal,
): Promise<OpenWriting> {
  const loaded = options.loaded ?? (await openSettings(values, terminal, signal))
  const real = worldFor(loaded, values, terminal)
  const world: RealEnvironment = {
    ...real,
    ...(options.observe === undefined ? {} : { observe: options.observe }),
    ...(options.lockedAs === 'daemon' ? { texts: { lastValid: new Map() }, memberPauses: openMemberPauses(real.clock) } : {}),
    ...(options.lockedAs === 'daemon' && loaded.settings.journal !== 'none' ? { keeper: openReadingsKeeper() } : {}),
  }
  options.onWorld?.(world)
  await requireReferences(loaded, world)
  const { now } = world.clock
  const { command, lockedAs, noWait, waivers, progress, showsWrites = false } = options
  const isLogged = !showsWrites || loaded.settings.journal === 'none'
  const disk = realDisk(terminal.processes)
  const begun = { run: randomUUID().slice(0, 8), version: terminal.version, command, lockedAs, noWait, disk, now }
  const run = await beginRun(loaded, begun, signal)
  tellPassedOver(loaded, run.passedOver, world)
  const { journal } = loaded.settings
  const seen = journal === 'none' ? {} : { seen: { max: journal.seenMax, lastRead: new Map<string, number>() } }
  try {
    const program = await compose(loaded, world, waivers, run.memory)
    return {
      loaded,
      program,
      world,
      run,
      disk,
      writing: (current) =>
        current.writing({
          append: run.append,
          hasLock: run.hasLock,
          run: run.run,
          ...seen,
          ...(isLogged ? { log: world.log } : {}),
          ...(progress === undefined ? {} : { progress }),
        }),
      cycle: { now, wall: world.clock.wall, memory: run.memory, rebind: run.rebind },
      async [Symbol.asyncDispose]() {
        await program.close()
        await run.end()
      },
    }
  } catch (error) {
    await run.end()
    throw error
  }
}
