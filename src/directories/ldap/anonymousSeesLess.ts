import { ResultCodeError } from 'ldapts'
import { counted } from '../../core/quantity.ts'
import type { Connection } from './connection.ts'
import { dnKey } from './dn.ts'
import { type Doing, failing, failureOf, LdapFailure, quoted } from './failure.ts'
import { eachPage, foreignReferences, searchPage, tooManyLdapGroups } from './page.ts'
import { accountOf, type LdapSettings, ldapsearchLine, type Search, searchesOf } from './settings.ts'

export type Proving = {
  /** The connection whose account is to be proved. */
  readonly connection: Connection
  readonly settings: LdapSettings
  readonly doing: Doing
  /** Opens a second connection to the same address, with an anonymous bind or without any. @throws what the server answers to the bind */
  readonly openAnonymous: (bind: 'anonymous' | 'none') => Promise<Connection>
  readonly log: (line: string) => void
}

/**
 * The results by which a server refuses a bind or a search to an anonymous client, and not to an account: operationsError (1, Active Directory),
 * authMethodNotSupported (7), strongerAuthRequired (8), unavailableCriticalExtension (12, it may not page), confidentialityRequired (13),
 * inappropriateAuthentication (48), invalidCredentials (49), insufficientAccessRights (50), unwillingToPerform (53), authorizationDenied (123).
 * A limit (3, 4, 11), a referral (10) or a busy server (51, 52) is none of them: it says nothing about what a client may see.
 */
const refusals: ReadonlySet<number> = new Set([1, 7, 8, 12, 13, 48, 49, 50, 53, 123])
/** Many servers say that an entry is not there to a client that may not see it. */
const noSuchObject = 32

const lastWay = 'or set bind.proof: none together with expect, which names groups that the account sees'

/**
 * Proves that the server does not treat the account as anonymous: below one of the bases, the same search is refused to an anonymous connection, or it has
 * fewer groups there. Both see the same if the server ignores the bind.
 *
 * A server may refuse an anonymous bind, and yet answer a client without any bind. So if the bind is refused, the search is made without it.
 *
 * @param reason why there is no other proof, as the beginning of a sentence. @throws {LdapFailure}
 */
export async function proveByAnonymous(proving: Proving, reason: string): Promise<void> {
  const { settings, doing, openAnonymous } = proving
  const anonymous = await openAnonymous('anonymous')
    .catch((error: unknown) => {
      if (error instanceof ResultCodeError && refusals.has(error.code)) return openAnonymous('none')
      throw error
    })
    .catch((error: unknown) => {
      throw unclear(failureOf(error, { ...doing, what: 'an anonymous connection', account: 'anonymous' }), doing, reason)
    })
  try {
    const sizes = { own: 0, others: 0 }
    for (const { base, scope, filter, filterText } of searchesOf(settings)) {
      // No attributes (RFC 4511 §4.5.1.8): the DNs are enough.
      const comparison = await compared(proving, anonymous, { base, scope, filter, filterText, attributes: ['1.1'] }, reason)
      if (comparison === 'sees more') return
      sizes.own += comparison.own
      sizes.others += comparison.others
    }
    throw notProved(proving, sizes, reason)
  } finally {
    await anonymous.close()
  }
}

function notProved({ settings, doing }: Proving, { own, others }: Sizes, reason: string): LdapFailure {
  const account = accountOf(settings)
  if (own === 0)
    return failing(
      doing,
      'ldap.seesNothing',
      `${reason}${quoted(account)} sees no group, so an anonymous connection cannot see less, and it is not known which account the server sees`,
      `check groups.base and groups.filter, and let ${account} read groups there; ${lastWay}`,
    )
  return failing(
    doing,
    'ldap.anonymousSeesAsMuch',
    `${reason}an anonymous connection sees ${counted(others, 'group')}, and ${quoted(account)} sees ${own}, so it is not known which account the server sees`,
    `if everybody may read these groups, write bind: anonymous; if not, let only ${account} read them; ${lastWay}`,
  )
}

/** How many groups the account sees, and how many an anonymous connection. */
type Sizes = { readonly own: number; readonly others: number }

/**
 * Compares what both see below one base: first with the first page of the account, which is enough if an anonymous connection sees hardly anything, then
 * with its whole list. The list of the anonymous connection is read to its end, because a page says nothing about the rest. One of the groups that only
 * the account saw must be seen by the account before and after that: a group that was made or deleted meanwhile proves nothing.
 */
async function compared(proving: Proving, anonymous: Connection, search: Search, reason: string): Promise<'sees more' | Sizes> {
  const { connection, settings, doing, log } = proving
  const ofBase: Doing = { ...doing, step: 'search', what: `groups below ${quoted(search.base)}`, isPaged: settings.pageSize > 0 }
  const own: Client = { connection, settings, search, doing: ofBase }
  const theirs: Client = { connection: anonymous, settings, search, doing: { ...ofBase, account: 'anonymous' } }
  const line = ldapsearchLine(anonymous.address, { ...settings, bind: 'anonymous' }, search, settings.pageSize)
  log(`proof of identity: ${accountOf(settings)} must see more than ${line}`)
  for (const pagesMax of [1, Number.POSITIVE_INFINITY]) {
    const { dns, isWhole } = await listOf(own, { pagesMax })
    const others = await othersOf(theirs, doing, reason)
    if (others === 'refused') return 'sees more'
    if (others.size < dns.size) {
      if (await seesAgain(own, dns, others)) return 'sees more'
      throw unclear(new LdapFailure('the groups changed while both read them'), doing, reason)
    }
    if (isWhole) return { own: dns.size, others: others.size }
  }
  throw new TypeError('a list without a limit of pages is whole')
}

/** One of the two, and what it searches. */
type Client = { readonly connection: Connection; readonly settings: LdapSettings; readonly search: Search; readonly doing: Doing }

/** The whole list of the anonymous connection. @throws {LdapFailure} if it is not known whether it is whole */
async function othersOf(theirs: Client, doing: Doing, reason: string): Promise<ReadonlySet<string> | 'refused'> {
  let code = 0
  const onRefused = (result: number) => {
    code = result
  }
  try {
    const { dns, isElsewhere } = await listOf(theirs, { onRefused })
    if (!isElsewhere) return dns
  } catch (error) {
    if (refusals.has(code)) return 'refused'
    if (code === noSuchObject) return new Set()
    throw unclear(failureOf(error, theirs.doing), doing, reason)
  }
  throw unclear(new LdapFailure('a part of its answer is on another server'), doing, reason)
}

/** Whether the account still sees a group that only it has seen. */
async function seesAgain(own: Client, before: ReadonlySet<string>, others: ReadonlySet<string>): Promise<boolean> {
  let isSeen = false
  await listOf(own, {
    isEnough(dn) {
      isSeen ||= before.has(dn) && !others.has(dn)
      return isSeen
    },
  })
  return isSeen
}

/** `onRefused` gets the result with which the server refuses the first page. */
type Extent = {
  readonly pagesMax?: number
  readonly isEnough?: (dn: string) => boolean
  readonly onRefused?: (result: number) => void
}

/** The DNs that a search has, by pages. `isElsewhere`: another server has more of them. @throws {LdapFailure} */
async function listOf(
  { connection, settings, search, doing }: Client,
  { pagesMax = Number.POSITIVE_INFINITY, isEnough = () => false, onRefused }: Extent,
): Promise<{ readonly dns: ReadonlySet<string>; readonly isWhole: boolean; readonly isElsewhere: boolean }> {
  const dns = new Set<string>()
  let isWhole = true
  let isElsewhere = false
  let isDone = false
  await eachPage(
    connection,
    doing,
    () => counted(dns.size, 'group'),
    async (cookie, number) => {
      const page = await searchPage(connection, search, { size: settings.pageSize, cookie }, settings.timeoutMs, ({ dn }) => {
        const key = dnKey(dn) ?? dn
        dns.add(key)
        if (dns.size > settings.groupsMax) throw tooManyLdapGroups(settings, doing)
        isDone ||= isEnough(key)
      }).catch((error: unknown) => {
        if (number === 1 && error instanceof ResultCodeError) onRefused?.(error.code)
        throw error
      })
      isElsewhere ||= settings.referrals === 'fail' && foreignReferences(page.references).length > 0
      // Without pages an empty answer has no cookie. 389-ds also answers like this below an entry that it does not show.
      if (page.more.is === 'end' || (page.more.is === 'unknown' && page.isEmpty && number === 1)) return { ...page, more: { is: 'end' } }
      if (!isDone && number < pagesMax) return page
      isWhole = false
      return { ...page, more: { is: 'end' } }
    },
  )
  return { dns, isWhole, isElsewhere }
}

/** It is not known what an anonymous connection sees. */
const unclear = (why: LdapFailure, doing: Doing, reason: string): LdapFailure =>
  failing(
    doing,
    'ldap.anonymousIsUnclear',
    `${reason}it is not known whether an anonymous connection sees less: ${why.message}`,
    `${why.cure === undefined ? '' : `${why.cure}; `}${lastWay}`.replace(/^or /, ''),
  )
