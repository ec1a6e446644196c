import { visible } from '../core/safeName.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import type { CeilingRow } from '../declaration/ceiling.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { UsageError } from './command.ts'

/** The fence that a person asks about, and the most that its files can give. */
export type Ceiling = { readonly path: string; readonly rows: readonly CeilingRow[] }

type Valid = { readonly loaded?: LoadedSettings; readonly declared?: Declared }

/**
 * Undefined without a question, or if the files are invalid.
 *
 * @throws {UsageError} if the settings have no such fence with limits
 */
export async function askedCeiling(path: string | undefined, { loaded, declared }: Valid): Promise<Ceiling | undefined> {
  if (path === undefined || loaded === undefined || declared === undefined) return undefined
  const { fences = {} } = loaded.settings
  const { ceilingOf } = await import('../declaration/ceiling.ts')
  const rows = ceilingOf(path, fences, declared.workspaces)
  if (rows !== undefined) return { path, rows }
  const limited = Object.entries(fences).flatMap(([name, fence]) => (fence === 'everything' ? [] : [name]))
  const cure = limited.length === 0 ? 'the settings have no fence with limits' : `name one of: ${limited.join(', ')}`
  const message = fences[path] === 'everything' ? `the files of "${path}" may say everything` : `the settings have no fence "${path}"`
  throw new UsageError(message, { cure })
}

export function ceilingText({ path, rows }: Ceiling): string {
  if (rows.length === 0) return `The files of ${visible(path)} give no role.`
  const lines = rows.map(({ targets, groups, roles, at }) => `  ${targets.join(', ')}: ${groups} → ${roles.join(' or ')}  ${at}`)
  return [`The most that the files of ${visible(path)} can give:`, ...lines.map(visible)].join('\n')
}
