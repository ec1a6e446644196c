import type { Terminal } from './command.ts'
import { settingsPlaces } from './description.ts'
import { stream } from './input.ts'

/** A completion does not read a larger file. */
const bytesMax = 1 << 20
/** Other names would have to be quoted, in each shell in its own way. */
const plain = /^[\p{L}\p{N}._@+-]+$/u

/**
 * The workspaces of the settings, for a completion: a file that is absent, too large or invalid gives none, without a word. The files are read as a
 * command would find them.
 */
export async function workspaceNames(config: unknown, env: Terminal['env']): Promise<readonly string[]> {
  const named = typeof config === 'string' ? config : env.PLANE_GROUP_SYNC_CONFIG || undefined
  const places = named === undefined ? settingsPlaces : [named]
  for (const place of places) {
    const text = place === stream ? undefined : await textOf(place)
    if (text === undefined) continue
    const names = (await import('../yaml/keys.ts')).keysBelow(text, 'workspaces')
    const slug = env.PLANE_WORKSPACE_SLUG ?? ''
    return (names.length === 0 && slug !== '' ? [slug] : names).filter((name) => plain.test(name))
  }
  return []
}

/** Undefined if the file cannot be read, or is a pipe, which could be read only once. */
async function textOf(path: string): Promise<string | undefined> {
  const { readBounded } = await import('../files/read.ts')
  const read = await readBounded(path, { bytesMax })
  return 'bytes' in read ? read.bytes.toString('utf8') : undefined
}
