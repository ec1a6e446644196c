import { type Directories, groupsOf } from '../directories.ts'
import type { Finding } from '../finding.ts'
import { type Matches, selected } from '../matches.ts'
import { counted, listedFirst } from '../quantity.ts'
import { produce } from '../resolve/produce.ts'
import { comparePositions, positionText, type Rule } from '../rule.ts'

const shownMax = 10

/** How much of a pattern lies outside of the fence of its file: group names, and projects that it captures from names inside. */
type Outside = { readonly rule: Rule; readonly groups: number; readonly projects: number }

/** A finding about patterns of files inside fences that match more than their fences contain. The rest of their matches has no effect. */
export function clippedPatternFindings(rules: readonly Rule[], directories: Directories, matches: Matches): readonly Finding[] {
  const clipped = new Map<string, Outside>()
  for (const rule of rules) {
    const outside = outsideOf(rule, directories, matches)
    if (outside.groups + outside.projects > 0) clipped.set(positionText(rule.because.at), outside)
  }
  const [first, ...others] = [...clipped.values()].toSorted((a, b) => comparePositions(a.rule.because.at, b.rule.because.at))
  if (first === undefined) return []
  const shown = [first, ...others].slice(0, shownMax).map(outsideText)
  return [
    {
      code: 'pattern-clipped',
      severity: 'info',
      place: positionText(first.rule.because.at),
      sentence: `${counted(clipped.size, 'pattern matches', 'patterns match')} more than the fence contains: ${listedFirst(shown, clipped.size)}`,
      cure: 'narrow the pattern to the groups that are meant, or let the settings widen the fence',
    },
  ]
}

function outsideOf(rule: Rule, directories: Directories, matches: Matches): Outside {
  const { groups, target } = rule
  if (groups.kind === 'exact' || groups.within === undefined) return { rule, groups: 0, projects: 0 }
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
  return { rule, groups: [...beyond].length, projects: projects.size }
}

function outsideText({ rule, groups, projects }: Outside): string {
  const named = rule.groups.kind === 'pattern' ? rule.groups.pattern.source : rule.groups.name
  const counts = [...(groups > 0 ? [counted(groups, 'group')] : []), ...(projects > 0 ? [counted(projects, 'project')] : [])]
  return `${named} (${positionText(rule.because.at)}, ${counts.join(' and ')})`
}
