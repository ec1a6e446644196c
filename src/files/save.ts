import { lstat, rename, rm, writeFile } from 'node:fs/promises'
import { errnoOf, writeErrnoText } from './errno.ts'

/** `why`: to follow the path in a sentence. */
type NotSaved = { readonly why: string; readonly cause?: unknown }

/**
 * Saves a text that only its owner may read. The file has either its old content or the whole new one. It is a new file in the place of the old one,
 * because the mode of the old one could show the text to others. A link is refused: it may lead to a file of another person, or to one of the system. A
 * device or a pipe is written to, since nothing can stand in its place.
 *
 * @returns undefined if the file was saved
 */
export async function saveFile(file: string, text: string): Promise<NotSaved | undefined> {
  try {
    const found = await lstat(file).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error
    })
    if (found?.isSymbolicLink() === true) return { why: 'this is a link, and the file must have this name itself' }
    if (found === undefined || found.isFile()) await replace(file, text)
    else await writeFile(file, text)
    return undefined
  } catch (cause) {
    return { why: writeErrnoText(cause), cause }
  }
}

async function replace(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`
  await rm(fresh, { force: true })
  try {
    // `wx` follows no link that another process makes meanwhile.
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' })
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
