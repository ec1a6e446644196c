import type { z } from '../../yaml/zod.ts'
import type { Ask } from '../overHttp/ask.ts'
import { byOffset, type Pages, readPages } from '../overHttp/paging.ts'

export type KeycloakList<Row extends { readonly id: string }> = {
  readonly path: string
  /** Parameters besides those of the pages. */
  readonly query?: Readonly<Record<string, string>>
  readonly rows: z.ZodType<readonly Row[]>
  readonly pageSize: number
  /** There are no more pages than this many rows fill. */
  readonly rowsMax: number
  /** Whether an empty list is requested a second time: Keycloak may answer 200 `[]` when its database fails (keycloak/keycloak#51268). */
  readonly confirmEmpty: boolean
  /** Whether a short page may have a next one. */
  readonly confirmEnd?: boolean
  /** The rows are people. What a row is called in a sentence, and errors do not show the text of a refusal. */
  readonly called?: string
}

/** All rows of a list of the admin API, page after page. Without `first` and `max` some lists stop early, without a sign. */
export function readKeycloakList<Row extends { readonly id: string }>(
  ask: Ask,
  { path, query = {}, rows: schema, pageSize, rowsMax, confirmEmpty, confirmEnd = false, called }: KeycloakList<Row>,
  signal: AbortSignal,
): Promise<Pages<Row>> {
  const shown = called === undefined ? undefined : path
  const idOf = ({ id }: Row) => id
  const rows = async (first: number, max: number, signal: AbortSignal) =>
    (await ask(path, { ...query, first: `${first}`, max: `${max}`, briefRepresentation: 'true' }, schema, signal, shown)).body
  // Each page after the first begins with the last row of the page before.
  const pagesMax = Math.ceil(rowsMax / Math.max(1, pageSize - 1)) + 1
  const limits = { idOf, pagesMax, ...(called === undefined ? {} : { called }) }
  return readPages({ at: 0 }, byOffset({ pageSize, idOf, rows, confirmEmpty, confirmEnd }), limits, signal)
}
