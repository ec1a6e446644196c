import { type BearerToken, cachedToken, expiring } from '../../http/tokenSource.ts'
import { readForeignJwt } from '../credentials.ts'
import { keptTokens } from '../overHttp/keptTokens.ts'
import type { DirectoryTokens, HttpEnvironment } from '../overHttp/reader.ts'
import { refusePlainHttp } from '../plainHttp.ts'
import { claimsOf } from './assertion.ts'
import { type GrantEnvironment, granted, jwtGrant } from './grant.ts'
import { accessTokenLifetimeMs, generateAccessToken, signJwt } from './iamCredentials.ts'
import { accountText } from './keyTokens.ts'
import { exchangeCure, jwtCure } from './tokenCure.ts'

type FederatedAccount = {
  /** `projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER` */
  readonly provider: string
  /** The e-mail address of the service account. */
  readonly serviceAccount: string
  /** Gives the JWT of the other issuer. It is read again for each token. */
  readonly jwt: () => Promise<string>
  readonly subject?: string
  readonly tokenUrl: URL
  readonly stsUrl: URL
  readonly iamUrl: URL
  readonly allowPlaintext: boolean
}

/** The only right of the token that the exchange gives: to use service accounts. */
const iamScope = 'https://www.googleapis.com/auth/iam'

/**
 * Tokens of a service account by workload identity federation, without a key: a JWT of another issuer is exchanged for a federated token (RFC 8693),
 * and this one for a token of the service account. The Directory API takes no federated token itself. For a user, the service account signs a JWT, as
 * with a key. Source: https://cloud.google.com/iam/docs/workload-identity-federation-with-other-providers
 *
 * @throws {DirectoryError}
 */
export function federatedTokens(account: FederatedAccount, environment: HttpEnvironment): DirectoryTokens {
  const { tokenUrl, stsUrl, iamUrl, allowPlaintext } = account
  return keptTokens(async () => {
    for (const url of [stsUrl, iamUrl, tokenUrl]) refusePlainHttp(url, allowPlaintext)
    const source = (ca: string | undefined) =>
      cachedToken({
        request: (signal) => request(account, { ...environment, ca }, signal),
        onToken: environment.secretSeen,
        now: environment.now,
      })
    return { revision: '', source }
  })
}

async function request(account: FederatedAccount, environment: GrantEnvironment, signal: AbortSignal): Promise<BearerToken> {
  const { serviceAccount: email, subject, tokenUrl, iamUrl } = account
  const { secretSeen, now, wall } = environment
  const { text: bearer } = await exchanged(account, environment, signal)
  secretSeen?.(bearer)
  const call = { iamUrl, email, bearer }
  if (subject === undefined) {
    const askedAtMs = now()
    return expiring(await generateAccessToken(call, environment, signal), askedAtMs, accessTokenLifetimeMs)
  }
  const assertion = await signJwt({ ...call, claims: claimsOf({ email, subject, tokenUrl }, wall()) }, environment, signal)
  const cure = (said: string) => jwtCure(said, { email, subject })
  return granted({ tokenUrl, ...jwtGrant(assertion), account: accountText(email, subject), cure }, environment, signal)
}

/** Source of the fields: https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token */
async function exchanged(
  { jwt, provider, stsUrl }: FederatedAccount,
  environment: GrantEnvironment,
  signal: AbortSignal,
): Promise<BearerToken> {
  const subjectToken = await readForeignJwt('the token of the workload', jwt)
  return granted(
    {
      tokenUrl: stsUrl,
      grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
      parameters: {
        audience: `//iam.googleapis.com/${provider}`,
        scope: iamScope,
        requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        subject_token: subjectToken,
      },
      account: 'the token of the workload',
      cure: (said) => exchangeCure(said, provider),
    },
    environment,
    signal,
  )
}
