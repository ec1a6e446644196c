import { z } from '../../yaml/zod.ts'
import { clientSchema } from '../client.ts'
import { webAddress } from '../patterned.ts'
import { plainHttpAskedFor, wrongPaths } from '../patterns/address.ts'
import { groupPath, realmName } from '../scalars.ts'
import { overNetwork } from './shared.ts'

export const keycloakSchema = z
  .strictObject({
    kind: z.literal('keycloak'),
    url: webAddress(wrongPaths.keycloak).describe('The base address of the server, without `/realms/…`.'),
    realm: realmName,
    issuer: webAddress(wrongPaths.issuer)
      .optional()
      .describe('The issuer, if it differs from `url` + `/realms/` + `realm`. A Keycloak with a fixed public host name needs it.'),
    client: clientSchema('A client whose service account has the role `view-users` of `realm-management`.'),
    allowPlaintext: z
      .boolean()
      .default(false)
      .describe('Allow plain `http:` to another host. Everybody on the network path can then read the secret.'),
    groups: z
      .strictObject({
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
      .prefault({}),
    pageSize: z.int().min(1).max(1000).default(100).describe('Groups per page.'),
    groupsMax: z
      .int()
      .min(1)
      .default(50_000)
      .describe('The most groups of this directory. More is an error, which protects the memory of this program.'),
    ...overNetwork,
  })
  .meta(plainHttpAskedFor('url'))
