import { z } from '../../yaml/zod.ts'
import { ldapSecurity } from '../patterns/address.ts'
import { attribute, boundedText, certificateFile, hostName, ldapAddress, nameTemplate, plainText, secret } from '../scalars.ts'
import { groupsMax, needsExpect, nested, overNetwork, peopleSetting } from './shared.ts'

const account = z
  .strictObject({
    dn: plainText.describe('The name of the account. With `external`: the name by which the server knows the certificate.'),
    password: secret.optional(),
    external: z
      .strictObject({
        certificateFile: certificateFile.describe('A PEM file with the certificate. It is read again at each reading.'),
        key: secret.describe('The private key (PEM) of the certificate, by reference: `{file: …}` or `{env: …}`.'),
      })
      .optional()
      .describe(
        'A client certificate, shown to the server in TLS and used for the bind (SASL EXTERNAL). It needs `ldaps://` or `startTls`.',
      ),
    proof: z
      .enum(['whoAmI', 'tokenGroups', 'anonymousSeesLess', 'none'])
      .optional()
      .describe(
        'How it is proved that the server treats the connection as this account, and not as anonymous, which may see fewer groups. `whoAmI`: the server says the name (RFC 4532). `tokenGroups`: the root entry has the groups of the account (AD, Samba). `anonymousSeesLess`: a second, anonymous connection makes the same search, and is refused or sees fewer groups. `none`: no proof; it needs `expect`. Default: the first of them that the server offers, never `none`.',
      ),
  })
  .superRefine(({ password, external }, context) => {
    const at = (path: readonly string[], message: string, cure: string) =>
      context.addIssue({ code: 'custom', message, path: [...path], params: { cure, key: true } })
    if (password === undefined && external === undefined)
      at([], 'the account has neither "password" nor "external"', 'add `password` or `external`')
    if (password !== undefined && external !== undefined)
      at(['external'], 'an account has either "password" or "external"', 'keep exactly one of `password` and `external`')
  })
  .meta({ oneOf: [{ required: ['password'] }, { required: ['external'] }] })

export const ldapSchema = z
  .strictObject({
    kind: z.literal('ldap'),
    addresses: z.array(ldapAddress).min(1).max(10).describe('`ldaps://host[:port]` or `ldap://host[:port]`, tried in this order.'),
    startTls: z.boolean().default(false).describe('Switch an `ldap://` connection to TLS before anything else is sent.'),
    allowPlaintext: z
      .boolean()
      .default(false)
      .describe('Allow the password to be sent without TLS to another host. Everybody on the network path can then read it.'),
    serverName: hostName.optional().describe("The name in the server's certificate, if it differs from the address."),
    bind: z
      .union([account, z.literal('anonymous')])
      .describe('The account for the searches: `{ dn: …, password: { file: … } }`, `{ dn: …, external: … }` or `anonymous`.'),
    groups: z.strictObject({
      base: z.union([boundedText, z.array(boundedText).min(1).max(20)]).describe('The DN below which to search, or a list of DNs.'),
      scope: z.enum(['sub', 'one', 'base']).default('sub'),
      filter: boundedText.default(
        '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=group)(objectClass=posixGroup))',
      ),
      name: nameTemplate
        .default('cn')
        .describe(
          "The attribute with the group's name, exactly as the identity provider sends it in its claim, or a template of attributes, such as `AD\\{sAMAccountName}`. If an entry has several names, the mappings of each are held.",
        ),
      member: attribute
        .optional()
        .describe(
          'The attribute by which direct members are counted, for plans. Without it members are not counted. No number is shown if the group has no value, has another of these groups as a member, has more members than `membersMax`, is a primary group of AD, or can have members by something else, such as `gidNumber` or `memberURL`: `people` counts those.',
        ),
      id: attribute
        .optional()
        .describe('The attribute with a stable id. Default: `entryUUID`, `objectGUID` or `nsUniqueId`, whichever the server has.'),
    }),
    people: z
      .strictObject({
        base: z.union([boundedText, z.array(boundedText).min(1).max(20)]).describe('The DN below which people are, or a list of DNs.'),
        filter: boundedText.default('(objectClass=person)').describe('Which entries are people who can sign in.'),
        identity: attribute
          .default('mail')
          .describe('The attribute by which a person is the same in all groups and directories. No output contains it.'),
        nested,
      })
      .optional()
      .describe(`${peopleSetting} It needs \`groups.member\`, the attribute with the members.`),
    referrals: z
      .enum(['fail', 'ignore'])
      .default('fail')
      .describe(
        "`fail`: a search reference to another server makes the reading fail. `ignore`: skip it. References to AD's Configuration and DNS partitions are always skipped.",
      ),
    pageSize: z.int().min(0).max(5000).default(500).describe('Entries per page. `0`: no paging, for a server without it.'),
    membersMax: z
      .int()
      .min(1)
      .default(1_000_000)
      .describe('The most members of one group that are counted. For a larger group no number is shown.'),
    groupsMax: groupsMax(200_000),
    ...overNetwork,
  })
  .meta({
    ...ldapSecurity,
    ...needsExpect({
      properties: { bind: { type: 'object', properties: { proof: { const: 'none' } }, required: ['proof'] } },
      required: ['bind'],
    }),
  })
