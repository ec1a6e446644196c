import { stat } from 'node:fs/promises'
import { visible } from '../core/safeName.ts'
import { secretCharactersMin } from '../core/secretText.ts'
import { errnoOf } from '../files/errno.ts'
import { type LoadedSettings, loadSettings, settingsOf } from '../settings/load.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, InvalidInput, type Problem, problemOfFile } from '../yaml/problem.ts'
import { yamlBytesMax } from '../yaml/source.ts'
import { type Call, type Terminal, text } from './command.ts'
import { settingsPlaces } from './description.ts'
import { inputName, readInput, stream } from './input.ts'

/** Settings that cannot be used. `files.text` shows every problem with its line. */
export class InvalidSettings extends InvalidInput {
  constructor(files: InvalidFiles) {
    super('settings', 'the settings are invalid', files)
  }
}

type Values = Call['values']

/** @throws {InvalidSettings} */
export async function openSettings(values: Values, terminal: Terminal, signal?: AbortSignal): Promise<LoadedSettings> {
  const { env, secrets } = terminal
  // The API key of the environment is registered first. So it is removed from all output, even if the settings contain it by mistake.
  if (env.PLANE_API_KEY !== undefined && env.PLANE_API_KEY.trim().length >= secretCharactersMin) secrets.add(env.PLANE_API_KEY)
  const file = await settingsFile(values, terminal)
  const loaded = file === stream ? await fromInput(terminal, signal) : await loadSettings(file, env, undefined, signal)
  if (!loaded.valid) throw new InvalidSettings(loaded)
  if (values.quiet !== true) for (const note of unusedVariables(loaded, env)) terminal.err(`${note}\n`)
  return loaded
}

/** Variables that say something else than the file. The file decides, so a person who sets one for a single command must see that it has no effect. */
function unusedVariables({ settings, file }: LoadedSettings, { PLANE_BASE_URL, PLANE_WORKSPACE_SLUG }: Terminal['env']): readonly string[] {
  const { service, workspaces } = settings
  const slugs = Object.entries(workspaces).map(([name, { slug = name }]) => slug)
  const place = (url: string): string => URL.parse(url)?.href.replace(/\/$/, '') ?? url
  const isOtherUrl = PLANE_BASE_URL !== undefined && PLANE_BASE_URL !== '' && place(PLANE_BASE_URL) !== place(service.baseUrl)
  const isOtherSlug = PLANE_WORKSPACE_SLUG !== undefined && PLANE_WORKSPACE_SLUG !== '' && slugs.join('\n') !== PLANE_WORKSPACE_SLUG
  return [
    ...(isOtherUrl ? [`PLANE_BASE_URL is not used: ${visible(file)} has service.baseUrl, ${visible(service.baseUrl)}.`] : []),
    ...(isOtherSlug ? [`PLANE_WORKSPACE_SLUG is not used: ${visible(file)} has workspaces. --workspace names one of them.`] : []),
  ]
}

/**
 * The settings for a command that asks Plane nothing. They may lack the API key, which often only the environment has.
 *
 * @throws {InvalidSettings}
 */
export const openSettingsWithoutKey = (values: Values, terminal: Terminal, signal?: AbortSignal): Promise<LoadedSettings> =>
  openSettings(values, { ...terminal, env: { PLANE_API_KEY: '', ...terminal.env } }, signal)

/** The settings file that the command line, the environment or the usual places name. @throws {InvalidSettings} */
export const settingsFile = async (values: Values, terminal: Terminal): Promise<string> =>
  text(values.config) ?? (terminal.env.PLANE_GROUP_SYNC_CONFIG || (await foundSettings(values, terminal)))

/** Relative paths in these settings begin at the current folder. */
async function fromInput(terminal: Terminal, signal?: AbortSignal): Promise<LoadedSettings | InvalidFiles> {
  const name = inputName(stream)
  const read = await readInput(stream, yamlBytesMax, terminal, signal)
  return 'why' in read ? invalidFiles([problemOfFile(name, read.why)]) : settingsOf(name, read.bytes, terminal.env)
}

/** The first settings file of `settingsPlaces`. @throws {InvalidSettings} where there is none */
async function foundSettings({ quiet }: Values, { err }: Terminal): Promise<string> {
  const present = await Promise.all(settingsPlaces.map((place) => exists(place)))
  const [used, ...unused] = settingsPlaces.filter((_, index) => present[index])
  if (used === undefined) throw new InvalidSettings(invalidFiles([noSettings()]))
  if (unused.length > 0 && quiet !== true)
    err(`The settings are ${used}; ${unused.join(' and ')} ${unused.length === 1 ? 'is' : 'are'} not used. --config names another file.\n`)
  return used
}

const noSettings = (): Problem =>
  problemOfFile(
    'settings',
    `there is no settings file: looked for ${settingsPlaces.join(', ')}`,
    'name the settings file with --config or PLANE_GROUP_SYNC_CONFIG',
  )

/** A file that this account may not look at exists, too: reading it then says why it cannot be used. */
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR',
  )
