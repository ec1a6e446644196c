import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { OperationalError } from '../core/operationalError.ts'
import { visible } from '../core/safeName.ts'
import { errnoOf, writeErrnoText } from '../files/errno.ts'
import { readBounded } from '../files/read.ts'
import { type Terminal, UsageError } from './command.ts'

const otherFolder = { cure: 'give init another folder, or add --dry-run to only see what it would write' }

/** @throws {UsageError} if there are settings already, which a second file would hide, or be hidden by */
export async function requireNoSettings(folder: string, places: readonly string[]): Promise<void> {
  for (const place of places)
    if (await isThere(join(folder, place))) throw new UsageError(`there are settings already: ${visible(place)}`, otherFolder)
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    // A file in the place of a folder takes the name, too.
    (error: unknown) => errnoOf(error) !== 'ENOENT',
  )

/** Writes all of the files, or none if one of these names is taken. A file that appears meanwhile is not replaced. */
export async function writeNew(folder: string, files: ReadonlyMap<string, string>, { out }: Pick<Terminal, 'out'>): Promise<void> {
  for (const name of files.keys())
    if (await isThere(join(folder, name)))
      throw new UsageError(`${visible(name)} exists already, and init replaces no file; nothing was written`, otherFolder)
  for (const [name, content] of files) {
    const path = join(folder, name)
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content, { flag: 'wx' })
    } catch (cause) {
      throw new OperationalError('NotWritten', `${visible(name)} could not be written: ${writeErrnoText(cause)}`, { cause })
    }
    out(`${visible(name)}\n`)
  }
}

export const ignoreFile = '.gitignore'
const ignoreBytesMax = 1_048_576

/** What git must not get: the journal, and files of secrets that are in this folder. `isNew`: there is no `.gitignore`. `lacking`: lines that it lacks. */
export type Ignored = { readonly isNew: boolean; readonly lacking: readonly string[] }

export async function ignoredIn(folder: string, secretFiles: readonly string[]): Promise<Ignored> {
  const real = (path: string) => realpath(path).catch(() => path)
  const [top, ...files] = await Promise.all([folder, ...secretFiles.map((file) => resolve(folder, file))].map(real))
  const inside = files
    .map((file) =>
      relative(top as string, file)
        .split(sep)
        .join('/'),
    )
    .filter((path) => path !== '' && path !== '..' && !path.startsWith('../') && !path.startsWith('/'))
  const wanted = ['/state/', ...new Set(inside.map((path) => `/${path.replaceAll(/[\\*?[\]]|\s$/g, (sign) => `\\${sign}`)}`))]
  const read = await readBounded(join(folder, ignoreFile), { bytesMax: ignoreBytesMax })
  const lines =
    'bytes' in read
      ? read.bytes
          .toString()
          .split('\n')
          .map((line) => line.trim())
      : []
  // A line with ! can take back what another one ignores.
  const isIgnored = (line: string) => !lines.some((other) => other.startsWith('!')) && formsOf(line).some((form) => lines.includes(form))
  return { isNew: 'reason' in read && read.reason === 'missing', lacking: wanted.filter((line) => !isIgnored(line)) }
}

/** The lines that ignore at least what this line ignores. A line that ends with a slash is about folders only. */
const formsOf = (line: string): readonly string[] =>
  [line, ...(line.endsWith('/') ? [line.slice(0, -1)] : [])].flatMap((form) => [form, form.slice(1)])
