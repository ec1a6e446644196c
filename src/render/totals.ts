import { count, counted } from '../core/quantity.ts'
import { symbols } from './change.ts'
import type { Mark, PlanEntry } from './entry.ts'
import { peopleInGroups } from './people.ts'

/** Entries without rows of their own, counted: the changes of one kind of target and one role, with the number of groups and people. */
export type Total = {
  readonly mark: Mark
  /** `workspace`, `all projects`, `300 projects`, `settings`; empty if it is not known. */
  readonly target: string
  /** `→ admin`, `= guest`, `→ 312 other roles` */
  readonly role: string
  readonly label: string
  readonly cure: string
  readonly changes: number
  /** `47 groups` */
  readonly groups: string
  /** `1,230 people`; empty if no directory counts them. */
  readonly people: string
}

/** `312 more changes`: beside those that have rows. */
export const moreChanges = (changes: number): string => counted(changes, 'more change')

const kindWords = new Map([...Object.entries(symbols).map(([kind, { symbol }]) => [symbol, kind] as const), ['‼', 'protected']])

/** `10 create, 2 raise`: entries without rows, by kind; empty for holds, which are of one kind. */
export function kindsText(entries: readonly PlanEntry[]): string {
  const byKind = Map.groupBy(entries, ({ mark }) => kindWords.get(mark.symbol))
  return [...byKind].flatMap(([kind, of]) => (kind === undefined ? [] : [`${count(of.length)} ${kind}`])).join(', ')
}

/**
 * Totals by role. Those of protected roles come first, then the largest. The first `rolesMax` name their role; all others share one total for
 * each kind of target.
 */
export function totalsOf(entries: readonly PlanEntry[], rolesMax = Number.POSITIVE_INFINITY): readonly Total[] {
  const alike = ({ mark, target, parts, label }: PlanEntry) => JSON.stringify([mark.symbol, target?.kind ?? parts.target, label])
  const byRole = Map.groupBy(entries, (entry) => JSON.stringify([alike(entry), entry.parts.role]))
  const largest = [...byRole.values()].toSorted((a, b) => grants(b) - grants(a) || b.length - a.length)
  const others = Map.groupBy(largest.slice(rolesMax).flat(), alike)
  return [
    ...largest.slice(0, rolesMax).map((entries) => totalOf(entries, ({ role }) => role)),
    ...[...others.values()].map((entries) => totalOf(entries, otherRoles)),
  ]
}

const grants = ([first]: readonly PlanEntry[]): number => Number(first?.isProtected)

function totalOf(entries: readonly PlanEntry[], roleText: (parts: { readonly role: string; readonly roles: number }) => string): Total {
  const [{ mark, target, parts, label, sharedCure }] = entries as [PlanEntry]
  const roles = new Set(entries.map((entry) => entry.parts.role)).size
  return {
    mark,
    label,
    changes: entries.length,
    target: target?.kind === 'project' ? counted(new Set(entries.map((entry) => entry.parts.target)).size, 'project') : parts.target,
    role: roleText({ role: parts.role, roles }),
    cure: label === '' ? '' : sharedCure,
    groups: counted(new Set(entries.map(nameOf)).size, 'group'),
    people: peopleOf(entries),
  }
}

const nameOf = ({ group, parts }: PlanEntry): string => group ?? parts.who

/** `1,230 people`, each group counted once; empty if no directory counts them. */
export const peopleOf = (entries: readonly PlanEntry[]): string =>
  peopleInGroups(entries.map((entry) => ({ group: nameOf(entry), ...(entry.people === undefined ? {} : { people: entry.people }) })))

const otherRoles = ({ role, roles }: { readonly role: string; readonly roles: number }): string =>
  role === '' && roles === 1 ? '' : `→ ${counted(roles, 'other role')}`
