import { doubt } from '../../core/doubt.ts'
import { type Person, personKey } from '../../core/people/members.ts'
import type { z } from '../../yaml/zod.ts'
import type { AccountState } from '../accountState.ts'
import { DirectoryError } from '../directoryError.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import type { Ask } from '../overHttp/ask.ts'
import { pathPart } from '../overHttp/pathPart.ts'
import { type ScimUserRow, scimUser, userList } from './answers.ts'
import { firstPageOf, type Listing, openList, type Paging, pagingOf, readWholeList } from './list.ts'
import { otherResource, tooManyScimUsers } from './refusal.ts'

export type ScimPeople = { readonly identity: 'email' | 'userName' | 'id'; readonly nested: boolean }

type ScimUser = Person & { readonly account: AccountState }

type FoundUsers = {
  /** Those of the requested users that exist. */
  readonly users: ReadonlyMap<string, ScimUser>
  /** Why it is not known whether the others exist. */
  readonly missing?: string
}

type ScimUsers = { find(ids: readonly string[], signal: AbortSignal): Promise<FoundUsers> }

/** At most this many users are requested one by one before the number of all users is asked. */
const fewUsers = 8
/** More users are not read, because they would fill the memory. */
const usersMax = 500_000
/** Errors of a list of all users that says nothing about a single one: it is too large, or not for this account. */
const unlisted: ReadonlySet<DirectoryError['code']> = new Set(['missing', 'rights', 'garbled', 'bound', 'failing'])
/** Requests for single users of one group, or for pages of all users, at the same time. */
export const lookupsAtOnce = 8

/** `pageSize`: users in a page; 0: the server has no pages. */
type UsersOptions = { readonly url: URL; readonly people: ScimPeople; readonly pageSize: number }

/**
 * Finds users by their ids: one by one, or all of the server's users by pages as soon as that needs fewer requests. Every server can give one user (RFC 7644
 * §3.4.1), while filters are optional. A list without pages may be cut without a sign, so a user who is not in it is requested alone.
 */
export function openUsers(ask: Ask, { url, people, pageSize }: UsersOptions): ScimUsers {
  const attribute = { email: 'emails', userName: 'userName', id: undefined }[people.identity]
  const attributes = ['id', attribute, 'active'].filter((name) => name !== undefined).join()
  const listing = userListing(attributes, (row, id) => userOf(row, id, people))
  const single = new Map<string, Promise<ScimUser | undefined>>()
  let wanted = 0
  let paging: Promise<Paging> | undefined
  let pages: Promise<number> | undefined
  let allUsers: Promise<FoundUsers> | undefined
  let unpagedUsers: Promise<ReadonlyMap<string, ScimUser>> | undefined

  function knownPaging(signal: AbortSignal): Promise<Paging> {
    paging ??= pagingOf(ask, pageSize, signal)
    return paging
  }

  async function countPages(signal: AbortSignal): Promise<number> {
    const { first } = await openList(ask, listing, firstPageOf(await knownPaging(signal)), signal)
    return Math.ceil((first.total ?? Number.POSITIVE_INFINITY) / Math.max(1, first.rows.length))
  }

  async function readAll(signal: AbortSignal): Promise<FoundUsers> {
    const checkCount = (count: number) => {
      if (count > usersMax) throw tooManyScimUsers(count, url, usersMax)
    }
    const { items, missing } = await readWholeList(
      ask,
      listing,
      await knownPaging(signal),
      { itemsMax: usersMax, checkCount, atOnce: lookupsAtOnce },
      signal,
    )
    const users = new Map(items.map((user) => [user.id, user]))
    return missing === undefined ? { users } : { users, missing: `${url.href}, /Users: ${missing}` }
  }

  async function askOne(id: string, signal: AbortSignal): Promise<ScimUser | undefined> {
    try {
      const requested = { kind: 'Users', id, isShown: false } as const
      return userOf(await askForResource(ask, url, requested, { attributes, schema: scimUser }, signal), id, people)
    } catch (error) {
      if (error instanceof DirectoryError && error.code === 'missing') return undefined
      throw error
    }
  }

  async function isListShorter(signal: AbortSignal): Promise<boolean> {
    if (wanted <= fewUsers) return false
    pages ??= countPages(signal)
    return wanted > (await pages)
  }

  async function readUnpaged(signal: AbortSignal): Promise<ReadonlyMap<string, ScimUser>> {
    try {
      const { first } = await openList(ask, listing, {}, signal)
      const items = listing.itemsOf(first.rows)
      return new Map(typeof items === 'string' ? [] : items.map((user) => [user.id, user]))
    } catch (error) {
      if (error instanceof DirectoryError && unlisted.has(error.code)) return new Map()
      throw error
    }
  }

  async function find(ids: readonly string[], listed: ReadonlyMap<string, ScimUser>, signal: AbortSignal): Promise<FoundUsers> {
    const users = await mapConcurrently(ids, lookupsAtOnce, async (id) => {
      if (listed.has(id)) return listed.get(id)
      const user = single.get(id) ?? askOne(id, signal)
      single.set(id, user)
      return user
    })
    return { users: new Map(users.flatMap((user) => (user === undefined ? [] : [[user.id, user]]))) }
  }

  return {
    async find(ids, signal) {
      if (pageSize === 0) {
        wanted += ids.filter((id) => !single.has(id)).length
        if (wanted > fewUsers) unpagedUsers ??= readUnpaged(signal)
        return find(ids, (await unpagedUsers) ?? new Map(), signal)
      }
      const unknown = ids.filter((id) => !single.has(id))
      wanted += unknown.length
      if (allUsers !== undefined || (unknown.length > 0 && (await isListShorter(signal)))) {
        allUsers ??= readAll(signal)
        return allUsers
      }
      return find(ids, new Map(), signal)
    },
  }
}

const userOf = ({ userName, email, account }: ScimUserRow, id: string, { identity }: ScimPeople): ScimUser => ({
  id,
  key: personKey({ email, userName, id }[identity]),
  account,
})

const userListing = (attributes: string, userOf: (row: ScimUserRow, id: string) => ScimUser): Listing<ScimUserRow, ScimUser> => ({
  path: '/Users',
  one: 'user',
  many: 'users',
  answer: userList,
  attributes: { attributes },
  otherwise: {},
  isObeyed: ({ id }) => id !== undefined,
  itemsOf(rows) {
    const users = rows.flatMap((row) => (row.id === undefined ? [] : [userOf(row, row.id)]))
    return users.length === rows.length ? users : doubt('scim.noId', 'a user has no id, so that users cannot be told apart')
  },
})

/** A resource to ask for. `isShown`: errors and the log show its id, which may not be so for a person. */
type Requested = { readonly kind: 'Groups' | 'Users'; readonly id: string; readonly isShown: boolean }

/** An answer that may be the resource. */
type Answered = { readonly id?: string | null | undefined }

export const resourcePath = ({ kind, id, isShown }: Requested): string => `/${kind}/${isShown ? pathPart(id) : '•••'}`

/**
 * Asks for one resource by its id (RFC 7644 §3.4.1). Each answer has the id of the resource, and case counts (RFC 7643 §3.1). A gateway may answer 200 with
 * an error, a list or an empty object. Without a check of the id that would be a group without members, or a user without a mail address.
 *
 * @param url the address of the directory, for sentences
 * @throws {DirectoryError} `otherResource` if the answer has another id, or none
 */
export async function askForResource<T extends Answered>(
  ask: Ask,
  url: URL,
  requested: Requested,
  { attributes, schema }: { readonly attributes: string; readonly schema: z.ZodType<T> },
  signal: AbortSignal,
): Promise<T> {
  const shownPath = resourcePath(requested)
  const { body } = await ask(resourcePath({ ...requested, isShown: true }), { attributes }, schema, signal, shownPath)
  if (body.id === requested.id) return body
  throw otherResource(requested.kind === 'Groups' ? 'group' : 'user', url.href.replace(/\/$/, '') + shownPath)
}
