import { type Dates, isOver } from '../dates.ts'
import { type Directories, groupsOf } from '../directories.ts'
import type { Finding } from '../finding.ts'
import { type Matches, selected } from '../matches.ts'
import { counted, listedFirst } from '../quantity.ts'
import { comparePositions, positionText, type Rule } from '../rule.ts'

const shownMax = 10

/**
 * A finding about the patterns of rules that match no group. The directories of such a rule were read completely. A pattern may be written for groups
 * that do not exist yet, so the finding only informs.
 */
export function unusedPatternFindings(
  rules: readonly Rule[],
  directories: Directories,
  matches: Matches,
  dates: Dates,
): readonly Finding[] {
  const unused = new Map<string, Rule>()
  for (const rule of rules) {
    if (rule.groups.kind === 'exact' || mayBeExpired(rule, dates)) continue
    const all = groupsOf(rule, directories)
    if (all === undefined) continue
    const isUsed = selected(rule.groups, matches).some(([name]) => all.some((index) => index.has(name)))
    if (!isUsed) unused.set(positionText(rule.because.at), rule)
  }
  const [first, ...others] = [...unused.values()].toSorted((a, b) => comparePositions(a.because.at, b.because.at))
  if (first === undefined) return []
  const shown = [first, ...others].slice(0, shownMax).map((rule) => `${patternText(rule)} (${positionText(rule.because.at)})`)
  return [
    {
      code: 'pattern-unused',
      severity: 'info',
      place: positionText(first.because.at),
      sentence: `${counted(unused.size, 'pattern matches', 'patterns match')} no group: ${listedFirst(shown, unused.size)}`,
      cure: 'if groups should match, compare the pattern with their names: plane-group-sync groups',
    },
  ]
}

/** Also if the two clocks disagree whether the rule has ended. */
const mayBeExpired = ({ expiresMs }: Rule, dates: Dates): boolean => expiresMs !== undefined && isOver(expiresMs, dates) !== 'no'

const patternText = ({ groups }: Rule): string => (groups.kind === 'pattern' ? groups.pattern.source : groups.name)
