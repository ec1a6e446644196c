import { isTemplate, namesTeam, withTeam } from '../core/team.ts'
import type { FenceTexts } from './fence.ts'
import { teamAt } from './fenceTemplate.ts'
import { indexFilePatterns } from './filePattern.ts'

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
  const paths = new Set(Object.keys(fences).map((path) => path.normalize('NFC')))
  /** For a file or folder. Undefined: no owner. A list without an owner: a fence of the settings stands for it, in place of the template. */
  type At = (path: string) => readonly (string | undefined)[]
  const entries = Object.entries(fences).map(([path, text]): readonly [string, At] => {
    const pattern = path.normalize('NFC')
    const owner = text === 'everything' ? undefined : text.owner
    return [pattern, isTemplate(pattern) ? (name) => ownersByTemplate(pattern, owner, name, paths) : () => [owner]]
  })
  const indexed = indexFilePatterns(entries)
  const owners = {
    matching: (path: string) => indexed.matching(path).flatMap((at) => at(path)),
    reaching: (path: string) => indexed.reaching(path).flatMap((at) => at(path)),
  }
  const reaching = remembered((folder): string | undefined => {
    const ownersInside = owners.reaching(folder)
    return ownersInside.length > 0 || folder === ''
      ? onlyOwner(ownersInside)
      : reaching(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
  })
  return remembered((path) => {
    const name = path.normalize('NFC')
    const matching = owners.matching(name)
    return matching.length > 0 ? onlyOwner(matching) : reaching(name)
  })
}

/** In a folder of several teams, a template with an owner for each team is of several owners, as files without limits are. */
function ownersByTemplate(
  template: string,
  owner: string | undefined,
  name: string,
  paths: ReadonlySet<string>,
): readonly (string | undefined)[] {
  const team = teamAt(template, name)
  if (team === undefined) return [owner === undefined || namesTeam(owner) ? undefined : owner]
  return paths.has(withTeam(template, team)) ? [] : [owner === undefined ? undefined : withTeam(owner, team)]
}

function onlyOwner(owners: readonly (string | undefined)[]): string | undefined {
  const distinctOwners = new Set(owners)
  return distinctOwners.size === 1 ? distinctOwners.values().next().value : undefined
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
