import type { Attribute } from './ber.ts'

/** How many values of an attribute an entry has; `next`: where the next part begins, if the server sends the values in parts. */
export type Counted = { readonly count: number; readonly next?: number }

type Values = Pick<Attribute, 'type' | 'count' | 'emptyCount'>

/**
 * Counts the values of one attribute. For more than 1,500 values Active Directory sends `member` without values and `member;range=0-1499`
 * (MS-ADTS 3.1.1.3.1.3.3). Empty values do not count: they are the placeholder of a groupOfNames without members.
 *
 * @param from the first value that was requested
 * @returns undefined if the answer does not have the requested part: no values, another beginning, or fewer values than its range
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

/** Compares attribute names without case: 389-ds answers in the case of the request, other servers in the case of their schema. */
export const isType = (type: string, name: string): boolean =>
  type === name || (type.length === name.length && type.toLowerCase() === name.toLowerCase())
