import { compare } from '../compare.ts'
import { type Directories, groupsOf } from '../directories.ts'
import type { Finding } from '../finding.ts'
import { factsIn, quotedGroup } from '../group.ts'
import { type Matches, selected } from '../matches.ts'
import { counted, listedFirst } from '../quantity.ts'
import { produce } from '../resolve/produce.ts'
import { comparePositions, type Position, positionText, type Rule } from '../rule.ts'
import { visible } from '../safeName.ts'

const shownMax = 10
const namesMax = 3

/** How much of a pattern lies outside of the fence of its file: group names, and projects that it captures from names inside. */
type Outside = { readonly at: Position; readonly source: string; readonly groups: Names; readonly projects: Names }
/** `first`: in quotes. */
type Names = { readonly count: number; readonly first: readonly string[] }

/** A finding about patterns of files inside fences that match more than their fences contain. The rest of their matches has no effect. */
export function clippedPatternFindings(rules: readonly Rule[], directories: Directories, matches: Matches): readonly Finding[] {
  const clipped = new Map<string, Outside>()
  for (const rule of rules) {
    const outside = outsideOf(rule, directories, matches)
    if (outside !== undefined && outside.groups.count + outside.projects.count > 0) clipped.set(positionText(outside.at), outside)
  }
  const [first, ...others] = [...clipped.values()].toSorted((a, b) => comparePositions(a.at, b.at))
  if (first === undefined) return []
  const shown = [first, ...others].slice(0, shownMax).map(outsideText)
  return [
    {
      code: 'pattern-clipped',
      severity: 'info',
      place: positionText(first.at),
      sentence: `${counted(clipped.size, 'pattern matches', 'patterns match')} more than the fence contains: ${listedFirst(shown, clipped.size)}`,
      cure: 'narrow the pattern to the groups that are meant, or let the settings widen the fence',
    },
  ]
}

/** Undefined for a rule without a pattern, or of a file without a fence. */
function outsideOf(rule: Rule, directories: Directories, matches: Matches): Outside | undefined {
  const { groups, target } = rule
  if (groups.kind === 'exact' || groups.within === undefined) return undefined
  const { within: _, ...whole } = groups
  const inside = new Map(selected(groups, matches))
  const indexes = groupsOf(rule, directories) ?? []
  const beyond = selected(whole, matches).filter(([name]) => !inside.has(name) && indexes.some((index) => index.has(name)))
  const projects = new Set<string>()
  if (target.kind === 'captured') {
    const { only = new Set(), ...free } = target
    for (const captured of inside.values())
      for (const made of produce({ ...rule, target: free }, captured).targets)
        if (made.kind === 'project' && !only.has(made.project)) projects.add(made.project)
  }
  return {
    at: rule.because.at,
    source: groups.pattern.source,
    groups: firstOf(Array.from(beyond, ([name]) => name).toSorted(compare), (name) => quotedGroup(name, factsIn(indexes, name).label)),
    projects: firstOf([...projects].toSorted(compare), (project) => `"${visible(project)}"`),
  }
}

const firstOf = <Name extends string>(sorted: readonly Name[], quoted: (name: Name) => string): Names => ({
  count: sorted.length,
  first: sorted.slice(0, namesMax).map(quoted),
})

function outsideText({ at, source, groups, projects }: Outside): string {
  const counts = [countedNames(groups, 'group'), countedNames(projects, 'project')].filter((text) => text !== '')
  return `${source} (${positionText(at)}, ${counts.join('; ')})`
}

/** `5 groups: "a", "b", "c" and 2 more`; empty if there are none. */
const countedNames = ({ count, first }: Names, one: string): string =>
  count === 0 ? '' : `${counted(count, one)}: ${listedFirst(first, count)}`
