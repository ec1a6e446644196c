import { z } from '../../yaml/zod.ts'
import type { Keywords } from '../patterns/text.ts'
import { certificateFile, duration, groupNames, percentage, plainText, secret, secretFile } from '../scalars.ts'

export const shrink = z
  .strictObject({
    share: percentage
      .prefault('50%')
      .describe('Reject a reading that shrank by more than this since the last accepted reading. `100%` disables the check.'),
    minExisting: z
      .int()
      .min(0)
      .default(5)
      .describe('Up to this many may disappear regardless of `share`. A reading without any group is never accepted.'),
  })
  .prefault({})

export const expect = z
  .strictObject({
    atLeast: z.int().min(1).optional().describe('So many groups.'),
    names: groupNames.min(1).max(100).optional().describe('Groups with these names.'),
  })
  .optional()
  .describe(
    'The least that a reading must have. A reading that lacks something of it is partial. `groups --expect` proposes values. An account that may see only a few groups is found only by this, if no earlier reading had more.',
  )

/** JSON Schema: a reading without a usual proof of completeness needs groups that are expected. `checkSettings` checks the same. */
export const needsExpect = (weaker: Keywords): Keywords => ({
  if: { not: weaker },
  else: { required: ['expect'], properties: { expect: { anyOf: [{ required: ['atLeast'] }, { required: ['names'] }] } } },
})

/** The most that a number of Java can be, which a server may take. */
const pageSizeMax = 2_147_483_647

/** @param least the smallest page */
export const membersPageSize = (least: number) => z.int().min(least).max(pageSizeMax)

/** @param usual the default */
export const groupsMax = (usual: number) =>
  z.int().min(1).default(usual).describe('The most groups of this directory. More is an error, which protects the memory of this program.')

/** The settings that all kinds over a network share. */
export const overNetwork = {
  timeout: duration('10ms', '1h').prefault('30s').describe('The longest time that one request or search may take.'),
  readingTimeout: duration('10ms', '1d')
    .prefault('5m')
    .describe(
      'The longest time that a whole reading may take, over all its requests. A longer reading fails; changes that need it are held.',
    ),
  shrink,
  expect,
  caFile: certificateFile
    .optional()
    .describe("A PEM file with the certificates to trust. It replaces the system's certificates. Read again before each cycle."),
}

/** Described like this in each kind: which members are read. */
export const peopleSetting =
  'Read the members of the groups that a change concerns, so that a plan says how many people get, keep or lose a role. Absent: members are not read.'

/** @param names the attributes by which this kind can know a person; the first one is the default */
export const identity = <const Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .enum(names)
    .prefault(names[0])
    .describe('The attribute by which a person is the same in all groups and directories. No output contains it.')

export const nested = z
  .boolean()
  .default(false)
  .describe("Count the members of groups inside a group, too. Use it if the identity provider's claim has them as members.")

/** The settings that prove the identity of an OAuth client. A client has exactly one of them. */
const proofs = ['secret', 'privateKey', 'assertion', 'tls'] as const
const allProofs = '`secret`, `privateKey`, `assertion` or `tls`'

/** A key that signs JWTs, and its name. */
const signingKey = {
  key: secret.describe('A private key (PEM or JWK; RSA, EC or Ed25519), by reference: `{file: …}` or `{env: …}`.'),
  keyId: plainText.optional().describe('The `kid` by which the server knows the key. Default: that of the JWK; with PEM none is sent.'),
}
const clientId = plainText.describe('The client id.')
const signs = 'A key that signs a short-lived JWT for each token (`private_key_jwt`), so that no secret is sent.'

/** An OAuth client of a server that accepts only `private_key_jwt`. @param description what the client must be allowed to do */
export const signingClientSchema = (description: string) =>
  z.strictObject({ id: clientId, privateKey: z.strictObject(signingKey).describe(signs) }).describe(description)

type Report = (path: readonly string[], message: string, cure: string) => void

/** Checks that a client has exactly one of the proofs. @param names of all proofs, for sentences */
export function exactlyOneProof(client: object, known: readonly string[], names: string, report: Report): void {
  const given = known.filter((proof) => Object.entries(client).some(([name, value]) => name === proof && value !== undefined))
  if (given.length === 0) report([], 'the client has nothing that proves its identity', `add one of ${names}`)
  for (const second of given.slice(1)) report([second], `a client has either "${given[0]}" or "${second}"`, `keep exactly one of ${names}`)
}

/**
 * An OAuth client of a directory. @param description what the client must be allowed to do
 */
export const clientSchema = (description: string) =>
  z
    .strictObject({
      id: clientId,
      secret: secret.optional(),
      authentication: z
        .enum(['client_secret_basic', 'client_secret_post'])
        .optional()
        .describe('How the secret is sent: as HTTP Basic authentication, or in the form. Default: `client_secret_basic`.'),
      privateKey: z
        .strictObject({
          ...signingKey,
          certificateFile: certificateFile
            .optional()
            .describe('A PEM file with the certificate of the key, for a server that knows the key by the thumbprint `x5t#S256`.'),
        })
        .optional()
        .describe(signs),
      assertion: secretFile
        .optional()
        .describe(
          'A file with a JWT of another issuer that the server trusts, such as a projected service-account token of Kubernetes. It is read again for each token.',
        ),
      tls: z
        .strictObject({
          certificateFile: certificateFile.describe('A PEM file with the certificate. It is read again at each reading.'),
          key: secret.describe('The private key (PEM) of the certificate, by reference: `{file: …}` or `{env: …}`.'),
        })
        .optional()
        .describe('A client certificate, shown to the token endpoint (mutual TLS, RFC 8705).'),
    })
    .superRefine((client, context) => {
      const at: Report = (path, message, cure) =>
        context.addIssue({ code: 'custom', message, path: [...path], params: { cure, key: true } })
      exactlyOneProof(client, proofs, allProofs, at)
      if (client.authentication !== undefined && client.secret === undefined)
        at(['authentication'], '"authentication" says how a secret is sent, and there is no "secret"', 'remove it, or add `secret`')
    })
    .meta({ oneOf: proofs.map((proof) => ({ required: [proof] })), dependentRequired: { authentication: ['secret'] } })
    .describe(`${description} Exactly one of ${allProofs} proves its identity.`)

export type ClientSettings = z.output<ReturnType<typeof clientSchema>>
