import { doubt } from '../../core/doubt.ts'
import { counted } from '../../core/quantity.ts'
import { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Explain, Meaning } from '../overHttp/refusal.ts'

/** The groups that the server says it has are more than the setting allows. The first page says so, so this costs no memory. */
export const tooManyScimGroups = (count: number, url: URL, groupsMax: number) =>
  new DirectoryError(
    'bound',
    doubt('scim.groupsMax', `${url.href}: there are at least ${counted(count, 'group')}, which are more than groupsMax (${groupsMax})`),
    {
      cure: 'raise groupsMax, or set groups.filter',
    },
  )

export const noFilters = (url: URL) =>
  new DirectoryError('failing', `${url.href}: the server says in its ServiceProviderConfig that it supports no filters`, {
    cure: 'remove groups.filter',
  })

export const tooManyScimUsers = (count: number, url: URL, usersMax: number) =>
  new DirectoryError(
    'bound',
    doubt('members.max', `${url.href}: there are at least ${counted(count, 'user')}, and this program reads ${usersMax} at most`),
    {
      cure: 'remove people from the settings of this directory',
    },
  )

export const membersNeverShown = (url: URL) =>
  new DirectoryError('failing', `${url.href}: the server says in its schema of groups that it never returns their members`, {
    cure: 'remove people from the settings of this directory',
  })

/** @param where the address, without the id of a person */
export const otherResource = (what: 'group' | 'user', where: string) =>
  new DirectoryError(
    'otherResource',
    doubt(
      'scim.otherResource',
      `${where}: 200, but the answer is not the requested ${what}: it does not have its id; check the answers of the server, and of a gateway before it`,
    ),
  )

const ErrorBody = z.object({ scimType: z.string().nullish(), detail: z.string().nullish() })

/** Not every server says `scimType`, which is optional: django-scim2 0.23.0 says in the detail alone that it does not understand a filter. */
function errorTypeOf(body: unknown): string {
  const { scimType, detail } = ErrorBody.safeParse(body).data ?? {}
  return scimType || (/\bfilter\b/i.test(detail ?? '') ? 'invalidFilter' : '')
}

/**
 * What an error of a SCIM server means (RFC 7644 §3.12, RFC 9865 §2.1). A 400 with another `scimType`, or with none, may be a passing fault of the
 * server, so it is asked again.
 *
 * @param credential what is refused, with its name: `the token of client "x"`
 */
export const explainScim =
  (credential: string, types = errorTypes, more: Readonly<Record<number, Refusal>> = {}): Explain =>
  ({ status, body }): Meaning => {
    const type = errorTypeOf(body)
    const byType = status === 400 && Object.hasOwn(types, type) ? types[type] : undefined
    const meaning = byType ?? more[status] ?? statuses[status]
    return meaning === undefined ? undefined : { kind: 'refuse', ...meaning, why: meaning.why.replace('{}', credential) }
  }

/** The same while members are read. */
export const explainScimMembers = (credential: string): Explain => {
  const explain = explainScim(credential, typesOfMembers, ofMembers)
  return (answer) => {
    const meaning = explain(answer)
    return answer.status === 400 && meaning?.kind === 'refuse' ? { ...meaning, again: true } : meaning
  }
}

type Refusal = { readonly why: string; readonly cure: string; readonly cureOfOne?: string }

const errorTypes: Readonly<Record<string, Refusal>> = {
  invalidFilter: { why: 'the server does not accept the filter', cure: 'check groups.filter, and which filters the server supports' },
  tooMany: { why: 'the server does not list so many groups', cure: 'set groups.filter, so that fewer groups match' },
  invalidCount: { why: 'the server does not accept this number of groups in a page', cure: 'lower pageSize' },
  invalidCursor: { why: 'the server does not know the cursor of the next page', cure: cursorCure() },
  expiredCursor: { why: 'the cursor of the next page has expired', cure: cursorCure() },
}

/** Members and users are asked for without a filter. */
const typesOfMembers: Readonly<Record<string, Refusal>> = {
  ...errorTypes,
  invalidFilter: { why: 'the server does not accept a list of users', cure: "look for the reason in the server's log" },
  tooMany: {
    why: 'the server does not list so many users',
    cure: 'remove people from the settings of this directory, or raise the limit of the server',
  },
  invalidCount: { why: 'the server does not accept this number of users in a page', cure: 'lower pageSize' },
}

const statuses: Readonly<Record<number, Refusal>> = {
  401: { why: '{} is refused', cure: 'check that the token is for this server and has not expired or been revoked' },
  403: { why: '{} may not read groups', cure: 'give its account the right to read groups' },
  404: { why: 'the address does not exist', cure: 'check url: it is the address that has /Groups below it, and often ends with /scim/v2' },
  405: { why: 'the server does not allow this list to be read', cure: 'check url, and that the server can list groups' },
  501: { why: 'the server has not implemented this list', cure: 'check url, and that the server can list groups' },
}

const ofMembers: Readonly<Record<number, Refusal>> = {
  403: {
    why: '{} may not read the members of groups, or users',
    cure: 'give its account the right to read /Groups with members, and /Users',
    cureOfOne: 'the members of other groups are read: ask who runs the server why this account may not read this one',
  },
  404: { why: 'it does not exist any more', cure: 'if the group still exists, check that the account may see it' },
}

function cursorCure(): string {
  return 'the next reading begins with a new cursor; if this comes again, raise pageSize, so that a reading needs fewer pages'
}
