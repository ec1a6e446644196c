import { type GroupName, type List, projectIdentifier, type Role, type Target, type WorkspaceName } from '../core/mapping.ts'
import type { GroupSelector, GroupSync, Provenance, Removal, RoleSelector, Rule, TargetSelector, Unmanaged } from '../core/rule.ts'
import { type Path, position, type YamlDocument } from '../yaml/document.ts'
import type { LenientFile } from './lenient.ts'
import { compileGlob, compileRegex } from './pattern.ts'
import { type DeclaredRule, endOfDayMs } from './schema.ts'

/** The values for a rule that does not set them. */
export type Defaults = Pick<Rule, 'unknownGroups' | 'unknownProjects'>

/** A compiled entry of a file, and its place, for problems. */
export type Statement<T> = { readonly what: T; readonly document: YamlDocument; readonly path: Path }

/** The entries of one file for one workspace. */
export type Part = {
  readonly workspace: WorkspaceName
  readonly owns: readonly List[]
  readonly rules: readonly Statement<Rule>[]
  readonly removed: readonly Statement<Removal>[]
  readonly unmanaged: readonly Statement<Unmanaged>[]
  readonly groupSync?: Statement<{ readonly wanted: GroupSync; readonly because: Provenance }>
}

/** Compiles a file for the core: a rule for each pair of group and target, patterns compiled, `expires` as epoch ms. */
export function compileFile(document: YamlDocument, file: LenientFile, defaults: Defaults): Part[] {
  return Object.entries(file.workspaces).map(([name, said]): Part => {
    const base: Path = ['workspaces', name]
    const place = (list: string): Place => ({ document, base: base.concat(list), owner: file.owner })
    const rules = [
      ...compileList(said.workspaceRoles, place('workspaceRoles'), (rule, see) => compileRule(rule, [workspace], see, defaults)),
      ...compileList(said.projectRoles, place('projectRoles'), (rule, see) => compileRule(rule, targetSelectors(rule), see, defaults)),
    ]
    const part = {
      workspace: name as WorkspaceName,
      owns: (['workspaceRoles', 'projectRoles'] as const).filter((list) => said[list] !== undefined),
      rules,
      removed: compileList(said.removed, place('removed'), compileRemoval),
      unmanaged: compileList(said.unmanaged, place('unmanaged'), compileUnmanaged),
    }
    return said.groupSync === undefined ? part : Object.assign(part, { groupSync: compileGroupSync(said.groupSync, place('groupSync')) })
  })
}

/** A list of a file, and the owner of the file. */
type Place = { readonly document: YamlDocument; readonly base: Path; readonly owner: string | undefined }

function compileList<T extends Annotations, R>(
  entries: readonly (T | undefined)[] = [],
  { document, base, owner }: Place,
  compile: (entry: T, see: See) => Iterable<Statement<R>>,
): Statement<R>[] {
  return entries.flatMap((entry, index) =>
    entry === undefined ? [] : Array.from(compile(entry, seeing(document, base.concat(index), entry, owner))),
  )
}

type Annotations = { readonly owner?: string | undefined; readonly reason?: string | undefined }
/** Adds the place of an entry, or of a part of it, to its compiled form. */
type See = <T>(path: Path, what: (because: Provenance) => T) => Statement<T>

function seeing(document: YamlDocument, base: Path, { owner, reason }: Annotations, fileOwner: string | undefined): See {
  const who = owner ?? fileOwner
  return (path, what) => {
    const whole = [...base, ...path]
    const because = {
      at: position(document, whole),
      ...(who === undefined ? {} : { owner: who }),
      ...(reason === undefined ? {} : { reason }),
    }
    return { what: what(because), document, path: whole }
  }
}

function* compileRule(
  rule: Omit<DeclaredRule, 'unknownProjects'> & { unknownProjects?: Rule['unknownProjects'] | undefined },
  targets: TargetSelector[],
  see: See,
  defaults: Defaults,
) {
  const role = roleSelector(rule.role)
  const expiresMs = rule.expires === undefined ? undefined : endOfDayMs(rule.expires)
  const same = {
    role,
    ...(rule.from === undefined ? {} : { from: [rule.from].flat() }),
    allowProtected: rule.allowProtected ?? false,
    unknownGroups: rule.unknownGroups ?? defaults.unknownGroups,
    unknownProjects: rule.unknownProjects ?? defaults.unknownProjects,
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(rule.previously === undefined ? {} : { previously: rule.previously as GroupName }),
  }
  for (const { path, groups } of groupSelectors(rule)) {
    for (const target of targets) yield see(path, (because): Rule => ({ groups, target, ...same, because }))
  }
}

function* compileRemoval(entry: GroupKeys & TargetKeys & Annotations, see: See) {
  for (const { path, groups } of groupSelectors(entry)) {
    if (groups.kind !== 'exact') continue
    for (const target of fixedTargets(entry)) yield see(path, (because): Removal => ({ group: groups.name, target, because }))
  }
}

function* compileUnmanaged(entry: GroupKeys & TargetKeys & Annotations, see: See) {
  const targets = fixedTargets(entry)
  for (const { path, groups } of groupSelectors(entry)) {
    if (targets.length === 0) yield see(path, (because): Unmanaged => ({ groups, because }))
    for (const target of targets) yield see(path, (because): Unmanaged => ({ groups, target, because }))
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
function groupSelectors(keys: GroupKeys): readonly { readonly path: Path; readonly groups: GroupSelector }[] {
  const exact = (name: string): GroupSelector => ({ kind: 'exact', name: name as GroupName })
  if (keys.group !== undefined) return [{ path: [], groups: exact(keys.group) }]
  if (keys.groups !== undefined) return keys.groups.map((name, index) => ({ path: ['groups', index], groups: exact(name) }))
  const source = keys.groupRegex ?? keys.groupGlob ?? ''
  const isGlob = keys.groupRegex === undefined
  const pattern = isGlob ? compileGlob(source) : compileRegex(source)
  if ('fault' in pattern) throw new Error(`the schema let a wrong pattern pass: ${pattern.fault}`)
  const except = new Set(keys.except as GroupName[] | undefined)
  return [{ path: [], groups: { kind: 'pattern', source, isGlob, matches: pattern.matches, except } }]
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
  { document, base, owner }: Place,
): NonNullable<Part['groupSync']> {
  // A setting with the value undefined would count as declared.
  const wanted = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as GroupSync
  return {
    what: { wanted, because: { at: position(document, base, 'key'), ...(owner === undefined ? {} : { owner }) } },
    document,
    path: base,
  }
}
