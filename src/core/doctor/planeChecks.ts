import { planeAddress } from '../cures.ts'
import type { Finding } from '../finding.ts'
import { count, counted, listed } from '../quantity.ts'
import { visible } from '../safeName.ts'
import type { Check, DoctorCode, DoctorFinding } from './check.ts'

/** Why Plane did not answer a question. `code`: that of the client's error. `sentence`: for people. */
export type Refusal = { readonly code: string; readonly sentence: string; readonly cure?: string }

/** A credential of the settings. `owner`: the account to which it belongs. `refusal`: in place of it. */
export type CredentialFacts = { readonly name: string; readonly owner?: string; readonly refusal?: Refusal }

/** What the credential may read in a workspace. `mappings`, `projects`: why not; absent: it may. */
export type ReadRefusals = { readonly mappings?: Refusal; readonly projects?: Refusal }

/** A workspace whose lists were not read. `error`: why, as a plan says it. */
type UnreadWorkspace = { readonly workspace: string; readonly slug: string; readonly credential: string }

const silent = new Set(['unreachable', 'tls', 'deadline', 'cut', 'tooLarge', 'circuit'])
const otherService = new Set(['redirected', 'notJson', 'malformed'])

/** Whether the answer is about the service as a whole, so that no other request makes sense now. */
const isAboutService = ({ code }: Refusal): boolean => silent.has(code) || otherService.has(code) || code === 'server'
/** Whether the credential cannot be used, so that no other request with it makes sense now. */
export const isUseless = (refusal: Refusal): boolean =>
  isAboutService(refusal) || refusal.code === 'credential' || refusal.code === 'secret' || refusal.code === 'throttled'

const finding = (
  code: DoctorCode,
  severity: DoctorFinding['severity'],
  place: string,
  sentence: string,
  cure: string | undefined,
): DoctorFinding => ({ code, severity, place, sentence, ...(cure === undefined ? {} : { cure }) })

/**
 * Whether each answer was 404: then nothing of Plane's API is at this address. One 404 alone may come from a Plane without that address.
 *
 * @param accesses what the credentials may read in each workspace that was asked and not read; undefined for a workspace that was read
 */
export const isElsewhere = (credentials: readonly CredentialFacts[], accesses: readonly (ReadRefusals | undefined)[]): boolean =>
  credentials.length > 0 &&
  credentials.every(({ refusal }) => refusal?.code === 'notFound') &&
  accesses.every((access) => access?.mappings?.code === 'notFound' && access.projects?.code === 'notFound')

/** Whether Plane answers at its address. */
export function serviceCheck(baseUrl: string, credentials: readonly CredentialFacts[], isNowhere: boolean): Check {
  const refusals = credentials.flatMap(({ refusal }) => refusal ?? [])
  const answered = credentials.filter(({ refusal }) => refusal === undefined || (!isAboutService(refusal) && refusal.code !== 'secret'))
  const check = { check: 'service', place: visible(baseUrl) } as const
  const [first] = refusals
  if (isNowhere && first !== undefined) return { ...check, seen: 'no answer of Plane', findings: [serviceFinding(baseUrl, first)] }
  const worst = answered.length > 0 ? undefined : refusals.find(isAboutService)
  if (worst !== undefined) return { ...check, seen: 'no answer of Plane', findings: [serviceFinding(baseUrl, worst)] }
  if (answered.length === 0) return { ...check, seen: 'not asked: no credential can be used', skipped: true, findings: [] }
  return { ...check, seen: 'Plane answers', findings: [] }
}

function serviceFinding(baseUrl: string, { code, sentence, cure }: Refusal): DoctorFinding {
  if (silent.has(code)) return finding('service-unreachable', 'error', baseUrl, sentence, cure)
  if (code === 'server') return finding('service-failing', 'error', baseUrl, sentence, cure)
  return finding(
    'service-not-plane',
    'error',
    baseUrl,
    `the answer at this address is not that of Plane's API: ${sentence}`,
    `correct ${planeAddress}: with its port, and with its path if it has one; /api/ is not part of it`,
  )
}

/** Whether a credential is accepted, and whose it is. Whether it may write is not tried. */
export function credentialCheck({ name, owner, refusal }: CredentialFacts, isNowhere: boolean): Check {
  const check = { check: 'credential', place: visible(name) } as const
  if (refusal === undefined) return { ...check, seen: `accepted; its owner is ${visible(owner ?? 'unknown')}`, findings: [] }
  const { code, sentence, cure } = refusal
  if (isNowhere || isAboutService(refusal)) return { ...check, seen: 'not tried: Plane did not answer', skipped: true, findings: [] }
  const place = `credential "${name}"`
  if (code === 'secret')
    return { ...check, seen: 'not tried: there is no secret', findings: [finding('secret-unreadable', 'error', place, sentence, cure)] }
  if (code === 'credential') return { ...check, seen: 'refused', findings: [finding('credential-refused', 'error', place, sentence, cure)] }
  if (code === 'throttled')
    return { ...check, seen: 'must wait', findings: [finding('credential-throttled', 'warning', place, sentence, cure)] }
  return {
    ...check,
    seen: 'accepted, as it seems',
    findings: [finding('owner-unknown', 'info', place, `Plane does not say whose it is: ${sentence}`, undefined)],
  }
}

/** Why the lists of a workspace were not read: the first thing that a person can change. */
export function accessFinding(
  { workspace, slug, credential }: UnreadWorkspace,
  { mappings, projects }: ReadRefusals,
  error: Refusal,
): DoctorFinding {
  const of = (code: DoctorCode, sentence: string, cure: string | undefined) => finding(code, 'error', workspace, sentence, cure)
  const owner = `the owner of credential "${credential}"`
  if (mappings === undefined) return of('workspace-unread', error.sentence, error.cure)
  if (mappings.code === 'rejected' || (mappings.code === 'notFound' && projects === undefined))
    return of(
      'group-sync-absent',
      `this Plane has the workspace, and no group sync for it: ${mappings.sentence}`,
      'group sync needs an edition and a subscription of Plane that include it (Commercial edition)',
    )
  if (mappings.code !== 'forbidden' && mappings.code !== 'notFound') return of('workspace-unread', mappings.sentence, mappings.cure)
  if (/\bscope\b/i.test(mappings.sentence))
    return of(
      'scope-missing',
      `the token may not read mappings: ${mappings.sentence}`,
      'give the application the scopes workspaces.group_sync:read, workspaces.group_sync:write and projects:read; then make a new token',
    )
  if (projects === undefined)
    return of(
      'owner-not-admin',
      `${owner} can read the projects of the workspace, and not its mappings`,
      `make ${owner} an admin of the workspace, or use the key of an admin`,
    )
  return of(
    'workspace-unknown',
    `Plane shows nothing of a workspace "${slug}" to ${owner}: ${mappings.sentence}`,
    `check the slug "${slug}" (it is in the address of the workspace in Plane), and make ${owner} an admin of the workspace`,
  )
}

/** The findings of a check that only has findings of a plan. */
export const foundCheck = (check: Check['check'], place: string, seen: string, findings: readonly DoctorFinding[]): Check => ({
  check,
  place,
  seen,
  findings,
})

/** How a credential's requests fit into its limit. */
export const scheduleSeen = (calls: number, allowed: number, interval: string): string =>
  `${counted(calls, 'call')} a cycle, ${count(allowed)} allowed in ${interval}`

/** The kinds of holds with their numbers, the most frequent first. */
export const heldText = (counts: ReadonlyMap<string, number>): string =>
  listed([...counts].toSorted(([, a], [, b]) => b - a).map(([kind, held]) => `${kind} ${held}`))

/** Findings that several workspaces have are told once. */
export const distinctFindings = <T extends Pick<Finding, 'place' | 'sentence'> & { readonly code: string }>(
  findings: readonly T[],
): readonly T[] => [...new Map(findings.map((one) => [JSON.stringify([one.code, one.place, one.sentence]), one])).values()]
