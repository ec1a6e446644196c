import { type Dates, isOver } from '../dates.ts'
import { type AfterEnd, type Desired, type DesiredMapping, ruleResult } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { Mapping, Role } from '../mapping.ts'
import { count, counted, listedFirst, momentText } from '../quantity.ts'
import { comparePositions, lineText, type Position, positionText, type Rule } from '../rule.ts'

const soonDays = 14
const soonMs = soonDays * 86_400_000
const shownMax = 10

/** A rule that expires soon, and the number of its mappings that end with it. */
type Expiring = { readonly at: Position; readonly expiresMs: number; readonly owner: string; mappings: number }

/** Mappings that do not end with their rule, because another one decides then. */
type Changing = Expiring & { readonly next: AfterEnd }

/**
 * Findings about the mappings whose rules expire within 14 days. One is about those that end, and has `mappingsByOwner`. The other is about those whose
 * role another rule decides then, unless the role stays. Each finding is about several rules, sorted by date. A rule is left out if the clocks of this
 * machine and of Plane disagree whether it has expired: its mappings are held then.
 */
export function expiresSoonFindings(
  rules: readonly Rule[],
  { mappings }: Pick<Desired, 'mappings'>,
  existing: readonly Mapping[],
  dates: Dates,
): readonly Finding[] {
  const soon = new Map<string, Expiring>()
  for (const { expiresMs, because } of rules)
    if (expiresMs !== undefined && isSoon(expiresMs, dates))
      soon.set(positionText(because.at), { at: because.at, expiresMs, owner: because.owner ?? '', mappings: 0 })
  if (soon.size === 0) return []
  const mapped = new Set(existing.map(({ key }) => key))
  const changing = new Map<string, Changing>()
  for (const [key, wanted] of mappings) {
    const rule = wanted.kind === 'role' || mapped.has(key) ? soon.get(positionText(wanted.because.at)) : undefined
    const next = wanted.afterEnd
    if (rule === undefined) continue
    if (next === undefined) rule.mappings++
    else if (next.role === undefined || next.role !== roleNow(wanted)) {
      const id = `${positionText(rule.at)} ${positionText(next.at)} ${next.role}`
      const sofar = changing.get(id) ?? { ...rule, mappings: 0, next }
      sofar.mappings++
      changing.set(id, sofar)
    }
  }
  const ending = [...soon.values()].filter(({ mappings }) => mappings > 0)
  return [...endingFinding(ending.toSorted(byDate)), ...changingFinding([...changing.values()].toSorted(byDate))]
}

const byDate = (a: Expiring, b: Expiring): number => a.expiresMs - b.expiresMs || comparePositions(a.at, b.at)

function roleNow(wanted: DesiredMapping): Role | undefined {
  const result = ruleResult(wanted)
  return result?.kind === 'role' ? result.role : undefined
}

/** If the clocks disagree whether the 14 days have begun, they count as begun: the finding only informs. */
const isSoon = (expiresMs: number, dates: Dates): boolean => isOver(expiresMs, dates) === 'no' && isOver(expiresMs - soonMs, dates) !== 'no'

function endingFinding(ending: readonly Expiring[]): readonly Finding[] {
  const [first] = ending
  if (first === undefined) return []
  const all = sumOf(ending)
  const end = all === 1 ? 'ends' : 'end'
  const when =
    ending.length === 1
      ? `${end} at ${momentText(first.expiresMs)}`
      : `${end} within ${soonDays} days: ${listedFirst(ending.slice(0, shownMax).map(whenText), ending.length)}`
  return [
    {
      code: 'expires-soon',
      severity: 'info',
      place: positionText(first.at),
      sentence: `${counted(all, 'mapping')} ${when}, because of "expires"`,
      cure: 'to keep the mappings, write a later "expires", or remove it',
      mappingsByOwner: sumsByOwner(ending),
    },
  ]
}

function changingFinding(changing: readonly Changing[]): readonly Finding[] {
  const [first] = changing
  if (first === undefined) return []
  const all = sumOf(changing)
  const shown = changing.slice(0, shownMax).map((one) => `${whenText(one)}, then ${one.next.role ?? 'held'} by ${lineText(one.next.at)}`)
  return [
    {
      code: 'expires-soon',
      severity: 'info',
      place: positionText(first.at),
      sentence: `${counted(all, 'mapping')} ${all === 1 ? 'stays' : 'stay'} when "expires" ends the rule, because another rule decides then: ${listedFirst(shown, changing.length)}`,
      cure: 'to keep the roles, write a later "expires", or remove it; to delete a mapping, leave its group out of the other rule',
    },
  ]
}

const whenText = ({ at, expiresMs, mappings }: Expiring): string => `${count(mappings)} at ${momentText(expiresMs)} (${positionText(at)})`

const sumOf = (all: readonly Expiring[]): number => all.reduce((sum, { mappings }) => sum + mappings, 0)

function sumsByOwner(ending: readonly Expiring[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>()
  for (const { owner, mappings } of ending) sums.set(owner, (sums.get(owner) ?? 0) + mappings)
  return Object.fromEntries(sums)
}
