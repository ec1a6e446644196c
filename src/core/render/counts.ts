import { count } from './quantity.ts'
import type { Counts, Standing } from './sections.ts'

/** `2 create, 1 raise, 0 lower, 0 delete`: the four that matter always, the rare ones where there are any. */
export function writesText(counts: Counts): string {
  return [
    `${count(counts.create)} create`,
    `${count(counts.raise)} raise`,
    `${count(counts.lower)} lower`,
    ...some(counts.other, 'other role'),
    ...some(counts.rename, 'rename'),
    ...some(counts.settings, 'settings'),
    `${count(counts.delete)} delete`,
  ].join(', ')
}

/** `1 waits, 1 held, 1 undeclared, 146 unchanged` */
export const restText = (counts: Counts): string => [...waitsText(counts), `${count(counts.unchanged)} unchanged`].join(', ')

/** The last line of a plan. */
export function sumText(counts: Counts, standing: Standing): string {
  switch (standing) {
    case 'moved':
      return `Moved, nothing is written: ${writesText(counts)} · ${restText(counts)}`
    case 'refused':
      return `Refused, nothing is written: ${writesText(counts)} · ${restText(counts)}`
    case 'writes':
      return `${writesText(counts)} · ${restText(counts)}`
    case 'waits':
      return `nothing to write now: ${restText(counts)}`
    case 'inSync':
      return `in sync: ${[`${count(counts.unchanged)} unchanged`, ...waitsText(counts)].join(', ')}`
    default:
      return standing satisfies never
  }
}

const waitsText = ({ waiting, held, dangling, undeclared }: Counts): readonly string[] => [
  ...some(waiting, waiting === 1 ? 'waits' : 'wait'),
  ...some(held, 'held'),
  ...some(dangling, 'dangling'),
  ...some(undeclared, 'undeclared'),
]

const some = (n: number, what: string): readonly string[] => (n === 0 ? [] : [`${count(n)} ${what}`])
