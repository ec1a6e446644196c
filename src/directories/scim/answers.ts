import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'

/** The attribute that has a group's name (RFC 7643 §4.2 and §3.1). `externalId` is optional. */
export type ScimName = 'displayName' | 'externalId'

/** A group of a list. `id` and `name` are absent if the answer lacks them. `hasMembers`: the answer has its members, too. */
export type ScimGroupRow = { readonly id: string | undefined; readonly name: string | undefined; readonly hasMembers: boolean }

/** Maximum of one name, id or cursor, so that a hostile answer does not fill the memory. */
const charactersMax = 4_096
/** An attribute that is null has no value (RFC 7643 §2.5). */
const text = z.string().max(charactersMax).nullish()

/** A `ListResponse` (RFC 7644 §3.4.2). `Resources` may be absent only if `totalResults` is 0. */
export const groupList = (name: ScimName) =>
  z
    .object({
      totalResults: z.int().nonnegative().optional(),
      Resources: checkedList(
        z.object({ id: text, displayName: text, externalId: text, members: z.unknown().optional() }).transform(
          ({ id, [name]: named, members = null }): ScimGroupRow => ({
            id: id || undefined,
            name: named || undefined,
            hasMembers: members !== null,
          }),
        ),
      ).optional(),
      nextCursor: text,
    })
    .refine(({ totalResults, Resources }) => Resources !== undefined || totalResults === 0, {
      path: ['Resources'],
      error: 'must be a list',
    })
    .transform(({ totalResults, Resources = [], nextCursor }) => ({
      total: totalResults,
      groups: Resources,
      nextCursor: nextCursor || undefined,
    }))

/** The part of a `ServiceProviderConfig` that a reader uses (RFC 7643 §5, RFC 9865 §4). */
export const serviceProviderConfig = z.object({
  filter: z.object({ supported: z.boolean().nullish() }).nullish(),
  pagination: z.object({ cursor: z.boolean().nullish(), maxPageSize: z.number().nullish() }).nullish(),
})
export type ServiceProviderConfig = z.output<typeof serviceProviderConfig>
