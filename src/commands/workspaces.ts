import type { WorkspaceName } from '../core/mapping.ts'
import { nearest } from '../core/nearest.ts'
import type { Settings } from '../settings/schema.ts'
import { type Call, texts, UsageError } from './command.ts'

/** The workspaces that `--workspace` names; undefined: all. @throws {UsageError} for one that the settings do not have */
export function onlyWorkspaces(values: Call['values'], { workspaces }: Settings): ReadonlySet<WorkspaceName> | undefined {
  const named = texts(values.workspace)
  const known = Object.keys(workspaces)
  for (const name of named) {
    if (known.includes(name)) continue
    const near = nearest(name, known)
    throw new UsageError(
      `the settings name no workspace "${name}"${near === undefined ? '' : `; did you mean "${near}"?`} They have: ${known.join(', ')}`,
    )
  }
  return named.length === 0 ? undefined : new Set(named as readonly WorkspaceName[])
}
