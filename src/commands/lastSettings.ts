import { dirname, resolve } from 'node:path'
import { hashOf } from '../declaration/files.ts'
import { readBounded } from '../files/read.ts'
import { lastSettingsFile, readKeptFiles } from '../journal/keptFiles.ts'
import { type Environment, type LoadedSettings, settingsOf } from '../settings/load.ts'
import { settingsSchema } from '../settings/schema.ts'
import { yamlBytesMax } from '../yaml/decode.ts'
import { parseYaml } from '../yaml/parse.ts'

/** Settings that a daemon kept beside its journal. `lastValidMs`: the date at which they were last seen valid, epoch ms. `place`: their file. */
export type LastSettings = { readonly loaded: LoadedSettings; readonly lastValidMs: number; readonly place: string }

/**
 * Reads the last valid settings, which a daemon kept beside its journal. They are checked as if they were read now.
 *
 * @param file the settings file, which is invalid. It still says where the journal is, or else `PLANE_GROUP_SYNC_JOURNAL` does
 * @returns undefined if there are none; a sentence if they cannot be used
 */
export async function lastSettings(file: string, env: Environment, signal?: AbortSignal): Promise<LastSettings | string | undefined> {
  const folder = await journalFolderOf(file, env, signal)
  if (folder === undefined) return undefined
  const place = lastSettingsFile(folder)
  const kept = await readKeptFiles(place, signal)
  if (kept === undefined) return undefined
  const unused = (why: string) => `the last valid settings are kept in ${place}, but they cannot be used: ${why}`
  if (typeof kept === 'string') return unused(kept)
  const [only] = kept.files
  if (only === undefined || kept.files.length > 1 || hashOf(kept.files) !== kept.hash)
    return unused('the content does not have the hash that the file names, so it is damaged')
  const loaded = await settingsOf(file, only.bytes, env)
  if (!loaded.valid) return unused(`they are not valid for this version: ${loaded.problems[0]?.message ?? ''}`)
  const { journal } = loaded.settings
  if (journal === 'none' || loaded.path(journal.folder) !== folder) return unused('they name another folder for the journal')
  return { loaded, lastValidMs: kept.lastValidMs, place }
}

/** The folder of the journal that settings name, although they are invalid; undefined if they say nothing of it that can be read, or `none`. */
async function journalFolderOf(file: string, env: Environment, signal?: AbortSignal): Promise<string | undefined> {
  const read = await readBounded(file, { bytesMax: yamlBytesMax }, signal)
  const value = 'why' in read ? undefined : parseYaml(read.bytes, { file, schema: settingsSchema }).document?.value
  const { PLANE_GROUP_SYNC_JOURNAL: fallback = '' } = env
  if (typeof value !== 'object' || value === null) return fallback === '' ? undefined : resolve(fallback)
  const journal = settingsSchema.shape.journal.safeParse('journal' in value ? value.journal : undefined)
  if (!journal.success) return fallback === '' ? undefined : resolve(fallback)
  return journal.data === 'none' ? undefined : resolve(dirname(file), journal.data.folder)
}
