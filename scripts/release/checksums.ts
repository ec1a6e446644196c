import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** In the form that `sha256sum --check` reads. */
export const sumsFile = 'SHA256SUMS'

const sum = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

export async function writeSums(folder: string, files: readonly string[]): Promise<void> {
  const lines = await Promise.all(files.toSorted().map(async (file) => `${await sum(join(folder, file))}  ${file}\n`))
  await writeFile(join(folder, sumsFile), lines.join(''))
}

/** @throws if a file is not the one whose sum was written */
export async function checkSums(folder: string): Promise<void> {
  for (const line of (await readFile(join(folder, sumsFile), 'utf8')).trimEnd().split('\n')) {
    const [wanted = '', file = ''] = line.split('  ')
    if ((await sum(join(folder, file))) !== wanted)
      throw new Error(`${file} was changed after the release was built: its SHA-256 is not that of ${sumsFile}`)
  }
}
