import type { FenceTexts } from './fence.ts'
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
  const owners = indexFilePatterns(
    Object.entries(fences).map(([path, text]) => [path.normalize('NFC'), text === 'everything' ? undefined : text.owner] as const),
  )
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
