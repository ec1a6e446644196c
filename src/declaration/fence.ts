import { RE2JS } from 're2js'
import type { FencedProjects } from '../core/fencedProjects.ts'
import { isGlob } from '../core/fencedProjects.ts'
import { type GroupName, type List, projectIdentifier, type Role, type WorkspaceName } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import type { FencedKeys, GroupSelector } from '../core/rule.ts'
import { namesTeam, teamNamePattern, teamWord, upperTeamWord } from '../core/team.ts'
import type { FenceWord } from './fenceWords.ts'
import { indexFilePatterns } from './filePattern.ts'
import { patternOf } from './pattern.ts'

/** A fence as the settings have it. Plain data, so that it can be sent to another thread. */
export type FenceText = {
  readonly owner: string
  readonly workspace: string
  readonly workspaceRoles?: FencedGroups | undefined
  readonly projectRoles?:
    | (FencedGroups & {
        readonly projects: readonly string[]
        readonly projectsWithout?: Without
        readonly allProjects: boolean
      })
    | undefined
  readonly may: readonly FenceWord[]
  readonly demand: { readonly reason: boolean; readonly expires: Readonly<Record<string, number>> }
}

type FencedGroups = { readonly roles: readonly string[]; readonly groups: readonly string[]; readonly groupsWithout?: Without }
/** Glob → the words of other teams, for whose names it does not stand. */
type Without = Readonly<Record<string, readonly string[]>>

/** The keys of a list inside a fence, and the roles that its files may give there. */
export type FencedList = Omit<FencedKeys, 'because'> & { readonly roles: ReadonlySet<Role> }

/** What the files of one owner may say. `path`: the pattern of their names. */
export type Fence = {
  readonly path: string
  readonly owner: string
  readonly workspace: WorkspaceName
  readonly lists: ReadonlyMap<List, FencedList>
  readonly may: ReadonlySet<FenceWord>
  readonly needsReason: boolean
  /** Role → how long after today, in ms, a rule that gives it may end. */
  readonly longestMs: ReadonlyMap<Role, number>
}

/** Pattern of names of files → what they may say. `everything`: no limits. */
export type FenceTexts = Readonly<Record<string, FenceText | 'everything'>>

/** The fence of a file, `everything`, or the paths of all fences that match it if that is not exactly one. */
export type FenceOf = (file: string) => Fence | 'everything' | readonly string[]

/** Names are compared by code point, with case, in the form NFC. */
export function openFences(texts: FenceTexts): FenceOf {
  const fences = indexFilePatterns(
    Object.entries(texts).map(([path, text]) => {
      const name = path.normalize('NFC')
      return [name, { path: name, fence: text === 'everything' ? text : fenceFrom(path, text) }] as const
    }),
  )
  return (file) => {
    const [first, ...others] = fences.matching(file.normalize('NFC'))
    if (first !== undefined && others.length === 0) return first.fence
    return first === undefined ? [] : [first, ...others].map(({ path }) => path)
  }
}

/** A fence from its setting. `path`: the pattern of its files. */
export function fenceFrom(path: string, { owner, workspace, workspaceRoles, projectRoles, may, demand }: FenceText): Fence {
  const rolesOf = (roles: readonly string[]) => new Set(roles as Role[])
  const lists = new Map<List, FencedList>()
  if (workspaceRoles !== undefined) {
    const { roles, groups, groupsWithout } = workspaceRoles
    lists.set('workspaceRoles', {
      list: 'workspaceRoles',
      groups: groups.map((word) => selectorOf(word, groupsWithout?.[word])),
      projects: { named: new Set() },
      allProjects: false,
      roles: rolesOf(roles),
    })
  }
  if (projectRoles !== undefined) {
    const { projects, projectsWithout, allProjects, roles, groups, groupsWithout } = projectRoles
    lists.set('projectRoles', {
      list: 'projectRoles',
      groups: groups.map((word) => selectorOf(word, groupsWithout?.[word])),
      projects: fencedProjects(projects, projectsWithout),
      allProjects,
      roles: rolesOf(roles),
    })
  }
  const longestMs = new Map(Object.entries(demand.expires) as [Role, number][])
  return {
    path,
    owner,
    workspace: workspace as WorkspaceName,
    lists,
    // A role that must end can end.
    may: new Set(longestMs.size > 0 ? [...may, 'expires'] : may),
    needsReason: demand.reason,
    longestMs,
  }
}

function fencedProjects(words: readonly string[], without: Without = {}): FencedProjects {
  const named = new Set(words.filter((word) => !isGlob(word)).map(projectIdentifier))
  const globs = words.filter(isGlob).map((word) => ({ glob: projectIdentifier(word), without: without[word] ?? [] }))
  return defined({ named, globs: globs.length === 0 ? undefined : globs })
}

/** Whether a file of the declaration may name the group. Without fences, and with a file that may say everything, each name may be named. */
export function openAdmission(texts: FenceTexts | undefined): (group: GroupName) => boolean {
  const fences = texts === undefined ? ['everything' as const] : Object.values(texts)
  if (fences.includes('everything')) return () => true
  const words = fences.flatMap((fence) =>
    fence === 'everything' ? [] : [...(fence.workspaceRoles?.groups ?? []), ...(fence.projectRoles?.groups ?? [])],
  )
  const tests = words.map((word) => {
    // A new team has any name that a team can have.
    const groups = namesTeam(word) ? anyTeam(word) : selectorOf(word)
    if (groups.kind === 'exact') return (group: GroupName) => group === groups.name
    const matches = groups.pattern.compile()
    return (group: GroupName) => matches(group) !== undefined
  })
  return (group) => tests.some((admits) => admits(group))
}

function anyTeam(word: string): GroupSelector {
  const forms: Readonly<Record<string, string>> = {
    '*': '(?s:.*)',
    '?': '(?s:.)',
    [teamWord]: `(?:${teamNamePattern})`,
    [upperTeamWord]: `(?:${teamNamePattern.replaceAll('a-z', 'A-Z')})`,
  }
  const parts = word.split(/([*?]|\{team\}|\{TEAM\})/).map((part) => forms[part] ?? RE2JS.quote(part))
  return { kind: 'pattern', pattern: patternOf('regex', parts.join('')), except: new Set() }
}

/** A text with `*` or `?` is a glob, any other text an exact name. */
function selectorOf(text: string, without: readonly string[] = []): GroupSelector {
  if (!isGlob(text)) return { kind: 'exact', name: text as GroupName }
  const pattern = patternOf('glob', text)
  return defined({
    kind: 'pattern' as const,
    pattern,
    except: new Set<GroupName>(),
    without: without.length === 0 ? undefined : without.map((word) => selectorOf(word)),
  })
}
