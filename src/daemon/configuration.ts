import { compose, type Program } from '../compose/compose.ts'
import type { ProgramEnvironment } from '../compose/environment.ts'
import { type Moment, momentOf } from '../core/clock.ts'
import { messageOf } from '../core/errorText.ts'
import { defined } from '../core/fields.ts'
import { grantsUntilMs } from '../core/judge/gate.ts'
import { confirmedService } from '../core/memory/confirmed.ts'
import type { Memory } from '../core/memory/memory.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import { InvalidDeclaration, type LastValid, type RestoreDeclaration } from '../settings/declared.ts'
import { type LoadedSettings, loadSettings } from '../settings/load.ts'
import { newlyBroken } from '../settings/references.ts'
import { needsRestart, waitForStart } from '../settings/restart.ts'
import type { Settings } from '../settings/schema.ts'

/** The settings and the declaration that are in use. If a file is invalid, its last good version stays in use. */
export type Configuration = {
  loaded(): LoadedSettings
  program(): Program
  /**
   * Reads the settings file and `service.caFile` again. If one has changed, a new program is made, which takes over the budgets of the old one.
   *
   * @param beforeSecrets is called with edited settings before the secrets that they name are read. They are not used if one is missing
   */
  refresh(beforeSecrets?: (edited: LoadedSettings) => Promise<void>): Promise<void>
  declaration(signal: AbortSignal): Promise<Declared>
  close(): Promise<void>
}

/** Why the settings file is not used. `lastValidMs`: when the settings in use were last seen valid; `grantsUntilMs`: until when they grant; epoch ms. */
export type UnusedSettings = { readonly why: string; readonly lastValidMs: number; readonly grantsUntilMs: number }

export type ConfigurationEvents = {
  readonly onSettings: (loaded: LoadedSettings, unused?: UnusedSettings) => void
  /** Names of the settings whose edit takes effect only after a restart; empty if there are none. */
  readonly onRestartNeeded: (names: readonly string[]) => void
  /** `hash`: of the declaration that is in use; empty: there is none. */
  readonly onDeclaration: (valid: boolean, hash: string, why?: string) => void
}

/** @param first settings and program that are known to be good */
export function openConfiguration(
  first: {
    readonly loaded: LoadedSettings
    readonly program: Program
    readonly bind: (settings: Settings) => Promise<void>
    readonly restore?: RestoreDeclaration
    /** When the settings were last valid, if the file is invalid at the start; absent: it is valid. */
    readonly settingsLastValid?: Moment
    /** Keeps settings that are in use for a later start. Never throws. */
    readonly keepSettings?: (loaded: LoadedSettings) => Promise<void>
  },
  world: ProgramEnvironment,
  memory: () => Memory,
  { onSettings, onRestartNeeded, onDeclaration }: ConfigurationEvents,
): Configuration {
  let { loaded, program } = first
  /** The last valid declaration. `fences`: those with which it was read, as JSON. */
  let good: (LastValid & { readonly fences: string | undefined }) | undefined
  const started = loaded.settings
  let lastValid = first.settingsLastValid ?? momentOf(world.clock)
  let isFileUsed = first.settingsLastValid === undefined

  function unused(why: string): void {
    isFileUsed = false
    onSettings(loaded, { why, lastValidMs: lastValid.steadyMs, grantsUntilMs: grantsUntilMs(lastValid, momentOf(world.clock)) })
  }

  async function refresh(beforeSecrets?: (edited: LoadedSettings) => Promise<void>): Promise<void> {
    const now = await loadSettings(loaded.file, world.env, loaded)
    if (!now.valid) return unused(now.text)
    // A certificate that is renewed is read again like a secret, without an edit of the settings.
    if (now.hash !== loaded.hash || (await program.isCaRenewed())) {
      await beforeSecrets?.(now)
      const restart = needsRestart(loaded.settings, now.settings, confirmedService(memory()))
      const why = restart ?? (await newlyBroken(now, loaded, world.env, world.secret))
      if (why !== undefined) return unused(why)
      const before = program
      try {
        program = await compose(now, world, [], memory, before)
      } catch (error) {
        // For example a CA file that does not exist. The settings count as invalid.
        return unused(messageOf(error))
      }
      loaded = now
      await before.close()
      await first.bind(loaded.settings)
    }
    lastValid = momentOf(world.clock)
    isFileUsed = true
    onSettings(loaded)
    await first.keepSettings?.(loaded)
    onRestartNeeded(waitForStart(started, loaded.settings))
  }

  async function declaration(signal: AbortSignal): Promise<Declared> {
    const declared = await validDeclaration(signal)
    return isFileUsed ? declared : { ...declared, settingsLastValid: lastValid }
  }

  async function validDeclaration(signal: AbortSignal): Promise<Declared> {
    const fences = JSON.stringify(loaded.settings.fences)
    try {
      const declared = await program.sources.declaration(signal)
      good = { declared, lastValid: momentOf(world.clock), fences }
      onDeclaration(true, declared.hash)
      return declared
    } catch (error) {
      if (!(error instanceof InvalidDeclaration)) throw error
      const keptFiles = await restore(fences, signal)
      onDeclaration(false, good?.declared.hash ?? '', error.files.text)
      if (good === undefined) throw error
      return { ...good.declared, kept: error.files.text, ...defined({ keptFiles }), lastValid: good.lastValid }
    }
  }

  /**
   * Sets `good` to what was kept for a later start, if this process has no valid declaration yet. With fences, the files of other owners may have changed
   * since the last time: then it is the present declaration with the kept text of the invalid files.
   *
   * @returns these files
   */
  async function restore(fences: string | undefined, signal: AbortSignal): Promise<Declared['keptFiles']> {
    // What an earlier fence allowed must not be granted under a narrower one.
    if (good?.fences !== fences) good = undefined
    if (good !== undefined && fences === undefined) return undefined
    const restored = await first.restore?.(loaded, signal)
    if (restored === undefined) return undefined
    const { keptFiles, ...declared } = restored.declared
    if (good === undefined || keptFiles !== undefined) good = { declared, lastValid: restored.lastValid, fences }
    return keptFiles
  }

  return { loaded: () => loaded, program: () => program, refresh, declaration, close: () => program.close() }
}
