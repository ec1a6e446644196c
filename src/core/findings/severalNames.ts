import { by } from '../compare.ts'
import type { Desired } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { Group, GroupIndex } from '../group.ts'
import type { GroupName, Mapping } from '../mapping.ts'
import { listedFirst } from '../quantity.ts'
import { type Reading, valueIfRead } from '../reading.ts'

const usedNamesMax = 10

/**
 * A finding for each entry of a directory that has several names, if a rule or a mapping uses one of them. A person who may edit the entry can
 * have added that name, so that its members get the roles of another group. All directories are asked: a login does not know the rule's `from`.
 */
export function severalNamesFindings(
  { mappings }: Pick<Desired, 'mappings'>,
  existing: readonly Mapping[],
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
): readonly Finding[] {
  const used = new Set([...existing.map(({ group }) => group), ...Array.from(mappings.values(), ({ group }) => group)])
  const findings = [...directories].flatMap(([directory, reading]) => {
    const index = valueIfRead(reading)
    return index === undefined ? [] : entriesNamed(used, index).map((entry) => finding(directory, entry))
  })
  return findings.toSorted(by(({ place }) => place))
}

type Entry = { readonly place: string; readonly names: readonly string[]; readonly used: GroupName[] }

/** The entries with several names that have one of the names in use. */
function entriesNamed(used: ReadonlySet<GroupName>, index: GroupIndex): readonly Entry[] {
  const entries = new Map<string, Entry>()
  for (const name of used) {
    for (const { place, names } of index.get(name) ?? ([] as readonly Group[])) {
      if (names === undefined) continue
      const known = entries.get(place)
      if (known === undefined) entries.set(place, { place, names, used: [name] })
      else known.used.push(name)
    }
  }
  return [...entries.values()]
}

function finding(directory: string, { place, names, used }: Entry): Finding {
  const shown = used.toSorted().slice(0, usedNamesMax)
  return {
    code: 'group-several-names',
    severity: 'warning',
    place: `${directory}: ${place}`,
    sentence: `the group has several names (${names.join(', ')}), and rules or mappings use ${listedFirst(shown, used.length)}: its members may get the roles of a group that is not theirs`,
    cure: 'find out who added the name; remove all names but one from the entry, or exclude the entry with groups.filter',
  }
}
