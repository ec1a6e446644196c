import { type Doubt, doubt } from '../../core/doubt.ts'
import { counted } from '../../core/quantity.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import type { Deadline } from '../deadline.ts'
import { DirectoryError } from '../directoryError.ts'
import { type Missing, openGroupTurns } from '../groupTurns.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import { explainedOverHttp } from '../membership.ts'
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
  const moved = (row: number): Doubt =>
    doubt('keycloak.rowMoved', `row ${row} is no longer the same: the list changed while it was read${largerPages(called)}`)
  // Each page after the first begins with the last row of the page before.
  const pagesMax = Math.ceil(rowsMax / Math.max(1, pageSize - 1)) + 1
  const limits = { idOf, pagesMax, kind: 'keycloak' as const, twiceCure: largerPages(called), ...(called === undefined ? {} : { called }) }
  return readPages({ at: 0 }, byOffset({ pageSize, moved, idOf, rows, confirmEmpty, confirmEnd }), limits, signal)
}

/** A list of one page cannot move between two pages. */
const largerPages = (called: string | undefined): string =>
  `; if it is so at each reading, raise ${called === undefined ? 'pageSize' : 'members.pageSize'}, so that fewer pages are read`

/** What the lists have, in sentences. */
type Kind = 'members' | 'subgroups'

/** A list that was read. `key`: what it is about. `rows`: how many it has. */
type ReadList = { readonly key: string; readonly path: string; readonly rows: number }

/** The ends of the lists of one reading that have no total. */
type ListEnds = {
  note(kind: Kind, list: ReadList): void
  /** @returns the keys of which it is not known whether their lists are whole. @throws {DirectoryError} if a list has more rows than were read */
  check(signal: AbortSignal): Promise<ReadonlyMap<string, Missing>>
}

/** A reading often has a thousand lists of one length. A gateway that cuts one of them cuts most of them. */
const askedMax = 8
/** After so many lengths whose lists cannot be asked again, the shorter ones are not asked either. */
const lengthsMax = 8

const Rows = checkedList(z.object({ id: z.string() }))

/**
 * A gateway may give smaller pages than it is asked for. Then a short page looks like the end of its list. Such a page is the longest of the reading, so
 * only the ends of the longest lists are asked for, and none if a page was full. If these requests fail or are late, it is not known whether these lists are whole,
 * and the next shorter ones are asked instead.
 *
 * @param address the address of the directory, for sentences
 */
export function openListEnds(
  ask: Ask,
  {
    address,
    pageSizes,
    deadline,
  }: { readonly address: URL; readonly pageSizes: Readonly<Record<Kind, number>>; readonly deadline: Deadline },
): ListEnds {
  const lists = new Map<Kind, Map<number, ReadList[]>>()

  /** Whether the list has more rows. A list that is as long when it is read again has not grown meanwhile. */
  async function goesOn(path: string, rows: number, pageSize: number, signal: AbortSignal): Promise<boolean> {
    const lengthOf = async (first: number, max: number) =>
      (await ask(path, { first: `${first}`, max: `${max}`, briefRepresentation: 'true' }, Rows, signal, path)).body.length
    try {
      return (await lengthOf(rows, 1)) > 0 && (await lengthOf(0, pageSize)) <= rows
    } catch (error) {
      if (error instanceof DirectoryError && (error.code === 'missing' || error.code === 'rights')) return false
      throw error
    }
  }

  /** The lists of one length. @returns the keys of which the end is unknown, and whether that of another one is known */
  async function checkLength(kind: Kind, rows: number, ofLength: readonly ReadList[], signal: AbortSignal) {
    const turns = openGroupTurns(explainedOverHttp, deadline, signal)
    const ends = await mapConcurrently(ofLength, askedMax, async ({ key, path }) => ({
      key,
      end: await turns.take(1, async (until) => ({ goesOn: await goesOn(path, rows, pageSizes[kind], until) })),
    }))
    if (ends.some(({ end }) => 'goesOn' in end && end.goesOn)) throw smallerPages(address, kind, rows, pageSizes[kind])
    return {
      unknown: ends.flatMap(({ key, end }) => ('missing' in end ? [[key, end] as const] : [])),
      isProved: ends.some(({ end }) => 'goesOn' in end),
    }
  }

  return {
    note(kind, list) {
      const ofKind = lists.get(kind) ?? new Map<number, ReadList[]>()
      lists.set(kind, ofKind)
      const ofLength = ofKind.get(list.rows) ?? []
      ofKind.set(list.rows, ofLength)
      ofLength.push(list)
    },
    async check(signal) {
      const doubtful = new Map<string, Missing>()
      for (const [kind, ofKind] of lists) {
        const lengths = [...ofKind.keys()].filter((rows) => rows > 0).toSorted((a, b) => b - a)
        for (const [tried, rows] of lengths.entries()) {
          if (rows >= pageSizes[kind]) break
          const ofLength = ofKind.get(rows) ?? []
          const asked = tried < lengthsMax ? ofLength.slice(0, askedMax) : []
          const { unknown, isProved } = await checkLength(kind, rows, asked, signal)
          for (const [key, why] of unknown) doubtful.set(key, why)
          if (isProved) break
          const [, why = noEnd] = unknown[0] ?? []
          for (const { key } of ofLength) if (!doubtful.has(key)) doubtful.set(key, why)
        }
      }
      return doubtful
    },
  }
}

const noEnd: Missing = {
  missing: 'it is not known whether its list is whole, since the ends of longer lists could not be read',
  notAsked: true,
}

const smallerPages = (address: URL, kind: Kind, rows: number, pageSize: number) =>
  new DirectoryError(
    'garbled',
    doubt(
      kind === 'members' ? 'keycloak.smallerMemberPages' : 'keycloak.smallerPages',
      `${address.href}: a list of ${kind} ended after ${counted(rows, 'row')}, and has more, although pages of ${pageSize} were asked for`,
    ),
    {
      cure: `set ${kind === 'members' ? 'members.pageSize' : 'pageSize'} to ${rows} or less, or let the gateway before the server give larger pages`,
    },
  )
