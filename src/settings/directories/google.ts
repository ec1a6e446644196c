import { z } from '../../yaml/zod.ts'
import { wrongPaths } from '../patterns/address.ts'
import { customerId, emailAddress, hostName, identityProvider, plainHttp, secret, secretFile, webAddress } from '../scalars.ts'
import { groupsMax, identity, nested, overNetwork, peopleSetting } from './shared.ts'

/** The settings that prove the identity of the account. It has exactly one of them. */
const proofs = ['key', 'workloadIdentity', 'token'] as const
const allProofs = '`key`, `workloadIdentity` or `token`'

const googleAccountSchema = z
  .strictObject({
    key: secret.optional().describe('The key (JSON) of a service account, by reference: `{file: …}` or `{env: …}`.'),
    workloadIdentity: z
      .strictObject({
        provider: identityProvider.describe('The provider of the workload identity pool that trusts the issuer of `token`.'),
        serviceAccount: emailAddress.describe('The e-mail address of the service account that the workload may use.'),
        token: secretFile.describe(
          'A file with a JWT of the other issuer, such as a projected service-account token of Kubernetes. It is read again for each token.',
        ),
      })
      .optional()
      .describe('A service account without a key: workload identity federation.'),
    token: secret.optional().describe('An access token that another program renews, by reference: `{file: …}` or `{env: …}`.'),
    subject: emailAddress
      .optional()
      .describe('The user in whose name the service account reads (domain-wide delegation). Absent: it reads in its own name.'),
  })
  .superRefine((account, context) => {
    const given = proofs.filter((proof) => account[proof] !== undefined)
    const at = (path: readonly string[], message: string, cure: string) =>
      context.addIssue({ code: 'custom', message, path: [...path], params: { cure, key: true } })
    if (given.length === 0) at([], 'the account has nothing that proves its identity', `add one of ${allProofs}`)
    // At the account: at the place of a secret every problem counts as a secret in the wrong form.
    for (const second of given.slice(1)) at([], `an account has either "${given[0]}" or "${second}"`, `keep exactly one of ${allProofs}`)
    if (account.token !== undefined && account.subject !== undefined)
      at(['subject'], 'a token already belongs to one account, so "subject" has no effect', 'remove it, or make the token for this user')
  })
  .meta({ oneOf: proofs.map((proof) => ({ required: [proof] })), not: { required: ['token', 'subject'] } })
  .describe(
    `The account that reads. Exactly one of ${allProofs} proves its identity. It needs the scope \`admin.directory.group.readonly\`, and an admin role that may read groups.`,
  )

export const googleSchema = z
  .strictObject({
    kind: z.literal('google'),
    account: googleAccountSchema,
    customer: customerId.optional().describe('The customer id of the Google Workspace. Default: `my_customer`, that of the account.'),
    domain: hostName.optional().describe('Read only the groups of this domain. Absent: those of all domains of the customer.'),
    groups: z
      .strictObject({
        name: z
          .enum(['name', 'email'])
          .default('name')
          .describe(
            "The form of group names. Google's own SAML apps send the `name`; programs between Google and Plane often send the `email`.",
          ),
      })
      .prefault({}),
    people: z
      .strictObject({ identity: identity(['email', 'id']), nested })
      .optional()
      .describe(peopleSetting),
    pageSize: z.int().min(1).max(200).default(200).describe('Groups per page, and members per page.'),
    groupsMax: groupsMax(50_000),
    url: webAddress(wrongPaths.google).default('https://admin.googleapis.com').describe('The address of the Directory API.'),
    tokenUrl: webAddress()
      .default('https://oauth2.googleapis.com/token')
      .describe('Where a signed JWT is exchanged for a token. A key with another `token_uri` is refused.'),
    stsUrl: webAddress()
      .default('https://sts.googleapis.com/v1/token')
      .describe('Where the token of a workload is exchanged: the Security Token Service.'),
    iamUrl: webAddress()
      .default('https://iamcredentials.googleapis.com')
      .describe('Where a workload gets the token of a service account: the IAM Service Account Credentials API.'),
    allowPlaintext: plainHttp('tokens'),
    ...overNetwork,
  })
  .superRefine(({ customer, domain }, context) => {
    if (customer === undefined || domain === undefined) return
    const params = { cure: 'keep one of them; the groups of a domain are those of the customer who has it', key: true }
    context.addIssue({ code: 'custom', message: 'a reading has either "customer" or "domain"', path: ['domain'], params })
  })
  .meta({ not: { required: ['customer', 'domain'] } })
