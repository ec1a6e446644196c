import { subtle } from 'node:crypto'
import { visible } from '../../core/safeName.ts'
import { secretCharactersMin } from '../../core/secretText.ts'
import { extensionGrant } from '../../http/bearerToken.ts'
import { parseJson } from '../../http/json.ts'
import { type SigningKey, signingKey, UnusableKey } from '../../http/signingKey.ts'
import { type BearerToken, cachedToken, expiring, headerText } from '../../http/tokenSource.ts'
import { z } from '../../yaml/zod.ts'
import { readCredential, readForeignJwt } from '../credentials.ts'
import { DirectoryError } from '../directoryError.ts'
import { bodyOf } from '../overHttp/ask.ts'
import { type DirectoryTokens, type HttpEnvironment, refusePlainHttp } from '../overHttp/reader.ts'
import { meaningOf, refusal } from '../overHttp/refusal.ts'
import { keptTokens } from '../overHttp/token.ts'
import { tokenRefusal } from '../overHttp/tokenRefusal.ts'
import { exchangeCure, groupsScope, jwtCure, reasonsIn } from './refusal.ts'

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
          const cure = (detail: string) => jwtCure(detail, { email, subject })
          return granted({ tokenUrl, ...jwtGrant(assertion), account: accountText(email, subject), cure }, { ...around, ca }, signal)
        },
        onToken: secretSeen,
        now,
      })
    return { revision: text, source }
  })
}

/** The account, in words. */
const accountText = (email: string, subject: string | undefined): string =>
  `the service account ${email}${subject === undefined ? '' : ` for ${subject}`}`

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
  const cure = (detail: string) => jwtCure(detail, { email, subject })
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
      cure: (detail) => exchangeCure(detail, provider),
    },
    environment,
    signal,
  )
}

type GrantEnvironment = Pick<HttpEnvironment, 'connect' | 'secretSeen' | 'now' | 'wall'> & { readonly ca: string | undefined }

type Grant = {
  readonly tokenUrl: URL
  readonly grantType: string
  readonly parameters: Readonly<Record<string, string>>
  /** What asks, in words. */
  readonly account: string
  readonly cure: (detail: string) => string
}

/** A token of Google by a grant without a client. @throws {DirectoryError} */
function granted(grant: Grant, { connect, secretSeen, now, wall, ca }: GrantEnvironment, signal: AbortSignal): Promise<BearerToken> {
  const { tokenUrl: home, grantType, parameters, account, cure } = grant
  return extensionGrant(
    {
      home,
      grantType,
      parameters,
      connect: () => connect(new URL(home.origin), ca === undefined ? {} : { ca }),
      onProof: secretSeen,
      explain: (error, at, detail) =>
        tokenRefusal(error, { account, check: cure(detail), showsCertificate: false, home, at, detail, wall }),
      now,
    },
    signal,
  )
}

/** A token for a signed JWT (RFC 7523 §2.1). */
const jwtGrant = (assertion: string): Pick<Grant, 'grantType' | 'parameters'> => ({
  grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  parameters: { assertion },
})

type IamCall = { readonly iamUrl: URL; readonly email: string; readonly bearer: string }

const secretCharactersMax = 20_000
const secretText = z.string().min(secretCharactersMin).max(secretCharactersMax)
const AccessToken = z.object({ accessToken: secretText.regex(headerText) })
const SignedJwt = z.object({ signedJwt: secretText })

/** The lifetime is the one that is requested. The time in the answer is that of another clock. */
const accessTokenLifetimeMs = 3_600_000

/** A token of the service account. Source: https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
async function generateAccessToken(call: IamCall, environment: GrantEnvironment, signal: AbortSignal): Promise<string> {
  const body = { scope: [groupsScope], lifetime: `${accessTokenLifetimeMs / 1000}s` }
  return (await ask({ ...call, method: 'generateAccessToken', body, schema: AccessToken }, environment, signal)).accessToken
}

/** These claims as a JWT that is signed in the name of the service account. Source: https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/signJwt */
async function signJwt(
  { claims, ...call }: IamCall & { readonly claims: Readonly<Record<string, string | number>> },
  environment: GrantEnvironment,
  signal: AbortSignal,
): Promise<string> {
  const body = { payload: JSON.stringify(claims) }
  return (await ask({ ...call, method: 'signJwt', body, schema: SignedJwt }, environment, signal)).signedJwt
}

type Asked<T> = IamCall & { readonly method: keyof typeof roles; readonly body: object; readonly schema: z.ZodType<T> }

async function ask<T>(
  { iamUrl, email, bearer, method, body, schema }: Asked<T>,
  environment: GrantEnvironment,
  signal: AbortSignal,
): Promise<T> {
  const { connect, wall, ca } = environment
  const origin = connect(iamUrl, ca === undefined ? {} : { ca })
  const path = `/v1/projects/-/serviceAccounts/${encodeURIComponent(email)}:${method}`
  const where = `${iamUrl.href.replace(/\/$/, '')}${path}`
  try {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const answer = await origin.request({ method: 'POST', path, headers, body: JSON.stringify(body) }, signal)
    if (answer.status !== 200) throw refusal(answer, meaningOf(answer, explainGoogle(method, email)), where, wall())
    return bodyOf(answer, schema, where)
  } finally {
    await origin.close()
  }
}

/** The smallest roles that have the permission: https://cloud.google.com/iam/docs/service-account-permissions */
const roles = {
  generateAccessToken: 'roles/iam.workloadIdentityUser',
  signJwt: 'roles/iam.serviceAccountTokenCreator',
} as const

const explainGoogle =
  (method: keyof typeof roles, email: string): Parameters<typeof meaningOf>[1] =>
  ({ status, body }) => {
    const reasons = reasonsIn(body)
    if (reasons.has('SERVICE_DISABLED'))
      return { kind: 'refuse', why: 'an API is not enabled', cure: 'enable the IAM Service Account Credentials API in the project' }
    if (status === 403)
      return {
        kind: 'refuse',
        why: `the federated identity may not use the service account ${email}`,
        cure: `grant the role ${roles[method]} on the service account ${email} to the principal of the workload identity pool`,
      }
    if (status === 404 || status === 400)
      return { kind: 'refuse', why: `the service account ${email} is not accepted`, cure: 'check account.workloadIdentity.serviceAccount' }
    return undefined
  }

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
async function signed(claims: Readonly<Record<string, string | number>>, { key, keyId }: SigningKey): Promise<string> {
  const content = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims].map((part) => base64url(JSON.stringify(part))).join('.')
  const signature = await subtle.sign('RSASSA-PKCS1-v1_5', key, Buffer.from(content))
  return `${content}.${base64url(Buffer.from(signature))}`
}

const base64url = (content: string | Buffer): string => Buffer.from(content).toString('base64url')

/** The key of a service account. It signs JWTs in the name of `email`. */
type ServiceAccountKey = { readonly email: string; readonly key: SigningKey }

const named = 'the key of the service account'
const makeOne =
  'make a key of the type JSON for the service account in Google Cloud (IAM, service accounts, keys), and put the whole file there; for workload identity federation use account.workloadIdentity'

const charactersMax = 320
const KeyFile = z
  .object({
    type: z.literal('service_account'),
    client_email: z
      .string()
      .min(3)
      .max(charactersMax)
      .regex(/^[\x21-\x7e]+$/),
    private_key_id: z.string().min(1).max(charactersMax),
    private_key: z.string(),
    token_uri: z.string().optional(),
  })
  .transform(({ client_email: email, private_key_id: keyId, private_key: pem, token_uri: address }) => ({ email, keyId, pem, address }))
type KeyFile = z.output<typeof KeyFile>

/**
 * Reads the JSON file that Google makes for a key of a service account (https://cloud.google.com/iam/docs/keys-create-delete). The file does not
 * decide where the signed JWT goes: its `token_uri` must be the address in the settings.
 *
 * @throws {DirectoryError} without any content of the file but its address
 */
function serviceAccountKey(text: string, tokenUrl: URL): ServiceAccountKey {
  const file = keyFileIn(text)
  const { email, address } = file
  if (address !== undefined && URL.parse(address)?.href !== tokenUrl.href) {
    throw new DirectoryError(
      'foreign',
      `the key of ${email} names the token address ${visible(address.slice(0, 200))}, but the settings name ${tokenUrl.href}`,
      { cure: 'if the address in the key is right, set tokenUrl to it' },
    )
  }
  return { email, key: signerOf(file) }
}

function keyFileIn(text: string): KeyFile {
  let content: unknown
  try {
    content = parseJson({ body: text })
  } catch {
    throw new DirectoryError('credentials', `${named} is not JSON`, { cure: makeOne })
  }
  const parsed = KeyFile.safeParse(content)
  if (parsed.success) return parsed.data
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].filter((field) => field !== '')
  const wrong = fields.length === 0 ? 'is not an object of JSON' : `is not one that Google made: ${fields.join(', ')} is missing or wrong`
  throw new DirectoryError('credentials', `${named} ${wrong}`, { cure: makeOne })
}

function signerOf({ email, pem, keyId }: KeyFile): SigningKey {
  try {
    const key = signingKey(pem, { keyId })
    if (key.algorithm === 'RS256') return key
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error
    throw new DirectoryError('credentials', `the private key in the key of ${email} ${error.message}`, { cure: makeOne })
  }
  throw new DirectoryError('credentials', `the private key in the key of ${email} is not an RSA key`, { cure: makeOne })
}
