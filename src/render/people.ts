import { counted } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import type { View } from './view.ts'

type GroupPeople = { readonly group: string; readonly people?: number }

/** `1,230 people`, each group counted once; empty if no directory counts them. */
export const peopleInGroups = (groups: readonly GroupPeople[]): string => peopleText(numbersOf(groups))

/** The people of these groups, each group counted once; undefined if the number of a group is not known. */
export function peopleSum(groups: readonly GroupPeople[]): number | undefined {
  const numbers = numbersOf(groups)
  return numbers.reduce((sum, number) => (sum === undefined || number === undefined ? undefined : sum + number), 0 as number | undefined)
}

function numbersOf(groups: readonly GroupPeople[]): readonly (number | undefined)[] {
  const known = new Map<string, number | undefined>()
  for (const { group, people } of groups) known.set(group, people ?? known.get(group))
  return [...known.values()]
}

/** Groups whose number of people is unknown are named apart, not counted as 0. */
function peopleText(numbers: readonly (number | undefined)[]): string {
  const known = numbers.filter((number) => number !== undefined)
  if (known.length === 0) return ''
  const text = counted(
    known.reduce((sum, number) => sum + number, 0),
    'person',
    'people',
  )
  const unknown = numbers.length - known.length
  return unknown === 0 ? text : `${text} and ${counted(unknown, 'group')} of unknown size`
}

/**
 * `corp does not say how many people are in the groups of 20 changes: …`, once for all rows without a number; empty if each has one, or if a finding says
 * why not.
 */
export function unsizedText({ judged: { plan }, directories }: Pick<View, 'judged' | 'directories'>): string {
  if (plan.findings.some(({ code }) => code === 'people-unread')) return ''
  const changes = [...plan.changes, ...plan.holds.flatMap(({ change }) => change ?? [])]
  const unsized = changes.filter((change) => 'target' in change && change.people === undefined && change.effect === undefined)
  const byDirectory = Map.groupBy(unsized, ({ because }) => because?.directory)
  const texts = directories.flatMap(({ name, kind }) => {
    const n = byDirectory.get(name)?.length ?? 0
    if (n === 0) return []
    const cure = kind === 'file' ? 'write people: or members: at its groups' : `set directories.${oneLine(name)}.people`
    return [`${oneLine(name)} does not say how many people are in the groups of ${counted(n, 'change')}; to see it, ${cure}`]
  })
  return texts.join('. ')
}
