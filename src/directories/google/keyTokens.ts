import { cachedToken } from '../../http/tokenSource.ts'
import { readCredential } from '../credentials.ts'
import { keptTokens } from '../overHttp/keptTokens.ts'
import type { DirectoryTokens, HttpEnvironment } from '../overHttp/reader.ts'
import { refusePlainHttp } from '../plainHttp.ts'
import { claimsOf, signed } from './assertion.ts'
import { granted, jwtGrant } from './grant.ts'
import { serviceAccountKey } from './serviceAccountKey.ts'
import { jwtCure } from './tokenCure.ts'

type KeyAccount = {
  /** Gives the JSON file of the key. It is read again at each reading. */
  readonly key: () => Promise<string>
  readonly subject?: string
  readonly tokenUrl: URL
  readonly allowPlaintext: boolean
}

/** Tokens of a service account by its key, for itself or for the user `subject`. @throws {DirectoryError} */
export function keyTokens({ key, subject, tokenUrl, allowPlaintext }: KeyAccount, around: HttpEnvironment): DirectoryTokens {
  const { secretSeen, now, wall } = around
  return keptTokens(async () => {
    refusePlainHttp(tokenUrl, allowPlaintext)
    const text = await readCredential('the key of the service account', key)
    const { email, key: signer } = serviceAccountKey(text, tokenUrl)
    for (const secret of signer.secrets) secretSeen?.(secret)
    const source = (ca: string | undefined) =>
      cachedToken({
        async request(signal) {
          const assertion = await signed(claimsOf({ email, subject, tokenUrl }, wall()), signer)
          const cure = (said: string) => jwtCure(said, { email, subject })
          return granted({ tokenUrl, ...jwtGrant(assertion), account: accountText(email, subject), cure }, { ...around, ca }, signal)
        },
        onToken: secretSeen,
        now,
      })
    return { revision: text, source }
  })
}

/** The account, in words. */
export const accountText = (email: string, subject: string | undefined): string =>
  `the service account ${email}${subject === undefined ? '' : ` for ${subject}`}`
