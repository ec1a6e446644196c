import { stat } from 'node:fs/promises'
import { momentText } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { secretCharactersMin } from '../core/secretText.ts'
import { errnoOf } from '../files/errno.ts'
import { readSecret } from '../secrets/read.ts'
import { type LoadedSettings, loadSettings, settingsOf } from '../settings/load.ts'
import { newlyBroken } from '../settings/references.ts'
import type { SecretReference } from '../settings/scalars.ts'
import { yamlBytesMax } from '../yaml/decode.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, InvalidInput, type Problem, problemOfFile } from '../yaml/problem.ts'
import { type Call, type Terminal, text } from './command.ts'
import { settingsPlaces } from './description.ts'
import { inputName, readInput, stream } from './input.ts'
import { type LastSettings, lastSettings } from './lastSettings.ts'

/** Settings that cannot be used. `files.text` shows every problem with its line. `last`: those that a daemon uses meanwhile; absent: there are none. */
export class InvalidSettings extends InvalidInput {
  readonly last: LastSettings | undefined
  constructor(files: InvalidFiles, last?: LastSettings) {
    super('settings', 'the settings are invalid', files)
    this.last = last
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
  if (!loaded.valid) throw await withLastSettings(loaded, file, env, signal)
  if (values.quiet !== true) for (const note of unusedVariables(loaded, env)) terminal.err(`${note}\n`)
  return loaded
}

/**
 * The settings for a daemon. If the file is invalid, or names a secret that cannot be read, they are the last valid ones, which an earlier daemon kept
 * beside its journal. `lastValidMs`: when these were last seen valid, epoch ms by the date; absent: those of the file.
 *
 * @throws {InvalidSettings} if the file is invalid and there are no last valid ones
 */
export async function openSettingsOrLast(
  values: Values,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<{ readonly loaded: LoadedSettings; readonly lastValidMs?: number }> {
  try {
    const loaded = await openSettings(values, terminal, signal)
    const { env, secrets } = terminal
    const last = await lastSettings(loaded.file, env, signal)
    if (typeof last !== 'object' || last.loaded.hash === loaded.hash) return { loaded }
    const read = (reference: SecretReference) => readSecret(reference, { env, registry: secrets, path: loaded.path })
    return (await newlyBroken(loaded, last.loaded, env, read)) === undefined ? { loaded } : last
  } catch (error) {
    if (!(error instanceof InvalidSettings) || error.last === undefined) throw error
    return error.last
  }
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

const settingsFile = async (values: Values, terminal: Terminal): Promise<string> =>
  text(values.config) ?? (terminal.env.PLANE_GROUP_SYNC_CONFIG || (await foundSettings(values, terminal)))

/** The error also says what a daemon uses meanwhile. */
async function withLastSettings(files: InvalidFiles, file: string, env: Terminal['env'], signal?: AbortSignal): Promise<InvalidSettings> {
  const last = file === stream ? undefined : await lastSettings(file, env, signal)
  if (last === undefined) return new InvalidSettings(files)
  const also =
    typeof last === 'string'
      ? `${visible(last)}.`
      : `Until this is corrected, plane-group-sync run uses the last valid settings, of ${momentText(last.lastValidMs)}, which it kept in ${visible(last.place)}.`
  const invalid = { ...files, text: `${files.text.trimEnd()}\n\n${also}\n` }
  return typeof last === 'string' ? new InvalidSettings(invalid) : new InvalidSettings(invalid, last)
}

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
