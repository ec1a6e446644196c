import { count, counted } from '../core/quantity.ts'
import type { Counts, Standing } from './sections.ts'

/** `2 create (1 protected), 1 raise, 0 lower, 0 delete`. These four are always shown; the other kinds only if there are any. */
export function writesText(counts: Counts): string {
  const { protected: grants } = counts
  return [
    `${count(counts.create)} create${grantsText(grants.create)}`,
    `${count(counts.raise)} raise${grantsText(grants.raise)}`,
    `${count(counts.lower)} lower${grantsText(grants.lower)}`,
    ...some(counts.other, 'other role', grants.other),
    ...some(counts.rename, 'rename', grants.rename),
    ...some(counts.settings, 'settings'),
    `${count(counts.delete)} delete`,
  ].join(', ')
}

/** ` (1 protected)`: how many of a count give a group a protected role; empty for 0. */
export const grantsText = (grants: number): string => (grants === 0 ? '' : ` (${count(grants)} protected)`)

/** `1 change needs approval; the others will be applied` */
export function approvalText(waiting: number, standing?: Standing): string {
  const needs = waiting === 1 ? 'needs' : 'need'
  return `${counted(waiting, 'change')} ${needs} approval${standing === 'writes' ? '; the others will be applied' : ''}`
}

/** `1 needs approval, 1 held, 1 undeclared, 146 unchanged` */
export const restText = (counts: Counts): string => [...waitsText(counts), `${count(counts.unchanged)} unchanged`].join(', ')

/** Whether something is held, so that a plan without changes is not in sync. Undeclared mappings are as the policy wants them. */
export const isUndecided = ({ held, kept, dangling }: Counts): boolean => held + kept + dangling > 0

/** The last line of a plan. */
export function sumText(counts: Counts, standing: Standing): string {
  switch (standing) {
    case 'moved':
      return `Stale, nothing is written: ${writesText(counts)} · ${restText(counts)}`
    case 'writes':
      return `${writesText(counts)} · ${restText(counts)}`
    case 'waits':
      return `nothing to write now: ${restText(counts)}`
    case 'inSync':
      return isUndecided(counts)
        ? `nothing to write: ${restText(counts)}`
        : `in sync: ${[`${count(counts.unchanged)} unchanged`, ...waitsText(counts)].join(', ')}`
    default:
      return standing satisfies never
  }
}

const waitsText = ({ waiting, held, kept, dangling, undeclared, later, protected: grants }: Counts): readonly string[] => [
  ...some(waiting, waiting === 1 ? 'needs approval' : 'need approval'),
  ...some(held, 'held', grants.held),
  ...some(kept, 'kept'),
  ...some(dangling, 'dangling'),
  ...some(undeclared, 'undeclared'),
  ...some(later, 'later', grants.later),
]

const some = (n: number, what: string, grants = 0): readonly string[] => (n === 0 ? [] : [`${count(n)} ${what}${grantsText(grants)}`])
