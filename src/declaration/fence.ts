import { type GroupName, type List, type ProjectIdentifier, projectIdentifier, type Role, type WorkspaceName } from '../core/mapping.ts'
import type { FencedKeys, GroupSelector } from '../core/rule.ts'
import type { FenceWord } from './fenceWords.ts'
import { patternOf } from './pattern.ts'

/** A fence as the settings have it. Plain data, so that it can be sent to another thread. */
export type FenceText = {
  readonly owner: string
  readonly workspace: string
  readonly workspaceRoles?: { readonly roles: readonly string[]; readonly groups: readonly string[] } | undefined
  readonly projectRoles?:
    | {
        readonly projects: readonly string[]
        readonly allProjects: boolean
        readonly roles: readonly string[]
        readonly groups: readonly string[]
      }
    | undefined
  readonly may: readonly FenceWord[]
  readonly demand: { readonly reason: boolean; readonly expires: Readonly<Record<string, number>> }
}

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

/** The fence of a file; undefined for a file without limits, and for one with no fence or several. */
export function limitsOf(fenceOf: FenceOf | undefined): (file: string) => Fence | undefined {
  return (file) => {
    const fence = fenceOf?.(file)
    return typeof fence === 'object' && 'path' in fence ? fence : undefined
  }
}

/** A fence from its setting. `path`: the pattern of its files. */
export function fenceFrom(path: string, { owner, workspace, workspaceRoles, projectRoles, may, demand }: FenceText): Fence {
  const rolesOf = (roles: readonly string[]) => new Set(roles as Role[])
  const lists = new Map<List, FencedList>()
  if (workspaceRoles !== undefined) {
    const { roles, groups } = workspaceRoles
    const none = new Set<ProjectIdentifier>()
    lists.set('workspaceRoles', {
      list: 'workspaceRoles',
      groups: groups.map(selectorOf),
      projects: none,
      allProjects: false,
      roles: rolesOf(roles),
    })
  }
  if (projectRoles !== undefined) {
    const { projects, allProjects, roles, groups } = projectRoles
    const named = new Set(projects.map(projectIdentifier))
    lists.set('projectRoles', {
      list: 'projectRoles',
      groups: groups.map(selectorOf),
      projects: named,
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

/** A text with `*` or `?` is a glob, any other text an exact name. */
function selectorOf(text: string): GroupSelector {
  if (!/[*?]/.test(text)) return { kind: 'exact', name: text as GroupName }
  return { kind: 'pattern', pattern: patternOf('glob', text), except: new Set() }
}

/**
 * The owner who answers for what is wrong at a path below the declaration, a file or a folder. Undefined if it may concern files without limits, or
 * files of several owners.
 */
export type OwnerOf = (path: string) => string | undefined

/**
 * The files of one owner may use this part of each limit that all files share, so that one team cannot use up a limit. For what is left the files
 * without limits count first.
 */
const ownersPart = 4

/** The limit for the files of one owner. */
export const ownerLimit = (limit: number): number => Math.floor(limit / ownersPart)

/**
 * A file belongs to the fence that matches it. A folder, or a file that no fence matches, belongs to the owner of all fences that reach into it, or into the
 * next folder above it into which a fence reaches.
 */
export function openOwners(fences: FenceTexts): OwnerOf {
  const owners = indexFilePatterns(
    Object.entries(fences).map(([path, text]) => [path.normalize('NFC'), text === 'everything' ? undefined : text.owner] as const),
  )
  const reaching = remembered((folder): string | undefined => {
    const all = owners.reaching(folder)
    return all.length > 0 || folder === '' ? onlyOwner(all) : reaching(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
  })
  return remembered((path) => {
    const name = path.normalize('NFC')
    const matching = owners.matching(name)
    return matching.length > 0 ? onlyOwner(matching) : reaching(name)
  })
}

function onlyOwner(all: readonly (string | undefined)[]): string | undefined {
  const owners = new Set(all)
  return owners.size === 1 ? owners.values().next().value : undefined
}

function remembered(ownerAt: OwnerOf): OwnerOf {
  const known = new Map<string, string | undefined>()
  return (path) => {
    if (!known.has(path)) known.set(path, ownerAt(path))
    return known.get(path)
  }
}

/** What the settings say about the files of a declaration. `waiverFiles`: the patterns of files with waivers. */
type FileRules = { readonly fences?: FenceTexts; readonly waiverFiles?: readonly string[] }

/** The owner of each file; undefined if no path says what a file may contain. */
export function ownersOf({ fences, waiverFiles = [] }: FileRules): OwnerOf | undefined {
  if (fences !== undefined) return openOwners(fences)
  return waiverFiles.length > 0 ? () => undefined : undefined
}

/** A pattern for the names of files, as `fences` has it. Letter case counts on every platform, which `path.matchesGlob` of Node does not promise. */
type FilePattern = {
  readonly matches: (file: string) => boolean
  /** Whether it can match a file below this folder. The empty text is the folder of the declaration. */
  readonly reachesInto: (folder: string) => boolean
}

/**
 * Patterns by the folders before their first wildcard, so that a file is compared with few of them. There may be thousands of patterns and of files.
 */
function indexFilePatterns<T>(patterns: Iterable<readonly [pattern: string, value: T]>) {
  type Indexed = { readonly pattern: FilePattern; readonly value: T }
  const at = new Map<string, Indexed[]>()
  const below = new Map<string, Indexed[]>()
  const add = (to: Map<string, Indexed[]>, folder: string, entry: Indexed) => {
    const list = to.get(folder)
    if (list === undefined) to.set(folder, [entry])
    else list.push(entry)
  }
  for (const [text, value] of patterns) {
    const entry = { pattern: openFilePattern(text), value }
    const [fixed, ...above] = foldersOf(text.replace(/(?:^|\/)[^/]*[*?].*$/s, ''))
    add(at, fixed ?? '', entry)
    for (const folder of above) add(below, folder, entry)
  }
  const near = (path: string): readonly Indexed[] => foldersOf(path).flatMap((folder) => at.get(folder) ?? [])
  return {
    matching: (file: string): readonly T[] => near(file).flatMap(({ pattern, value }) => (pattern.matches(file) ? [value] : [])),
    /** The values of the patterns that can match a file below this folder. */
    reaching: (folder: string): readonly T[] =>
      near(folder)
        .concat(below.get(folder) ?? [])
        .flatMap(({ pattern, value }) => (pattern.reachesInto(folder) ? [value] : [])),
  }
}

/** The path itself, and each folder above it. The last one is the folder of the declaration, the empty text. */
function foldersOf(path: string): readonly string[] {
  if (path === '') return ['']
  const ends = Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))
  return [path, ...ends.toReversed(), '']
}

type Segment = RegExp | '**'

/** `*` stands for any characters of one name, `?` for one character, a name `**` for any folders, at the end for any file below. */
export function openFilePattern(pattern: string): FilePattern {
  const segments = pattern.split('/').map((text): Segment => (text === '**' ? text : segmentOf(text)))
  return {
    matches: (file) => matchesFrom(segments, file.split('/'), 0, 0),
    reachesInto: (folder) => reachesFrom(segments, folder === '' ? [] : folder.split('/')),
  }
}

/** A name that begins with a dot is never read, so `*` and `?` do not match the dot. */
function segmentOf(text: string): RegExp {
  const parts = text.split(/(\*+|\?)/).map((part) => (part === '?' ? '[^/]' : part.startsWith('*') ? '[^/]*' : RegExp.escape(part)))
  return new RegExp(`^${/^[*?]/.test(text) ? String.raw`(?!\.)(?=.)` : ''}${parts.join('')}$`, 'su')
}

function matchesFrom(segments: readonly Segment[], names: readonly string[], at: number, from: number): boolean {
  const [segment, name] = [segments[at], names[from]]
  if (segment === undefined) return name === undefined
  if (name === undefined) return false
  if (segment !== '**') return segment.test(name) && matchesFrom(segments, names, at + 1, from + 1)
  if (name === '' || name.startsWith('.')) return at + 1 < segments.length && matchesFrom(segments, names, at + 1, from)
  if (at + 1 === segments.length) return from + 1 === names.length || matchesFrom(segments, names, at, from + 1)
  return matchesFrom(segments, names, at + 1, from) || matchesFrom(segments, names, at, from + 1)
}

/** Whether the folders are those of a file that the pattern can match. */
function reachesFrom(segments: readonly Segment[], folders: readonly string[]): boolean {
  for (const [at, folder] of folders.entries()) {
    const segment = segments[at]
    if (segment === '**') return true
    if (segment === undefined || !segment.test(folder)) return false
  }
  return segments.length > folders.length
}
