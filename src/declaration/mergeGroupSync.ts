import type { GroupSync } from '../core/groupSync.ts'
import type { DeclaredSettings, Provenance } from '../core/rule.ts'

type Said = { readonly wanted: GroupSync; readonly because: Provenance }

/**
 * Merges the group-sync settings that files declare for one workspace, in the order of their places. A setting for which two files have different values is
 * left out, and the places are noted: only files inside fences can be read so far.
 *
 * @returns undefined if no file declares a setting
 */
export function mergeGroupSync(all: readonly Said[]): DeclaredSettings | undefined {
  const [first] = all
  if (first === undefined) return undefined
  const values = new Map<string, unknown>()
  const contested = new Map<string, Provenance[]>()
  const sayers = Map.groupBy(
    all.flatMap(({ wanted, because }) => Object.entries(wanted).map(([name, value]) => ({ name, value, because }))),
    ({ name }) => name,
  )
  for (const [name, said] of sayers) {
    if (new Set(said.map(({ value }) => value)).size === 1) values.set(name, said[0]?.value)
    else
      contested.set(
        name,
        said.map(({ because }) => because),
      )
  }
  const places = [...new Set([...contested.values()].flat())]
  return { wanted: Object.fromEntries(values) as GroupSync, because: first.because, ...(places.length > 0 && { contested: places }) }
}
