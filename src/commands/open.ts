import { compose, type Program, type World } from '../compose.ts'
import type { Waiver } from '../core/guards.ts'
import { emptyMemory, type Memory } from '../core/memory.ts'
import { readMemory } from '../journal/folder.ts'
import { type LoadedSettings, loadSettings } from '../settings/load.ts'
import { worldOf } from '../world.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import { type Call, type Terminal, text } from './command.ts'

/** Settings that cannot be used. `files.text` shows every problem with its line. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings'
  readonly files: InvalidFiles
  constructor(files: InvalidFiles) {
    super('the settings are invalid')
    this.files = files
  }
}

type Values = Call['values']

/** @throws {InvalidSettings} */
export async function openSettings(values: Values, { env }: Terminal): Promise<LoadedSettings> {
  const loaded = await loadSettings(settingsFile(values, env), env)
  if (!loaded.valid) throw new InvalidSettings(loaded)
  return loaded
}

export const settingsFile = (values: Values, env: Terminal['env']): string =>
  text(values.config) ?? env.PLANE_GROUP_SYNC_CONFIG ?? 'config/config.yaml'

export type Open = AsyncDisposable & {
  readonly loaded: LoadedSettings
  readonly program: Program
  readonly memory: Memory
  readonly world: World
}

/** For commands that only look: the journal is read, never opened. */
export async function openProgram(values: Values, terminal: Terminal, waivers: readonly Waiver[] = []): Promise<Open> {
  const loaded = await openSettings(values, terminal)
  const { journal, service } = loaded.settings
  const memory = journal === 'none' ? emptyMemory : await readMemory(loaded.path(journal.folder), service.unknownOutcomeWait)
  const world = worldOf(loaded, values, terminal)
  const program = await compose(loaded, world, waivers, () => memory)
  return { loaded, program, memory, world, [Symbol.asyncDispose]: () => program.close() }
}
