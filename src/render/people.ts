import { counted } from '../core/quantity.ts'

/** `1,230 people`, each group counted once; empty if no directory counts them. */
export function peopleInGroups(groups: readonly { readonly group: string; readonly people?: number }[]): string {
  const known = new Map<string, number | undefined>()
  for (const { group, people } of groups) known.set(group, people ?? known.get(group))
  return peopleText([...known.values()])
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
