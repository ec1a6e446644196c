import { type GroupName, type List, projectIdentifier, type Target } from '../core/mapping.ts'
import type { FrozenNames, GroupSelector, Pattern } from '../core/rule.ts'
import { compileGlob, compileRegex, openPattern } from './pattern.ts'

/** What a text names, however it is mistaken. `isWhole`: nothing was left out. */
export type ReadableNames = { readonly isWhole: boolean; readonly in: (workspace: string) => readonly FrozenNames[] }

export const nothingReadable: ReadableNames = { isWhole: false, in: () => [] }

/** Whether a pattern of this size may be compared with the names of groups. */
type TakePattern = (pattern: Pattern) => boolean

/**
 * The groups and targets that the text of an invalid file names. It names rather too much than too little: keys in wrong places count, and an entry
 * without a known key for groups names each of its texts. Entries under a workspace that the settings do not have count for every workspace.
 */
export function readableNames(value: unknown, workspaces: readonly string[], take: TakePattern): ReadableNames {
  const entryNames: { readonly workspace: string | undefined; readonly names: FrozenNames }[] = []
  let isWhole = true
  const visit = (inner: unknown, at: { readonly workspace?: string; readonly list?: List }): void => {
    if (Array.isArray(inner)) {
      for (const entry of inner) {
        const groups = groupsOf(entry, take)
        if (groups === undefined) isWhole = false
        entryNames.push({ workspace: at.workspace, names: { groups: groups ?? [], ...placesOf(entry, at.list) } })
      }
    } else if (isMap(inner)) {
      for (const [key, below] of Object.entries(inner)) {
        if (namesNothing.has(key)) continue
        const list = key === 'workspaceRoles' || key === 'projectRoles' ? key : undefined
        const workspace = workspaces.includes(key) ? key : at.workspace
        visit(below, { ...(workspace === undefined ? {} : { workspace }), ...(list === undefined ? {} : { list }) })
      }
    }
  }
  visit(value, {})
  return {
    isWhole,
    in: (workspace) =>
      entryNames.flatMap((entry) => ((entry.workspace ?? workspace) === workspace && entry.names.groups.length > 0 ? [entry.names] : [])),
  }
}

/** Keys that name no mapping of the declaration. */
const namesNothing: ReadonlySet<string> = new Set(['waivers', 'from', 'groupSync'])

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const groupKeys = ['group', 'groups', 'previously', 'groupGlob', 'groupRegex']

/** Undefined if a pattern of the entry cannot be used. */
function groupsOf(entry: unknown, take: TakePattern): readonly GroupSelector[] | undefined {
  if (!isMap(entry) || !groupKeys.some((key) => key in entry)) return textsIn(entry).map(exact)
  const { group, groups, previously, groupGlob, groupRegex, except } = entry
  const patterns = [
    ...textsIn(groupGlob).map((source) => ({ syntax: 'glob' as const, source, made: compileGlob(source) })),
    ...textsIn(groupRegex).map((source) => ({ syntax: 'regex' as const, source, made: compileRegex(source) })),
  ]
  const selectors = patterns.flatMap(({ syntax, source, made }): GroupSelector[] => {
    if ('fault' in made) return []
    const pattern = openPattern({ syntax, source, steps: made.steps })
    return take(pattern) ? [{ kind: 'pattern', pattern, except: new Set(textsIn(except) as GroupName[]) }] : []
  })
  if (selectors.length < patterns.length) return undefined
  return [...textsIn([group, groups, previously]).map(exact), ...selectors]
}

const exact = (name: string): GroupSelector => ({ kind: 'exact', name: name as GroupName })

/** The texts in a value, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** A captured project, or one that is not a text, may be any project. */
function placesOf(entry: unknown, list: List | undefined): Omit<FrozenNames, 'groups'> {
  const inList = list === undefined ? {} : { list }
  if (!isMap(entry)) return inList
  if (list === 'workspaceRoles' || entry['workspace'] === true) return { targets: [{ kind: 'workspace' }] }
  if (entry['allProjects'] === true) return { targets: [{ kind: 'allProjects' }] }
  const named = [entry['project'] ?? entry['projects']].flat()
  if (!named.every((project) => typeof project === 'string')) return inList
  return { targets: named.map((project): Target => ({ kind: 'project', project: projectIdentifier(project) })) }
}
