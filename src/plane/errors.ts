import { planeAddress } from '../core/cures.ts'
import { OperationalError } from '../core/operationalError.ts'
import type { Answer, NoAnswer } from '../http/origin.ts'
import { retryAfter } from '../http/rateHeaders.ts'
import { bodyFault, excerpt, explanation, shapeCure } from './answerBody.ts'

/** The failure of a call. The message says what happened and where; `cure` says what to do next. */
export class PlaneError extends OperationalError<PlaneErrorCode> {
  override readonly name = 'PlaneError'
  readonly where: Where
  /** The message without the place, for a text that names the place already. */
  readonly sentence: string
  /** The sentence for a text that already names the status. For a refusal it is the sentence without the status. Otherwise it equals `sentence`. */
  readonly brief: string
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  /** False only where no byte of the request can have left this machine. */
  readonly sent: boolean
  readonly atMs: number
  /**
   * The time of the last byte of an earlier sending of the request. That sending got no answer. It may have been executed, or may still be executed
   * later.
   */
  readonly earlierLastByteMs: number | undefined
  constructor(code: PlaneErrorCode, sentence: string, where: Where, facts: ErrorFacts) {
    super(code, `${sentence} (${whereText(where)})`, facts)
    this.where = where
    this.sentence = sentence
    this.brief = facts.brief ?? sentence
    this.status = facts.status
    this.retryAfterMs = facts.retryAfterMs
    this.sent = facts.sent ?? true
    this.atMs = facts.atMs
    this.earlierLastByteMs = facts.earlierLastByteMs
  }
}

export type PlaneErrorCode =
  /** The key or token is refused: no further call with it makes sense. */
  | 'credential'
  /** There is no key or secret to send, so Plane was not asked. */
  | 'secret'
  /** The credential is valid but may not do this, or the workspace slug is wrong: Plane gives the same answer to both. */
  | 'forbidden'
  | 'notFound'
  | 'rejected'
  | 'conflict'
  | 'throttled'
  | 'redirected'
  | 'server'
  | 'notJson'
  | 'malformed'
  /** Our own queue is full. */
  | 'busy'
  /** The service has failed for some time, so the request is not sent. */
  | 'circuit'
  | NoAnswer['code']

/** The call that failed. `workspace` and `credential` are names in the settings, `slug` is the service's name. No text shows `secrets`. */
export type Where = {
  readonly method: string
  readonly url: string
  readonly credential: string
  readonly workspace?: string
  readonly slug?: string
  readonly secrets: readonly string[]
}

type ErrorFacts = Partial<Pick<PlaneError, 'brief' | 'status' | 'cure' | 'retryAfterMs' | 'sent' | 'cause' | 'earlierLastByteMs'>> &
  Pick<PlaneError, 'atMs'>

/** The error for a complete answer without the expected success status. @param wallMs the time of the machine's clock */
export function errorOfAnswer(answer: Answer, where: Where, wallMs: number): PlaneError {
  const { status } = answer
  const detail = explanation(answer, where.secrets)
  const isRefusal = status >= 400 && status < 500 && status !== 408
  const make = (code: PlaneErrorCode, words: string, cure?: string, more: Partial<ErrorFacts> = {}) =>
    new PlaneError(code, `${words} (${status}: ${detail})`, where, {
      ...(isRefusal ? { brief: `${words} (${detail})` } : {}),
      ...more,
      status,
      cure,
      atMs: answer.receivedAtMs,
    })

  if (status >= 300 && status < 400) return redirectError(answer, where)
  if (status === 401 || status === 403) {
    if (status === 401 || aboutCredential.test(detail))
      return make('credential', `the service refuses the credential "${where.credential}"`, credentialCure(detail))
    return make('forbidden', 'the service forbids this', forbiddenCure(where))
  }
  if (status === 404) return make('notFound', 'not there', notFoundCure(where))
  if (status === 409) return make('conflict', 'the service reports a conflict', refusedReadCure(where), { brief: detail })
  if (status === 402)
    return make('rejected', 'the subscription (edition) of this Plane instance does not include the feature', subscriptionCure(where))
  if (status === 429) {
    const retryAfterMs = retryAfter(answer, wallMs)
    return make('throttled', `too many requests with credential "${where.credential}"`, throttledCure, { retryAfterMs })
  }
  if (status >= 500) return make('server', 'the service failed', serverCure(where))
  if (status >= 400) return make('rejected', 'the service rejects this', refusedReadCure(where), isRefusal ? { brief: detail } : {})
  return make('malformed', 'an unexpected answer', shapeCure)
}

/** The error for a 3xx. None is followed, because a credential must not go to another address. */
function redirectError(answer: Answer, where: Where): PlaneError {
  const { status, receivedAtMs } = answer
  const { brief, cure } = redirectWords(answer, where.secrets)
  return new PlaneError('redirected', `${status}, ${brief}`, where, { brief, status, cure, atMs: receivedAtMs })
}

function redirectWords(answer: Answer, secrets: readonly string[]): { readonly brief: string; readonly cure: string } {
  const { location } = answer.headers
  if (answer.status === 304) return { brief: '"not modified", which is no answer to this request', cure: notModifiedCure }
  if (location === undefined) return { brief: `a redirect without an address (${explanation(answer, secrets)})`, cure: nowhereCure }
  return { brief: `a redirect to ${excerpt(location, secrets)}, which is not followed`, cure: `set ${planeAddress} to the final address` }
}

const notModifiedCure =
  'a cache or proxy in front of Plane answered in its place: see its log, and let it pass requests to the API on to Plane'
const nowhereCure = `the answer may come from a proxy in front of Plane: see its log, and check ${planeAddress}`

/** The error for a success status with an unexpected body. Such a body never counts as an empty list. */
export function errorOfBody(answer: Answer, reason: string, where: Where): PlaneError {
  const { code, sentence, cure } = bodyFault(answer, reason, where.secrets)
  return new PlaneError(code, sentence, where, { status: answer.status, cure, atMs: answer.receivedAtMs })
}

export function errorOfSilence(error: NoAnswer, where: Where, more: Pick<ErrorFacts, 'earlierLastByteMs'> = {}): PlaneError {
  const sentence = excerpt(error.why, where.secrets, 500)
  return new PlaneError(error.code, sentence, where, {
    sent: error.sent,
    cure: silenceCure(error),
    cause: error,
    atMs: error.atMs,
    ...more,
  })
}

function whereText({ method, url, workspace, credential }: Where): string {
  return `${method} ${url}${workspace === undefined ? '' : `, workspace ${workspace}`}, credential "${credential}"`
}

/**
 * Plane answers 403 both for an unknown key and for a wrong workspace. Only the text of the answer shows which of the two is wrong. Other things
 * expire, too, such as a trial or the key of a licence.
 */
const aboutCredential =
  /api token|api key|token is not valid|invalid token|credential|\b(?<!licen[cs]e )(?:token|key|signature)\b.{0,30}\bexpired|\bexpired (?:token|key|signature)/i

const credentialCure = (detail: string) =>
  /not provided/i.test(detail)
    ? 'the service did not get the key: check that no proxy drops the header, and that the secret is not empty'
    : 'the key may have expired: make a new key (Plane: profile settings, personal access tokens) and put it into the file or variable that the settings name'

/** Only a file can be lost while a process runs: its variables stay. */
export const secretCure =
  'restore the file that the settings name: no restart is needed; until then do not restart, because a new process ends with exit code 78'
export const credentialDoubtCure = 'check that the credential in the settings exists and is correct'

const forbiddenCure = ({ method, slug, credential }: Where) => {
  const slugToo = slug === undefined ? '' : `the workspace slug "${slug}" (Plane answers 403 for a misspelt one, too), and `
  return method === 'GET'
    ? `check ${slugToo}that the owner of credential "${credential}" is an admin of the workspace, or a member of the project`
    : `check ${slugToo}that credential "${credential}" may write: its owner must be a workspace admin, an API key must not be read-only, an OAuth token needs the scope workspaces.group_sync:write`
}

const notFoundCure = ({ slug }: Where) =>
  `${slug === undefined ? '' : `check the workspace slug "${slug}"; `}if every address answers 404, ${planeAddress} is wrong, or this Plane has no group sync (Commercial edition)`

/** What happens until a read succeeds. The outcome of a write has a text of its own for what happens next, so a write does not get this one. */
const meanwhile = ({ method, workspace }: Where, cure: string): string | undefined => {
  if (method !== 'GET') return undefined
  const place = workspace === undefined ? 'there' : 'in this workspace'
  return `${cure}; until this can be read, nothing that needs it is written ${place}, and people keep the access that they have; the next cycle tries again`
}

const serverCure = (where: Where) => meanwhile(where, "see Plane's log")
const refusedReadCure = (where: Where) => meanwhile(where, "see Plane's log, and check that this program supports its version")
const subscriptionCure = (where: Where) => meanwhile(where, 'group sync needs an edition of Plane that includes it (Commercial edition)')

const silenceCures: Readonly<Record<NoAnswer['code'], string | undefined>> = {
  unreachable: `check ${planeAddress}, that Plane runs, and that proxies, firewalls and network policies let this through`,
  // The sentence has the cure already.
  tls: undefined,
  deadline: 'Plane, or a proxy in front of it, is slow: check both, or raise service.timeout',
  cut: 'Plane, or a proxy in front of it, was restarted or cuts long answers; the next run reads again',
  tooLarge: `check ${planeAddress}`,
  aborted: undefined,
}

/** What to do if there was no answer. */
export const silenceCure = ({ cure, code }: NoAnswer): string | undefined => cure ?? silenceCures[code]

export const throttledCure = 'other programs spend the same budget: give this one a key of its own, or lower service.limit'

type Circumstances = {
  readonly cure?: string
  /** The earliest time at which the next request is sent. */
  readonly untilMs?: number
  /** The status of the earlier answer, or of the token endpoint's answer, because of which the request was not sent. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

/**
 * This program did not send a request, because the answer would be the same refusal or failure as before, its own queue is full, or it has no
 * credential. The message has no secret.
 */
export class NotSent extends OperationalError<'circuit' | 'throttled' | 'busy' | 'credential' | 'secret'> {
  override readonly name = 'NotSent'
  readonly untilMs: number | undefined
  readonly status: number | undefined
  constructor(code: NotSent['code'], message: string, { untilMs, status, ...more }: Circumstances) {
    super(code, message, more)
    this.untilMs = untilMs
    this.status = status
  }
}
