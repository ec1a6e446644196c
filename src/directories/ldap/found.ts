import { type Doubt, doubt } from '../../core/doubt.ts'
import type { Group } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { count, listedFirst } from '../../core/quantity.ts'
import type { ReadingNote } from '../../core/reading.ts'
import { entryNamesMax, nameAttributes, textBytesMax } from './attribute.ts'
import { type Crowded, noneCrowded } from './entry.ts'
import { quoted } from './failure.ts'
import { accountOf, type LdapSettings } from './settings.ts'

/** The groups that a reading has found so far, over all bases. */
export type FoundGroups = {
  readonly index: Map<GroupName, Group[]>
  /** How many groups `index` has. */
  size: number
  readonly nameless: Places
  readonly unusable: Places
  /** Entries with more than `entryNamesMax` names. */
  readonly manyNames: Places
  /** Those of them whose names were not kept. */
  readonly endlessNames: Places
  readonly crowded: Crowded
  /** Entries that came on two pages of one search. */
  readonly repeated: Places
  /** Entries whose id came before, with another DN. */
  readonly sameId: Places
  /** Whether an entry had the attribute of the members. */
  hasMembers: boolean
  /** Whether the members were not read, since an entry was too large with them. */
  readonly tooLarge?: true
}

/** The number of entries, and the places of the first ones. */
type Places = { count: number; readonly first: string[] }

export const nothingFound = (): FoundGroups => ({
  index: new Map(),
  size: 0,
  nameless: { count: 0, first: [] },
  unusable: { count: 0, first: [] },
  manyNames: { count: 0, first: [] },
  endlessNames: { count: 0, first: [] },
  crowded: noneCrowded(),
  repeated: { count: 0, first: [] },
  sameId: { count: 0, first: [] },
  hasMembers: false,
})

const placesMax = 3

export function notePlace(places: Places, place: string): void {
  if (places.count++ < placesMax) places.first.push(quoted(place))
}

/** All that was found, for the limit of a reading: it bounds the memory. */
export const foundSize = ({ size, nameless, unusable }: FoundGroups): number => size + nameless.count + unusable.count

/**
 * Adds a group to the index. A group that two bases or two pages contain is added once; the later one counts. There is no list beside the index,
 * which would need as much memory again. If 1,000 or more groups have one name, duplicates among them are not looked for; they are ambiguous anyway.
 */
export function keep(foundGroups: FoundGroups, group: Group): void {
  const namesakes = foundGroups.index.get(group.name)
  const known = namesakes && namesakes.length < 1_000 ? namesakes.findIndex(({ place }) => place === group.place) : -1
  if (namesakes && known >= 0) {
    namesakes[known] = group
    return
  }
  foundGroups.size++
  if (namesakes) namesakes.push(group)
  else foundGroups.index.set(group.name, [group])
}

/**
 * Why the reading is partial; undefined if it is complete. An entry without a name may be any group, and so may one whose names are not kept. An entry
 * that comes twice took the place of another one, or a page was repeated.
 */
export function missingFrom({ nameless, endlessNames, repeated, sameId }: FoundGroups, { groups }: LdapSettings): Doubt | undefined {
  if (repeated.count > 0)
    return doubt(
      'ldap.entryTwice',
      `on two pages came ${placesText(repeated)}: the list changed while it was read, or the server repeats a page; wait for the next reading, and if it is so at each one, set pageSize: 0`,
    )
  if (sameId.count > 0)
    return doubt(
      'ldap.idTwice',
      `with one id came twice ${placesText(sameId)}: the list changed while it was read; wait for the next reading, and if it is so at each one, name an attribute in groups.id that each group has once`,
    )
  if (endlessNames.count > 0)
    return doubt(
      'ldap.endlessNames',
      `more than ${count(entryNamesMax)} names, too many to be compared, are in ${placesText(endlessNames)}: correct the entry, or exclude it with groups.filter`,
    )
  if (nameless.count === 0) return undefined
  return doubt(
    'ldap.nameless',
    `the attribute ${nameAttributes(groups.name).join(' or ')} has no value in ${placesText(nameless)}: correct the entry, exclude it with groups.filter, or let the account read the attribute`,
  )
}

export function notesOn(foundGroups: FoundGroups, settings: LdapSettings): readonly ReadingNote[] {
  const { name, members } = settings.groups
  const notes: ReadingNote[] = []
  if (foundGroups.unusable.count > 0) {
    notes.push({
      code: 'group-name-unusable',
      severity: 'info',
      sentence: `the attribute ${nameAttributes(name).join(' or ')} is not UTF-8, or longer than ${textBytesMax} bytes, in ${placesText(foundGroups.unusable)}: no rule can name such a group`,
      cure: 'correct the entry, or exclude it with groups.filter',
    })
  }
  if (foundGroups.manyNames.count > 0) {
    notes.push({
      code: 'group-name-unusable',
      severity: 'warning',
      sentence: `more than ${count(entryNamesMax)} names are in ${placesText(foundGroups.manyNames)}: rules for any of these names are held`,
      cure: 'find out who added the names. Leave the entry one name, or exclude it with groups.filter',
    })
  }
  if (foundGroups.tooLarge === true) {
    notes.push({
      code: 'members-unreadable',
      severity: 'warning',
      sentence: 'an entry is too large with its members, so no members were read, and it is unknown how many members the groups have',
      cure: 'find the group with very many members and exclude it with groups.filter, or leave groups.member out',
    })
  } else if (members !== undefined && foundGroups.size > 0 && !foundGroups.hasMembers) {
    notes.push({
      code: 'members-unreadable',
      severity: 'warning',
      sentence: `no group has a value of ${members}, so it is unknown how many members they have: ${accountOf(settings)} may lack the right to read it, or the groups use another attribute`,
      cure: `let the account read ${members}, or name the attribute of these groups in groups.member: member, uniqueMember or memberUid`,
    })
  }
  return notes
}

const placesText = ({ count, first }: Places): string => listedFirst(first, count)
