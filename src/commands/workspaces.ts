import type { WorkspaceName } from '../core/mapping.ts'
import { didYouMean } from '../core/nearest.ts'
import { type Call, texts, UsageError } from './command.ts'

/** `from`: the saved plan, as messages call it. */
export type SavedWorkspaces = { readonly from: string; readonly names: ReadonlySet<WorkspaceName> }

/**
 * The workspaces that `--workspace` names, else those of a saved plan. Undefined means all.
 *
 * @throws {UsageError} for a workspace that is not in the settings, or not in the saved plan
 */
export function onlyWorkspaces(
  values: Call['values'],
  { workspaces }: { readonly workspaces: Readonly<Record<string, unknown>> },
  saved?: SavedWorkspaces,
): ReadonlySet<WorkspaceName> | undefined {
  const named = texts(values.workspace) as readonly WorkspaceName[]
  const known = Object.keys(workspaces)
  const cure = `they have ${known.join(', ')}`
  for (const name of named) {
    if (known.includes(name)) continue
    const meant = didYouMean(name, known).trimEnd()
    const parts = name.split(',')
    const isList = parts.length > 1 && parts.every((part) => known.includes(part))
    throw new UsageError(`the settings name no workspace "${name}"${isList || meant === '' ? '' : `; ${meant}`}`, {
      cure: isList ? `write --workspace once for each: ${parts.map((part) => `--workspace ${part}`).join(' ')}` : cure,
    })
  }
  if (saved === undefined) return named.length === 0 ? undefined : new Set(named)
  const unplanned = named.find((name) => !saved.names.has(name))
  if (unplanned !== undefined)
    throw new UsageError(`${saved.from} has no plan for the workspace "${unplanned}"`, {
      cure: saved.names.size === 0 ? 'it has no plan at all' : `it has plans for ${[...saved.names].join(', ')}`,
    })
  const only = named.length > 0 ? new Set(named) : saved.names
  const gone = [...only].find((name) => !known.includes(name))
  if (gone !== undefined)
    throw new UsageError(`${saved.from} has a plan for the workspace "${gone}", and the settings name no such workspace`, {
      cure: `${cure}; add "${gone}" to the settings, or name others with --workspace, or make a new plan`,
    })
  return only
}
