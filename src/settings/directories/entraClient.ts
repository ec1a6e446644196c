import { z } from '../../yaml/zod.ts'
import { exactlyOneProof } from '../client.ts'
import { applicationId, certificateFile, secret, secretFile } from '../scalars.ts'

const proofs = ['secret', 'privateKey', 'assertion'] as const
const allProofs = '`secret`, `privateKey` or `assertion`'

/** An app registration of Microsoft Entra ID, with the proofs of its identity that Microsoft documents. */
export const entraClient = z
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
