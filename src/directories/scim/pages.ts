import { counted } from '../../core/quantity.ts'
import type { Page } from '../overHttp/paging.ts'
import type { ListAnswer } from './answers.ts'
import type { AskPage, Listing } from './list.ts'

type Identified = { readonly id: string }
type ReadPage<Item, Cursor> = (cursor: Cursor, signal: AbortSignal) => Promise<Page<Item, Cursor>>

type PageOptions<Row extends { readonly id: string | undefined }, Item extends Identified> = {
  readonly list: Pick<Listing<Row, Item>, 'itemsOf' | 'one' | 'many'>
  readonly askPage: AskPage<Row>
  readonly count: number
  /** The first page, which has been read. */
  readonly first: ListAnswer<Row>
  /** @throws {DirectoryError} if there are more than allowed */
  readonly checkCount: (count: number) => void
}

/** How many items the pages before have, and the id of the last of them. */
export type Index = { readonly at: number; readonly anchor?: string }

/**
 * Pages by index (RFC 7644 §3.4.2.4). The next page begins behind the items that came, because a server may send fewer than `count`. Each page after
 * the first begins one item early: if another item is there, items moved between the pages, and one may have been missed. After the last item
 * there is one more request for this item and the one behind it: some servers give the size of the page as the total.
 */
export function byIndex<Row extends { readonly id: string | undefined }, Item extends Identified>({
  list,
  askPage,
  count,
  first,
  checkCount,
}: PageOptions<Row, Item>): ReadPage<Item, Index> {
  const total = first.total
  return async ({ at, anchor }, signal) => {
    const isFirst = anchor === undefined
    const isEnd = at === total
    const answer = isFirst ? first : await askPage({ startIndex: `${at}`, count: isEnd ? '2' : `${count}` }, signal)
    const came = list.itemsOf(answer.rows)
    if (typeof came === 'string') return { items: [], missing: came }
    if (isEnd && !isFirst && sendsWholeList(came, first)) return { items: [], ...changed(list, total, answer.total) }
    if (!isFirst && came[0]?.id !== anchor) return { items: [], missing: movedAt(list, at, came, first) }
    const items = isFirst ? came : came.slice(1)
    const found = at + items.length
    checkCount(found)
    const missing =
      doubtAbout(list, total, answer.total, found) ?? (items.length === 0 && found !== total ? endedEarly(list, found, total) : undefined)
    if (missing !== undefined) return { items, missing }
    const last = items.at(-1)
    return last === undefined ? { items } : { items, next: { at: found, anchor: last.id } }
  }
}

/** Some servers know no pages: they send the whole list each time. */
const sendsWholeList = (came: readonly Identified[], first: Answered): boolean =>
  came.length === first.total && came.every(({ id }, at) => id === first.rows[at]?.id)

type Answered = ListAnswer<{ readonly id: string | undefined }>
type Words = { readonly one: string; readonly many: string }

function movedAt({ one, many }: Words, at: number, came: readonly Identified[], first: Answered): string {
  if (came.length === 0) return `the page that begins at ${one} ${at} of ${first.total} is empty`
  if (came[0]?.id === first.rows[0]?.id)
    return `the server sends its first page instead of the one that begins at ${one} ${at}: raise pageSize, so that one page has all ${many}`
  return `${one} ${at} is no longer the same: the list changed while it was read`
}

/** The cursor of a page; empty for the first one. */
export type CursorPosition = { readonly cursor: string; readonly at: number }

/**
 * Pages by cursor (RFC 9865): `nextCursor` is absent on the last page only. All other parameters stay the same from page to page. At the end the total
 * is asked once more.
 */
export function byCursor<Row extends { readonly id: string | undefined }, Item extends Identified>({
  list,
  askPage,
  count,
  first,
  checkCount,
}: PageOptions<Row, Item>): ReadPage<Item, CursorPosition> {
  return async ({ cursor, at }, signal) => {
    const answer = at === 0 ? first : await askPage({ cursor, count: `${count}` }, signal)
    const items = list.itemsOf(answer.rows)
    if (typeof items === 'string') return { items: [], missing: items }
    const found = at + items.length
    checkCount(found)
    const missing = doubtAbout(list, first.total, answer.total, found)
    if (missing !== undefined) return { items, missing }
    if (answer.nextCursor !== undefined)
      return items.length === 0
        ? { items, missing: `a page after ${counted(found, list.one, list.many)} is empty, and there is a next one` }
        : { items, next: { cursor: answer.nextCursor, at: found } }
    if (found !== first.total) return { items, missing: endedEarly(list, found, first.total) }
    const after = await askPage({ cursor: '', count: '1' }, signal)
    return { items, ...changed(list, first.total, after.total) }
  }
}

function doubtAbout({ one, many }: Words, before: number | undefined, now: number | undefined, found: number): string | undefined {
  if (before === undefined || now === undefined)
    return `the server does not say how many ${many} there are (totalResults), so it is unknown whether these are all`
  if (before !== now) return totalChanged({ one, many }, before, now)
  return found > before ? `the server says that its list has ${counted(before, one, many)}, and has sent ${found}` : undefined
}

const changed = (words: Words, before: number | undefined, after: number | undefined): { readonly missing?: string } =>
  before === after ? {} : { missing: totalChanged(words, before, after) }

const totalChanged = (words: Words, before: number | undefined, after: number | undefined): string =>
  `the list had ${numberText(words, before)} at first and ${numberText(words, after)} later: the list changed while it was read`

const numberText = ({ one, many }: Words, n: number | undefined): string =>
  n === undefined ? `an unknown number of ${many}` : counted(n, one, many)

const endedEarly = (words: Words, found: number, total: number | undefined): string =>
  `only ${found} of ${numberText(words, total)} came: the list ends too early, or the account may not see all`
