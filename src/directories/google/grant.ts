import { extensionGrant } from '../../http/extensionGrant.ts'
import type { BearerToken } from '../../http/tokenSource.ts'
import type { HttpEnvironment } from '../overHttp/reader.ts'
import { tokenRefusal } from '../overHttp/tokenRefusal.ts'

export type GrantEnvironment = Pick<HttpEnvironment, 'connect' | 'secretSeen' | 'now' | 'wall'> & { readonly ca: string | undefined }

type Grant = {
  readonly tokenUrl: URL
  readonly grantType: string
  readonly parameters: Readonly<Record<string, string>>
  /** What asks, in words. */
  readonly account: string
  readonly cure: (said: string) => string
}

/** A token of Google by a grant without a client. @throws {DirectoryError} */
export function granted(grant: Grant, { connect, secretSeen, now, wall, ca }: GrantEnvironment, signal: AbortSignal): Promise<BearerToken> {
  const { tokenUrl: home, grantType, parameters, account, cure } = grant
  return extensionGrant(
    {
      home,
      grantType,
      parameters,
      connect: () => connect(new URL(home.origin), ca === undefined ? {} : { ca }),
      onProof: secretSeen,
      explain: (error, at, said) => tokenRefusal(error, { account, check: cure(said), showsCertificate: false, home, at, said, wall }),
      now,
    },
    signal,
  )
}

/** A token for a signed JWT (RFC 7523 §2.1). */
export const jwtGrant = (assertion: string): Pick<Grant, 'grantType' | 'parameters'> => ({
  grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  parameters: { assertion },
})
