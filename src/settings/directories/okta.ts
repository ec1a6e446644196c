import { z } from '../../yaml/zod.ts'
import { wrongPaths } from '../patterns/address.ts'
import { percentage, secret, webAddress } from '../scalars.ts'
import { groupsMax, identity, overNetwork, peopleSetting, signingClientSchema } from './shared.ts'

/** The types of groups that Okta documents. */
const groupType = z.enum(['OKTA_GROUP', 'APP_GROUP', 'BUILT_IN'])

export const oktaSchema = z
  .strictObject({
    kind: z.literal('okta'),
    url: webAddress(wrongPaths.okta).describe('The address of the organization: `https://example.okta.com`, without `-admin`.'),
    client: signingClientSchema(
      'A service app with the scope `okta.groups.read` and an admin role that sees all groups, and for `people` all users. Either `client` or `token` is needed.',
    ).optional(),
    token: secret
      .optional()
      .describe('An API token, sent as `SSWS`, instead of `client`. It has all rights of the administrator who made it.'),
    groups: z
      .strictObject({
        types: z
          .array(groupType)
          .min(1)
          .refine((types) => new Set(types).size === types.length, {
            error: 'a type is here twice',
            params: { cure: 'name each type once' },
          })
          .meta({ uniqueItems: true })
          .default(['OKTA_GROUP', 'APP_GROUP', 'BUILT_IN'])
          .describe(
            'The types of groups to read. With `BUILT_IN` a reading without the group Everyone is partial, since each organization has that group.',
          ),
        name: z
          .enum(['name', 'samAccountName', 'windowsDomainQualifiedName'])
          .default('name')
          .describe(
            "The attribute of the profile with the group's name, as the claim sends it. The other two are only in groups from Active Directory; groups without the attribute are left out.",
          ),
      })
      .prefault({}),
    people: z
      .strictObject({ identity: identity(['email', 'login', 'id']) })
      .optional()
      .describe(peopleSetting),
    reserve: percentage
      .prefault('10%')
      .describe(
        'The share of the rate limit that is left for other programs. When only this much is left of a window, the next request waits for its end.',
      ),
    pageSize: z.int().min(1).max(10_000).default(200).describe('Groups per page, and members per page. Okta recommends at most 200.'),
    groupsMax: groupsMax(50_000),
    ...overNetwork,
  })
  .superRefine(({ client, token }, context) => {
    const at = (path: readonly string[], message: string, cure: string) =>
      context.addIssue({ code: 'custom', message, path: [...path], params: { cure, key: true } })
    if (client === undefined && token === undefined)
      at([], 'the directory has neither "client" nor "token"', 'add `client`, a service app, or `token`, an API token')
    if (client !== undefined && token !== undefined)
      at(['token'], 'a directory of this kind has either "client" or "token"', 'keep exactly one of them; `client` has fewer rights')
  })
  .meta({ oneOf: [{ required: ['client'] }, { required: ['token'] }] })
