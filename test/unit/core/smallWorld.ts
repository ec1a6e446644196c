import { createHash } from 'node:crypto'
import type { Change, ChangeId, DeleteWhy } from '../../../src/core/change.ts'
import type { Desired, Given } from '../../../src/core/desired.ts'
import { diff } from '../../../src/core/diff/diff.ts'
import type { DiffOptions, Owned } from '../../../src/core/diff/draft.ts'
import { type Existing, listsInScope, mayNameProjects } from '../../../src/core/existing.ts'
import type { Finding } from '../../../src/core/finding.ts'
import { type Group, type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupSync } from '../../../src/core/groupSync.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { GuardSettings } from '../../../src/core/judge/guardSettings.ts'
import type { JudgeInput } from '../../../src/core/judge/guards.ts'
import {
  type GroupName,
  type Key,
  keyOf,
  type List,
  listOf,
  type Mapping,
  type MappingId,
  type ProjectId,
  type ProjectIdentifier,
  type ProjectIndex,
  type Role,
  type Target,
  targetText,
  type WorkspaceName,
} from '../../../src/core/mapping.ts'
import { type Matches, patternId } from '../../../src/core/matches.ts'
import type { GroupIds } from '../../../src/core/memory/entry.ts'
import type { MeantIds } from '../../../src/core/memory/meantIds.ts'
import type { Memory } from '../../../src/core/memory/memory.ts'
import { type RecentWrite, recentWritesOf } from '../../../src/core/memory/recentWrites.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Policy } from '../../../src/core/policy.ts'
import type { Reading } from '../../../src/core/reading.ts'
import type { ResolveInput } from '../../../src/core/resolve/desiredMapping.ts'
import { checkGroups, type GroupsCheck } from '../../../src/core/resolve/groups.ts'
import { checkProjects, type NewProjectIds, newProjectIds, openRemembered, type ProjectCheck } from '../../../src/core/resolve/projects.ts'
import { resolve } from '../../../src/core/resolve/resolve.ts'
import { textsNamingProjects } from '../../../src/core/resolve/textName.ts'
import type { RoleSettings } from '../../../src/core/roles.ts'
import type { Captures, Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'

/**
 * A small world in a short notation: change one thing and look at the whole plan. Groups are `name`, `name@place`, or `name#id` with an id of
 * their own. Mappings are `ENG devs member`. Their target may also be `workspace` or `*` (all projects), and `-` is no role.
 */
export type SmallWorld = {
  readonly rules?: readonly Rule[]
  readonly removed?: readonly string[]
  readonly unmanaged?: WorkspaceDeclaration['unmanaged']
  readonly groupSync?: WorkspaceDeclaration['groupSync']
  readonly owns?: readonly List[]
  readonly directories?: Readonly<Record<string, readonly string[] | Reading<GroupIndex>>>
  readonly existing?: readonly string[]
  readonly existingSync?: GroupSync
  readonly lists?: ReadonlyMap<List, Reading<readonly Mapping[]>>
  /**
   * Identifiers, as `ENG`, or with the id of the project, as `ENG=7`. Without it the id is made from the identifier. A trailing `~` stands for an
   * archived project.
   */
  readonly projects?: readonly string[] | Reading<ProjectIndex>
  readonly known?: MeantIds
  /** `directory/name` → id of the group → the texts that mean it. Absent: the program knows nothing of groups. */
  readonly knownGroups?: MeantIds
  /** `directory/name` → the id that the group had in the last complete reading. */
  readonly lastIds?: GroupIds
  readonly waived?: readonly string[]
  readonly policy?: Policy
  /** What the journal knows of the mappings. Absent: there is no journal. */
  readonly owned?: Owned
  readonly nowMs?: number
  readonly thereMs?: number
  /** Up to when plans say what dates will change. Absent: 90 days from `nowMs`. */
  readonly laterUntilMs?: number
  readonly echoes?: Readonly<Record<string, string>>
  readonly roles?: Partial<RoleSettings>
  readonly others?: readonly WorkspaceDeclaration[]
  /** The key of a mapping, as `PAY pay-devs` → what the journal knows of it. */
  readonly given?: Readonly<Record<string, Pick<Given, 'file'> & Partial<Given>>>
}

export const acme = 'acme' as WorkspaceName
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
export const roles: RoleSettings = {
  order: ['guest', 'commenter', 'contributor', 'member', 'admin', 'owner'],
  ordinary: ['guest', 'commenter', 'contributor', 'member'],
  aliases: {},
}
export const guards: GuardSettings = {
  raises: { count: 50, share: 0.3, minExisting: 10 },
  lowers: { count: 50, share: 0.3, minExisting: 10 },
  deletes: { count: 10, share: 0.2, minExisting: 5 },
  creates: { count: 200 },
  run: { raises: 100, lowers: 100, deletes: 20, creates: 400 },
  day: { raises: 200, lowers: 200, deletes: 40, creates: 800 },
  flapping: { rounds: 3, span: 86_400_000 },
  protectedGroups: [],
}
export const judging: JudgeInput = {
  guards,
  roles,
  waivers: [],
  tally: { run: { creates: 0, raises: 0, lowers: 0, deletes: 0 }, day: { creates: 0, raises: 0, lowers: 0, deletes: 0 } },
  hash,
  dateMs: 0,
}

export const complete = <T>(value: T): Reading<T> => ({ status: 'complete', value, atMs: 0, tookMs: 0 })
export const partial = <T>(value: T): Reading<T> => ({ status: 'partial', value, missing: 'page 3', atMs: 0, tookMs: 0 })
export const failed: Reading<never> = { status: 'failed', why: 'cannot connect', atMs: 0, tookMs: 0 }

/** What a journal knows that has only the files that gave mappings. `files`: by the name of the group. */
export const given = (files: Readonly<Record<string, string>>): Owned => ({
  standingOf: () => 'ours',
  givenOf: ({ group, role }) => {
    const file = files[group]
    return file === undefined ? undefined : { file, isGone: false, isMade: true, role }
  },
  hasRecordedEnd: () => false,
  willRecordEnd: () => false,
  givingFiles: () => new Set(Object.values(files)).size,
})

export function target(text: string): Target {
  if (text === 'workspace') return { kind: 'workspace' }
  return text === '*' ? { kind: 'allProjects' } : { kind: 'project', project: text as ProjectIdentifier }
}

export function groups(...names: readonly string[]): GroupIndex {
  return indexGroups(
    names.map((text): Group => {
      const [called = '', own] = text.split('#')
      const [name = '', place = `cn=${called}`] = called.split('@')
      return { name: name as GroupName, id: own ?? place, place }
    }),
  )
}

let line = 0
export function rule(groupName: string, where: string, role: string, more: Partial<Rule> = {}): Rule {
  return {
    groups: { kind: 'exact', name: groupName as GroupName },
    target: { kind: 'fixed', target: target(where) },
    role: { kind: 'fixed', role: role as Role },
    allowProtected: false,
    unknownGroups: 'hold',
    unknownProjects: 'hold',
    because: { at: { file: 'groups.yaml', line: ++line, column: 5 } },
    ...more,
  }
}

/** A pattern over whole names, with JavaScript's engine. The program compiles patterns elsewhere and passes them in as functions. */
export function pattern(source: string, where: string, role: string, more: Partial<Rule> = {}): Rule {
  const regex = new RegExp(`^(?:${source})$`, 'u')
  const match = (name: string) => {
    const found = regex.exec(name)
    return found === null ? undefined : { ...found.groups }
  }
  const groups = {
    kind: 'pattern',
    pattern: { syntax: 'regex', source, steps: source.length, compile: () => match },
    except: new Set<GroupName>(),
  } as const
  return rule('', where, role, { groups, ...more })
}

/** The matches of each pattern, also of fences, with each name of directories and mappings. */
export function matchesIn(
  { rules, unmanaged, ownsKeys = [], frozen = [] }: Pick<WorkspaceDeclaration, 'rules' | 'unmanaged' | 'ownsKeys' | 'frozen'>,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  mappings: readonly Mapping[],
): Matches {
  const known = [...directories.values()].flatMap((reading) => (reading.status === 'failed' ? [] : [...reading.value.keys()]))
  const entries = [...rules, ...unmanaged]
  const limits = [
    ...entries.flatMap(({ groups }) => (groups.kind === 'pattern' ? (groups.within ?? []) : [])),
    ...ownsKeys.flatMap((keys) => keys.groups),
    ...frozen.flatMap(({ names, fence = [] }) => [...names, ...fence].flatMap((keys) => keys.groups)),
  ]
  return matchesOf(
    [...entries, ...limits.map((selector) => ({ groups: selector }))],
    new Set([...known, ...mappings.map(({ group }) => group)]),
  )
}

export function matchesOf(entries: readonly Pick<Rule, 'groups'>[], names: Iterable<GroupName>): Matches {
  return new Map(
    entries.flatMap(({ groups }) => {
      if (groups.kind === 'exact') return []
      const match = groups.pattern.compile()
      const found = [...names].flatMap((name): [GroupName, Captures][] => {
        const captures = match(name)
        return captures === undefined ? [] : [[name, captures]]
      })
      return [[patternId(groups.pattern), new Map(found)]]
    }),
  )
}

export function mapping(text: string, index: number): Mapping {
  const [where = '', group = '', role = ''] = text.split(' ')
  const at = target(where)
  return {
    id: `m${index}` as MappingId,
    key: keyOf(acme, at, group as GroupName),
    group: group as GroupName,
    target: at,
    role: role === '-' ? null : (role as Role),
  }
}

export const planOf = (world: SmallWorld): Plan => planIn(seenOf(world))

/** The world as a cycle sees it. */
export function seenOf(world: SmallWorld): Seen {
  const existing = (world.existing ?? []).map(mapping)
  const owns = new Set<List>(world.owns ?? ['projectRoles', 'workspaceRoles'])
  const declared: WorkspaceDeclaration = {
    workspace: acme,
    owns,
    rules: world.rules ?? [],
    removed: (world.removed ?? []).map((text) => {
      const { group, target: at } = mapping(`${text} x`, 0)
      return { group, target: at, because: { at: { file: 'groups.yaml', line: 99, column: 5 } } }
    }),
    unmanaged: world.unmanaged ?? [],
    ...(world.groupSync === undefined ? {} : { groupSync: world.groupSync }),
  }
  const directories = new Map(
    Object.entries(world.directories ?? { corp: [] }).map(([name, value]) => [
      name,
      'status' in value ? value : complete(groups(...value)),
    ]),
  )
  const lists =
    world.lists ??
    new Map([...listsInScope(declared)].map((list) => [list, complete(existing.filter(({ target: at }) => listOf(at) === list))]))
  const projects = world.projects ?? ['ENG', 'OPS']
  return {
    declared,
    directories,
    existing: { lists, ...(world.existingSync === undefined ? {} : { groupSync: world.existingSync }) },
    projects: 'status' in projects ? projects : complete(projectsOf(...projects)),
    known: world.known ?? {},
    ...(world.knownGroups === undefined ? {} : { knownGroups: world.knownGroups }),
    ...(world.lastIds === undefined ? {} : { lastIds: world.lastIds }),
    waived: world.waived ?? [],
    nowMs: world.nowMs ?? 0,
    thereMs: world.thereMs,
    laterUntilMs: world.laterUntilMs ?? (world.nowMs ?? 0) + 90 * 86_400_000,
    policy: world.policy ?? 'upsert-only',
    others: world.others ?? [],
    ...(world.owned === undefined ? {} : { owned: world.owned }),
    givenOf: ({ target: at, group, role }) => {
      const given = world.given?.[`${targetText(at)} ${group}`]
      return given && { isGone: false, isMade: true, role, ...given }
    },
    roles: { ...roles, ...world.roles },
    echoes: { workspaceRoles: world.echoes ?? {}, projectRoles: world.echoes ?? {} },
  }
}

/** The complete input of a plan. */
export type Seen = {
  readonly declared: WorkspaceDeclaration
  readonly existing: Existing
  /** The ids of projects and groups that earlier cycles learned, and the waived changes of projects. */
  readonly known?: MeantIds
  readonly knownGroups?: MeantIds
  readonly lastIds?: GroupIds
  readonly waived?: readonly string[]
  readonly knownProjects?: ResolveInput['knownProjects']
  readonly nowMs: number
  /** The time by the clock of Plane. Absent: it is unknown. */
  readonly thereMs?: number | undefined
  readonly laterUntilMs?: number
} & Pick<Required<ResolveInput>, 'directories' | 'projects'> &
  Pick<ResolveInput, 'others' | 'givenOf'> &
  Pick<DiffOptions, 'policy' | 'owned' | 'roles' | 'echoes'>

export function desiredIn(seen: Seen): Desired {
  const { declared, existing, directories, projects, nowMs, thereMs } = seen
  const mappings = [...existing.lists.values()].flatMap((reading) => (reading.status === 'failed' ? [] : reading.value))
  const { changed: changedGroups } = groupsIn(seen)
  return resolve(declared, {
    directories,
    existing: mappings,
    matches: matchesIn(declared, directories, mappings),
    projects,
    check: checkIn(seen),
    isRemembered: openRemembered(seen.known ?? {}, () => textsNamingProjects(declared, hash)),
    changedGroups,
    lastId: (name) => seen.lastIds?.[name],
    knownProjects: seen.knownProjects,
    hash,
    dates: { hereMs: nowMs, thereMs },
    ...(seen.others && { others: seen.others }),
    ...(seen.givenOf && { givenOf: seen.givenOf }),
  })
}

/** The groups that a cycle with this input knows and learns. */
export function groupsIn({ declared, existing, directories, knownGroups: ids, waived = [], nowMs, thereMs }: Seen): GroupsCheck {
  const remembered = { ids, lastId: () => undefined, countOf: () => 0, isWaived: (pass: string) => waived.includes(pass) }
  const lists = [...existing.lists.values()]
  const mappings = lists.flatMap((reading) => (reading.status === 'failed' ? [] : reading.value))
  const names = { matches: matchesIn(declared, directories, mappings), isWhole: lists.every(({ status }) => status === 'complete') }
  return checkGroups(declared.rules, directories, remembered, names, hash, { hereMs: nowMs, thereMs })
}

const checkIn = ({ projects, known = {}, waived = [] }: Seen): ProjectCheck =>
  checkProjects(projects, { ids: known, hash, isWaived: (pass) => waived.includes(pass) })

/** The ids of projects that a cycle with this input learns. */
export function projectIdsIn(seen: Seen): NewProjectIds {
  const { declared, projects, known = {} } = seen
  return newProjectIds(known, desiredIn(seen).named, textsNamingProjects(declared, hash), projects, checkIn(seen))
}

export const projectsOf = (...texts: readonly string[]): ProjectIndex =>
  new Map(
    texts.map((text) => {
      const [identifier = '', id = `id-${identifier}`] = text.replace('~', '').split('=')
      return [identifier as ProjectIdentifier, { id: id as ProjectId, archived: text.endsWith('~') }]
    }),
  )

/** Makes a plan from this input, with the steps of a cycle. */
export function planIn(seen: Seen, notices: readonly Finding[] = [], more: Pick<DiffOptions, 'listsUnchanged'> = {}): Plan {
  const { declared, existing, projects, policy, owned, roles, echoes } = seen
  const whole = mayNameProjects(declared) ? { ...existing, projects } : existing
  return diff(
    declared,
    desiredIn(seen),
    whole,
    {
      ...{
        origin: 'plane.example.com/acme',
        policy,
        roles,
        doors: 'any' as const,
        echoes,
        hash,
        laterUntilMs: seen.laterUntilMs ?? seen.nowMs,
      },
      ...(owned && { owned }),
      ...more,
    },
    notices,
  )
}

/** The plan as lines that a person can compare. */
export function lines({ changes, holds }: Pick<Plan, 'changes' | 'holds'>): readonly string[] {
  return [...changes.map(changeLine), ...holds.map(holdLine)]
}

export function changeLine(change: Change): string {
  switch (change.action) {
    case 'create':
      return `create ${targetText(change.target)} ${change.group} = ${change.role}`
    case 'patch':
      return `patch ${targetText(change.target)} ${change.group}: ${change.before} → ${change.role}`
    case 'rename':
      return `rename ${targetText(change.target)} ${change.fromGroup} → ${change.group}: ${change.before} → ${change.role}`
    case 'delete':
      return `delete ${targetText(change.target)} ${change.group} = ${change.before} (${change.why})`
    case 'settings':
      return `settings ${JSON.stringify(change.before)} → ${JSON.stringify(change.after)}`
    default:
      return change satisfies never
  }
}

/** The change that such a line describes, without a plan. Its mapping is always `m0`. */
export function changeOf(line: string): Change {
  const [action = '', where = '', ...words] = line.match(/[^\s:=→()]+/gu) ?? []
  const [mapping, id, requires] = ['m0' as MappingId, hash(line).slice(0, 32) as ChangeId, []]
  const at = (name = '') => ({
    id,
    requires,
    key: keyOf(acme, target(where), name as GroupName),
    group: name as GroupName,
    target: target(where),
  })
  const [one = '', two = '', three = '', four = ''] = words
  if (action === 'create') return { ...at(one), action, role: two as Role }
  if (action === 'patch') return { ...at(one), action, mapping, before: two as Role, role: three as Role }
  if (action === 'delete') return { ...at(one), action, mapping, before: two as Role, why: three as DeleteWhy }
  if (action !== 'rename') throw new Error(`not a change: ${line}`)
  return { ...at(two), action, mapping, from: at(one).key, fromGroup: at(one).group, before: three as Role, role: four as Role }
}

/** A change of group-sync settings, without a plan. */
export const settingsOf = (before: GroupSync, after: GroupSync): Change => ({
  action: 'settings',
  id: hash('settings').slice(0, 32) as ChangeId,
  requires: [],
  key: 'acme/groupSync' as Key,
  before,
  after,
})

const holdLine = ({ key, reason, change }: Hold): string =>
  `hold ${key}: ${reason.kind}${change === undefined ? '' : ` (${changeLine(change)})`}`

/** All writes that were executed, or may have been. */
export const executedOf = ({ recentWrites, inDoubt }: Pick<Memory, 'recentWrites' | 'inDoubt'>): readonly RecentWrite[] => [
  ...recentWritesOf(recentWrites),
  ...Object.values<RecentWrite>(inDoubt),
]
