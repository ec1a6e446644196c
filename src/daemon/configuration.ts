import { compose, type Program, type World } from '../compose.ts'
import type { Memory } from '../core/memory.ts'
import { InvalidDeclaration } from '../settings/declared.ts'
import { type LoadedSettings, loadSettings } from '../settings/load.ts'
import { needsRestart } from '../settings/service.ts'
import type { Declared } from '../workspace.ts'

/** Settings and declaration as they are in use: an invalid file keeps the last good one, and says so. */
export type Configuration = {
  loaded(): LoadedSettings
  program(): Program
  /** Reads the settings file again; a changed one makes another program, whose budgets go on. */
  refresh(): Promise<void>
  declaration(): Promise<Declared & { readonly kept?: string }>
  close(): Promise<void>
}

export type ConfigurationEvents = {
  readonly onSettings: (valid: boolean, loaded: LoadedSettings, why?: string) => void
  readonly onDeclaration: (valid: boolean, hash: string) => void
}

/** @param first settings and program that are known to be good */
export function keepConfiguration(
  first: { readonly loaded: LoadedSettings; readonly program: Program },
  world: World,
  memory: () => Memory,
  { onSettings, onDeclaration }: ConfigurationEvents,
): Configuration {
  let { loaded, program } = first
  let good: Declared | undefined

  async function refresh(): Promise<void> {
    const now = await loadSettings(loaded.file, world.env, loaded)
    if (!now.valid) return onSettings(false, loaded, now.text)
    if (now.hash !== loaded.hash) {
      const why = needsRestart(loaded.settings, now.settings)
      if (why !== undefined) return onSettings(false, loaded, why)
      const before = program
      try {
        program = await compose(now, world, [], memory, before)
      } catch (error) {
        // A CA file that is named and not there: the settings are as good as invalid.
        return onSettings(false, loaded, (error as Error).message)
      }
      loaded = now
      await before.close()
    }
    onSettings(true, loaded)
  }

  async function declaration(): Promise<Declared & { readonly kept?: string }> {
    try {
      good = await program.sources.declaration()
      onDeclaration(true, good.hash)
      return good
    } catch (error) {
      if (!(error instanceof InvalidDeclaration)) throw error
      onDeclaration(false, good?.hash ?? '')
      if (good === undefined) throw error
      return { ...good, kept: error.files.text }
    }
  }

  return { loaded: () => loaded, program: () => program, refresh, declaration, close: () => program.close() }
}
