import { type Dates, isOver } from '../dates.ts'
import { type Directories, groupsOf } from '../directories.ts'
import type { Finding } from '../finding.ts'
import type { GroupName } from '../mapping.ts'
import { counted, listedFirst, momentText } from '../quantity.ts'
import { comparePositions, positionText, type Rule } from '../rule.ts'

const shownMax = 10

/**
 * A finding about the rules that start later, sorted by date. The plan has no mappings of these rules yet, so a misspelt group would be noticed only on
 * the first day. Therefore the finding names the groups that no directory has.
 */
export function startsLaterFindings(rules: readonly Rule[], directories: Directories, dates: Dates): readonly Finding[] {
  const later = rules.flatMap((rule) =>
    rule.startsMs !== undefined && isOver(rule.startsMs, dates) === 'no' ? [{ rule, startsMs: rule.startsMs, at: rule.because.at }] : [],
  )
  const [first, ...others] = later.toSorted((a, b) => a.startsMs - b.startsMs || comparePositions(a.at, b.at))
  if (first === undefined) return []
  const sorted = [first, ...others]
  const moments = [...new Set(sorted.map(({ startsMs, at }) => `${momentText(startsMs)} (${positionText(at)})`))]
  const absent = [...new Set(sorted.flatMap(({ rule }) => absentGroup(rule, directories)))]
  const left = counted(sorted.length, 'rule that starts', 'rules that start')
  const when = `the plan leaves out ${left} later: ${listedFirst(moments.slice(0, shownMax), moments.length)}`
  const finding = { code: 'starts-later', severity: 'info', place: positionText(first.at) } as const
  if (absent.length === 0) return [{ ...finding, sentence: when }]
  const names = listedFirst(absent.slice(0, shownMax), absent.length)
  const sentence = `${when}; no directory has the ${absent.length === 1 ? 'group' : 'groups'} ${names} today`
  return [{ ...finding, sentence, cure: 'check the spelling, or create the group before that day' }]
}

function absentGroup(rule: Rule, directories: Directories): readonly GroupName[] {
  const { groups } = rule
  if (groups.kind === 'pattern') return []
  const all = groupsOf(rule, directories)
  return all === undefined || all.some((index) => index.has(groups.name)) ? [] : [groups.name]
}
