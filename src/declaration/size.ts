import { declaredMappingsMax } from '../core/matches.ts'
import { counted } from '../core/quantity.ts'
import { problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import type { GroupKeys } from './compileSelectors.ts'
import type { LenientFile } from './lenient.ts'
import type { DeclaredRule } from './schema.ts'
import { describedCount } from './waiverEntries.ts'

/** Every pattern is tried on every group of every directory. */
const patternsMax = 500

/** `compiling`: see `ReadingWork`. */
export type DeclarationSize = { readonly mappings: number; readonly patterns: number; readonly compiling: number }

/** Adds the size of a file to `before`. Returns a problem at the first entry that exceeds a limit. */
export function addSize(document: YamlDocument, { workspaces }: LenientFile, before: DeclarationSize): DeclarationSize | Problem {
  let { mappings, patterns } = before
  for (const [name, said] of Object.entries(workspaces)) {
    for (const list of ['workspaceRoles', 'projectRoles', 'removed', 'unmanaged', 'waivers'] as const) {
      for (const [index, entry] of (said[list] ?? []).entries()) {
        if (entry === undefined) continue
        const [groups, targets] = 'until' in entry ? [describedCount(entry), 1] : groupsAndTargets(entry)
        mappings += groups * targets
        if ('groupGlob' in entry || 'groupRegex' in entry) patterns++
        const at = (message: string, cure: string) => problemAt(document, ['workspaces', name, list, index], message, cure)
        if (mappings > declaredMappingsMax)
          return at(
            `with this entry the declaration has ${counted(mappings, 'mapping')}`,
            `at most ${declaredMappingsMax}; its lists multiply: ${groups} × ${targets}`,
          )
        if (patterns > patternsMax)
          return at(
            `with this entry the declaration has more than ${patternsMax} patterns`,
            'each pattern is tried on every group: combine some of them',
          )
      }
    }
  }
  return { ...before, mappings, patterns }
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
