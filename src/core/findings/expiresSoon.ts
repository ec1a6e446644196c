import { type Dates, isOver } from '../dates.ts'
import type { Desired } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { Mapping } from '../mapping.ts'
import { count, counted, listedFirst, momentText } from '../quantity.ts'
import { comparePositions, type Position, positionText, type Rule } from '../rule.ts'

const soonDays = 14
export const soonMs = soonDays * 86_400_000
const shownMax = 10

/** A rule that expires soon, and the number of its mappings. */
type Expiring = { readonly at: Position; readonly expiresMs: number; readonly owner: string; mappings: number }

/**
 * A finding about the mappings that end within 14 days, because their rules expire. Several rules share one finding, sorted by date. A rule is left
 * out if the clocks of this machine and of Plane disagree whether it has expired: its mappings are held then.
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
  for (const [key, { kind, because }] of mappings) {
    const rule = kind === 'role' || mapped.has(key) ? soon.get(positionText(because.at)) : undefined
    if (rule !== undefined) rule.mappings++
  }
  const ending = [...soon.values()].filter((rule) => rule.mappings > 0)
  return finding(ending.toSorted((a, b) => a.expiresMs - b.expiresMs || comparePositions(a.at, b.at)))
}

/** If the clocks disagree whether the 14 days have begun, they count as begun: the finding only informs. */
const isSoon = (expiresMs: number, dates: Dates): boolean => isOver(expiresMs, dates) === 'no' && isOver(expiresMs - soonMs, dates) !== 'no'

function finding(ending: readonly Expiring[]): readonly Finding[] {
  const [first] = ending
  if (first === undefined) return []
  const all = ending.reduce((sum, { mappings }) => sum + mappings, 0)
  const shown = ending
    .slice(0, shownMax)
    .map(({ at, expiresMs, mappings }) => `${count(mappings)} at ${momentText(expiresMs)} (${positionText(at)})`)
  const end = all === 1 ? 'ends' : 'end'
  const when =
    ending.length === 1
      ? `${end} at ${momentText(first.expiresMs)}`
      : `${end} within ${soonDays} days: ${listedFirst(shown, ending.length)}`
  return [
    {
      code: 'expires-soon',
      severity: 'info',
      place: positionText(first.at),
      sentence: `${counted(all, 'mapping')} ${when}, because of "expires"; a mapping that another rule declares stays`,
      cure: 'to keep the mappings, write a later "expires", or remove it',
      mappingsByOwner: sumsByOwner(ending),
    },
  ]
}

function sumsByOwner(ending: readonly Expiring[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>()
  for (const { owner, mappings } of ending) sums.set(owner, (sums.get(owner) ?? 0) + mappings)
  return Object.fromEntries(sums)
}
