import type { WorkspaceName } from '../core/mapping.ts'
import { nearest } from '../core/nearest.ts'
import type { Settings } from '../settings/schema.ts'
import { type Call, texts, UsageError } from './command.ts'

/**
 * The workspaces that `--workspace` names, else those of a saved plan. Undefined means all.
 *
 * @throws {UsageError} for a workspace that is not in the settings
 */
export function onlyWorkspaces(
  values: Call['values'],
  { workspaces }: Settings,
  saved?: Iterable<WorkspaceName>,
): ReadonlySet<WorkspaceName> | undefined {
  const named = texts(values.workspace) as readonly WorkspaceName[]
  if (named.length === 0 && saved === undefined) return undefined
  const only = new Set(named.length > 0 ? named : saved)
  const known = Object.keys(workspaces)
  for (const name of only) {
    if (known.includes(name)) continue
    const near = nearest(name, known)
    const meant = near === undefined ? '' : `; did you mean "${near}"?`
    throw new UsageError(`the settings name no workspace "${name}"${meant}`, { cure: `they have ${known.join(', ')}` })
  }
  return only
}
