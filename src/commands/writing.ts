import { randomUUID } from 'node:crypto'
import { compose, type Program, type World } from '../compose.ts'
import type { Waiver } from '../core/guards.ts'
import type { Service } from '../core/memory.ts'
import type { Cycle, Writing } from '../cycle.ts'
import { type Journal, journalOfNothing, openJournal } from '../journal/folder.ts'
import { unusable } from '../journal/unusable.ts'
import type { Observed } from '../plane/call.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Writer } from '../workspace.ts'
import type { RealWorld } from '../world.ts'
import type { Call, Terminal } from './command.ts'
import { requireReferences, worldFor } from './open.ts'
import { openSettings } from './settings.ts'

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
  readonly cycle: Pick<Cycle, 'now' | 'memory'>
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
  const world = { ...worldFor(loaded, values, terminal), ...(options.observe === undefined ? {} : { observe: options.observe }) }
  await requireReferences(loaded, world)
  const journal = await journalOf(loaded, world, terminal)
  try {
    const { now } = world.clock
    const run = randomUUID().slice(0, 8)
    const program = await compose(loaded, world, options.waivers, journal.memory)
    const waits = options.noWait ? 'waived' : journal.trusted ? 'no' : 'yes'
    const start = {
      entry: 'start',
      version: terminal.version,
      command: options.command,
      waits,
      service: serviceOf(loaded.settings),
    } as const
    await journal.append({ atMs: now(), run, ...start })
    const settled = async () => {
      if (!journal.memory().endedClean) await journal.append({ atMs: now(), run, entry: 'end' })
    }
    const { progress } = options
    return {
      ...{ loaded, program, journal, world, run, settled },
      writing: (current) => current.writing({ append: journal.append, run, ...(progress === undefined ? {} : { progress }) }),
      cycle: { now, memory: journal.memory },
      async [Symbol.asyncDispose]() {
        await program.close()
        try {
          await settled()
        } finally {
          await journal.close()
        }
      },
    }
  } catch (error) {
    await journal.close()
    throw error
  }
}

const serviceOf = ({ service, workspaces }: LoadedSettings['settings']): Service => ({
  host: new URL(service.baseUrl).host,
  slugs: Object.fromEntries(Object.entries(workspaces).map(([name, { slug = name }]) => [name, slug])),
})

async function journalOf({ settings, path }: LoadedSettings, { clock }: World, { processes }: Terminal): Promise<Journal> {
  const options = { unknownOutcomeWaitMs: settings.service.unknownOutcomeWait, now: clock.now }
  if (settings.journal === 'none') return journalOfNothing(options)
  const { folder, bytesMax, filesMax } = settings.journal
  const journal = await openJournal(path(folder), { ...options, bytesMax, filesMax, processes }).catch((error: unknown) => {
    throw unusable(path(folder), error)
  })
  const elsewhere = differs(journal.memory().service, serviceOf(settings))
  if (elsewhere === undefined) return journal
  await journal.close()
  throw new JournalElsewhere(`${path(folder)}: this journal is about ${elsewhere}; give these settings a journal.folder of their own`)
}

/** What a journal remembers of one service means nothing for another. */
export class JournalElsewhere extends Error {
  override readonly name = 'JournalElsewhere'
}

function differs(then: Service | undefined, now: Service): string | undefined {
  if (then === undefined) return undefined
  if (then.host !== now.host) return `the service at ${then.host}, not at ${now.host}`
  const moved = Object.keys(now.slugs).find((name) => then.slugs[name] !== undefined && then.slugs[name] !== now.slugs[name])
  return moved === undefined ? undefined : `a workspace ${moved} with the slug "${then.slugs[moved]}", not "${now.slugs[moved]}"`
}
