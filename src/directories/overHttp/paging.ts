import { type Doubt, type DoubtName, doubt } from '../../core/doubt.ts'
import { visible } from '../../core/safeName.ts'

/** One page of a list. `next` is absent on the last page. `missing` says why the list cannot be read further. */
export type Page<T, Cursor> = { readonly items: readonly T[]; readonly next?: Cursor; readonly missing?: Doubt }

/** The items of all pages, in order, each once. The list is complete if `missing` is absent; else `missing` says why not. */
export type Pages<T> = { readonly items: readonly T[]; readonly missing?: Doubt }

type KindOf<Name> = Name extends `${infer Kind}.itemTwice` ? Kind : never
type Kind = KindOf<DoubtName>

type WalkLimits<T> = {
  readonly idOf: (item: T) => string
  readonly pagesMax: number
  /** The kind of the directory. */
  readonly kind: Kind
  /** What to do if an item comes twice at each reading. */
  readonly twiceCure?: string
  /** What an item is called in a sentence. Default: its id. A person is never called by an id. */
  readonly called?: string
}

/**
 * Reads a list to its last page. An item that comes twice ends the reading, with `missing`: the list moved between two pages, and another item
 * was missed, or the server repeats a page for ever. If the page itself says what is missing, that is more exact.
 */
export async function readPages<T, Cursor>(
  first: Cursor,
  page: (cursor: Cursor, signal: AbortSignal) => Promise<Page<T, Cursor>>,
  { idOf, pagesMax, kind, twiceCure = '', called }: WalkLimits<T>,
  signal: AbortSignal,
): Promise<Pages<T>> {
  const items = new Map<string, T>()
  let cursor = first
  for (let pages = 0; pages < pagesMax; pages++) {
    const { items: more, next, missing } = await page(cursor, signal)
    for (const item of more) {
      const id = idOf(item)
      if (items.has(id))
        return {
          items: [...items.values()],
          missing:
            missing ?? doubt(`${kind}.itemTwice`, `${called ?? visible(id)} came twice: the list changed while it was read${twiceCure}`),
        }
      items.set(id, item)
    }
    if (missing !== undefined) return { items: [...items.values()], missing }
    if (next === undefined) return { items: [...items.values()] }
    cursor = next
  }
  return { items: [...items.values()], missing: doubt('http.pagesMax', `there are more than ${pagesMax} pages`) }
}

/** Where the next page begins, and the id of the item right before it. */
export type Offset = { readonly at: number; readonly anchor?: string }

type OffsetList<T> = {
  readonly pageSize: number
  /** Why the list is perhaps not whole if the row before a page is not the same any more. */
  readonly moved: (row: number) => Doubt
  readonly idOf: (item: T) => string
  /** `max` rows of the list from row `first` on. No page asks for more than `pageSize`, if that is two or more. */
  readonly rows: (first: number, max: number, signal: AbortSignal) => Promise<readonly T[]>
  /** Whether an empty answer is requested a second time, since a decision rests on it. */
  readonly confirmEmpty: boolean
  /** Whether only a page without a new row is the last one, and not also a short one: the list has no total, and a decision rests on its end. */
  readonly confirmEnd?: boolean
}

/**
 * Reads pages of a list that has only offsets. Each page after the first begins one row early, with the last row of the page before. If a different
 * row is there now, rows before it were added or removed. Then one row may have been missed, even if the total is the same. An empty answer may
 * be requested a second time: Keycloak can answer 200 `[]` when its database fails (keycloak/keycloak#51268). A gateway may give smaller pages than it is
 * asked for, so a short page is a sure end only of a list whose total is known. It may allow exactly `pageSize` rows, so the row of the page before is one
 * of them.
 */
export function byOffset<T>({
  pageSize,
  moved,
  idOf,
  rows,
  confirmEmpty,
  confirmEnd = false,
}: OffsetList<T>): (cursor: Offset, signal: AbortSignal) => Promise<Page<T, Offset>> {
  return async ({ at, anchor }, signal) => {
    const overlap = anchor === undefined ? 0 : 1
    const max = Math.max(pageSize, 1 + overlap)
    const ask = () => rows(at - overlap, max, signal)
    let page = await ask()
    if (page.length === 0 && (confirmEmpty || anchor !== undefined)) page = await ask()
    const [head] = page
    if (anchor !== undefined && (head === undefined || idOf(head) !== anchor)) {
      return { items: [], missing: moved(at) }
    }
    const items = page.slice(overlap)
    const last = items.at(-1)
    return last === undefined || (page.length < max && !confirmEnd)
      ? { items }
      : { items, next: { at: at + items.length, anchor: idOf(last) } }
  }
}
