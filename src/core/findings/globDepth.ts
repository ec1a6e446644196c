import { compare } from '../compare.ts'
import type { Desired } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { GroupName } from '../mapping.ts'
import { count, counted } from '../quantity.ts'
import { positionText, type Rule } from '../rule.ts'

type Matched = { readonly source: string; readonly all: Set<GroupName>; readonly below: Set<GroupName> }

/**
 * A finding for each glob that matches groups below those that it seems to be written for. The names of Keycloak are paths, and `*` also stands for
 * `/`: `/eng*` matches `/engineers` and `/eng/web/admins`. The meaning of `*` cannot change: a narrower one would make mappings undeclared, and would
 * take entries out of `unmanaged`. A glob with `**` says that the groups below are meant. A glob without `/` says that the place of a group does not
 * matter.
 */
export function globDepthFindings(rules: readonly Rule[], { mappings }: Pick<Desired, 'mappings'>): readonly Finding[] {
  const globs = new Map<string, Matched>()
  for (const { groups, because } of rules) {
    if (groups.kind === 'exact' || groups.pattern.syntax !== 'glob') continue
    const { source } = groups.pattern
    if (!source.includes('/') || source.includes('**')) continue
    globs.set(positionText(because.at), { source, all: new Set(), below: new Set() })
  }
  if (globs.size === 0) return []
  for (const { group, because, kind } of mappings.values()) {
    const glob = kind === 'absent' ? undefined : globs.get(positionText(because.at))
    glob?.all.add(group)
    if (glob !== undefined && depth(group) > depth(glob.source)) glob.below.add(group)
  }
  return [...globs].flatMap(([place, glob]) => (glob.below.size === 0 ? [] : [finding(place, glob)]))
}

const depth = (path: string): number => path.split('/').length

function finding(place: string, { source, all, below }: Matched): Finding {
  const [example] = [...below].toSorted(compare)
  return {
    code: 'glob-crosses-slash',
    severity: 'warning',
    place,
    sentence: `in groupGlob "${source}" the * also stands for /, so ${count(below.size)} of its ${counted(all.size, 'group')} ${below.size === 1 ? 'lies' : 'lie'} deeper, such as ${example}`,
    cure: `if they are meant, write ** instead of *; if not, write groupRegex: '${withoutSlashes(source)}'`,
  }
}

/** The same pattern as a regular expression in which `*` and `?` do not match `/`. It is escaped for a YAML text in single quotes. */
const withoutSlashes = (glob: string): string =>
  glob
    .replaceAll(/[*?]|[\\^$.|+()[\]{}]/g, (character) => (character === '*' ? '[^/]*' : character === '?' ? '[^/]' : `\\${character}`))
    .replaceAll("'", "''")
