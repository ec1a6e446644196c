import { type Doubt, doubt } from '../../core/doubt.ts'
import { count } from '../../core/quantity.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { type Page, type Pages, readPages } from '../overHttp/paging.ts'
import { tooMany } from './refusal.ts'

/** The schema of a page with such rows. To make it anew for each list would take five times as long as to check 20 rows with it (measured). */
export const graphPage = <T>(row: z.ZodType<T>) =>
  z.object({
    value: checkedList(row),
    '@odata.nextLink': z.string().optional(),
    '@odata.count': z.int().nonnegative().optional(),
  })
type GraphPage<T> = ReturnType<typeof graphPage<T>>

/** A list of Graph. `query` is without size and count of the pages. */
type List<T extends { readonly id: string }> = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** One page, by `graphPage`. */
  readonly page: GraphPage<T>
  /** Which rows are kept. Others are only counted. */
  readonly keep: (row: T) => boolean
  /** What the rows are, in sentences: `groups`. */
  readonly what: string
  /** A list with more rows is not read further. Default: more than `groupsMax` are an error. */
  readonly atMost?: { readonly rows: number; readonly why: Doubt }
  /** What one row is called in a sentence. Default: its id. */
  readonly called?: string
}

/** `address`: where Graph is, for sentences. */
export type ListLimits = {
  readonly address: string
  readonly pageSize: number
  readonly groupsMax: number
  readonly checkTotal: boolean
  readonly pagesMax: number
}

/**
 * Reads a list to its last page. Graph may answer a page with fewer rows than asked for, or with none; only a page without `@odata.nextLink` is the
 * last one (learn.microsoft.com/graph/paging). The first page has the total of the list (`@odata.count`), which must be the number of rows.
 */
export async function readGraphList<T extends { readonly id: string }>(
  { ask, follow }: DirectoryApi,
  { path, query, page: schema, keep, what, atMost, called }: List<T>,
  { address, pageSize, groupsMax, checkTotal, pagesMax }: ListLimits,
  signal: AbortSignal,
): Promise<Pages<T>> {
  const first = { ...query, $top: `${pageSize}`, ...(checkTotal ? { $count: 'true' } : {}) }
  // Rows that are called something are people. The text of a refusal could have some of them.
  const shown = called === undefined ? undefined : path
  let total: number | undefined
  let seen = 0
  let kept = 0

  async function page(link: string | undefined, signal: AbortSignal): Promise<Page<T, string>> {
    const { body } = await (link === undefined ? ask(path, first, schema, signal, shown) : ask(follow(link), {}, schema, signal, shown))
    if (link === undefined) total = body['@odata.count']
    const items = body.value.filter(keep)
    seen += body.value.length
    kept += items.length
    if (atMost !== undefined && kept > atMost.rows) return { items: [], missing: atMost.why }
    if (atMost === undefined && kept > groupsMax) throw tooMany(address, what, groupsMax)
    const next = body['@odata.nextLink']
    return next === undefined ? { items } : { items, next }
  }

  const pages = await readPages<T, string | undefined>(
    undefined,
    page,
    { idOf: ({ id }) => id, pagesMax, kind: 'entra', ...(called === undefined ? {} : { called }) },
    signal,
  )
  const missing = pages.missing ?? (checkTotal ? miscounted(what, total, seen) : undefined)
  return missing === undefined ? pages : { items: pages.items, missing }
}

function miscounted(what: string, total: number | undefined, seen: number): Doubt | undefined {
  if (total === undefined)
    return doubt('entra.noTotal', `Graph did not say how many ${what} there are: if this is so at each reading, set checkTotal: false`)
  if (total === seen) return undefined
  const differ = `Graph counted ${count(total)} ${what} and listed ${count(seen)}: they changed while they were read`
  // With fewer than counted, the list may be cut. Without the check it would look whole.
  return seen < total
    ? doubt(
        'entra.totalIsMore',
        `${differ}, or the list was cut; if this is so at each reading, check that no gateway changes @odata.nextLink, and that the application may read all ${what}`,
      )
    : doubt('entra.totalIsLess', `${differ}, or the count of Graph lags behind; if this is so at each reading, set checkTotal: false`)
}

/** Maximum of one text, so that a hostile answer does not fill the memory. Entra takes 256 characters. */
const charactersMax = 4_096

/** Ids are GUIDs. An id of another form is half an item, and would be a name that no login sends. */
export const graphId = z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i)
const text = z.string().max(charactersMax).nullable()

/**
 * A group as Graph lists it (learn.microsoft.com/graph/api/resources/group). All properties were selected, so all are there, perhaps with null: by
 * OData a property is left out only if the client asks for that (OData JSON Format 4.01, §7). A property that is absent means half an item.
 */
export const GraphGroup = z.object({
  id: graphId,
  displayName: text,
  onPremisesSamAccountName: text,
  onPremisesDomainName: text,
  onPremisesNetBiosName: text,
  securityEnabled: z.boolean().nullable(),
})
export type GraphGroup = Readonly<z.infer<typeof GraphGroup>>
export const GroupsPage = graphPage(GraphGroup)

export const groupProperties = Object.keys(GraphGroup.shape).join()
