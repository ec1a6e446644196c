import { z } from '../../yaml/zod.ts'
import { wrongPaths } from '../patterns/address.ts'
import { groupPath, plainHttp, plainText, realmName, webAddress } from '../scalars.ts'
import { clientSchema, groupsMax, identity, membersPageSize, nested, overNetwork, peopleSetting } from './shared.ts'

/**
 * Members in a page. Keycloak makes each page of a group from LDAP from all members up to the end of the page, so that many small pages cost many times as much as
 * a few large ones: of 4,000 members the last page of 100 costs as much as one page with all. A member has about 400 bytes (measured on 26.7.3).
 */
const membersPage = 10_000

export const keycloakSchema = z.strictObject({
  kind: z.literal('keycloak'),
  url: webAddress(wrongPaths.keycloak).describe('The base address of the server, without `/realms/…`.'),
  realm: realmName,
  issuer: webAddress(wrongPaths.issuer)
    .optional()
    .describe('The issuer, if it differs from `url` + `/realms/` + `realm`. A Keycloak with a fixed public host name needs it.'),
  client: clientSchema(
    'A client whose service account has the role `view-users` of `realm-management` (for roles of the realm `view-realm`, for roles of a client `view-clients`).',
  ),
  allowPlaintext: plainHttp('secret'),
  groups: z
    .strictObject({
      from: z
        .union([
          z.enum(['groups', 'realmRoles']),
          z.strictObject({ clientRoles: plainText.describe('The client id of the client whose roles are read.') }),
        ])
        .default('groups')
        .describe(
          'What the claim contains: `groups`, roles of the realm (`realmRoles`), or roles of one client (`{ clientRoles: CLIENT }`). Names are then those of the roles. `groups.members` does not count people with a role; `people` does.',
        ),
      name: z
        .enum(['path', 'name'])
        .default('path')
        .describe(
          "The form of group names. Use `path` if the realm's Group Membership mapper has `Full group path` on, `name` if it is off.",
        ),
      under: groupPath.optional().describe('Read only the groups below this path.'),
      slashes: z
        .enum(['plain', 'escaped'])
        .default('plain')
        .describe('Use `escaped` if the server runs with `escape-slashes-in-group-path`.'),
      members: z
        .boolean()
        .default(false)
        .describe(
          'Count direct members, for plans. This costs one more request for each group. No number is shown for a group without any.',
        ),
    })
    .superRefine(({ from, under, slashes, members }, context) => {
      if (from === 'groups') return
      const given = { under: under !== undefined, slashes: slashes === 'escaped', members }
      for (const [name, isGiven] of Object.entries(given))
        if (isGiven)
          context.addIssue({
            code: 'custom',
            message: `"${name}" is about groups, and "from" asks for roles`,
            path: [name],
            params: { cure: 'remove it, or set from: groups', key: true },
          })
    })
    .meta({
      if: { properties: { from: { const: 'groups' } } },
      else: { not: { required: ['under'] }, properties: { slashes: { const: 'plain' }, members: { const: false } } },
    })
    .prefault({}),
  people: z
    .strictObject({ identity: identity(['email', 'username', 'id']), nested })
    .optional()
    .describe(peopleSetting),
  pageSize: z.int().min(1).max(1000).default(100).describe('Groups or roles per page.'),
  members: z
    .strictObject({
      pageSize: membersPageSize(1)
        .default(membersPage)
        .describe(
          'Members per page. Keycloak reads a later page more slowly than the first one, above all from LDAP, so few large pages are fast. An answer that is too large is an error.',
        ),
    })
    .prefault({})
    .describe('How members are read, for `people` and `groups.members`.'),
  groupsMax: groupsMax(50_000),
  ...overNetwork,
})
