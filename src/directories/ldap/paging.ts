import { OperationalError } from '../../core/operationalError.ts'
import { listedFirst } from '../../core/quantity.ts'
import type { Connection } from './connection.ts'
import { type Doing, failing, failureOf, LdapFailure, quoted } from './failure.ts'
import type { LdapPage } from './page.ts'
import { foreignReferences } from './referrals.ts'

/** Active Directory leaves out entries that the account may not see, so pages can be empty. A server that only sends empty pages is stopped. */
const emptyPagesMax = 1_000

/**
 * Reads page after page until the server says that there are no more.
 *
 * @param sofar how much was read before a page that failed, for the message: `500 groups`
 * @throws {LdapFailure}
 */
export async function eachPage(
  connection: Connection,
  doing: Doing,
  sofar: () => string,
  readPage: (cookie: Buffer | undefined, number: number) => Promise<LdapPage>,
): Promise<void> {
  let cookie: Buffer | undefined
  let emptyPages = 0
  for (let number = 1; ; number++) {
    try {
      const page = await readPage(cookie, number)
      switch (page.more.is) {
        case 'end':
          return
        case 'unknown':
          throw failing(doing, 'the answer does not say whether more pages follow', cureWithoutCookie(doing, number === 1 && page.isEmpty))
        case 'cookie':
          cookie = page.more.cookie
          break
        default:
          page.more satisfies never
      }
      emptyPages = page.isEmpty ? emptyPages + 1 : 0
      if (emptyPages > emptyPagesMax) {
        const cure = `narrow ${doing.of ?? 'groups'}.base to what the account may read`
        throw failing(doing, `more than ${emptyPagesMax} empty pages one after another`, cure)
      }
    } catch (error) {
      const failure = searchFailure(connection, error, doing)
      throw number === 1 ? failure : new LdapFailure(`${failure.message}, on page ${number} after ${sofar()}`, failure)
    }
  }
}

/** The failure of a search. If this program ended the connection, that is the cause. */
export function searchFailure(connection: Connection, thrown: unknown, doing: Doing): LdapFailure {
  const error = connection.brokenBy() ?? thrown
  return error instanceof OperationalError && !(error instanceof LdapFailure)
    ? new LdapFailure(`${doing.address}: ${doing.what}: ${error.message}`, { cure: error.cure, cause: error })
    : failureOf(error, doing)
}

/** To a search with pages 389-ds answers success, and no cookie, if the base does not exist. Without pages it would be noSuchObject (32). */
const cureWithoutCookie = (doing: Doing, isNothing: boolean): string =>
  `${isNothing ? `check that ${doing.of ?? 'groups'}.base exists (389-ds answers like this if it does not); ` : ''}if the server cannot page, set pageSize: 0`

/** After a loss ldapts would reconnect without a bind at the next search. The connection refuses that too; this error comes earlier. */
export function requireBound(connection: Connection): void {
  if (!connection.isBound()) throw new Error('Connection closed')
}

/** @throws {LdapFailure} if a part of what was searched is on another server */
export function requireNoneElsewhere(references: readonly string[], doing: Doing): void {
  const foreign = foreignReferences(references)
  const [first] = foreign
  if (first === undefined) return
  throw failing(
    doing,
    `a part of it is on another server: ${listedFirst([quoted(first)], foreign.length)}`,
    `narrow ${doing.of ?? 'groups'}.base, or set referrals: ignore`,
  )
}
