import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { walkBounds } from '../declaration/files.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { secretFilesOf } from '../settings/references.ts'
import { UsageError } from './command.ts'

/**
 * Refuses to save a result in the place of what the command reads.
 *
 * @param option the option that names the file, such as `--out`
 * @throws {UsageError} if the file is an input, or would be one
 */
export async function requireNoInput(option: string, file: string, loaded: LoadedSettings): Promise<void> {
  const refuse = (what: string) => new UsageError(`${option} ${file}: ${what}`, { cure: `name another file with ${option}` })
  if (await isOneOf(inputsOf(loaded), file)) throw refuse('this would replace an input of this command')
  const { path, settings } = loaded
  if (await isBelow(path(settings.declaration), file)) throw refuse('this would be a file of the declaration')
}

/** The files that the settings name, and the settings. */
function inputsOf(loaded: LoadedSettings): readonly string[] {
  const { file, path, settings, shared } = loaded
  const groups = Object.values(settings.directories).flatMap((directory) => (directory.kind === 'file' ? [path(directory.path)] : []))
  return [
    file,
    ...(shared === undefined ? [] : [shared.path]),
    path(settings.declaration),
    ...groups,
    ...[...secretFilesOf(loaded).values()].flat(),
  ]
}

async function isOneOf(inputs: readonly string[], file: string): Promise<boolean> {
  const [fileStats, ...inputStats] = await Promise.all([file, ...inputs].map((path) => stat(path).catch(() => undefined)))
  return fileStats?.isFile() === true && inputStats.some((stats) => stats?.dev === fileStats.dev && stats.ino === fileStats.ino)
}

/** Whether a file of this name is read with the others of the declaration, if the declaration is a folder. Names that begin with a dot are not. */
async function isBelow(declaration: string, file: string): Promise<boolean> {
  if (!walkBounds.accepts(basename(file))) return false
  const [folder, parent] = await Promise.all([declaration, dirname(file)].map((path) => realpath(path).catch(() => undefined)))
  if (folder === undefined || parent === undefined) return false
  return ![...relative(folder, parent).split(sep), basename(file)].some((name) => name.startsWith('.'))
}
