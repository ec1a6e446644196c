import { stat } from 'node:fs/promises'
import { listed } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { secretCharactersMin } from '../core/secretText.ts'
import { errnoOf } from '../files/errno.ts'
import { environmentSettings, type LoadedSettings, loadSettings, neededVariables, settingsOf } from '../settings/load.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, InvalidInput, problemOfFile } from '../yaml/problem.ts'
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

/** `file`: the command needs a settings file. `environment`: without one, the variables of Plane are enough. */
type Needs = 'file' | 'environment'

/** @throws {InvalidSettings} */
export async function openSettings(
  values: Values,
  terminal: Terminal,
  signal?: AbortSignal,
  needs: Needs = 'file',
): Promise<LoadedSettings> {
  const { env, secrets } = terminal
  // The API key of the environment is registered first. So it is removed from all output, even if the settings contain it by mistake.
  if (env.PLANE_API_KEY !== undefined && env.PLANE_API_KEY.trim().length >= secretCharactersMin) secrets.add(env.PLANE_API_KEY)
  const file = await namedOrFound(values, terminal)
  const loaded =
    file === undefined
      ? await fromEnvironment(env, needs)
      : file === stream
        ? await fromInput(terminal, signal)
        : await loadSettings(file, env, undefined, signal)
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
export const openSettingsWithoutKey = (values: Values, terminal: Terminal, signal?: AbortSignal, needs?: Needs): Promise<LoadedSettings> =>
  openSettings(values, { ...terminal, env: { PLANE_API_KEY: '', ...terminal.env } }, signal, needs)

/** The settings file that the command line, the environment or the usual places name. @throws {InvalidSettings} */
export async function settingsFile(values: Values, terminal: Terminal): Promise<string> {
  const file = await namedOrFound(values, terminal)
  if (file === undefined) throw new InvalidSettings(noSettings('file', terminal.env))
  return file
}

/** Undefined: no file is named, and none is in a usual place. */
const namedOrFound = async (values: Values, terminal: Terminal): Promise<string | undefined> =>
  text(values.config) ?? (terminal.env.PLANE_GROUP_SYNC_CONFIG || (await foundSettings(values, terminal)))

/** Settings without a file, if the command writes nothing and the environment says enough. */
async function fromEnvironment(env: Terminal['env'], needs: Needs): Promise<LoadedSettings | InvalidFiles> {
  return needs === 'environment' && lackingVariables(env).length === 0 ? environmentSettings(env) : noSettings(needs, env)
}

const lackingVariables = (env: Terminal['env']): readonly string[] => neededVariables.filter((name) => (env[name] ?? '').trim() === '')

/** Relative paths in these settings begin at the current folder. */
async function fromInput(terminal: Terminal, signal?: AbortSignal): Promise<LoadedSettings | InvalidFiles> {
  const name = inputName(stream)
  const read = await readInput(stream, yamlBytesMax, terminal, signal)
  return 'why' in read ? invalidFiles([problemOfFile(name, read.why)]) : settingsOf(name, read.bytes, terminal.env)
}

/** The first settings file of `settingsPlaces`; undefined if there is none. */
async function foundSettings({ quiet }: Values, { err }: Terminal): Promise<string | undefined> {
  const present = await Promise.all(settingsPlaces.map((place) => exists(place)))
  const [used, ...unused] = settingsPlaces.filter((_, index) => present[index])
  if (used !== undefined && unused.length > 0 && quiet !== true)
    err(`The settings are ${used}; ${unused.join(' and ')} ${unused.length === 1 ? 'is' : 'are'} not used. --config names another file.\n`)
  return used
}

function noSettings(needs: Needs, env: Terminal['env']): InvalidFiles {
  const lacking = lackingVariables(env)
  const name = 'name the settings file with --config or PLANE_GROUP_SYNC_CONFIG, or let plane-group-sync init write one'
  const without =
    needs === 'file'
      ? 'export, plan and doctor need none'
      : `without one this command needs ${listed(neededVariables)}${lacking.length < neededVariables.length ? `, and has no ${listed(lacking)}` : ''}`
  // A person who set the variables meets a command that needs more than they say.
  const isAboutVariables = needs === 'environment' || lacking.length < neededVariables.length
  const cure = isAboutVariables ? `${name}; ${without}` : name
  return invalidFiles([problemOfFile('settings', `there is no settings file: looked for ${settingsPlaces.join(', ')}`, cure)])
}

/** A file that this account may not look at exists, too: reading it then says why it cannot be used. */
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR',
  )
