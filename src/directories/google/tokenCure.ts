import { groupsScope } from './assertion.ts'

type Asked = { readonly email: string; readonly subject: string | undefined }

/**
 * The cure if Google gives no token for a signed JWT, by what it said: `error: error_description`. Source:
 * https://developers.google.com/identity/protocols/oauth2/service-account#error-codes
 */
export function jwtCure(said: string, { email, subject }: Asked): string {
  if (/^(?:unauthorized_client|access_denied)/.test(said)) {
    return subject === undefined
      ? `check that the service account ${email} exists and is not disabled`
      : `let the service account ${email} act for users: in the Admin console, under API controls, domain-wide delegation, add its client id (a number) with the scope ${groupsScope}; this can take up to 24 hours`
  }
  if (/account not found/i.test(said)) return `the service account ${email} was deleted: make a key of another one`
  if (/signature|verifier|private_key|kid/i.test(said))
    return `the key of ${email} was deleted or disabled in Google Cloud: make a new one, and put it into the file that the settings name`
  if (/\b(?:iat|exp)\b|timeframe|expired/i.test(said)) return 'check that the clock of this machine is right'
  if (subject !== undefined && /email|user|prn|subject/i.test(said))
    return `check that account.subject, ${subject}, is the e-mail address of a user of this Google Workspace who is not suspended`
  if (/scope/i.test(said)) return `check that the service account ${email} may use the scope ${groupsScope}`
  return `check that the clock of this machine is right, and that the service account ${email}${subject === undefined ? '' : `, the user ${subject}`} and the key exist`
}

/**
 * The cure if Google's Security Token Service does not take the token of the other issuer. Source:
 * https://cloud.google.com/iam/docs/troubleshooting-workload-identity-federation
 */
export function exchangeCure(said: string, provider: string): string {
  if (said.startsWith('invalid_target'))
    return `check account.workloadIdentity.provider, ${provider}, and that this provider is not disabled`
  if (said.startsWith('unauthorized_client'))
    return `check the attribute condition of the provider ${provider}, which does not let this token pass`
  if (/connecting/i.test(said)) return 'Google must reach the keys of the issuer: check its address, or upload its JWKS to the provider'
  return `check that the issuer and the audience of the JWT are those of the provider ${provider}, that the JWT has not expired, and that the clock of its issuer is right`
}
