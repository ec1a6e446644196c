import { count, counted } from '../core/quantity.ts'
import type { Counts, KindCounts, Standing } from './sections.ts'

/**
 * `2 create (1 protected), 1 raise, 0 lower, 0 delete`. These four are shown if anything is written; the other kinds only if there are any. Without
 * any write the text is empty: beside changes that wait, zeros would read as if there were none.
 */
export function writesText(counts: Counts): string {
  const { protected: grants } = counts
  if (kindsIn(counts).length === 0) return ''
  return [
    `${count(counts.create)} create${grantsText(grants.create)}`,
    `${count(counts.raise)} raise${grantsText(grants.raise)}`,
    `${count(counts.lower)} lower${grantsText(grants.lower)}`,
    ...numberOfKind(counts.other, 'other role', grants.other),
    ...numberOfKind(counts.rename, 'rename', grants.rename),
    ...numberOfKind(counts.settings, 'settings'),
    `${count(counts.delete)} delete`,
  ].join(', ')
}

/** ` (2)`, ` (2, 1 protected)`: the number in the title of a section. */
export const titleCount = (n: number, grants = 0): string => ` (${count(n)}${grants === 0 ? '' : `, ${count(grants)} protected`})`

/** ` (1 protected)`: how many of a count give a group a protected role; empty for 0. */
export const grantsText = (grants: number): string => (grants === 0 ? '' : ` (${count(grants)} protected)`)

/** `1 change needs approval; the others will be applied` */
export function approvalText(waiting: number, standing?: Standing): string {
  const needs = waiting === 1 ? 'needs' : 'need'
  return `${counted(waiting, 'change')} ${needs} approval${standing === 'writes' ? '; the others will be applied' : ''}`
}

/** `1 needs approval, 1 held, 1 undeclared, 146 unchanged` */
export const restText = (counts: Counts): string => [...waitsText(counts), `${count(counts.unchanged)} unchanged`].join(', ')

/** The parts of a headline that are not empty: `1 create, 0 raise, 0 lower, 0 delete · 2 need approval (2 delete), 146 unchanged`. */
export const headline = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ')

/** The last line of a plan. */
export function sumText(counts: Counts, standing: Standing): string {
  switch (standing) {
    case 'moved':
      return `Stale, nothing is written: ${headline(writesText(counts), restText(counts))}`
    case 'writes':
      return headline(writesText(counts), restText(counts))
    case 'waits':
      return `nothing to write now: ${restText(counts)}`
    case 'nothing':
      return `nothing to write: ${restText(counts)}`
    case 'unmanaged':
      return [unmanagedText, ...waitsText(counts)].join(', ')
    case 'same':
      return counts.later > 0 ? `nothing to write now: ${waitsText(counts).join(', ')}` : 'no new change'
    case 'inSync':
      return `in sync: ${[`${count(counts.unchanged)} unchanged`, ...waitsText(counts)].join(', ')}`
    default:
      return standing satisfies never
  }
}

const unmanagedText = 'no list of this workspace is managed; export prints what exists'

const waitsText = ({ waiting, waits, held, kept, dangling, undeclared, later, protected: grants }: Counts): readonly string[] => [
  ...numberOfKind(waiting, `${waiting === 1 ? 'needs' : 'need'} approval${inBrackets(kindNumbers(waits))}`),
  ...numberOfKind(held, 'held', grants.held),
  ...numberOfKind(kept, 'kept'),
  ...numberOfKind(dangling, 'dangling'),
  ...numberOfKind(undeclared, 'undeclared', grants.undeclared),
  ...numberOfKind(later, 'later', grants.later),
]

const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`)

/** `186 lower, 540 delete`: the kinds that there are. */
export const kindNumbers = (counts: KindCounts): string => kindsIn(counts).join(', ')

const kindsIn = ({ create, raise, lower, other, rename, settings, delete: deletes }: KindCounts): readonly string[] => [
  ...numberOfKind(create, 'create'),
  ...numberOfKind(raise, 'raise'),
  ...numberOfKind(lower, 'lower'),
  ...numberOfKind(other, 'other role'),
  ...numberOfKind(rename, 'rename'),
  ...numberOfKind(settings, 'settings'),
  ...numberOfKind(deletes, 'delete'),
]

const numberOfKind = (n: number, what: string, grants = 0): readonly string[] =>
  n === 0 ? [] : [`${count(n)} ${what}${grantsText(grants)}`]
