import { z } from '../../yaml/zod.ts'
import { emailAddress, identityProvider, secret, secretFile } from '../scalars.ts'

/** The settings that prove the identity of the account. It has exactly one of them. */
const proofs = ['key', 'workloadIdentity', 'token'] as const
const allProofs = '`key`, `workloadIdentity` or `token`'

export const googleAccountSchema = z
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
