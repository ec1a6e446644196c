import type { Group, GroupIndex } from '../group.ts'
import type { UncertainGroup } from '../hold.ts'
import type { Rule } from '../rule.ts'

/** A reviewer of a file reads the label, and the id is what counts. So a label that the directory does not confirm holds the grants. */
export function labelDiffers(
  { label }: Rule,
  { directory, found }: Place,
  known: readonly (readonly [string, GroupIndex])[],
): UncertainGroup | undefined {
  if (label === undefined) return undefined
  const called = found.label ?? found.name
  const shared = known.reduce((sum, [, index]) => sum + (labelsIn(index).get(label) ?? 0), 0)
  if (label === called && shared <= 1) return undefined
  return { kind: 'labelDiffers', directory, label, called, ...(label === called ? { shared } : {}) }
}
type Place = { readonly directory: string; readonly found: Group }

/** Label → how many groups have it. A cache of a pure function: thousands of rules ask for the same index. */
const labels = new WeakMap<GroupIndex, ReadonlyMap<string, number>>()
function labelsIn(index: GroupIndex): ReadonlyMap<string, number> {
  const before = labels.get(index)
  if (before !== undefined) return before
  const counts = new Map<string, number>()
  for (const groups of index.values()) for (const { label, name } of groups) counts.set(label ?? name, (counts.get(label ?? name) ?? 0) + 1)
  labels.set(index, counts)
  return counts
}
