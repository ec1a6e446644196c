import { isLike, isProjectIn, projectWords } from '../core/fencedProjects.ts'
import { type GroupName, listOf, projectIdentifier, type Role } from '../core/mapping.ts'
import { isTargetIn } from '../core/matches.ts'
import { durationText } from '../core/quantity.ts'
import type { GroupSelector, Matcher } from '../core/rule.ts'
import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { fixedTargets, groupSelectorsOf, type TargetKeys } from './compileSelectors.ts'
import type { Fence, FencedList } from './fence.ts'
import { type FenceWord, ruleWords } from './fenceWords.ts'
import { endBy, endOfDayMs, spanOf } from './moment.ts'
import type { DeclaredRule, LenientFile } from './schema.ts'

/** After this many problems of one file the others are not reported. */
const problemsMax = 100

/**
 * Problems for the exact words of a file that are outside of its fence: workspaces, lists, projects, roles, group names, and words that the fence does
 * not allow. Patterns and captured projects are not judged here: they select only what the fence contains.
 *
 * @param dateMs now, epoch ms: the fence may say how long after this day a rule may end
 */
export function outsideFence(document: YamlDocument, file: LenientFile, fence: Fence, dateMs: number): readonly Problem[] {
  return Iterator.from(faults(file, fence, dateMs))
    .take(problemsMax)
    .map(({ path, message, cure, part }) => problemAt(document, path, `${message} (fence "${fence.path}")`, cure, part))
    .toArray()
}

export type Fault = { readonly path: Path; readonly message: string; readonly cure: string; readonly part?: 'key' }

function* faults(file: LenientFile, fence: Fence, dateMs: number): Generator<Fault> {
  if (file.owner !== undefined && file.owner !== fence.owner) yield wrongOwner(['owner'], fence)
  if (file.from !== undefined) yield* word('from', ['from'], fence)
  for (const [name, content] of Object.entries(file.workspaces)) {
    const base: Path = ['workspaces', name]
    if (name !== fence.workspace) {
      const cure = `these files may speak of the workspace "${fence.workspace}" only`
      yield { path: base, message: `the workspace "${name}" is outside`, cure, part: 'key' }
      continue
    }
    if (content.from !== undefined) yield* word('from', [...base, 'from'], fence)
    if (content.groupSync !== undefined) yield* word('groupSync', [...base, 'groupSync'], fence)
    for (const list of ['workspaceRoles', 'projectRoles'] as const) {
      const rules = content[list]
      if (rules === undefined) continue
      const path = [...base, list]
      const inside = fence.lists.get(list)
      if (inside === undefined) yield { path, message: `"${list}" is outside`, cure: listsText(fence), part: 'key' }
      else for (const [at, rule] of present(rules)) yield* ruleFaults(rule, inside, [...path, at], fence, dateMs)
    }
    for (const list of ['removed', 'unmanaged'] as const) {
      if (content[list] === undefined) continue
      yield* word(list, [...base, list], fence)
      for (const [at, entry] of present(content[list])) yield* entryFaults(entry, [...base, list, at], fence)
    }
  }
}

function* present<T>(entries: readonly (T | undefined)[]): Generator<readonly [number, T]> {
  for (const [at, entry] of entries.entries()) if (entry !== undefined) yield [at, entry]
}

const listsText = ({ lists }: Fence): string => `these files may have: ${[...lists.keys()].join(', ')}`

/** A word that the fence does not allow. */
export function* word(name: FenceWord, path: Path, { may }: Fence): Generator<Fault> {
  if (may.has(name)) return
  const allowed = may.size === 0 ? 'none' : [...may].join(', ')
  yield {
    path,
    message: `"${name}" is not allowed here`,
    cure: `remove it, or ask for "may: [${name}]"; allowed now: ${allowed}`,
    part: 'key',
  }
}

const wrongOwner = (path: Path, { owner }: Fence): Fault => ({
  path,
  message: `the owner of this file is "${owner}"`,
  cure: 'remove "owner": the settings say it',
})

type Entry = Parameters<typeof groupSelectorsOf>[0] & TargetKeys & { readonly owner?: string | undefined }

export function* entryFaults(entry: Entry, path: Path, fence: Fence): Generator<Fault> {
  if (entry.owner !== undefined && entry.owner !== fence.owner) yield wrongOwner([...path, 'owner'], fence)
  const [target] = fixedTargets(entry)
  if (target === undefined) {
    yield { path, message: 'an entry without a target is outside', cure: 'name its project, or the workspace' }
    return
  }
  const list = listOf(target)
  const inside = fence.lists.get(list)
  if (inside === undefined) {
    yield { path, message: `a mapping in ${list} is outside`, cure: listsText(fence) }
    return
  }
  yield* groupFaults(entry, inside, path)
  yield* targetFaults(entry, inside, path)
}

function* ruleFaults(rule: DeclaredRule, inside: FencedList, path: Path, fence: Fence, dateMs: number): Generator<Fault> {
  const { project, role } = rule
  if (rule.owner !== undefined && rule.owner !== fence.owner) yield wrongOwner([...path, 'owner'], fence)
  // `allowProtected: false` is what a rule says without the word.
  for (const name of ruleWords) if (rule[name] !== undefined && rule[name] !== false) yield* word(name, [...path, name], fence)
  yield* groupFaults(rule, inside, path)
  if (rule.previously !== undefined) yield* groupNameFaults(rule.previously, inside, [...path, 'previously'])
  if (typeof project !== 'object' || Array.isArray(project)) yield* targetFaults({ ...rule, project }, inside, path)
  else
    for (const [value, named] of Object.entries(project.map ?? {})) yield* projectFaults(named, inside, [...path, 'project', 'map', value])
  const roles = typeof role === 'string' ? [[role, [...path, 'role']] as const] : rolesOfMap(role.map ?? {}, path)
  for (const [roleName, at] of roles) {
    if (inside.roles.has(roleName as Role)) continue
    yield { path: at, message: `the role "${roleName}" is outside`, cure: `these files may give: ${[...inside.roles].join(', ')}` }
  }
  if (fence.needsReason && rule.reason === undefined)
    yield { path, message: 'a rule needs a "reason" here', cure: 'add reason: with a ticket or a sentence' }
  for (const [roleName] of roles) yield* endFaults(rule, roleName as Role, path, fence, dateMs)
}

const rolesOfMap = (map: Readonly<Record<string, string>>, path: Path): (readonly [string, Path])[] =>
  Object.entries(map).map(([value, role]) => [role, [...path, 'role', 'map', value]])

/**
 * The time is counted from today, not from the start of the rule, so rules that follow each other give nothing beyond it. As days pass, the last end moves
 * on: a valid file stays valid.
 */
function* endFaults({ expires }: DeclaredRule, role: Role, path: Path, fence: Fence, dateMs: number): Generator<Fault> {
  const longestMs = fence.longestMs.get(role)
  if (longestMs === undefined) return
  const lastMs = endOfDayMs(dateMs) + longestMs
  const endMs = expires === undefined ? undefined : spanOf(expires)?.toMs
  if (endMs === undefined)
    yield { path, message: `a rule with the role "${role}" needs an end here`, cure: `add "expires", and ${endBy(lastMs)}` }
  else if (endMs > lastMs)
    yield {
      path: [...path, 'expires'],
      message: `a rule with the role "${role}" ends at most ${durationText(longestMs)} after today here`,
      cure: endBy(lastMs),
    }
}

function* groupFaults(entry: Parameters<typeof groupSelectorsOf>[0], inside: FencedList, path: Path): Generator<Fault> {
  if (entry.group === undefined && entry.groups === undefined) return
  for (const { groups, item, word: key = 'group' } of groupSelectorsOf(entry))
    if (groups.kind === 'exact') yield* groupNameFaults(groups.name, inside, [...path, key, ...(item === undefined ? [] : [item])])
}

export function* groupNameFaults(name: string, { groups }: Pick<FencedList, 'groups'>, path: Path): Generator<Fault> {
  if (groups.some((selector) => matchesName(selector, name as GroupName))) return
  const other = groups
    .flatMap((selector) => (selector.kind === 'exact' ? [] : (selector.without ?? [])))
    .find((selector) => matchesName(selector, name as GroupName))
  const cure = other === undefined ? `these files may name: ${groups.map(selectorText).join(', ')}` : ofOtherTeam(selectorText(other))
  yield { path, message: `the group "${name}" is outside`, cure }
}

const selectorText = (selector: GroupSelector): string => (selector.kind === 'exact' ? selector.name : selector.pattern.source)

/** Of a name that this fence would contain, too, if the other team had no files. */
const ofOtherTeam = (word: string): string => `it belongs to the team with the longer name, whose files may name: ${word}`

const matchers = new WeakMap<GroupSelector, Matcher>()
function matchesName(groups: GroupSelector, name: GroupName): boolean {
  if (groups.kind === 'exact') return groups.name === name
  const match = matchers.get(groups) ?? groups.pattern.compile()
  matchers.set(groups, match)
  return match(name) !== undefined && groups.without?.some((selector) => matchesName(selector, name)) !== true
}

function* targetFaults(entry: TargetKeys, inside: FencedList, path: Path): Generator<Fault> {
  if (entry.allProjects === true && !isTargetIn(inside, { kind: 'allProjects' }))
    yield { path: [...path, 'allProjects'], message: '"allProjects" is outside', cure: 'name the projects', part: 'key' }
  if (entry.project !== undefined) yield* projectFaults(entry.project, inside, [...path, 'project'])
  if (entry.projects !== undefined) yield* projectFaults(entry.projects, inside, [...path, 'projects'])
}

function* projectFaults(named: string | readonly string[], { projects }: FencedList, path: Path): Generator<Fault> {
  for (const [at, project] of [named].flat().entries()) {
    if (isProjectIn(projects, projectIdentifier(project))) continue
    const other = projects.globs?.flatMap(({ without }) => without).find((word) => isLike(word, projectIdentifier(project)))
    const cure = other === undefined ? `these files may name: ${projectWords(projects).join(', ')}` : ofOtherTeam(other)
    yield { path: typeof named === 'string' ? path : [...path, at], message: `the project "${project}" is outside`, cure }
  }
}
