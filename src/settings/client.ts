import { z } from '../yaml/zod.ts'
import { certificateFile, plainText, secret, secretFile } from './scalars.ts'

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

/** Checks that a client has exactly one of the proofs. @param all their names, for sentences */
export function exactlyOneProof(client: object, known: readonly string[], all: string, report: Report): void {
  const given = known.filter((proof) => Object.entries(client).some(([name, value]) => name === proof && value !== undefined))
  if (given.length === 0) report([], 'the client has nothing that proves its identity', `add one of ${all}`)
  for (const second of given.slice(1)) report([second], `a client has either "${given[0]}" or "${second}"`, `keep exactly one of ${all}`)
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
