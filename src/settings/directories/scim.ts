import { z } from '../../yaml/zod.ts'
import { wrongPaths } from '../patterns/address.ts'
import { plainHttp, plainText, scope, secret, webAddress } from '../scalars.ts'
import { clientSchema, groupsMax, identity, membersPageSize, needsExpect, nested, overNetwork, peopleSetting } from './shared.ts'

const filterCharactersMax = 2_000

export const scimSchema = z
  .strictObject({
    kind: z.literal('scim'),
    url: webAddress(wrongPaths.scim).describe(
      'The base address of the SCIM API, which has `/Groups` below it. It often ends with `/scim/v2`.',
    ),
    token: secret
      .optional()
      .describe('A reference to a bearer token that the server has issued: `{file: …}` or `{env: …}`. Either this or `client`.'),
    client: clientSchema('An OAuth client that requests tokens, with `issuer` or `tokenUrl`. Either this or `token`.').optional(),
    issuer: webAddress(wrongPaths.issuer)
      .optional()
      .describe("The issuer of the client's tokens, if its metadata name the token endpoint."),
    tokenUrl: webAddress(wrongPaths.issuer).optional().describe('The token endpoint of the client, if there are no metadata of an issuer.'),
    scopes: z.array(scope).optional().describe("The OAuth scopes of the client's tokens."),
    allowPlaintext: plainHttp('token'),
    groups: z
      .strictObject({
        name: z
          .enum(['displayName', 'externalId'])
          .default('displayName')
          .describe("The attribute with the group's name, exactly as the identity provider sends it in its claim."),
        filter: plainText
          .max(filterCharactersMax)
          .optional()
          .describe('Read only the groups that match this SCIM filter, such as `displayName sw "plane-"`. It is sent as it is.'),
      })
      .prefault({}),
    people: z
      .strictObject({ identity: identity(['email', 'userName', 'id']), nested })
      .optional()
      .describe(peopleSetting),
    pageSize: z
      .int()
      .min(0)
      .max(10_000)
      .default(100)
      .describe(
        'Groups per page. The server may send fewer. `0`: no pages, for a server without them: one request without `startIndex` and `count`, made twice with equal answers. It needs `expect`, since such an answer does not show whether it is the whole list.',
      ),
    members: z
      .strictObject({
        pageSize: membersPageSize(0)
          .optional()
          .describe(
            'Users per page, if they are read by pages. `0`: no pages; users who are not in the answer are then read one by one. Default: `pageSize`.',
          ),
      })
      .prefault({})
      .describe('How the users are read who are members, for `people`.'),
    groupsMax: groupsMax(50_000),
    ...overNetwork,
  })
  .meta({
    oneOf: [{ required: ['token'] }, { required: ['client', 'issuer'] }, { required: ['client', 'tokenUrl'] }],
    ...needsExpect({ properties: { pageSize: { const: 0 } }, required: ['pageSize'] }),
    dependentRequired: { issuer: ['client'], tokenUrl: ['client'], scopes: ['client'] },
  })
