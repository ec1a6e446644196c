import type { Attribute } from './ber.ts'

/** What an entry carries of one attribute: how many values, and from which the next part begins where the server split them. */
export type Counted = { readonly count: number; readonly next?: number }

type Values = Pick<Attribute, 'type' | 'count' | 'emptyCount'>

/**
 * Counts the values of one attribute. Active Directory answers more than 1,500 values as `member` without values and `member;range=0-1499`
 * (MS-ADTS 3.1.1.3.1.3.3). Empty values are the placeholder of a groupOfNames without members.
 *
 * @param from the first value that was asked for
 * @returns undefined where a part was asked for and is not answered: no values, another beginning, or fewer values than it says
 */
export function countValues(attributes: readonly Values[], name: string, from: number): Counted | undefined {
  let whole = 0
  for (const { type, count, emptyCount } of attributes) {
    if (isType(type, name)) whole += count - emptyCount
    if (!isType(type.slice(0, name.length + 7), `${name};range=`)) continue
    const [, first, last] = /;range=(\d+)-(\*|\d+)$/i.exec(type) ?? []
    if (count === 0 || Number(first) !== from) return undefined
    if (last === '*') return { count }
    const next = Number(last) + 1
    return next - from === count ? { count, next } : undefined
  }
  return from === 0 ? { count: whole } : undefined
}

/** Attribute names have no case: 389-ds answers in that of the question, others in that of their schema. */
export const isType = (type: string, name: string): boolean =>
  type === name || (type.length === name.length && type.toLowerCase() === name.toLowerCase())
