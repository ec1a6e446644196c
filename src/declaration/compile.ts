import { type GroupName, type List, projectIdentifier, type Role, type Target, type WorkspaceName } from '../core/mapping.ts'
import type { GroupSelector, GroupSync, Provenance, Removal, RoleSelector, Rule, TargetSelector, Unmanaged } from '../core/rule.ts'
import { type Path, position, type YamlDocument } from '../yaml/document.ts'
import type { LenientFile } from './lenient.ts'
import { patternOf } from './pattern.ts'
import { type DeclaredRule, endOfDayMs } from './schema.ts'
import type { Sharing } from './sharing.ts'

/** The values for a rule that does not set them. */
export type Defaults = Pick<Rule, 'unknownGroups' | 'unknownProjects'>

/** A compiled entry of a file, and its place, for problems. There may be 200,000, so a place is a few numbers. */
export type Statement<T> = {
  readonly what: T
  readonly list: ListPlace
  readonly index: number
  /** The index in `groups` of the entry. */
  readonly item?: number
}
/** A list of a file, or `groupSync`. */
type ListPlace = { readonly file: string; readonly base: Path; readonly owner: string | undefined }

/** The path of an entry in the document of its file. */
export const entryPath = ({ list, index, item }: Omit<Statement<unknown>, 'what'>): Path =>
  item === undefined ? [...list.base, index] : [...list.base, index, 'groups', item]

/** The entries of one file for one workspace. */
export type Part = {
  readonly workspace: WorkspaceName
  readonly owns: readonly List[]
  readonly rules: readonly Statement<Rule>[]
  readonly removed: readonly Statement<Removal>[]
  readonly unmanaged: readonly Statement<Unmanaged>[]
  readonly groupSync?: { readonly wanted: GroupSync; readonly because: Provenance; readonly place: ListPlace }
}

/** Compiles a file for the core: a rule for each pair of group and target, patterns compiled, `expires` as epoch ms. */
export function compileFile(document: YamlDocument, file: LenientFile, defaults: Defaults, share: Sharing): Part[] {
  return Object.entries(file.workspaces).map(([name, said]): Part => {
    const base: Path = ['workspaces', name]
    const place = (list: string): ListPlace => ({ file: document.source.file, base: base.concat(list), owner: file.owner })
    const listed = <T extends Annotations, R>(
      entries: readonly (T | undefined)[] | undefined,
      name: string,
      compile: (entry: T, see: See) => Iterable<Compiled<R>>,
    ) => compileList(entries, place(name), document, compile)
    const rules = [
      ...listed(said.workspaceRoles, 'workspaceRoles', (rule, see) => compileRule(rule, [workspace], see, defaults, share)),
      ...listed(said.projectRoles, 'projectRoles', (rule, see) =>
        compileRule(rule, targetSelectors(rule).map(share.target), see, defaults, share),
      ),
    ]
    const part = {
      workspace: name as WorkspaceName,
      owns: (['workspaceRoles', 'projectRoles'] as const).filter((list) => said[list] !== undefined),
      rules,
      removed: listed(said.removed, 'removed', compileRemoval),
      unmanaged: listed(said.unmanaged, 'unmanaged', compileUnmanaged),
    }
    return said.groupSync === undefined
      ? part
      : Object.assign(part, { groupSync: compileGroupSync(said.groupSync, place('groupSync'), document) })
  })
}

function compileList<T extends Annotations, R>(
  entries: readonly (T | undefined)[] = [],
  list: ListPlace,
  document: YamlDocument,
  compile: (entry: T, see: See) => Iterable<Compiled<R>>,
): Statement<R>[] {
  return entries.flatMap((entry, index) => {
    if (entry === undefined) return []
    const see = seeing(document, list, index, entry)
    return Array.from(compile(entry, see), ({ what, item }) => (item === undefined ? { what, list, index } : { what, list, index, item }))
  })
}

type Compiled<T> = { readonly what: T; readonly item?: number | undefined }
type Annotations = { readonly owner?: string | undefined; readonly reason?: string | undefined }
/** The origin of an entry, or of an item of its `groups`. */
type See = (item: number | undefined) => Provenance

function seeing(document: YamlDocument, list: ListPlace, index: number, { owner, reason }: Annotations): See {
  const who = owner ?? list.owner
  return (item) => ({
    at: position(document, entryPath({ list, index, ...(item === undefined ? {} : { item }) })),
    ...(who === undefined ? {} : { owner: who }),
    ...(reason === undefined ? {} : { reason }),
  })
}

function* compileRule(
  rule: Omit<DeclaredRule, 'unknownProjects'> & { unknownProjects?: Rule['unknownProjects'] | undefined },
  targets: TargetSelector[],
  see: See,
  defaults: Defaults,
  share: Sharing,
): Generator<Compiled<Rule>> {
  const role = share.role(roleSelector(rule.role))
  const expiresMs = rule.expires === undefined ? undefined : endOfDayMs(rule.expires)
  const optional = {
    ...(rule.from === undefined ? {} : { from: [rule.from].flat() }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(rule.previously === undefined ? {} : { previously: rule.previously as GroupName }),
  }
  const hasOptional = Object.keys(optional).length > 0
  for (const { item, groups } of groupSelectors(rule)) {
    const because = see(item)
    for (const target of targets) {
      // A spread of an empty object would double the memory of the rule (measured).
      const what: Rule = {
        groups,
        target,
        role,
        allowProtected: rule.allowProtected ?? false,
        unknownGroups: rule.unknownGroups ?? defaults.unknownGroups,
        unknownProjects: rule.unknownProjects ?? defaults.unknownProjects,
        because,
      }
      yield { what: hasOptional ? { ...what, ...optional } : what, item }
    }
  }
}

function* compileRemoval(entry: GroupKeys & TargetKeys & Annotations, see: See): Generator<Compiled<Removal>> {
  for (const { item, groups } of groupSelectors(entry)) {
    if (groups.kind !== 'exact') continue
    const because = see(item)
    for (const target of fixedTargets(entry)) yield { what: { group: groups.name, target, because }, item }
  }
}

function* compileUnmanaged(entry: GroupKeys & TargetKeys & Annotations, see: See): Generator<Compiled<Unmanaged>> {
  const targets = fixedTargets(entry)
  for (const { item, groups } of groupSelectors(entry)) {
    const because = see(item)
    if (targets.length === 0) yield { what: { groups, because }, item }
    for (const target of targets) yield { what: { groups, target, because }, item }
  }
}

type GroupKeys = {
  readonly group?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly groupGlob?: string | undefined
  readonly groupRegex?: string | undefined
  readonly except?: readonly string[] | undefined
}

/** Each name in `groups` has a place of its own; any other selector has the place of its entry. */
function groupSelectors(keys: GroupKeys): readonly { readonly item?: number; readonly groups: GroupSelector }[] {
  const exact = (name: string): GroupSelector => ({ kind: 'exact', name: name as GroupName })
  if (keys.group !== undefined) return [{ groups: exact(keys.group) }]
  if (keys.groups !== undefined) return keys.groups.map((name, item) => ({ item, groups: exact(name) }))
  const pattern = keys.groupRegex === undefined ? patternOf('glob', keys.groupGlob ?? '') : patternOf('regex', keys.groupRegex)
  return [{ groups: { kind: 'pattern', pattern, except: new Set(keys.except as GroupName[] | undefined) } }]
}

type TargetKeys = {
  readonly project?: string | undefined
  readonly projects?: readonly string[] | undefined
  readonly allProjects?: true | undefined
  readonly workspace?: true | undefined
}

function fixedTargets({ project, projects, allProjects, workspace }: TargetKeys): Target[] {
  if (workspace) return [{ kind: 'workspace' }]
  if (allProjects) return [{ kind: 'allProjects' }]
  return [...(projects ?? []), ...(project === undefined ? [] : [project])].map((name) => ({
    kind: 'project',
    project: projectIdentifier(name),
  }))
}

const workspace: TargetSelector = { kind: 'fixed', target: { kind: 'workspace' } }

function targetSelectors({ project, ...rest }: DeclaredRule): TargetSelector[] {
  if (typeof project !== 'object') return fixedTargets({ project, ...rest }).map((target) => ({ kind: 'fixed', target }))
  const map = new Map(Object.entries(project.map ?? {}).map(([value, name]) => [value, projectIdentifier(name)]))
  return [{ kind: 'captured', capture: project.capture, map }]
}

function roleSelector(role: DeclaredRule['role']): RoleSelector {
  if (typeof role === 'string') return { kind: 'fixed', role: role as Role }
  return { kind: 'captured', capture: role.capture, map: new Map(Object.entries(role.map) as [string, Role][]) }
}

function compileGroupSync(
  said: NonNullable<LenientFile['workspaces'][string]['groupSync']>,
  place: ListPlace,
  document: YamlDocument,
): NonNullable<Part['groupSync']> {
  // A setting with the value undefined would count as declared.
  const wanted = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as GroupSync
  const { base, owner } = place
  return { wanted, because: { at: position(document, base, 'key'), ...(owner === undefined ? {} : { owner }) }, place }
}
