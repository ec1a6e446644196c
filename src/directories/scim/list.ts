import type { z } from '../../yaml/zod.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { ListAnswer } from './answers.ts'

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
  readonly itemsOf: (rows: readonly Row[]) => readonly Item[] | string
}

type Query = Readonly<Record<string, string>>

/** Asks for a page of a list. `page`: the parameters that say which page it is. */
export type AskPage<Row> = (page: Query, signal: AbortSignal) => Promise<ListAnswer<Row>>

/** Asks for the first page, and finds out which parameters the server obeys. */
export async function openList<Row extends { readonly id: string | undefined }, Item extends { readonly id: string }>(
  ask: Ask,
  { path, answer, filter, attributes, otherwise, isObeyed }: Listing<Row, Item>,
  firstPage: Query,
  signal: AbortSignal,
): Promise<{ readonly askPage: AskPage<Row>; readonly first: ListAnswer<Row> }> {
  const askWith =
    (parameters: Query): AskPage<Row> =>
    async (page, signal) =>
      (
        await ask(
          path,
          { ...page, ...parameters, ...(filter === undefined ? {} : { filter }) },
          answer,
          signal,
          path === '/Users' ? path : undefined,
        )
      ).body
  const lean = askWith(attributes)
  const first = await lean(firstPage, signal)
  if (first.rows.every(isObeyed)) return { askPage: lean, first }
  const whole = askWith(otherwise)
  return { askPage: whole, first: await whole(firstPage, signal) }
}
