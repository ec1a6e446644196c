import { compose, type Program } from '../compose/compose.ts'
import type { ProgramEnvironment } from '../compose/environment.ts'
import { messageOf } from '../core/errorText.ts'
import { confirmedService } from '../core/memory/confirmed.ts'
import type { Memory } from '../core/memory/memory.ts'
import { defined } from '../core/optionalFields.ts'
import type { DeclarationReport, SettingsReport } from '../core/report.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import type { LineSink } from '../log/line.ts'
import { declarationText } from '../render/revision.ts'
import { InvalidDeclaration } from '../settings/declared.ts'
import { type LoadedSettings, loadSettings, type RefusedSettings } from '../settings/load.ts'
import { newlyBroken } from '../settings/references.ts'
import { needsRestart, waitForStart } from '../settings/restart.ts'
import type { Settings } from '../settings/schema.ts'
import type { Metrics } from './metrics.ts'

/** The settings and the declaration that are in use. If a file is invalid, its last good version stays in use. */
export type Configuration = {
  loaded(): LoadedSettings
  /** Whether `loaded` is what the settings file says now. */
  inUse(): SettingsReport
  program(): Program
  /**
   * Reads the settings file and `service.caFile` again. If one has changed, a new program is made, which takes over the budgets of the old one.
   *
   * @param beforeSecrets is called with edited settings before the secrets that they name are read. They are not used if one is missing
   */
  refresh(beforeSecrets?: (edited: LoadedSettings) => Promise<void>, signal?: AbortSignal): Promise<void>
  declaration(signal: AbortSignal): Promise<Declared>
  close(): Promise<void>
}

type ConfigurationEvents = {
  /** `unusedWhy`: why the settings file is not used. */
  readonly onSettings: (loaded: LoadedSettings, unusedWhy?: string) => void
  /** Names of the settings whose edit takes effect only after a restart; empty if there are none. */
  readonly onRestartNeeded: (names: readonly string[]) => void
  /** The declaration that is in use. An empty `hash`: there is none. */
  readonly onDeclaration: (inUse: DeclarationReport) => void
}

/** @param first settings and program that are known to be good */
export function openConfiguration(
  first: {
    readonly loaded: LoadedSettings
    readonly program: Program
    readonly bind: (settings: Settings) => Promise<void>
  },
  world: ProgramEnvironment,
  memory: () => Memory,
  { onSettings, onRestartNeeded, onDeclaration }: ConfigurationEvents,
): Configuration {
  let { loaded, program } = first
  const started = loaded.settings
  let kept: string | undefined
  const used = (why?: string): void => {
    kept = why
    onSettings(loaded, why)
  }

  /** The last settings that were not valid. They are not checked again, since many mistakes take seconds. */
  let refused: RefusedSettings | undefined

  async function refresh(beforeSecrets?: (edited: LoadedSettings) => Promise<void>, signal?: AbortSignal): Promise<void> {
    const now = await loadSettings(loaded.file, world.env, loaded, signal, refused)
    if (!now.valid) {
      refused = now
      return used(now.text)
    }
    // A certificate that is renewed is read again like a secret, without an edit of the settings.
    if (now.hash !== loaded.hash || (await program.isCaRenewed())) {
      await beforeSecrets?.(now)
      const restart = needsRestart(loaded.settings, now.settings, confirmedService(memory()) !== undefined)
      const why = restart ?? (await newlyBroken(now, loaded, world.env, world.secret))
      if (why !== undefined) return used(why)
      const before = program
      try {
        program = await compose(now, world, [], memory, before)
      } catch (error) {
        // For example a CA file that does not exist. The settings count as invalid.
        return used(messageOf(error))
      }
      loaded = now
      await before.close()
      await first.bind(loaded.settings)
    }
    used()
    onRestartNeeded(waitForStart(started, loaded.settings))
  }

  async function declaration(signal: AbortSignal): Promise<Declared> {
    try {
      const declared = await program.sources.declaration(signal)
      onDeclaration(declared)
      return declared
    } catch (error) {
      if (error instanceof InvalidDeclaration) onDeclaration({ hash: '', files: 0, kept: error.files.text })
      throw error
    }
  }

  return {
    loaded: () => loaded,
    inUse: () => defined({ hash: loaded.hash, kept }),
    program: () => program,
    refresh,
    declaration,
    close: () => program.close(),
  }
}

const noDeclaration =
  'the declaration is invalid, and there is no last valid one; nothing is written or revoked, and this process is not ready, until it is valid'

/**
 * The log line of a cycle that threw. Without any valid declaration it repeats the consequence, because an operator may see only the last lines of
 * the log.
 */
export const thrownText = (error: unknown): string =>
  `this cycle ended without a report${error instanceof InvalidDeclaration ? `, because ${noDeclaration}` : ''}; the next one tries again`

/**
 * Logs and counts when the settings or the declaration become invalid, become valid again, or change.
 *
 * @param inUse the hash of the settings at the start
 */
export function configurationEvents(
  log: Pick<LineSink, 'info' | 'warn' | 'error'>,
  metrics: Pick<Metrics, 'observeConfiguration'>,
  inUse: string,
): ConfigurationEvents {
  let good = inUse
  let loggedWhy = ''
  let loggedNames = ''
  let loggedDeclaration = ''
  let loggedWhyNot = ''
  return {
    onSettings({ hash }, unusedWhy) {
      const valid = unusedWhy === undefined
      metrics.observeConfiguration('settings', valid, hash)
      if (!valid && unusedWhy !== loggedWhy)
        log.error({ event: 'settings', inUse: hash }, `the settings are invalid, and those that were read before stay in use: ${unusedWhy}`)
      if (valid && hash !== good) log.info({ event: 'settings', inUse: hash }, 'the edited settings are in use')
      else if (valid && loggedWhy !== '') log.info({ event: 'settings', inUse: hash }, 'the settings are valid again and unchanged')
      good = hash
      loggedWhy = unusedWhy ?? ''
    },
    onRestartNeeded(names) {
      const list = names.join(', ')
      if (names.length > 0 && list !== loggedNames)
        log.warn({ event: 'settings', settings: names }, `${list}: edited, but read only at the start; restart to use the edit`)
      loggedNames = list
    },
    onDeclaration(declaration) {
      const { hash, kept: why = '', revision } = declaration
      metrics.observeConfiguration('declaration', why === '', hash)
      // If there is a last valid declaration, the cycle has a report. The log of the report says why, so it is not logged here.
      if (why !== '' && hash === '' && why !== loggedWhyNot) log.error({ event: 'declaration', why }, `${noDeclaration}: ${why}`)
      const text = declarationText(declaration, (inUse) => inUse)
      const again = loggedWhyNot === '' ? '' : 'valid again, and is '
      if (why === '' && (again !== '' || text !== loggedDeclaration))
        log.info({ event: 'declaration', inUse: hash, ...defined({ revision }) }, `the declaration is ${again}in use: ${text}`)
      loggedWhyNot = why
      if (why === '') loggedDeclaration = text
    },
  }
}
