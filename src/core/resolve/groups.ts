import { type Hash, waiverId } from '../change.ts'
import { by, compare } from '../compare.ts'
import { type Dates, isOver } from '../dates.ts'
import { type ChangedGroup, type ChangedGroups } from '../desired.ts'
import { type Directories, directoriesOf } from '../directories.ts'
import { type Group, ownId } from '../group.ts'
import { type GroupChanged } from '../hold.ts'
import { type GroupName } from '../mapping.ts'
import { type Matches, selected } from '../matches.ts'
import { type MeantIds } from '../memory/meantIds.ts'
import { valueIfRead } from '../reading.ts'
import { comparePositions, type Rule } from '../rule.ts'
import { fullName, type GroupId, type Learned, newGroupIds, openMeantIds, type RuleGroup } from './groupIds.ts'
import { ruleHash } from './textName.ts'

export type RememberedGroups = RememberedIds & {
  /** The number of groups of a directory whose ids are known. */
  readonly countOf: (directory: string) => number
  /** Whether a waiver names the change of a group, or all changes of a directory. The rule then means the group of today. */
  readonly isWaived: (pass: string) => boolean
}

/** Rule → each of its groups that is another one now. Their grants wait. */
export type ChangedByRule = ReadonlyMap<Rule, ReadonlyMap<GroupName, GroupChanged>>

/** Whether the groups that rules select are still the groups that they selected when the rules were first applied to these names. */
export type GroupsCheck = {
  readonly changed: ChangedByRule
  /** The same groups, by the directory that has them now. */
  readonly byDirectory: readonly ChangedGroups[]
  /** For each `directory/name` whose ids or texts differ from before: all its ids. An empty record removes the name from the memory. */
  readonly ids: MeantIds
  /** The names of the waivers that were used. */
  readonly waived: readonly string[]
}

/** The names that the rules are applied to. */
type NamesSeen = {
  readonly matches: Matches
  /** Whether `matches` has all names of the mappings that exist, so that a name without a match has no mapping. */
  readonly isWhole: boolean
}

/**
 * Compares each group that a rule selects with the group that the rule meant by this name. A pattern means, by each name, the group that had it when
 * the pattern first matched. G1 is the id that is remembered for the text of the rule and the directory `corp`. A group without an id of its own is
 * not compared, and nothing is remembered of it.
 *
 * | remembered | group with the name, in the directories of the rule | meaning                                      |
 * |------------|-----------------------------------------------------|----------------------------------------------|
 * | no id      | any                                                 | same                                         |
 * | G1         | none, or several                                    | same: the rule is held for another reason    |
 * | G1         | one with the id G1, in any directory                | same                                         |
 * | G1         | one with the id G2, in `corp`                       | another: made again, or swapped              |
 * | G1         | one with the id G2 elsewhere, `corp` is complete    | another: another directory has it now        |
 * | G1         | one with the id G2 elsewhere, `corp` is incomplete  | same: the rule is held for its directory     |
 *
 * The id is remembered until the text of the rule changes, or a waiver names the change. A pattern forgets a name that no complete directory and no
 * mapping has: the pattern would give its role to any new name, too.
 */
export function checkGroups(
  rules: readonly Rule[],
  directories: Directories,
  { ids, lastId, isWaived }: RememberedGroups,
  seen: NamesSeen,
  hash: Hash,
  dates: Dates,
): GroupsCheck {
  const ruleGroups = rules.flatMap((rule): RuleGroup[] => {
    const [text, asked] = [ruleHash(rule, hash), directoriesOf(rule, directories)]
    return Array.from(selected(rule.groups, seen.matches), ([name]) => ({ rule, name, text, asked }))
  })
  const { unmeant, fresh, inherited } = compareGroups(ruleGroups, directories, { ids, lastId }, dates, hash)

  const passes = directoryPasses(unmeant, hash)
  const passOf = ({ reason, place }: UnmeantGroup) => [reason.pass, passes.get(place.directory) ?? ''].find(isWaived)
  const taken = unmeant.filter((group) => passOf(group) !== undefined)
  const open = unmeant.filter((group) => passOf(group) === undefined)
  const accepted = new Map(taken.map(({ ruleGroup, place }) => [ruleGroup, place]))
  const learned = [
    ...fresh,
    ...inherited.filter(({ ruleGroup }) => !accepted.has(ruleGroup)),
    ...[...accepted].map(([ruleGroup, means]) => ({ ruleGroup, means })),
  ]
  return {
    changed: new Map(
      [...Map.groupBy(open, ({ ruleGroup }) => ruleGroup.rule)].map(([rule, ofRule]) => [
        rule,
        new Map(ofRule.map(({ ruleGroup, reason }) => [ruleGroup.name, reason])),
      ]),
    ),
    byDirectory: [...Map.groupBy(open, ({ place }) => place.directory)]
      .map(([directory, ofDirectory]) => ({ directory, groups: firstOfEach(ofDirectory), pass: passes.get(directory) ?? '' }))
      .toSorted(by(({ directory }) => directory)),
    ids: newGroupIds(ids ?? {}, directories, { ruleGroups, rules, isWhole: seen.isWhole, learned, waived: [...accepted.keys()] }, hash),
    waived: [...new Set(taken.flatMap((group) => passOf(group) ?? []))],
  }
}

/** Directory → the waiver that accepts all its changed groups. */
const directoryPasses = (unmeant: readonly UnmeantGroup[], hash: Hash): ReadonlyMap<string, string> =>
  new Map(
    [...Map.groupBy(unmeant, ({ place }) => place.directory)].map(([directory, ofDirectory]) => {
      const passes = [...new Set(ofDirectory.map(({ reason }) => reason.pass))].toSorted()
      return [directory, waiverId(hash(JSON.stringify(['groups', directory, passes])))]
    }),
  )

/** Each change once, with its first rule, in the order of the rules. */
function firstOfEach(unmeant: readonly UnmeantGroup[]): readonly ChangedGroup[] {
  const changedGroups = unmeant.map(({ ruleGroup, reason }) => ({ because: ruleGroup.rule.because, reason }))
  const inOrder = changedGroups.toSorted((a, b) => comparePositions(a.because.at, b.because.at) || compare(a.reason.group, b.reason.group))
  return [...Map.groupBy(inOrder, ({ reason }) => reason.pass).values()].map(([first]) => first as ChangedGroup)
}

/** The ids of groups in the memory. */
type RememberedIds = {
  /** `directory/name` → id of the group → the texts that mean it. Undefined: the journal has no such record of the workspace. */
  readonly ids: MeantIds | undefined
  /** The id that `directory/name` had in the last complete reading. Used if there are no `ids`: an older version wrote the journal. */
  readonly lastId: (name: string) => string | undefined
}

/** The only group that has the name of a rule, in the directories of the rule, as far as they were read. */
type Place = GroupId & { readonly group: Group }
/** A rule and a group of it that is not the group that the rule meant. */
type UnmeantGroup = { readonly ruleGroup: RuleGroup; readonly place: Place; readonly reason: GroupChanged }

type Compared = {
  readonly unmeant: readonly UnmeantGroup[]
  /** Groups that are seen for the first time, in complete readings. */
  readonly fresh: readonly Learned[]
  /** The ids that the journal of an older version has, for the record that it lacks. */
  readonly inherited: readonly Learned[]
}

/** Compares each group of a rule with the one that the rule meant by this name. The table above `checkGroups` lists the cases. */
function compareGroups(
  ruleGroups: readonly RuleGroup[],
  directories: Directories,
  { ids, lastId }: RememberedIds,
  dates: Dates,
  hash: Hash,
): Compared {
  const meantId = ids === undefined ? (directory: string, { name }: RuleGroup) => lastId(fullName(directory, name)) : openMeantIds(ids)
  const idsMeant = (ruleGroup: RuleGroup, isNoId: (id: string) => boolean): readonly GroupId[] =>
    ruleGroup.asked.flatMap((directory) => {
      const id = meantId(directory, ruleGroup)
      return id === undefined || isNoId(id) ? [] : [{ directory, id }]
    })
  const calledNow = openNames(directories)
  const isProved = (directory: string) => directories.get(directory)?.status === 'complete'
  const unmeant: UnmeantGroup[] = []
  const fresh: Learned[] = []
  const inherited: Learned[] = []
  for (const ruleGroup of ruleGroups) {
    const { asked } = ruleGroup
    const place = onlyPlace(ruleGroup.name, asked, directories)
    if (place === undefined) {
      const isSeen = asked.some((directory) => valueIfRead(directories.get(directory))?.has(ruleGroup.name) === true)
      // The group may come back as another one, so its last id is kept for the rule. For a directory without ids the memory has the name as the id.
      if (ids === undefined && !isSeen)
        for (const means of idsMeant(ruleGroup, (id) => id === ruleGroup.name)) inherited.push({ ruleGroup, means })
      continue
    }
    // An older version stored the place or the name of a group that has no id of its own.
    const meant = idsMeant(ruleGroup, (id) => id === place.group.place || id === place.group.name)
    if (meant.length === 0 && asked.every(isProved)) fresh.push({ ruleGroup, means: place })
    if (ids === undefined) for (const means of meant) inherited.push({ ruleGroup, means })
    const was = meant.find(({ directory }) => directory === place.directory) ?? meant[0]
    if (was === undefined || meant.some(({ id }) => id === place.id) || isExpired(ruleGroup.rule, dates)) continue
    if (was.directory === place.directory || isProved(was.directory))
      unmeant.push({ ruleGroup, place, reason: reasonOf(ruleGroup.name, was, place, calledNow(was), hash) })
  }
  return { unmeant, fresh, inherited }
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
      [...(valueIfRead(directories.get(directory))?.values() ?? [])].flatMap((groups) =>
        groups.flatMap(({ id, name, names }) => (names === undefined ? [[id, name] as const] : [])),
      ),
    )
  return ({ directory, id }) => {
    const known = names.get(directory) ?? namesIn(directory)
    names.set(directory, known)
    return known.get(id)
  }
}
