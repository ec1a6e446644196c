import { type Hash, waiverId } from '../change.ts'
import { type Dates, isOver } from '../dates.ts'
import type { Directories } from '../directories.ts'
import { type Group, ownId } from '../group.ts'
import type { GroupChanged } from '../hold.ts'
import type { GroupName } from '../mapping.ts'
import type { MeantIds } from '../memory/meantIds.ts'
import { valueIfRead } from '../reading.ts'
import type { Rule } from '../rule.ts'
import { fullName, type GroupId, type Learned, openMeantIds, type RuleGroup } from './groupIds.ts'

/** The ids of groups in the memory. */
export type RememberedIds = {
  /** `directory/name` → id of the group → the texts that mean it. Undefined: the journal has no such record of the workspace. */
  readonly ids: MeantIds | undefined
  /** The id that `directory/name` had in the last complete reading. Used if there are no `ids`: an older version wrote the journal. */
  readonly lastId: (name: string) => string | undefined
}

/** The only group that has the name of a rule, in the directories of the rule, as far as they were read. */
type Place = GroupId & { readonly group: Group }
/** A rule and a group of it that is not the group that the rule meant. */
export type Found = { readonly one: RuleGroup; readonly place: Place; readonly reason: GroupChanged }

type Compared = {
  readonly found: readonly Found[]
  /** Groups that are seen for the first time, in complete readings. */
  readonly fresh: readonly Learned[]
  /** The ids that the journal of an older version has, for the record that it lacks. */
  readonly inherited: readonly Learned[]
}

/** Compares each group of a rule with the one that the rule meant by this name. The table above `checkGroups` lists the cases. */
export function compareGroups(
  all: readonly RuleGroup[],
  directories: Directories,
  { ids, lastId }: RememberedIds,
  dates: Dates,
  hash: Hash,
): Compared {
  const meantId = ids === undefined ? (directory: string, { name }: RuleGroup) => lastId(fullName(directory, name)) : openMeantIds(ids)
  const idsMeant = (one: RuleGroup, isNoId: (id: string) => boolean): readonly GroupId[] =>
    one.asked.flatMap((directory) => {
      const id = meantId(directory, one)
      return id === undefined || isNoId(id) ? [] : [{ directory, id }]
    })
  const calledNow = openNames(directories)
  const isProved = (directory: string) => directories.get(directory)?.status === 'complete'
  const found: Found[] = []
  const fresh: Learned[] = []
  const inherited: Learned[] = []
  for (const one of all) {
    const { asked } = one
    const place = onlyPlace(one.name, asked, directories)
    if (place === undefined) {
      const isSeen = asked.some((directory) => valueIfRead(directories.get(directory))?.has(one.name) === true)
      // The group may come back as another one, so its last id is kept for the rule. For a directory without ids the memory has the name as the id.
      if (ids === undefined && !isSeen) for (const means of idsMeant(one, (id) => id === one.name)) inherited.push({ one, means })
      continue
    }
    // An older version stored the place or the name of a group that has no id of its own.
    const meant = idsMeant(one, (id) => id === place.group.place || id === place.group.name)
    if (meant.length === 0 && asked.every(isProved)) fresh.push({ one, means: place })
    if (ids === undefined) for (const means of meant) inherited.push({ one, means })
    const was = meant.find(({ directory }) => directory === place.directory) ?? meant[0]
    if (was === undefined || meant.some(({ id }) => id === place.id) || isExpired(one.rule, dates)) continue
    if (was.directory === place.directory || isProved(was.directory))
      found.push({ one, place, reason: reasonOf(one.name, was, place, calledNow(was), hash) })
  }
  return { found, fresh, inherited }
}

function onlyPlace(name: GroupName, asked: readonly string[], directories: Directories): Place | undefined {
  const [only, ...more] = asked.flatMap((directory) =>
    (valueIfRead(directories.get(directory))?.get(name) ?? []).map((group) => ({ directory, group })),
  )
  const id = only === undefined ? undefined : ownId(only.group)
  return only === undefined || id === undefined || more.length > 0 ? undefined : { ...only, id }
}

const isExpired = ({ expiresMs }: Rule, dates: Dates): boolean => expiresMs !== undefined && isOver(expiresMs, dates) === 'yes'

function reasonOf(group: GroupName, was: GroupId, is: GroupId, called: GroupName | undefined, hash: Hash): GroupChanged {
  return {
    kind: 'groupChanged',
    group,
    directory: is.directory,
    ...(was.directory === is.directory ? {} : { was: was.directory }),
    ...(called === undefined ? {} : { called }),
    pass: waiverId(hash(JSON.stringify(['group', group, was.directory, was.id, is.directory, is.id]))),
  }
}

/** The present name of a group, by its id. The groups of a directory are collected at the first question. */
function openNames(directories: Directories): (meant: GroupId) => GroupName | undefined {
  const names = new Map<string, ReadonlyMap<string, GroupName>>()
  const namesIn = (directory: string) =>
    new Map(
      [...(valueIfRead(directories.get(directory))?.values() ?? [])].flatMap((all) =>
        all.flatMap(({ id, name, names }) => (names === undefined ? [[id, name] as const] : [])),
      ),
    )
  return ({ directory, id }) => {
    const known = names.get(directory) ?? namesIn(directory)
    names.set(directory, known)
    return known.get(id)
  }
}
