import { z } from '../../yaml/zod.ts'
import { webAddress } from '../patterned.ts'
import { plainHttpAskedFor, wrongPaths } from '../patterns/address.ts'
import { customerId, hostName } from '../scalars.ts'
import { googleAccountSchema } from './googleAccount.ts'
import { identity, nested, overNetwork, peopleSetting } from './shared.ts'

/** The settings with addresses. All of them get a credential. */
export const googleAddresses = ['url', 'tokenUrl', 'stsUrl', 'iamUrl'] as const

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
    groupsMax: z
      .int()
      .min(1)
      .default(50_000)
      .describe('The most groups of this directory. More is an error, which protects the memory of this program.'),
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
    allowPlaintext: z
      .boolean()
      .default(false)
      .describe('Allow plain `http:` to another host. Everybody on the network path can then read the tokens.'),
    ...overNetwork,
  })
  .superRefine(({ customer, domain }, context) => {
    if (customer === undefined || domain === undefined) return
    const params = { cure: 'keep one of them; the groups of a domain are those of the customer who has it', key: true }
    context.addIssue({ code: 'custom', message: 'a reading has either "customer" or "domain"', path: ['domain'], params })
  })
  .meta({ allOf: googleAddresses.map(plainHttpAskedFor), not: { required: ['customer', 'domain'] } })
