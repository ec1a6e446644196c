import { declaredMappingsMax } from '../core/matches.ts'
import { counted } from '../core/quantity.ts'
import { problemAt, type YamlDocument } from '../yaml/document.ts'
import { type Problem, problemOfFile, withOwner } from '../yaml/problem.ts'
import type { GroupKeys } from './compileSelectors.ts'
import { ownerLimit } from './fenceOwner.ts'
import type { LenientFile } from './lenient.ts'
import type { DeclaredRule } from './schema.ts'
import { describedCount } from './waiverEntries.ts'
import { patternCount } from './work.ts'

/** Every pattern is tried on every group of every directory. */
const patternsMax = 500

/** `compiling`: see `ReadingWork`. */
type DeclarationSize = { mappings: number; patterns: number; compiling: number }

/** The sizes of the files that were read so far: of all files, and of the files of each owner inside fences. */
export type Sizes = {
  readonly all: DeclarationSize
  readonly mappingsOf: Map<string, number>
  /** Also the patterns of invalid files, since it takes long to compile them. */
  readonly patternsOf: Map<string, number>
}

export const openSizes = (): Sizes => ({ all: { mappings: 0, patterns: 0, compiling: 0 }, mappingsOf: new Map(), patternsOf: new Map() })

/** Counts the patterns of a file before they are compiled. Returns a problem if its owner has too many. */
export function addPatterns(document: YamlDocument, owner: string | undefined, { patternsOf }: Sizes): Problem | undefined {
  if (owner === undefined) return undefined
  const patterns = (patternsOf.get(owner) ?? 0) + patternCount(document.value)
  patternsOf.set(owner, patterns)
  if (patterns <= ownerLimit(patternsMax)) return undefined
  const message = `with this file, the files of ${owner} have ${counted(patterns, 'pattern')}`
  const cure = `at most ${ownerLimit(patternsMax)} for one owner inside fences: combine some of them`
  return withOwner(problemOfFile(document.source.file, message, cure), owner)
}

/** A limit is exceeded. `isOfAll`: the limit of all files together. */
type TooLarge = { readonly problem: Problem; readonly isOfAll: boolean }

/** Adds the size of a file. Returns a problem at the first entry that exceeds a limit; then nothing was added. */
export function addSize(
  document: YamlDocument,
  { workspaces }: LenientFile,
  owner: string | undefined,
  sizes: Sizes,
): TooLarge | undefined {
  let { mappings, patterns } = sizes.all
  let own = owner === undefined ? 0 : (sizes.mappingsOf.get(owner) ?? 0)
  for (const [name, said] of Object.entries(workspaces)) {
    for (const list of ['workspaceRoles', 'projectRoles', 'removed', 'unmanaged', 'waivers'] as const) {
      for (const [index, entry] of (said[list] ?? []).entries()) {
        if (entry === undefined) continue
        const [groups, targets] = 'until' in entry ? [describedCount(entry), 1] : groupsAndTargets(entry)
        mappings += groups * targets
        own += groups * targets
        if ('groupGlob' in entry || 'groupRegex' in entry) patterns++
        const at = (isOfAll: boolean, message: string, cure: string): TooLarge => {
          const problem = problemAt(document, ['workspaces', name, list, index], message, cure)
          return { problem: withOwner(problem, owner), isOfAll }
        }
        const ofOwner = ownerLimit(declaredMappingsMax)
        if (owner !== undefined && own > ofOwner)
          return at(
            false,
            `with this entry the files of ${owner} have ${counted(own, 'mapping')}`,
            `at most ${ofOwner} for one owner inside fences; its lists multiply: ${groups} × ${targets}`,
          )
        if (mappings > declaredMappingsMax)
          return at(
            true,
            `with this entry the declaration has ${counted(mappings, 'mapping')}`,
            `at most ${declaredMappingsMax}; its lists multiply: ${groups} × ${targets}`,
          )
        if (patterns > patternsMax)
          return at(
            true,
            `with this entry the declaration has more than ${patternsMax} patterns`,
            'each pattern is tried on every group: combine some of them',
          )
      }
    }
  }
  Object.assign(sizes.all, { mappings, patterns })
  if (owner !== undefined) sizes.mappingsOf.set(owner, own)
  return undefined
}

function groupsAndTargets(entry: GroupKeys & Pick<DeclaredRule, 'project' | 'projects'>): readonly [groups: number, targets: number] {
  return [[entry.group ?? entry.groups ?? 'pattern'].flat().length, targetsOf(entry.project ?? entry.projects)]
}

/** How many targets an entry gives to one group, at most. */
function targetsOf(project: DeclaredRule['project'] | DeclaredRule['projects']): number {
  if (typeof project !== 'object') return 1
  if (Array.isArray(project)) return project.length
  return Object.values(project.map ?? {}).reduce((most, named) => Math.max(most, [named].flat().length), 1)
}
