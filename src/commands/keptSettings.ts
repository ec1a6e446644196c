import { basename } from 'node:path'
import { hashOf } from '../declaration/files.ts'
import { lastSettingsFile } from '../journal/keptFiles.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { type KeepingParts, keptWords, openKeeping } from './keepValid.ts'

/**
 * Opens a function that keeps the settings in use beside the journal, for a start at which the file is invalid (`lastSettings.ts`). The function
 * never throws. Undefined without a journal: then there is no place for them.
 *
 * @param loaded the settings at the start of the process, which say where the journal is
 */
export function keptSettingsOf(
  { settings, path }: LoadedSettings,
  parts: KeepingParts,
): ((inUse: LoadedSettings) => Promise<void>) | undefined {
  if (settings.journal === 'none') return undefined
  const { keep } = openKeeping(lastSettingsFile(path(settings.journal.folder)), keptWords.settings, parts)
  return ({ file, bytes }) => {
    const files = [{ file: basename(file), bytes }]
    return keep({ files, hash: hashOf(files) }, () => false)
  }
}
