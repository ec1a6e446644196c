import type { Group, GroupIndex } from '../group.ts'
import type { HoldReason, UncertainGroup } from '../hold.ts'
import type { GroupName } from '../mapping.ts'
import type { Rule } from '../rule.ts'

/** A reviewer of a file reads the label, and the id is what counts. So a label that the directory does not confirm holds the grants. */
export function labelDiffers(
  { label }: Rule,
  { directory, found }: Place,
  known: readonly (readonly [string, GroupIndex])[],
): UncertainGroup | undefined {
  if (label === undefined) return undefined
  const called = found.label ?? found.name
  const shared = known.reduce((sum, [, index]) => sum + (labelsIn(index).get(label)?.count ?? 0), 0)
  if (label === called && shared <= 1) return undefined
  return { kind: 'labelDiffers', directory, label, called, ...(label === called ? { shared } : {}) }
}
type Place = { readonly directory: string; readonly found: Group }

/**
 * What the hold of a rule says that has a label, and whose group no directory knows. A group that was made again has the same label: in Entra it has
 * another id, which is its name. So the group with this label is named, if only one has it.
 */
export function unknownWithLabel(
  { label }: Rule,
  known: readonly (readonly [string, GroupIndex])[],
): Pick<Extract<HoldReason, { kind: 'groupUnknown' }>, 'hasLabel' | 'near' | 'nearLabel'> {
  if (label === undefined) return {}
  const [only, ...others] = known.flatMap(([, index]) => labelsIn(index).get(label) ?? [])
  return { hasLabel: true, ...(only?.count === 1 && others.length === 0 ? { near: only.first, nearLabel: label } : {}) }
}

/** `first`: one of the groups with the label. */
type Labelled = { readonly first: GroupName; readonly count: number }

/** Label → the groups that have it. A cache of a pure function: thousands of rules ask for the same index. */
const labels = new WeakMap<GroupIndex, ReadonlyMap<string, Labelled>>()
function labelsIn(index: GroupIndex): ReadonlyMap<string, Labelled> {
  const before = labels.get(index)
  if (before !== undefined) return before
  const found = new Map<string, Labelled>()
  for (const groups of index.values())
    for (const { label, name } of groups) {
      const { first = name, count = 0 } = found.get(label ?? name) ?? {}
      found.set(label ?? name, { first, count: count + 1 })
    }
  labels.set(index, found)
  return found
}
