import { z } from '../../yaml/zod.ts'
import { wrongPaths } from '../patterns/address.ts'
import { applicationId, certificateFile, plainHttp, secret, secretFile, tenant, webAddress } from '../scalars.ts'
import { exactlyOneProof, groupsMax, identity, nested, overNetwork, peopleSetting } from './shared.ts'

const proofs = ['secret', 'privateKey', 'assertion'] as const
const allProofs = '`secret`, `privateKey` or `assertion`'

/** An app registration of Microsoft Entra ID, with the proofs of its identity that Microsoft documents. */
const entraClient = z
  .strictObject({
    id: applicationId.describe('The application (client) id.'),
    secret: secret.optional(),
    privateKey: z
      .strictObject({
        key: secret.describe('The private key (PEM or JWK; RSA) of the certificate, by reference: `{file: …}` or `{env: …}`.'),
        certificateFile: certificateFile.describe('A PEM file with the certificate that the app registration has.'),
      })
      .optional()
      .describe('A key that signs a short-lived JWT for each token, so that no secret is sent.'),
    assertion: secretFile
      .optional()
      .describe(
        'A file with a JWT of another issuer, such as a projected service-account token of Kubernetes (workload identity federation). It is read again for each token.',
      ),
  })
  .superRefine((client, context) =>
    exactlyOneProof(client, proofs, allProofs, (path, message, cure) =>
      context.addIssue({ code: 'custom', message, path: [...path], params: { cure, key: true } }),
    ),
  )
  .meta({ oneOf: proofs.map((proof) => ({ required: [proof] })) })
  .describe(
    `An app registration with the application permission \`GroupMember.Read.All\` of Microsoft Graph; with \`groups.assigned\` also \`Application.Read.All\`, and with \`people\` also \`User.Read.All\`. Exactly one of ${allProofs} proves its identity.`,
  )

export const entraSchema = z.strictObject({
  kind: z.literal('entra'),
  tenant: tenant.describe('The tenant: its id, or one of its domains.'),
  cloud: z
    .enum(['global', 'usgov', 'usgov-dod', 'china'])
    .default('global')
    .describe("Microsoft's cloud that has the tenant. `usgov` is GCC High, `usgov-dod` is DoD, `china` is operated by 21Vianet."),
  graphUrl: webAddress(wrongPaths.graph)
    .optional()
    .describe('The address of a proxy for Microsoft Graph, without `/v1.0`. Default: the address of the cloud.'),
  loginUrl: webAddress(wrongPaths.login)
    .optional()
    .describe('The address of a proxy for the token endpoint, without the tenant. Default: the address of the cloud.'),
  client: entraClient,
  allowPlaintext: plainHttp('secret'),
  groups: z
    .strictObject({
      name: z
        .enum(['id', 'displayName', 'onPremisesName', 'domainName', 'dnsDomainName'])
        .default('id')
        .describe(
          'The form of group names, as the claim `groups` of a login has them. `onPremisesName`: `sAMAccountName`. `domainName`: `NETBIOS\\sAMAccountName`. `dnsDomainName`: `dns.domain\\sAMAccountName`. A group without this name is left out, with a finding.',
        ),
      cloudDisplayName: z
        .boolean()
        .default(false)
        .describe('With an on-premises form of names: groups without such a name have their display name (`cloud_displayname`).'),
      types: z
        .enum(['security', 'all'])
        .default('security')
        .describe('`security`: only security groups. `all`: also distribution lists and other groups of Microsoft 365.'),
      assigned: applicationId
        .optional()
        .describe(
          'Read only the groups that are assigned to this application: its application (client) id. Use it if the claim has `Groups assigned to the application`.',
        ),
    })
    .prefault({}),
  people: z
    .strictObject({ identity: identity(['mail', 'userPrincipalName', 'id']), nested })
    .optional()
    .describe(
      `${peopleSetting} The app registration then needs \`User.Read.All\`, and \`Member.Read.Hidden\` for groups that hide their members.`,
    ),
  checkTotal: z
    .boolean()
    .default(true)
    .describe(
      "Compare the number of groups with Graph's own count. If they differ, the reading is partial. `false` is needed for Azure AD B2C, whose Graph counts nothing.",
    ),
  pageSize: z.int().min(1).max(999).default(999).describe('Groups per page, and members per page.'),
  groupsMax: groupsMax(200_000),
  ...overNetwork,
})
