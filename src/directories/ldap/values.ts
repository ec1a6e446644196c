import type { Attribute } from './attribute.ts'

/** How many values of an attribute an entry has; `next`: where the next part begins, if the server sends the values in parts. */
export type Counted = { readonly count: number; readonly next?: number }

type Values = Pick<Attribute, 'type' | 'count' | 'emptyCount'>

/**
 * Counts the values of one attribute. For more than 1,500 values Active Directory sends `member` without values and `member;range=0-1499`
 * (MS-ADTS 3.1.1.3.1.3.3). Empty values do not count: they are the placeholder of a groupOfNames without members.
 *
 * @param from the first value that was requested
 * @returns `absent` if there is no value, not even a placeholder; `unclear` if the answer does not have the requested part: no values, another
 *   beginning, or fewer values than its range
 */
export function countValues(attributes: readonly Values[], name: string, from: number): Counted | 'absent' | 'unclear' {
  let whole = 0
  let isPresent = false
  for (const { type, count, emptyCount } of attributes) {
    if (isType(type, name)) {
      whole += count - emptyCount
      isPresent ||= count > 0
    }
    if (!isRange(type, name)) continue
    const [, first, last] = /;range=(\d+)-(\*|\d+)$/i.exec(type) ?? []
    if (count === 0 || Number(first) !== from) return 'unclear'
    if (last === '*') return { count }
    const next = Number(last) + 1
    return next - from === count ? { count, next } : 'unclear'
  }
  if (from > 0) return 'unclear'
  return isPresent ? { count: whole } : 'absent'
}

/** Whether an attribute has the values of `name`, or a part of them. */
export const hasValuesOf = ({ type }: Pick<Attribute, 'type'>, name: string): boolean => isType(type, name) || isRange(type, name)

const isRange = (type: string, name: string): boolean => isType(type.slice(0, name.length + 7), `${name};range=`)

/** Compares attribute names without case: 389-ds answers in the case of the request, other servers in the case of their schema. */
export const isType = (type: string, name: string): boolean =>
  type === name || (type.length === name.length && type.toLowerCase() === name.toLowerCase())
