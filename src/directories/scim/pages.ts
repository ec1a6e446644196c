import type { Page } from '../overHttp/paging.ts'
import { type AskPage, type GroupQuery, type ListAnswer, type Named, namedGroups } from './list.ts'

type ReadPage<Cursor> = (cursor: Cursor, signal: AbortSignal) => Promise<Page<Named, Cursor>>

type PageOptions = {
  readonly query: GroupQuery
  readonly askPage: AskPage
  readonly count: number
  /** The first page, which has been read. */
  readonly first: ListAnswer
  /** @throws {DirectoryError} if there are more groups than allowed */
  readonly checkCount: (count: number) => void
}

/** How many groups the pages before have, and the id of the last of them. */
export type Index = { readonly at: number; readonly anchor?: string }

/**
 * Pages by index (RFC 7644 §3.4.2.4). The next page begins behind the groups that came, because a server may send fewer than `count`. Each page after
 * the first begins one group early: if another group is there, groups moved between the pages, and one may have been missed. After the last group
 * there is one more request for this group and the one behind it: some servers give the size of the page as the total.
 */
export function byIndex({ query, askPage, count, first, checkCount }: PageOptions): ReadPage<Index> {
  const total = first.total
  return async ({ at, anchor }, signal) => {
    const isFirst = anchor === undefined
    const isEnd = at === total
    const answer = isFirst ? first : await askPage({ startIndex: `${at}`, count: isEnd ? '2' : `${count}` }, signal)
    const groups = namedGroups(answer.groups, query)
    if (typeof groups === 'string') return { items: [], missing: groups }
    if (isEnd && !isFirst && sendsWholeList(groups, first)) return { items: [], ...changed(total, answer.total) }
    if (!isFirst && groups[0]?.id !== anchor) return { items: [], missing: movedAt(at, groups, first) }
    const items = isFirst ? groups : groups.slice(1)
    const found = at + items.length
    checkCount(found)
    const missing = doubtAbout(total, answer.total, found) ?? (items.length === 0 && found !== total ? endedEarly(found, total) : undefined)
    if (missing !== undefined) return { items, missing }
    const last = items.at(-1)
    return last === undefined ? { items } : { items, next: { at: found, anchor: last.id } }
  }
}

/** Some servers know no pages: they send the whole list each time. */
const sendsWholeList = (groups: readonly Named[], first: ListAnswer): boolean =>
  groups.length === first.total && groups.every(({ id }, at) => id === first.groups[at]?.id)

function movedAt(at: number, groups: readonly Named[], first: ListAnswer): string {
  if (groups.length === 0) return `the page that begins at group ${at} of ${first.total} is empty`
  if (groups[0]?.id === first.groups[0]?.id)
    return `the server sends its first page instead of the one that begins at group ${at}: raise pageSize, so that one page has all groups`
  return `group ${at} is no longer the same: the list changed while it was read`
}

/** The cursor of a page; empty for the first one. */
export type CursorPosition = { readonly cursor: string; readonly at: number }

/**
 * Pages by cursor (RFC 9865): `nextCursor` is absent on the last page only. All other parameters stay the same from page to page. At the end the total
 * is asked once more.
 */
export function byCursor({ query, askPage, count, first, checkCount }: PageOptions): ReadPage<CursorPosition> {
  return async ({ cursor, at }, signal) => {
    const answer = at === 0 ? first : await askPage({ cursor, count: `${count}` }, signal)
    const items = namedGroups(answer.groups, query)
    if (typeof items === 'string') return { items: [], missing: items }
    const found = at + items.length
    checkCount(found)
    const missing = doubtAbout(first.total, answer.total, found)
    if (missing !== undefined) return { items, missing }
    if (answer.nextCursor !== undefined)
      return items.length === 0
        ? { items, missing: `a page after ${found} groups is empty, and there is a next one` }
        : { items, next: { cursor: answer.nextCursor, at: found } }
    if (found !== first.total) return { items, missing: endedEarly(found, first.total) }
    const after = await askPage({ cursor: '', count: '1' }, signal)
    return { items, ...changed(first.total, after.total) }
  }
}

function doubtAbout(before: number | undefined, now: number | undefined, found: number): string | undefined {
  if (before === undefined || now === undefined)
    return 'the server does not say how many groups there are (totalResults), so it is unknown whether these are all'
  if (before !== now) return totalChanged(before, now)
  return found > before ? `the server says that there are ${before} groups, and has sent ${found}` : undefined
}

const changed = (before: number | undefined, after: number | undefined): { readonly missing?: string } =>
  before === after ? {} : { missing: totalChanged(before, after) }

const totalChanged = (before: number | undefined, after: number | undefined): string =>
  `there were ${before} groups at first and ${after ?? 'an unknown number'} later: the list changed while it was read`

const endedEarly = (found: number, total: number | undefined): string =>
  `only ${found} of ${total} groups came: the list ends too early, or the account may not see all`
