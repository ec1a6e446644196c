import type { Group, GroupIndex } from '../core/group.ts'
import { indexSize } from '../core/group.ts'
import { counted } from '../core/quantity.ts'
import { isComplete, type Reading, whyIncomplete } from '../core/reading.ts'
import { unsafeName, visible } from '../core/safeName.ts'

/** A tenth of the groups may be removed, and another tenth renamed, before the expectation has to be changed. */
const share = 0.8
const namesMax = 10

/**
 * The setting `expect` of a directory as YAML, from the groups that it has now: four fifths of their number, and names from which a person chooses.
 * A name that is an id has its label beside it. Names with the most people come first. If no number of people is known, the names are spread over all
 * names in their order. A name that no rule can have is not proposed. An incomplete reading gives a comment that says why. Ends with a line break.
 */
export function expectText(name: string, reading: Reading<GroupIndex>): string {
  const key = `  ${JSON.stringify(name)}:\n`
  if (!isComplete(reading)) return `${key}    # no proposal: ${visible(whyIncomplete(reading) ?? '')}\n`
  const size = indexSize(reading.value)
  const names = proposed([...reading.value.values()].flatMap((groups) => (groups.length === 1 ? groups : [])))
  return [
    `${key}    expect:\n`,
    `      atLeast: ${Math.max(1, Math.floor(size * share))} # four fifths of ${counted(size, 'group')}\n`,
    ...(names.length === 0 ? [] : ['      names: # keep only those that must always exist\n']),
    ...names.map(({ name: one, label }) => `        - ${JSON.stringify(one)}${label === undefined ? '' : ` # ${visible(label)}`}\n`),
  ].join('')
}

function proposed(groups: readonly Group[]): readonly Group[] {
  const own = groups.filter(({ name, names }) => names === undefined && unsafeName(name) === undefined)
  const counts = own.filter(({ people }) => people !== undefined)
  return counts.length > 0 ? counts.toSorted((a, b) => (b.people ?? 0) - (a.people ?? 0)).slice(0, namesMax) : spread(own)
}

/** At most `namesMax` groups, at equal distances. */
const spread = (groups: readonly Group[]): readonly Group[] => {
  const step = Math.max(1, groups.length / namesMax)
  return Array.from({ length: Math.min(namesMax, groups.length) }, (_, index) => groups[Math.floor(index * step)] as Group)
}
