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
  for (const place of placesOf(config, env)) {
    const text = place === stream ? undefined : await textOf(place)
    if (text === undefined) continue
    const names = (await import('../yaml/keys.ts')).workspacesIn(text)
    const slug = env.PLANE_WORKSPACE_SLUG ?? ''
    return (names.length === 0 && slug !== '' ? [slug] : names).filter((name) => plain.test(name))
  }
  return []
}

/**
 * The IDs that wait for approval in the last cycle of the daemon, each with why, for a completion. Settings that cannot be read, or a daemon that has left
 * nothing, give none, without a word.
 */
export async function waitingIds(config: unknown, env: Terminal['env']): Promise<readonly (readonly [id: string, why: string])[]> {
  const [{ loadSettings }, { serviceOf }, { lastOf }, { idsIn }, { hasPlan }, { visible }] = await Promise.all([
    import('../settings/load.ts'),
    import('../settings/service.ts'),
    import('./leaveLast.ts'),
    import('../render/approvable.ts'),
    import('../render/hasPlan.ts'),
    import('../core/safeName.ts'),
  ])
  for (const place of placesOf(config, env)) {
    const loaded = place === stream ? undefined : await loadSettings(place, { PLANE_API_KEY: '', ...env })
    if (loaded === undefined || !loaded.valid || loaded.settings.journal === 'none') continue
    const foundLast = await lastOf(loaded.path(loaded.settings.journal.folder), serviceOf(loaded.settings))
    if (foundLast.kind !== 'last') return []
    const plans = foundLast.last.workspaces.flatMap((workspace) => (hasPlan(workspace) ? [workspace.plan] : []))
    return plans.flatMap((plan) => idsIn(plan).map(({ id, sentence }) => [id, visible(`${plan.workspace}: ${sentence}`)] as const))
  }
  return []
}

/** The files in which a command would look for the settings. */
function placesOf(config: unknown, env: Terminal['env']): readonly string[] {
  const named = typeof config === 'string' ? config : env.PLANE_GROUP_SYNC_CONFIG || undefined
  return named === undefined ? settingsPlaces : [named]
}

/** Undefined if the file cannot be read, or is a pipe, which could be read only once. */
async function textOf(path: string): Promise<string | undefined> {
  const { readBounded } = await import('../files/read.ts')
  const read = await readBounded(path, { bytesMax })
  return 'bytes' in read ? read.bytes.toString('utf8') : undefined
}
