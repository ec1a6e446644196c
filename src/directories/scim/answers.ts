import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { notUnderstood, type StateRow } from '../accountState.ts'

/** The attribute that has a group's name (RFC 7643 §4.2 and §3.1). `externalId` is optional. */
export type ScimName = 'displayName' | 'externalId'

/** A group of a list. `id` and `name` are absent if the answer lacks them. `hasMembers`: the answer has its members, too. */
export type ScimGroupRow = { readonly id: string | undefined; readonly name: string | undefined; readonly hasMembers: boolean }

/** Maximum of one name, id or cursor, so that a hostile answer does not fill the memory. */
const charactersMax = 4_096
/** An attribute that is null has no value (RFC 7643 §2.5). */
const text = z.string().max(charactersMax).nullish()

/** One answer to a request for a list. `total`: how many there are on all pages, if the server says it. */
export type ListAnswer<Row> = {
  readonly total: number | undefined
  readonly rows: readonly Row[]
  readonly nextCursor: string | undefined
}

/** A `ListResponse` (RFC 7644 §3.4.2). `Resources` may be absent only if `totalResults` is 0. */
const listResponse = <Row>(row: z.ZodType<Row>): z.ZodType<ListAnswer<Row>> =>
  attributesOf({ totalResults: z.int().nonnegative().optional(), Resources: checkedList(row).optional(), nextCursor: text })
    .refine(({ totalResults, Resources }) => Resources !== undefined || totalResults === 0, {
      path: ['Resources'],
      error: 'must be a list',
    })
    .transform(({ totalResults, Resources = [], nextCursor }) => ({
      total: totalResults,
      rows: Resources,
      nextCursor: nextCursor || undefined,
    }))

export const groupList = (name: ScimName) =>
  listResponse(
    attributesOf({ id: text, displayName: text, externalId: text, members: z.unknown().optional() }).transform(
      ({ id, [name]: named, members = null }): ScimGroupRow => ({
        id: id || undefined,
        name: named || undefined,
        hasMembers: members !== null,
      }),
    ),
  )

/** Some servers write the truth value as a text. Without it (RFC 7643 §2.5: also null) nothing is said against the account. */
export const scimState: StateRow<[active: unknown]> = {
  of: 'SCIM',
  attribute: 'active',
  ended: '`false`, also as a text',
  source: 'https://www.rfc-editor.org/rfc/rfc7643#section-4.1.1',
  stateOf(active) {
    if (active === undefined || active === null) return 'works'
    const word = typeof active === 'string' || typeof active === 'boolean' ? `${active}`.toLowerCase() : ''
    return word === 'false' ? 'ended' : word === 'true' ? 'works' : notUnderstood('active')
  },
}

/** The part of a user that tells who it is, and whether it can sign in (RFC 7643 §4.1). */
export const scimUser = attributesOf({
  id: text,
  userName: text,
  active: z.unknown().optional(),
  emails: checkedList(attributesOf({ value: text, primary: z.boolean().nullish() })).nullish(),
}).transform(({ id, userName, active, emails }) => ({
  id: id || undefined,
  userName: userName || undefined,
  email: (emails?.find(({ primary }) => primary === true) ?? emails?.[0])?.value || undefined,
  account: scimState.stateOf(active),
}))
export type ScimUserRow = Readonly<z.output<typeof scimUser>>
export const userList = listResponse(scimUser)

/** A member of a group (RFC 7643 §4.2). No part is required (§8.7.1), and servers leave out `type` and `$ref`. */
const Member = attributesOf({ value: text, type: text, $ref: text })
export type ScimMember = Readonly<z.output<typeof Member>>
/** A group with its members only. They are absent if there are none, or if the server does not show them. */
export const groupMembers = attributesOf({ id: text, members: checkedList(Member).nullish() })

/** A resource of which only the existence counts. */
export const anyResource = attributesOf({ id: text })

/** The part of the schema of a group that says whether an answer may have its members (RFC 7643 §7). */
export const groupSchema = attributesOf({
  attributes: checkedList(attributesOf({ name: z.string(), returned: z.string().nullish() })),
})

/** The part of a `ServiceProviderConfig` that a reader uses (RFC 7643 §5, RFC 9865 §4). */
export const serviceProviderConfig = attributesOf({
  filter: attributesOf({ supported: z.boolean().nullish() }).nullish(),
  pagination: attributesOf({
    cursor: z.boolean().nullish(),
    maxPageSize: z.number().transform(Math.floor).nullish(),
  }).nullish(),
})
export type ServiceProviderConfig = z.output<typeof serviceProviderConfig>

/**
 * The schema of an object of SCIM. Names of attributes have no case (RFC 7643 §2.1), so `Members` is read as `members`. Otherwise `Members` would be an
 * unknown attribute, and a group with it would count as empty. If an object has a name in both cases, the one of the schema counts.
 */
function attributesOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const usual = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  return z.preprocess((value) => withUsualNames(value, usual), z.object(shape))
}

function withUsualNames(value: unknown, usual: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const renamed: Record<string, unknown> = {}
  let isOther = false
  for (const [name, fieldValue] of Object.entries(value)) {
    const wanted = usual.get(name.toLowerCase())
    if (wanted === undefined || (wanted !== name && Object.hasOwn(value, wanted))) continue
    renamed[wanted] = fieldValue
    isOther ||= wanted !== name
  }
  return isOther ? renamed : value
}
