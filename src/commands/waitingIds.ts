import type { Terminal } from './command.ts'
import { settingsPlaces } from './description.ts'
import { stream } from './input.ts'

/**
 * The IDs that wait for approval in the last cycle of the daemon, each with why, for a completion. Settings that cannot be read, or a daemon that has left
 * nothing, give none, without a word.
 */
export async function waitingIds(config: unknown, env: Terminal['env']): Promise<readonly (readonly [id: string, why: string])[]> {
  const named = typeof config === 'string' ? config : env.PLANE_GROUP_SYNC_CONFIG || undefined
  const [{ loadSettings }, { serviceOf }, { lastOf }, { idsIn }, { hasPlan }, { visible }] = await Promise.all([
    import('../settings/load.ts'),
    import('../settings/service.ts'),
    import('./leaveLast.ts'),
    import('../render/approvable.ts'),
    import('../render/hasPlan.ts'),
    import('../core/safeName.ts'),
  ])
  for (const place of named === undefined ? settingsPlaces : [named]) {
    const loaded = place === stream ? undefined : await loadSettings(place, { PLANE_API_KEY: '', ...env })
    if (loaded === undefined || !loaded.valid || loaded.settings.journal === 'none') continue
    const found = await lastOf(loaded.path(loaded.settings.journal.folder), serviceOf(loaded.settings))
    if (found.kind !== 'last') return []
    const plans = found.last.workspaces.flatMap((one) => (hasPlan(one) ? [one.plan] : []))
    return plans.flatMap((plan) => idsIn(plan).map(({ id, sentence }) => [id, visible(`${plan.workspace}: ${sentence}`)] as const))
  }
  return []
}
