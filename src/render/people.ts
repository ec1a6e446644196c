import { type GroupSize, sumOf } from '../core/bounds.ts'
import { counted, listed, sizeText } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import type { View } from './view.ts'

type SizedGroup = { readonly group: string; readonly size?: GroupSize }

/** `1,230 people`, each group counted once; empty if no size is known. Groups of unknown size are named apart, not counted as 0. */
export function peopleInGroups(groups: readonly SizedGroup[]): string {
  const sizes = sizesOf(groups)
  const known = sizes.filter((size) => sizeText(size) !== '') as readonly GroupSize[]
  if (known.length === 0) return ''
  const ofKind = Map.groupBy(known, ({ of }) => of)
  const texts = (['people', 'members'] as const).flatMap((of) => {
    const own = ofKind.get(of)
    return own === undefined ? [] : [sizeText({ ...sumOf(own), of })]
  })
  const unknown = sizes.length - known.length
  return listed([...texts, ...(unknown === 0 ? [] : [`${counted(unknown, 'group')} of unknown size`])])
}

/** The size of these groups together, each counted once; undefined if the size of a group is not known, or if not all sizes are of the same. */
export function sizeTogether(groups: readonly SizedGroup[]): GroupSize | undefined {
  const sizes = sizesOf(groups)
  const [first, ...others] = new Set(sizes.map((size) => size?.of))
  return first === undefined || others.length > 0 ? undefined : { ...sumOf(sizes as readonly GroupSize[]), of: first }
}

function sizesOf(groups: readonly SizedGroup[]): readonly (GroupSize | undefined)[] {
  const known = new Map<string, GroupSize | undefined>()
  for (const { group, size } of groups) known.set(group, size ?? known.get(group))
  return [...known.values()]
}

/**
 * `corp does not say how many people are in the groups of 20 changes: …`, once for all rows without a number; empty if each has one, or if a finding says
 * why not.
 */
export function unsizedText({ judged: { plan }, directories }: Pick<View, 'judged' | 'directories'>): string {
  if (plan.findings.some(({ code }) => code === 'people-unread')) return ''
  const changes = [...plan.changes, ...plan.holds.flatMap(({ change }) => change ?? [])]
  const unsized = changes.filter((change) => 'target' in change && change.size === undefined && change.effect === undefined)
  const byDirectory = Map.groupBy(unsized, ({ because }) => because?.directory)
  const texts = directories.flatMap(({ name, kind }) => {
    const n = byDirectory.get(name)?.length ?? 0
    if (n === 0) return []
    const cure = kind === 'file' ? 'write people: or members: at its groups' : `set directories.${oneLine(name)}.people`
    return [`${oneLine(name)} does not say how many people are in the groups of ${counted(n, 'change')}; to see it, ${cure}`]
  })
  return texts.join('. ')
}
