import type { GroupSync } from '../core/groupSync.ts'
import { type GroupName, type List, targetText, type WorkspaceName } from '../core/mapping.ts'
import { complete, defined } from '../core/optionalFields.ts'
import type {
  DeclaredWaiver,
  FencedKeys,
  PatternText,
  Position,
  Provenance,
  Removal,
  RoleSelector,
  Rule,
  TargetSelector,
  Unmanaged,
} from '../core/rule.ts'
import { type Path, position, type YamlDocument } from '../yaml/document.ts'
import {
  fixedTargets,
  type GroupKeys,
  groupSelectorsOf,
  type Item,
  roleSelector,
  type TargetKeys,
  targetSelectors,
} from './compileSelectors.ts'
import { compileWaivers } from './compileWaivers.ts'
import { spanOf } from './moment.ts'
import type { DeclaredRule, LenientFile } from './schema.ts'

/** The values for a rule that does not set them. */
export type Defaults = Pick<Rule, 'unknownGroups' | 'unknownProjects'>

/** A compiled entry of a file, and its place, for problems. There may be 200,000, so a place is a few numbers. */
export type Statement<T> = {
  readonly what: T
  readonly list: ListPlace
  readonly index: number
} & Item
/** A list of a file, or `groupSync`. */
type ListPlace = { readonly file: string; readonly base: Path; readonly owner: string | undefined }

/** The path of an entry in the document of its file. */
export const entryPath = ({ list, index, item, word }: Omit<Statement<unknown>, 'what'>): Path =>
  item === undefined ? [...list.base, index] : [...list.base, index, word ?? 'group', item]

/** The entries of one file for one workspace. */
export type Part = {
  readonly workspace: WorkspaceName
  readonly owns: readonly List[]
  /** The lists that a file inside a fence names. Absent: the file has no limits. */
  readonly ownsKeys?: readonly FencedKeys[]
  readonly rules: readonly Statement<Rule>[]
  readonly removed: readonly Statement<Removal>[]
  readonly unmanaged: readonly Statement<Unmanaged>[]
  readonly waivers: readonly DeclaredWaiver[]
  /** `places`: where the key of each setting is. */
  readonly groupSync?: {
    readonly wanted: GroupSync
    readonly places: ReadonlyMap<string, Position>
    readonly because: Provenance
    readonly place: ListPlace
  }
}

const inWorkspace: TargetSelector = { kind: 'fixed', target: { kind: 'workspace' } }

/** Compiles a file for the core: a rule for each pair of group and target, patterns compiled, `expires` as epoch ms. */
export function compileFile(document: YamlDocument, file: LenientFile, defaults: Defaults, share: Sharing): Part[] {
  return Object.entries(file.workspaces).map(([name, content]): Part => {
    const base: Path = ['workspaces', name]
    const own = { ...defaults, ...fromOf(content.from ?? file.from) }
    const place = (list: string): ListPlace => ({ file: document.source.file, base: base.concat(list), owner: file.owner })
    const listed = <T extends Annotations, R>(
      entries: readonly (T | undefined)[] | undefined,
      name: string,
      compile: (entry: T, see: See) => Iterable<Compiled<R>>,
    ) => compileList(entries, place(name), document, compile)
    const rules = [
      ...listed(content.workspaceRoles, 'workspaceRoles', (rule, see) => compileRule(rule, [inWorkspace], see, own, share)),
      ...listed(content.projectRoles, 'projectRoles', (rule, see) =>
        compileRule(rule, targetSelectors(rule).map(share.target), see, own, share),
      ),
    ]
    const part = {
      workspace: name as WorkspaceName,
      owns: (['workspaceRoles', 'projectRoles'] as const).filter((list) => content[list] !== undefined),
      rules,
      removed: listed(content.removed, 'removed', compileRemoval),
      unmanaged: listed(content.unmanaged, 'unmanaged', compileUnmanaged),
      waivers: compileWaivers(document, name as WorkspaceName, content, file.owner),
    }
    return content.groupSync === undefined
      ? part
      : Object.assign(part, { groupSync: compileGroupSync(content.groupSync, place('groupSync'), document) })
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
    return Array.from(compile(entry, see), ({ what, item, word }) => {
      if (item === undefined) return { what, list, index }
      return word === undefined ? { what, list, index, item } : { what, list, index, item, word }
    })
  })
}

type Compiled<T> = Item & { readonly what: T }
type Annotations = { readonly owner?: string | undefined; readonly reason?: string | undefined }
/** Words of an origin that its entry does not say: they come from its selector, from a directory, and from the end of the rule. */
type Unsaid = 'pattern' | 'directory' | 'expiresMs'
/** The origin of an entry, or of an item of its list of groups. */
type See = (item: Item) => Provenance

function seeing(document: YamlDocument, list: ListPlace, index: number, { owner = list.owner, reason }: Annotations): See {
  return (item) => complete<Omit<Provenance, Unsaid>>({ at: position(document, entryPath({ list, index, ...item })), owner, reason })
}

/** Without its functions, which a journal, a document and another thread cannot take. */
const patternText = ({ syntax, source }: PatternText): PatternText => ({ syntax, source })

const fromOf = (from: string | readonly string[] | undefined): Pick<Rule, 'from'> => (from === undefined ? {} : { from: [from].flat() })

function* compileRule(
  rule: Omit<DeclaredRule, 'unknownProjects'> & { unknownProjects?: Rule['unknownProjects'] | undefined },
  targets: TargetSelector[],
  see: See,
  defaults: Defaults & Pick<Rule, 'from'>,
  share: Sharing,
): Generator<Compiled<Rule>> {
  const role = share.role(roleSelector(rule.role))
  const startsMs = spanOf(rule.starts ?? '')?.fromMs
  const expiresMs = spanOf(rule.expires ?? '')?.toMs
  const optional = {
    ...(rule.from === undefined ? fromOf(defaults.from) : fromOf(rule.from)),
    ...(startsMs === undefined ? {} : { startsMs }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(rule.previously === undefined ? {} : { previously: rule.previously as GroupName }),
    ...(rule.label === undefined ? {} : { label: rule.label }),
  }
  const unknownProjects = rule.unknownProjects ?? defaults.unknownProjects
  const hasOptional = Object.keys(optional).length > 0
  for (const { groups, ...item } of groupSelectorsOf(rule)) {
    const because = groups.kind === 'pattern' ? { ...see(item), pattern: patternText(groups.pattern) } : see(item)
    for (const target of targets) {
      // A spread of an empty object would double the memory of the rule (measured).
      const what: Rule = {
        groups,
        target,
        role,
        allowProtected: rule.allowProtected ?? false,
        unknownGroups: rule.unknownGroups ?? defaults.unknownGroups,
        unknownProjects: unknownProjects === 'skip' && target.kind === 'fixed' ? 'hold' : unknownProjects,
        because,
      }
      yield { what: hasOptional ? { ...what, ...optional } : what, ...item }
    }
  }
}

function* compileRemoval(entry: GroupKeys & TargetKeys & Annotations, see: See): Generator<Compiled<Removal>> {
  for (const { groups, ...item } of groupSelectorsOf(entry)) {
    if (groups.kind !== 'exact') continue
    const because = see(item)
    for (const target of fixedTargets(entry)) yield { what: { group: groups.name, target, because }, ...item }
  }
}

function* compileUnmanaged(entry: GroupKeys & TargetKeys & Annotations, see: See): Generator<Compiled<Unmanaged>> {
  const targets = fixedTargets(entry)
  for (const { groups, ...item } of groupSelectorsOf(entry)) {
    const because = see(item)
    if (targets.length === 0) yield { what: { groups, because }, ...item }
    for (const target of targets) yield { what: { groups, target, because }, ...item }
  }
}

function compileGroupSync(
  content: NonNullable<LenientFile['workspaces'][string]['groupSync']>,
  place: ListPlace,
  document: YamlDocument,
): NonNullable<Part['groupSync']> {
  // A setting with the value undefined would count as declared.
  const wanted = defined(content) as GroupSync
  const { base, owner } = place
  const places = new Map(Object.keys(wanted).map((key) => [key, position(document, [...base, key], 'key')]))
  return { wanted, places, because: { at: position(document, base, 'key'), ...(owner === undefined ? {} : { owner }) }, place }
}

/** Replaces equal values by one object. */
export type Sharing = {
  readonly role: (role: RoleSelector) => RoleSelector
  readonly target: (target: TargetSelector) => TargetSelector
}

/** 100,000 rules name few roles and projects, and one object for equal ones saves a quarter of the memory of a rule (measured). */
export function sharing(): Sharing {
  const roles = new Map<string, RoleSelector>()
  const targets = new Map<string, TargetSelector>()
  return {
    role: (role) => sharedValue(roles, roleName(role), role),
    target: (target) => sharedValue(targets, targetName(target), target),
  }
}

/** Undefined for a capture, which is not shared: captures are as rare as patterns. */
const roleName = (role: RoleSelector): string | undefined => (role.kind === 'fixed' ? role.role : undefined)
const targetName = (target: TargetSelector): string | undefined =>
  target.kind === 'fixed' ? `${target.target.kind} ${targetText(target.target)}` : undefined

function sharedValue<T>(known: Map<string, T>, name: string | undefined, it: T): T {
  if (name === undefined) return it
  const first = known.get(name)
  if (first === undefined) known.set(name, it)
  return first ?? it
}
