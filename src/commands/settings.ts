import { OperationalError } from '../core/operationalError.ts'
import { secretCharactersMin } from '../secrets/read.ts'
import { type LoadedSettings, loadSettings } from '../settings/load.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import { type Call, type Terminal, text } from './command.ts'

/** Settings that cannot be used. `files.text` shows every problem with its line. */
export class InvalidSettings extends OperationalError {
  readonly files: InvalidFiles
  constructor(files: InvalidFiles) {
    super('InvalidSettings', 'the settings are invalid')
    this.files = files
  }
}

type Values = Call['values']

/** @throws {InvalidSettings} */
export async function openSettings(values: Values, { env, secrets }: Terminal, signal?: AbortSignal): Promise<LoadedSettings> {
  // The API key of the environment is registered first. So it is removed from all output, even if the settings contain it by mistake.
  if (env.PLANE_API_KEY !== undefined && env.PLANE_API_KEY.trim().length >= secretCharactersMin) secrets.add(env.PLANE_API_KEY)
  const loaded = await loadSettings(settingsFile(values, env), env, undefined, signal)
  if (!loaded.valid) throw new InvalidSettings(loaded)
  return loaded
}

/**
 * The settings for a command that asks Plane nothing. They may lack the API key, which often only the environment has.
 *
 * @throws {InvalidSettings}
 */
export const openSettingsWithoutKey = (values: Values, terminal: Terminal, signal?: AbortSignal): Promise<LoadedSettings> =>
  openSettings(values, { ...terminal, env: { PLANE_API_KEY: '', ...terminal.env } }, signal)

const settingsFile = (values: Values, env: Terminal['env']): string =>
  text(values.config) ?? env.PLANE_GROUP_SYNC_CONFIG ?? 'config/config.yaml'
