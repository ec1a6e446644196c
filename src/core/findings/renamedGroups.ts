import { type Directories } from '../directories.ts'
import { type Finding } from '../finding.ts'
import { type Group, type GroupIndex } from '../group.ts'
import { type WorkspaceName } from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import { count, counted, listedFirst } from '../quantity.ts'
import { type HintContext, hintOfGroup, outsideOfFence } from '../resolve/hints.ts'
import { completeDirectories, usedBy } from '../resolve/lastGroupIds.ts'
import { comparePositions, positionText, type RenamedGroup, type WorkspaceDeclaration } from '../rule.ts'
import { shellWord } from '../safeName.ts'

/**
 * The rules of renamed groups, by their places. A rule whose group some complete directory has is none of them, nor is a pattern: nothing says which of
 * the names of today it means.
 *
 * @param before the id that `directory/name` had in the last complete reading
 */
export function renamedGroups(
  declared: WorkspaceDeclaration,
  directories: Directories,
  before: (name: string) => string | undefined,
  { mappings = new Map(), matches = new Map(), others = [] }: Partial<Omit<HintContext, 'declared'>> = {},
): readonly RenamedGroup[] {
  const around = { mappings, matches, declared, others }
  const complete = completeDirectories(directories)
  const ids = new Map<GroupIndex, ReadonlyMap<string, Group>>()
  const byId = (index: GroupIndex) => {
    const known = ids.get(index) ?? groupsById(index)
    ids.set(index, known)
    return known
  }
  const renamed = declared.rules.flatMap((rule): readonly RenamedGroup[] => {
    const { groups, from, target, because, fenced } = rule
    if (groups.kind === 'pattern' || target.kind === 'captured') return []
    const asked = usedBy(from, complete)
    if (asked.some(([, index]) => index.has(groups.name))) return []
    return asked.flatMap(([directory, index]) => {
      const id = before(`${directory}/${groups.name}`)
      const now = id === undefined ? undefined : byId(index).get(id)?.name
      if (now === undefined) return []
      const entry = { group: groups.name, target: target.target, because, ...(fenced && { fenced }) }
      const { near, nearNote: note } = hintOfGroup(now, entry, around)
      const canRename = near !== undefined ? 'yes' : note?.endsWith(outsideOfFence) === true ? 'outside' : 'no'
      return [{ rule, target: target.target, directory, was: groups.name, now, canRename, ...defined({ note }) }]
    })
  })
  return renamed.toSorted((a, b) => comparePositions(a.rule.because.at, b.rule.because.at))
}

/** The groups by their ids. A group with several names is left out: it is unknown which of them is its name now. */
export const groupsById = (index: GroupIndex): ReadonlyMap<string, Group> =>
  new Map([...index.values()].flat().flatMap((group) => (group.names === undefined ? [[group.id, group]] : [])))

/** A directory with more places of renamed groups gets one finding for all of them. */
const singleMax = 3
const shownMax = 3

/**
 * A finding for each place of a renamed group. The rename of a parent group renames all groups below it, so more of them are one finding, whose cure is the
 * command that prints their rules.
 */
export function renamedFindings(workspace: WorkspaceName, renamed: readonly RenamedGroup[]): readonly Finding[] {
  const byDirectory = [...Map.groupBy(renamed, ({ directory }) => directory)].map(([directory, groups]) => ({
    directory,
    groups,
    places: new Map(groups.map((group) => [placeOf(group), group])),
  }))
  const single = byDirectory.flatMap(({ places }) => (places.size > singleMax ? [] : [...places.values()]))
  const firstOutside = single.find(({ canRename }) => canRename === 'outside')
  return [
    ...single.map((group) => singleFinding(group, group === firstOutside)),
    ...byDirectory.flatMap(({ directory, groups, places }) =>
      places.size > singleMax ? [jointFinding(workspace, directory, groups, places.size)] : [],
    ),
  ]
}

const placeOf = ({ rule }: RenamedGroup): string => positionText(rule.because.at)

function singleFinding(group: RenamedGroup, saysWiden: boolean): Finding {
  const { directory, was, now } = group
  return {
    code: 'group-renamed',
    severity: 'warning',
    place: placeOf(group),
    sentence: `group ${was} of ${directory} is called ${now} now`,
    cure: saysWiden ? `${singleCure(group)}; ${widenFence}` : singleCure(group),
  }
}

function singleCure({ rule, was, now, canRename, note }: RenamedGroup): string {
  if (canRename !== 'yes') return note ?? ''
  return `write in a rule with this group alone: group: ${now}, previously: ${was}${rule.fenced === true ? ', if the fence allows "previously"' : ''}${note === undefined ? '' : ` (${note})`}`
}

/** Said once: a person edits the settings once for all renamed groups. */
const widenFence =
  'in the settings, let the fence of this file have the new name, then rename it in the file. This holds for each renamed group outside of its fence'

function jointFinding(workspace: WorkspaceName, directory: string, groups: readonly RenamedGroup[], places: number): Finding {
  const names = [...new Map(groups.map((group) => [group.was, group])).values()]
  const outside = new Set(groups.flatMap(({ canRename, was }) => (canRename === 'outside' ? [was] : [])))
  const widen =
    outside.size === 0
      ? ''
      : `; before that, let the fences in the settings have the new names that are outside of them (${count(outside.size)})`
  const shown = names.slice(0, shownMax).map(({ was, now }) => `${was} is ${now}`)
  return {
    code: 'group-renamed',
    severity: 'warning',
    place: directory,
    sentence: `the groups of ${counted(places, 'rule')} have other names in ${directory} now: ${listedFirst(shown, names.length)}`,
    cure: `put what export --workspace ${shellWord(workspace)} --renamed prints in the place of these rules${widen}`,
  }
}
