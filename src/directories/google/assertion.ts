import { subtle } from 'node:crypto'
import type { SigningKey } from '../../http/signingKey.ts'

/** The only right that a reading of groups needs: https://developers.google.com/workspace/admin/directory/v1/guides/authorizing */
export const groupsScope = 'https://www.googleapis.com/auth/admin.directory.group.readonly'

/** Google refuses a JWT that is valid for longer. */
const lifetimeS = 3_600

type Claims = {
  /** The service account. */
  readonly email: string
  /** The user in whose name groups are read (domain-wide delegation). */
  readonly subject: string | undefined
  readonly tokenUrl: URL
}

/**
 * The claims of a JWT that is exchanged for a token: https://developers.google.com/identity/protocols/oauth2/service-account#jwt-auth
 *
 * @param wallMs the time of the machine's clock, because Google compares the dates with its own
 */
export function claimsOf({ email, subject, tokenUrl }: Claims, wallMs: number): Readonly<Record<string, string | number>> {
  const iat = Math.floor(wallMs / 1000)
  const whose = subject === undefined ? {} : { sub: subject }
  return { iss: email, ...whose, scope: groupsScope, aud: tokenUrl.href, iat, exp: iat + lifetimeS }
}

/** A JWT with these claims, signed with RS256. */
export async function signed(claims: Readonly<Record<string, string | number>>, { key, keyId }: SigningKey): Promise<string> {
  const content = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims].map((part) => base64url(JSON.stringify(part))).join('.')
  const signature = await subtle.sign('RSASSA-PKCS1-v1_5', key, Buffer.from(content))
  return `${content}.${base64url(Buffer.from(signature))}`
}

const base64url = (content: string | Buffer): string => Buffer.from(content).toString('base64url')
