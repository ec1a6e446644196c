import { type Doubt, doubt } from '../../core/doubt.ts'
import { counted } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Ask } from '../overHttp/ask.ts'
import { type Page, type Pages, readPages } from '../overHttp/paging.ts'
import { type ListAnswer, type ServiceProviderConfig, serviceProviderConfig } from './answers.ts'

/** How the server's lists are read. `count`: the items of a page; 0: the server has no pages. */
export type Paging = { readonly count: number; readonly hasCursors: boolean; readonly hasFilters: boolean }

/** @param pageSize what the settings ask for; the server may send fewer */
export async function pagingOf(ask: Ask, pageSize: number, signal: AbortSignal): Promise<Paging> {
  const { pagination, filter } =
    (await ifShown<ServiceProviderConfig>(() => ask('/ServiceProviderConfig', {}, serviceProviderConfig, signal))) ?? {}
  return {
    // Two: each page but the first begins with the last item of the page before.
    count: pageSize === 0 ? 0 : Math.max(2, Math.min(pageSize, pagination?.maxPageSize ?? Number.POSITIVE_INFINITY)),
    hasCursors: pagination?.cursor === true,
    hasFilters: filter?.supported !== false,
  }
}

/** What the server says about itself; undefined if it does not say it. A server may lack it. */
export async function ifShown<T>(ask: () => Promise<{ readonly body: T }>): Promise<T | undefined> {
  try {
    return (await ask()).body
  } catch (error) {
    if (error instanceof DirectoryError && showsNone(error)) return undefined
    throw error
  }
}

const showsNone = ({ code, retryable }: DirectoryError): boolean =>
  code === 'missing' || code === 'rights' || code === 'garbled' || (code === 'failing' && !retryable)

type ListLimits = {
  readonly itemsMax: number
  /** @throws {DirectoryError} if there are more than allowed */
  readonly checkCount: (count: number) => void
  /** How many pages by index are requested at the same time. Default: 1. */
  readonly atOnce?: number
}

/** The parameters of the first page. */
export const firstPageOf = ({ count, hasCursors }: Pick<Paging, 'count' | 'hasCursors'>): Readonly<Record<string, string>> => ({
  ...(hasCursors ? { cursor: '' } : { startIndex: '1' }),
  count: `${count}`,
})

/** Reads a list to its last page, or without pages. */
export async function readWholeList<Row extends { readonly id: string | undefined }, Item extends { readonly id: string }>(
  ask: Ask,
  list: Listing<Row, Item>,
  paging: Pick<Paging, 'count' | 'hasCursors'>,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<Pages<Item>> {
  const { count, hasCursors } = paging
  const { itemsMax, checkCount } = limits
  if (count === 0) return readUnpaged(ask, list, checkCount, signal)
  const { askPage, first } = await openList(ask, list, firstPageOf(paging), signal)
  if (!hasCursors && first.nextCursor !== undefined) return readWholeList(ask, list, { count, hasCursors: true }, limits, signal)
  checkCount(first.total ?? 0)
  const options = { list, first, checkCount, ...pagesOf(askPage, count, first, limits) }
  // Each page has one item or more, and there is one request after the last page.
  const walk = {
    idOf: ({ id }: Item) => id,
    pagesMax: itemsMax + 2,
    kind: 'scim' as const,
    twiceCure: ifAlways(list),
    ...(list.path === '/Users' ? { called: 'a user' } : {}),
  }
  return hasCursors
    ? readPages<Item, CursorPosition>({ cursor: '', at: 0 }, byCursor({ list, askPage, count, first, checkCount }), walk, signal)
    : readPages<Item, Index>({ at: 0 }, byIndex(options), walk, signal)
}

/**
 * Reads a list that has no pages by one request without `startIndex` and `count`, made twice. The answers must have the same items, in any order. It is no
 * proof that they are all: a server may cut such an answer without a sign. So the settings demand `expect`.
 */
async function readUnpaged<Row extends { readonly id: string | undefined }, Item extends Identified>(
  ask: Ask,
  list: Listing<Row, Item>,
  checkCount: (count: number) => void,
  signal: AbortSignal,
): Promise<Pages<Item>> {
  const { askPage, first } = await openList(ask, list, {}, signal)
  const second = await askPage({}, signal)
  const items = list.itemsOf(second.rows)
  if (typeof items === 'string') return { items: [], missing: items }
  checkCount(Math.max(items.length, second.total ?? 0))
  const ids = new Map(items.map((item) => [item.id, item]))
  const missing = partOf(list, first) ?? partOf(list, second) ?? differs(list, list.itemsOf(first.rows), items)
  return missing === undefined ? { items: [...ids.values()] } : { items: [...ids.values()], missing }
}

/** Why an answer without pages is surely not the whole list. */
function partOf(list: Words, { rows, total = 0, nextCursor }: ListAnswer<unknown>): Doubt | undefined {
  if (total <= rows.length && nextCursor === undefined) return undefined
  const said = total > rows.length ? `has ${counted(total, list.one, list.many)}` : 'has a next page'
  return doubt(
    'scim.unpagedIsPart',
    `the server says that its list ${said}, and has sent ${rows.length} in an answer without pages: remove ${settingOf(list)}: 0, if the server can page`,
  )
}

/** Why two answers without pages do not have the same items, or one of them has an item twice. */
function differs<Item extends Identified>(list: Words, first: readonly Item[] | string, second: readonly Item[]): Doubt | undefined {
  const textsOf = (items: readonly Item[] | string) => (typeof items === 'string' ? [] : items.map((item) => JSON.stringify(item)))
  const [before, after] = [new Set(textsOf(first)), new Set(textsOf(second))]
  const ids = new Set<string>()
  const twice = second.find(({ id }) => ids.size === ids.add(id).size)
  if (twice !== undefined)
    return doubt('scim.unpagedDiffers', `the server has sent the ${list.one} ${visible(twice.id)} twice in one answer`)
  if (before.size === after.size && [...before].every((text) => after.has(text))) return undefined
  return doubt(
    'scim.unpagedDiffers',
    `the ${list.many} were read twice, and the answers differ (${before.size} and ${counted(after.size, list.one, list.many)}): they changed meanwhile`,
  )
}

/** How the pages after the first are requested. A server may send fewer items than `count`; then pages that are asked ahead have as many as it sends. */
function pagesOf<Row>(
  askPage: AskPage<Row>,
  count: number,
  { rows, total }: ListAnswer<Row>,
  { atOnce = 1 }: ListLimits,
): { readonly askPage: AskPage<Row>; readonly count: number } {
  const size = Math.min(count, rows.length)
  if (atOnce === 1 || size < 2 || total === undefined) return { askPage, count }
  return { askPage: askAhead(askPage, { count: size, total, atOnce }), count: size }
}

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
type Index = { readonly at: number; readonly anchor?: string }

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
    const size = at + items.length
    checkCount(size)
    const missing =
      doubtAbout(list, total, answer.total, size) ?? (items.length === 0 && size !== total ? endedEarly(list, size, total) : undefined)
    if (missing !== undefined) return { items, missing }
    const last = items.at(-1)
    return last === undefined ? { items } : { items, next: { at: size, anchor: last.id } }
  }
}

/** Some servers know no pages: they send the whole list each time. */
const sendsWholeList = (came: readonly Identified[], first: Answered): boolean =>
  came.length === first.total && came.every(({ id }, at) => id === first.rows[at]?.id)

type Answered = ListAnswer<{ readonly id: string | undefined }>
type Words = { readonly one: string; readonly many: string }

/** The setting of the pages of a list. Users are only read who are members. */
const settingOf = ({ many }: Words): string => (many === 'users' ? 'members.pageSize' : 'pageSize')
const ifAlways = (words: Words): string => `; if it is so at each reading, set ${settingOf(words)}: 0`

function movedAt(words: Words, at: number, came: readonly Identified[], first: Answered): Doubt {
  const { one, many } = words
  if (came.length === 0) return doubt('scim.pageEmpty', `the page that begins at ${one} ${at} of ${first.total} is empty${ifAlways(words)}`)
  if (came[0]?.id === first.rows[0]?.id)
    return doubt(
      'scim.firstPageAgain',
      `the server sends its first page instead of the one that begins at ${one} ${at}: raise ${settingOf(words)}, so that one page has all ${many}; or, if the server cannot page, set ${settingOf(words)}: 0`,
    )
  return doubt('scim.pageMoved', `${one} ${at} is no longer the same: the list changed while it was read${ifAlways(words)}`)
}

/** The cursor of a page; empty for the first one. */
type CursorPosition = { readonly cursor: string; readonly at: number }

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
    const size = at + items.length
    checkCount(size)
    const missing = doubtAbout(list, first.total, answer.total, size)
    if (missing !== undefined) return { items, missing }
    if (answer.nextCursor !== undefined)
      return items.length === 0
        ? {
            items,
            missing: doubt(
              'scim.pageEmpty',
              `a page after ${counted(size, list.one, list.many)} is empty, and there is a next one${ifAlways(list)}`,
            ),
          }
        : { items, next: { cursor: answer.nextCursor, at: size } }
    if (size !== first.total) return { items, missing: endedEarly(list, size, first.total) }
    const after = await askPage({ cursor: '', count: '1' }, signal)
    return { items, ...changed(list, first.total, after.total) }
  }
}

function doubtAbout(words: Words, before: number | undefined, now: number | undefined, size: number): Doubt | undefined {
  const { one, many } = words
  if (before === undefined || now === undefined)
    return doubt(
      'scim.noTotal',
      `the server does not say how many ${many} there are (totalResults), so it is unknown whether these are all${ifAlways(words)}`,
    )
  if (before !== now) return totalChanged(words, before, now)
  if (size <= before) return undefined
  return doubt(
    'scim.totalIsLess',
    `the server says that its list has ${counted(before, one, many)}, and has sent ${size}${ifAlways(words)}`,
  )
}

const changed = (words: Words, before: number | undefined, after: number | undefined): { readonly missing?: Doubt } =>
  before === after ? {} : { missing: totalChanged(words, before, after) }

const totalChanged = (words: Words, before: number | undefined, after: number | undefined): Doubt =>
  doubt(
    'scim.totalChanged',
    `the list had ${numberText(words, before)} at first and ${numberText(words, after)} later: the list changed while it was read${ifAlways(words)}`,
  )

const numberText = ({ one, many }: Words, n: number | undefined): string =>
  n === undefined ? `an unknown number of ${many}` : counted(n, one, many)

const endedEarly = (words: Words, size: number, total: number | undefined): Doubt =>
  doubt('scim.endsEarly', `only ${size} of ${numberText(words, total)} came: the list ends too early, or the account may not see all`)

type AheadOptions = {
  /** The items of a page; each page after the first begins with the last item of the page before. */
  readonly count: number
  readonly total: number
  /** How many pages are requested at the same time. */
  readonly atOnce: number
}

/**
 * Asks for pages by index before they are wanted, several at the same time. `byIndex` compares the first item of each page with the last one of the page
 * before, so the order in which the server answers does not matter.
 */
export function askAhead<Row>(askPage: AskPage<Row>, { count, total, atOnce }: AheadOptions): AskPage<Row> {
  const sent = new Map<number, ReturnType<AskPage<Row>>>()
  return (page, signal) => {
    const wanted = Number(page['startIndex'])
    for (let at = wanted; at < Math.min(total, wanted + atOnce * (count - 1)); at += count - 1) {
      if (sent.has(at)) continue
      const answer = askPage({ startIndex: `${at}`, count: `${count}` }, signal)
      // If an earlier page ends the reading, this one is not awaited.
      answer.catch(() => undefined)
      sent.set(at, answer)
    }
    return (page['count'] === `${count}` ? sent.get(wanted) : undefined) ?? askPage(page, signal)
  }
}

/** A list of resources: all groups, or all users. */
export type Listing<Row extends { readonly id: string | undefined }, Item extends { readonly id: string }> = {
  readonly path: '/Groups' | '/Users'
  /** What is listed, in sentences. */
  readonly one: string
  readonly many: string
  readonly answer: z.ZodType<ListAnswer<Row>>
  readonly filter?: string | undefined
  /** The parameters that leave out what is not needed. Some servers ignore them, or then also leave out the id; they are asked with `otherwise`. */
  readonly attributes: Query
  readonly otherwise: Query
  /** Whether the server has obeyed `attributes`. */
  readonly isObeyed: (row: Row) => boolean
  /** The items of a page, or the reason why they cannot be told apart or named. */
  readonly itemsOf: (rows: readonly Row[]) => readonly Item[] | Doubt
}

type Query = Readonly<Record<string, string>>

/** Asks for a page of a list. `page`: the parameters that say which page it is. */
export type AskPage<Row> = (page: Query, signal: AbortSignal) => Promise<ListAnswer<Row>>

/** Some servers refuse each request for a page, and others each one but for the first (WSO2 Identity Server: 501 "Pagination is not supported"). */
function mayBeWithoutPages(page: Query, firstPage: Query, { code, message }: DirectoryError): boolean {
  // An error of the request for a token has another address.
  const status = /\/(?:Groups|Users): (\d{0,3})/.exec(message)?.[1]
  if (page['startIndex'] === undefined || status === undefined) return false
  if (page['startIndex'] !== firstPage['startIndex']) return code === 'failing' || code === 'missing'
  return code === 'failing' && ['400', '405', '501'].includes(status)
}

const cannotPage = (words: Words, { code, message, cure, retryable, waitMs, cause }: DirectoryError) =>
  new DirectoryError(code, doubt('scim.cannotPage', message), {
    cure: `${cure === undefined ? '' : `${cure}; `}if the server cannot page, set ${settingOf(words)}: 0`,
    retryable,
    waitMs,
    cause,
  })

/** Asks for the first page, and finds out which parameters the server obeys. */
export async function openList<Row extends { readonly id: string | undefined }, Item extends { readonly id: string }>(
  ask: Ask,
  { path, answer, filter, attributes, otherwise, isObeyed, ...words }: Listing<Row, Item>,
  firstPage: Query,
  signal: AbortSignal,
): Promise<{ readonly askPage: AskPage<Row>; readonly first: ListAnswer<Row> }> {
  const shown = path === '/Users' ? path : undefined
  const askWith =
    (parameters: Query): AskPage<Row> =>
    async (page, signal) => {
      try {
        const query = { ...page, ...parameters, ...(filter === undefined ? {} : { filter }) }
        return (await ask(path, query, answer, signal, shown)).body
      } catch (error) {
        throw error instanceof DirectoryError && mayBeWithoutPages(page, firstPage, error) ? cannotPage(words, error) : error
      }
    }
  const lean = askWith(attributes)
  const first = await lean(firstPage, signal)
  if (first.rows.every(isObeyed)) return { askPage: lean, first }
  const whole = askWith(otherwise)
  return { askPage: whole, first: await whole(firstPage, signal) }
}
