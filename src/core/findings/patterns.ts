import { compare } from '../compare.ts'
import { type Dates, isOver } from '../dates.ts'
import { type Desired } from '../desired.ts'
import { type Directories, directoriesOf, groupsOf } from '../directories.ts'
import { isProjectIn } from '../fencedProjects.ts'
import { type Finding } from '../finding.ts'
import { factsIn, quotedGroup } from '../group.ts'
import { type GroupName } from '../mapping.ts'
import { type Matches, patternId, selected } from '../matches.ts'
import { didYouMean } from '../nearest.ts'
import { count, counted, listed, listedFirst } from '../quantity.ts'
import { valueIfRead } from '../reading.ts'
import { type RecordedGroups, selectionText } from '../recordedGroups.ts'
import { produce } from '../resolve/produce.ts'
import { comparePositions, type Position, positionText, type Rule, type Unmanaged, type WorkspaceDeclaration } from '../rule.ts'
import { unsafeName, visible } from '../safeName.ts'

const shownMax = 10

/**
 * A finding about the patterns of rules that match no group. The directories of such a rule were read completely, and the finding names them. A pattern may be
 * written for groups that do not exist yet, so the finding only informs.
 */
export function unusedPatternFindings(
  rules: readonly Rule[],
  directories: Directories,
  matches: Matches,
  dates: Dates,
  recorded?: RecordedGroups,
): readonly Finding[] {
  const unused = new Map<string, Rule>()
  const elsewhere = new Map<Rule, string>()
  for (const rule of rules) {
    if (rule.groups.kind === 'exact' || mayBeExpired(rule, dates) || !isRecorded(rule, recorded)) continue
    const indexes = groupsOf(rule, directories)
    if (indexes === undefined) continue
    const names = Array.from(selected(rule.groups, matches), ([name]) => name)
    if (names.some((name) => indexes.some((index) => index.has(name)))) continue
    unused.set(positionText(rule.because.at), rule)
    elsewhere.set(rule, matchedElsewhere(rule, names, directories))
  }
  const [first, ...others] = [...unused.values()].toSorted((a, b) => comparePositions(a.because.at, b.because.at))
  if (first === undefined) return []
  const place = placeAmong(unused.values().map(({ because: { at } }) => at))
  const asked = askedAmong([...unused.values()], directories)
  const shown = [first, ...others]
    .slice(0, shownMax)
    .map((rule) => patternText(rule) + inBrackets(place(rule.because.at), asked.of(rule), elsewhere.get(rule) ?? ''))
  const isElsewhere = elsewhere.values().some((text) => text !== '')
  return [
    {
      code: 'pattern-unused',
      severity: 'info',
      place: positionText(first.because.at),
      sentence: `${counted(unused.size, 'pattern matches', 'patterns match')} no group${asked.all}: ${listedFirst(shown, unused.size)}`,
      cure: `if groups should match, compare the pattern with their names: plane-group-sync groups${isElsewhere ? '; if those of another directory are meant, let the "from" of the rule name it' : ''}`,
    },
  ]
}

/**
 * A finding about the patterns that a narrow recording does not know. It has only the groups that the declaration could mean when it was made, so such a pattern
 * may match more.
 */
export function unrecordedPatternFindings(rules: readonly Rule[], recorded: RecordedGroups | undefined): readonly Finding[] {
  const places = new Map<string, Rule>()
  for (const rule of rules) if (!isRecorded(rule, recorded)) places.set(positionText(rule.because.at), rule)
  const [first, ...others] = [...places.values()].toSorted((a, b) => comparePositions(a.because.at, b.because.at))
  if (first === undefined) return []
  const place = placeAmong(places.values().map(({ because: { at } }) => at))
  const shown = [first, ...others].slice(0, shownMax).map((rule) => patternText(rule) + inBrackets(place(rule.because.at)))
  return [
    {
      code: 'reading-incomplete',
      severity: 'warning',
      place: positionText(first.because.at),
      sentence: `${counted(places.size, 'pattern')} may match groups that are not in this recording, and their changes are not shown: ${listedFirst(shown, places.size)}`,
      cure: 'make the recording without --declared-groups',
    },
  ]
}

const isRecorded = ({ groups }: Rule, recorded: RecordedGroups | undefined): boolean =>
  recorded === undefined || groups.kind === 'exact' || recorded.patterns.has(selectionText(groups))

/** Which directories entries ask: in the sentence, if all ask the same ones, else beside each entry. */
function askedAmong(
  entries: readonly Pick<Rule, 'from'>[],
  directories: Directories,
): { readonly all: string; readonly of: (entry: Pick<Rule, 'from'>) => string } {
  const textOf = (entry: Pick<Rule, 'from'>) => `of ${listed(directoriesOf(entry, directories))}`
  const [first = '', ...others] = new Set(entries.map(textOf))
  return others.length === 0 ? { all: ` ${first}`, of: () => '' } : { all: '', of: textOf }
}

/** `idp has 3 that match`: what the run has read of directories that the rule does not ask; empty if it is nothing. */
function matchedElsewhere(rule: Rule, names: readonly GroupName[], directories: Directories): string {
  const asked = directoriesOf(rule, directories)
  const texts = [...directories].flatMap(([directory, reading]) => {
    const index = asked.includes(directory) ? undefined : valueIfRead(reading)
    const matching = names.filter((name) => index?.has(name) === true).length
    return matching === 0 ? [] : [`${directory} has ${count(matching)} that ${matching === 1 ? 'matches' : 'match'}`]
  })
  return listed(texts.toSorted(compare))
}

/** Also if the two clocks disagree whether the rule has ended. */
const mayBeExpired = ({ expiresMs }: Rule, dates: Dates): boolean => expiresMs !== undefined && isOver(expiresMs, dates) !== 'no'

const patternText = ({ groups }: Rule): string => (groups.kind === 'pattern' ? groups.pattern.source : groups.name)

/** A name in `except`. `matched`: the names of directories and mappings that the pattern matches. */
type Unused = Pick<Rule, 'from'> & {
  readonly at: Position
  readonly name: GroupName
  readonly others: ReadonlySet<GroupName>
  readonly matched: ReadonlyMap<GroupName, unknown>
}

/**
 * A finding about names in `except` that neither a directory nor a mapping has. The directories of such an entry were read completely, and the finding names
 * them. The group may not exist yet, so the finding only informs. If the name is misspelt, the pattern gives its role to the group that was meant.
 */
export function unusedExceptionFindings(
  { rules, unmanaged }: Pick<WorkspaceDeclaration, 'rules' | 'unmanaged'>,
  directories: Directories,
  matches: Matches,
  dates: Dates,
): readonly Finding[] {
  const unused = new Map<string, Unused>()
  for (const entry of [...rules.filter((rule) => !mayBeExpired(rule, dates)), ...unmanaged])
    for (const exception of unusedIn(entry, directories, matches)) unused.set(`${positionText(exception.at)} ${exception.name}`, exception)
  const [first, ...others] = [...unused.values()].toSorted((a, b) => comparePositions(a.at, b.at) || compare(a.name, b.name))
  if (first === undefined) return []
  const place = placeAmong(unused.values().map(({ at }) => at))
  const asked = askedAmong([...unused.values()], directories)
  const shown = [first, ...others].slice(0, shownMax).map((exception) => unusedText(exception, place(exception.at), asked.of(exception)))
  return [
    {
      code: 'except-unused',
      severity: 'info',
      place: positionText(first.at),
      sentence: `${counted(unused.size, 'name in "except" leaves', 'names in "except" leave')} out no group${asked.all}: ${listedFirst(shown, unused.size)}`,
      cure: 'if a group is meant, compare the name with those of the directory: plane-group-sync groups',
    },
  ]
}

function* unusedIn(entry: Rule | Unmanaged, directories: Directories, matches: Matches): Generator<Unused> {
  const { groups, because } = entry
  // An entry of `unmanaged` is about the groups of all directories.
  if (groups.kind === 'exact' || groups.except.size === 0 || groupsOf('from' in entry ? entry : {}, directories) === undefined) return
  const matched = matches.get(patternId(groups.pattern))
  if (matched === undefined) return
  const from = 'from' in entry && entry.from !== undefined ? { from: entry.from } : {}
  for (const name of groups.except) if (!matched.has(name)) yield { ...from, at: because.at, name, others: groups.except, matched }
}

function unusedText({ name, others, matched }: Unused, place: string, asked: string): string {
  const near = didYouMean(
    name,
    matched.keys().filter((candidate) => !others.has(candidate) && unsafeName(candidate) === undefined),
  ).trimEnd()
  return quotedGroup(name) + inBrackets(place, asked, near)
}

const namesMax = 3

/** How much of a pattern lies outside of the fence of its file: group names, and projects that it captures from names inside. */
type Outside = { readonly at: Position; readonly source: string; readonly groups: Names; readonly projects: Names }
/** `first`: in quotes. */
type Names = { readonly count: number; readonly first: readonly string[] }

/** A finding about patterns of files inside fences that match more than their fences contain. The rest of their matches has no effect. */
export function clippedPatternFindings(rules: readonly Rule[], directories: Directories, matches: Matches): readonly Finding[] {
  const clipped = new Map<string, Outside>()
  for (const rule of rules) {
    const outside = outsideOf(rule, directories, matches)
    if (outside !== undefined && outside.groups.count + outside.projects.count > 0) clipped.set(positionText(outside.at), outside)
  }
  const [first, ...others] = [...clipped.values()].toSorted((a, b) => comparePositions(a.at, b.at))
  if (first === undefined) return []
  const place = placeAmong(clipped.values().map(({ at }) => at))
  const shown = [first, ...others].slice(0, shownMax).map((outside) => outsideText(outside, place(outside.at)))
  return [
    {
      code: 'pattern-clipped',
      severity: 'info',
      place: positionText(first.at),
      sentence: `${counted(clipped.size, 'pattern matches', 'patterns match')} more than the fence contains: ${listedFirst(shown, clipped.size)}`,
      cure: 'narrow the pattern to the groups that are meant, or let the settings widen the fence',
    },
  ]
}

/** Undefined for a rule without a pattern, or of a file without a fence. */
function outsideOf(rule: Rule, directories: Directories, matches: Matches): Outside | undefined {
  const { groups, target } = rule
  if (groups.kind === 'exact' || groups.within === undefined) return undefined
  const { within: _, ...whole } = groups
  const inside = new Map(selected(groups, matches))
  const indexes = groupsOf(rule, directories) ?? []
  const beyond = selected(whole, matches).filter(([name]) => !inside.has(name) && indexes.some((index) => index.has(name)))
  const projects = new Set<string>()
  if (target.kind === 'captured') {
    const { only = { named: new Set() }, ...free } = target
    for (const captured of inside.values())
      for (const made of produce({ ...rule, target: free }, captured).targets)
        if (made.kind === 'project' && !isProjectIn(only, made.project)) projects.add(made.project)
  }
  return {
    at: rule.because.at,
    source: groups.pattern.source,
    groups: firstOf(Array.from(beyond, ([name]) => name).toSorted(compare), (name) => quotedGroup(name, factsIn(indexes, name).label)),
    projects: firstOf([...projects].toSorted(compare), (project) => `"${visible(project)}"`),
  }
}

const firstOf = <Name extends string>(sorted: readonly Name[], quoted: (name: Name) => string): Names => ({
  count: sorted.length,
  first: sorted.slice(0, namesMax).map(quoted),
})

const outsideText = ({ source, groups, projects }: Outside, place: string): string =>
  source + inBrackets(place, withoutEmpty(countedNames(groups, 'group'), countedNames(projects, 'project')).join('; '))

/** The place of an entry in a sentence; empty if all entries have the same place, which the finding names. */
function placeAmong(positions: Iterable<Position>): (at: Position) => string {
  const isOne = new Set([...positions].map(positionText)).size === 1
  return (at) => (isOne ? '' : positionText(at))
}

const withoutEmpty = (...texts: readonly string[]): readonly string[] => texts.filter((text) => text !== '')

/** ` (a, b)`; empty if all texts are. */
const inBrackets = (...texts: readonly string[]): string => {
  const inside = withoutEmpty(...texts)
  return inside.length === 0 ? '' : ` (${inside.join(', ')})`
}

/** `5 groups: "a", "b", "c" and 2 more`; empty if there are none. */
const countedNames = ({ count, first }: Names, singular: string): string =>
  count === 0 ? '' : `${counted(count, singular)}: ${listedFirst(first, count)}`

type Matched = { readonly source: string; readonly groups: Set<GroupName>; readonly below: Set<GroupName> }

/**
 * A finding for each glob that matches groups below those that it seems to be written for. The names of Keycloak are paths, and `*` also stands for
 * `/`: `/eng*` matches `/engineers` and `/eng/web/admins`. The meaning of `*` cannot change: a narrower one would make mappings undeclared, and would
 * take entries out of `unmanaged`. A glob with `**` says that the groups below are meant. A glob without `/` says that the place of a group does not
 * matter.
 */
export function globDepthFindings(rules: readonly Rule[], { mappings }: Pick<Desired, 'mappings'>): readonly Finding[] {
  const globs = new Map<string, Matched>()
  for (const { groups, because } of rules) {
    if (groups.kind === 'exact' || groups.pattern.syntax !== 'glob') continue
    const { source } = groups.pattern
    if (!source.includes('/') || source.includes('**')) continue
    globs.set(positionText(because.at), { source, groups: new Set(), below: new Set() })
  }
  if (globs.size === 0) return []
  for (const { group, because, kind } of mappings.values()) {
    const glob = kind === 'absent' ? undefined : globs.get(positionText(because.at))
    glob?.groups.add(group)
    if (glob !== undefined && depth(group) > depth(glob.source)) glob.below.add(group)
  }
  return [...globs].flatMap(([place, glob]) => (glob.below.size === 0 ? [] : [finding(place, glob)]))
}

const depth = (path: string): number => path.split('/').length

function finding(place: string, { source, groups, below }: Matched): Finding {
  const [example] = [...below].toSorted(compare)
  return {
    code: 'glob-crosses-slash',
    severity: 'warning',
    place,
    sentence: `in groupGlob "${source}" the * also stands for /, so ${count(below.size)} of its ${counted(groups.size, 'group')} ${below.size === 1 ? 'lies' : 'lie'} deeper, such as ${example}`,
    cure: `if they are meant, write ** instead of *; if not, write groupRegex: '${withoutSlashes(source)}'`,
  }
}

/** The same pattern as a regular expression in which `*` and `?` do not match `/`. It is escaped for a YAML text in single quotes. */
const withoutSlashes = (glob: string): string =>
  glob
    .replaceAll(/[*?]|[\\^$.|+()[\]{}]/g, (character) => (character === '*' ? '[^/]*' : character === '?' ? '[^/]' : `\\${character}`))
    .replaceAll("'", "''")
