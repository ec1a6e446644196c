import type { Passed } from './faultyProxy.ts'
import type { Team } from './teams.ts'

export type Row = Readonly<Record<string, unknown>>

/** How a kind of directory over HTTP looks on the wire, as far as the faults need it. */
export type HttpKind = {
  /** Starts the stand-in for the server of this kind. */
  start(groups: readonly Team[], order: Order): Promise<HttpServer>
  /** The page of the list that a request asks for, from 1; undefined if it asks for something else. */
  page(url: URL): number | undefined
  /** The rows of a page in JSON, and the same page with other rows. */
  rows(page: unknown): readonly Row[]
  withRows(page: unknown, rows: readonly Row[]): unknown
  /** A row with half of its fields, and a row of another group. */
  half(row: Row): Row
  other(row: Row, team: Team): Row
  /** A page of a list without end: `rows` came with a usual page, and are the pattern for others. `next` of it leads to the next page. */
  endless(passed: Passed, url: URL, page: number): Passed
  /** The first page of such a list, if it differs from a usual one. */
  endlessFirst?(passed: Passed): Passed
  /** The answer with a total that is one more; absent if this kind tells none. `undefined`: this answer has no total. */
  otherTotal?(passed: Passed, url: URL, nth: number): Passed | undefined
  /** The answer with a next link to another origin; absent if this kind has no links. */
  linkTo?(passed: Passed, origin: string): Passed
  /** The order of the list in which an exchange of names is hardest to see. */
  readonly order: Order
  /** An account without rights gets an empty list and the right total. */
  readonly tellsTotal?: true
}

/** In which order a server lists its groups. If by `id`, a rename does not move a group. Most services do not document it. */
export type Order = 'name' | 'id'

export type HttpServer = AsyncDisposable & {
  /** Where the server is now. */
  url(): URL
  /** The settings of the directory, if its address is this one. */
  settings(address: URL): object
  readonly secret: string
  change(groups: readonly Team[]): Promise<void>
  /** The last touch to an answer of the stand-in, without any fault; absent if it needs none. */
  finish?(passed: Passed, url: URL): Passed
}

export const jsonOf = ({ body }: Passed): unknown => JSON.parse(body)
export const withJson = (passed: Passed, json: unknown): Passed => ({ ...passed, body: JSON.stringify(json) })
