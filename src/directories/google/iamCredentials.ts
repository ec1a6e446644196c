import { secretCharactersMin } from '../../core/secretText.ts'
import { headerText } from '../../http/tokenSource.ts'
import { z } from '../../yaml/zod.ts'
import { bodyOf } from '../overHttp/answerBody.ts'
import { meaningOf, refusal } from '../overHttp/refusal.ts'
import { groupsScope } from './assertion.ts'
import type { GrantEnvironment } from './grant.ts'
import { reasonsIn } from './reasons.ts'

type IamCall = { readonly iamUrl: URL; readonly email: string; readonly bearer: string }

const secretCharactersMax = 20_000
const secretText = z.string().min(secretCharactersMin).max(secretCharactersMax)
const AccessToken = z.object({ accessToken: secretText.regex(headerText) })
const SignedJwt = z.object({ signedJwt: secretText })

/** The lifetime is the one that is requested. The time in the answer is that of another clock. */
export const accessTokenLifetimeMs = 3_600_000

/** A token of the service account. Source: https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
export async function generateAccessToken(call: IamCall, environment: GrantEnvironment, signal: AbortSignal): Promise<string> {
  const body = { scope: [groupsScope], lifetime: `${accessTokenLifetimeMs / 1000}s` }
  return (await ask({ ...call, method: 'generateAccessToken', body, schema: AccessToken }, environment, signal)).accessToken
}

/** These claims as a JWT that is signed in the name of the service account. Source: https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/signJwt */
export async function signJwt(
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
