import type { Change, MappingChangeBody, SettingsChangeBody } from '../core/change.ts'
import { answeredOtherwise } from '../core/groupSync.ts'
import { type List, listOf, type Role } from '../core/mapping.ts'
import type { Outcome, RefusalCode } from '../core/outcome.ts'
import type { Answer } from '../http/origin.ts'
import { readBody } from './answerBody.ts'
import type { Caller, DeliveredAnswer, Operation, Sending } from './call.ts'
import { PlaneError } from './errors.ts'
import { groupSyncPath, mappingPath, mappingsPath, operationName, type PlaneWorkspace } from './resources.ts'
import { UnexpectedBody } from './wire/fields.ts'
import { groupSyncFrom, groupSyncPatchBody } from './wire/groupSync.ts'
import { mappingFrom, mappingPatchBody, newMappingBody } from './wire/mapping.ts'

/**
 * Sends one change and returns what is known about it afterwards. Errors of the service and of the network are outcomes, never thrown.
 *
 * @param sending `whyNot` is called directly before each sending, after the wait for the rate limit. If it returns a sentence, nothing is sent, and
 *   the sentence is the reason
 */
export async function write(
  call: Caller,
  workspace: PlaneWorkspace,
  change: Change,
  sending: Sending,
  signal: AbortSignal,
): Promise<Outcome> {
  const operation = operationOf(workspace.slug, change)
  // Plane answers an empty PATCH with 400.
  if (operation.method === 'PATCH' && Object.keys(operation.body ?? {}).length === 0) {
    return { kind: 'notSent', why: 'nothing would change' }
  }
  let earlier: Pick<DeliveredAnswer, 'earlierLastByteMs'> = {}
  try {
    const { answer, ...before } = await call.send(operation, sending, signal)
    earlier = before
    return { ...outcomeOfAnswer(call, workspace, change, operation, answer), ...earlier }
  } catch (error) {
    if (!(error instanceof PlaneError)) throw error
    const { earlierLastByteMs = earlier.earlierLastByteMs } = error
    const outcome = outcomeOfError(error, change, earlierLastByteMs)
    return outcome.kind === 'unknown' || earlierLastByteMs === undefined ? outcome : { ...outcome, earlierLastByteMs }
  }
}

/**
 * @throws {PlaneError} if the status is no success, or if the body does not have the expected shape. A DELETE succeeds only with 204 and
 * needs no body
 */
function outcomeOfAnswer(
  call: Caller,
  workspace: PlaneWorkspace,
  change: Change,
  operation: Operation,
  answer: Answer,
): Extract<Outcome, { kind: 'done' }> {
  if (operation.method === 'DELETE') return deleted(call, operation, answer)
  if (![200, 201].includes(answer.status)) throw call.error(operation, answer)
  return readBody(
    answer,
    (body) => done(workspace, change, body),
    (reason) => call.errorOfBody(operation, answer, reason),
  )
}

/** Plane answers a DELETE with 204. A 200 may come from a login page, or from a proxy while Plane is down. */
function deleted(call: Caller, operation: Operation, answer: Answer): Extract<Outcome, { kind: 'done' }> {
  if (answer.status === 204) return { kind: 'done' }
  if (answer.status === 200) throw call.errorOfBody(operation, answer, '200, but Plane answers a DELETE with 204')
  throw call.error(operation, answer)
}

function done(workspace: PlaneWorkspace, change: Change, body: unknown): Extract<Outcome, { kind: 'done' }> {
  if (change.action === 'settings') {
    const answered = answeredOtherwise(change.after, groupSyncFrom(body))
    return { kind: 'done', ...(Object.keys(answered).length === 0 ? {} : { answered }) }
  }
  const { id, role, key } = mappingFrom(body, workspace.name, listOf(change.target))
  // A rename may leave the role out. The role in the answer is then the mapping's present role, not an echo of ours.
  const echoed = sendsRole(change) ? { echoed: storedRole(role) } : {}
  return { kind: 'done', mapping: id, ...echoed, ...(key === change.key ? {} : { storedKey: key }) }
}

/** @throws {UnexpectedBody} for an answer that does not show the role which was sent: whether it is stored is unknown */
function storedRole(role: Role | null): Role {
  if (role === null) throw new UnexpectedBody('role: null, although a role was sent')
  return role
}

const sendsRole = (change: MappingChangeBody): boolean => change.action !== 'rename' || change.role !== change.before

/**
 * The only place that decides whether a failed write may have been executed.
 *
 * | answer | outcome |
 * |---|---|
 * | 404 or 410, and an earlier sending may have been executed | unknown: the earlier sending may have deleted it, or a proxy answered instead of Plane |
 * | another complete 3xx, or 4xx other than 408 | refused: the service says that it did nothing |
 * | none, because for too long every answer has asked to wait, and an earlier sending may have been executed | unknown: that sending decides |
 * | none: no byte left this machine | notSent |
 * | any other: 5xx, 408, another 2xx, a body of another shape, no answer | unknown |
 *
 * If a write was sent twice, all rows except the first one judge the last sending. `write` then adds the time of the earlier sending to
 * every outcome that is not `unknown`.
 */
function outcomeOfError(error: PlaneError, change: Change, earlierLastByteMs: number | undefined): Outcome {
  const { status } = error
  if (!error.sent && error.code === 'throttled') return outcomeOfStall(error, earlierLastByteMs)
  // If nothing was sent, `status` is that of the token endpoint, which says nothing about the mapping.
  if (error.sent && (status === 404 || status === 410) && earlierLastByteMs !== undefined) {
    const why = `an earlier sending got no usable answer, and the repetition says: ${error.sentence}; the next list shows what was executed`
    return { kind: 'unknown', why, lastByteMs: earlierLastByteMs, status }
  }
  if (status !== undefined && status >= 300 && status < 500 && status !== 408) {
    const retryAfterMs = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }
    return { kind: 'refused', status, code: refusalCode(error, change), sentence: sentenceOf(error), ...retryAfterMs }
  }
  if (!error.sent) return { kind: 'notSent', why: sentenceOf(error) }
  return { kind: 'unknown', why: sentenceOf(error), lastByteMs: error.atMs, ...(status === undefined ? {} : { status }) }
}

/** The outcome of a write that was not sent, or not sent again, because the service has asked to wait for too long. */
function outcomeOfStall(error: PlaneError, earlierLastByteMs: number | undefined): Outcome {
  const why = sentenceOf(error)
  if (earlierLastByteMs !== undefined)
    return { kind: 'unknown', why: `sent, and ${why.replace(/^not sent/, 'not sent again')}`, lastByteMs: earlierLastByteMs }
  return { kind: 'notSent', why, ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }) }
}

/** The sentence of an outcome. It lacks the address, and for a refusal also the status, because the row of the change shows both. */
const sentenceOf = ({ brief, cure }: PlaneError) => (cure === undefined ? brief : `${brief.replace(/\.$/, '')}: ${cure}`)

function refusalCode({ code, status }: PlaneError, { action }: Change): RefusalCode {
  switch (code) {
    case 'forbidden':
    case 'credential':
    case 'redirected':
    case 'conflict':
    case 'throttled':
      return code
    default:
      // A create is sent to the address of a list, and the settings have one address. If one of these addresses gives a 404, the address or the
      // project is wrong; no mapping is gone.
      return (status === 404 || status === 410) && action !== 'create' && action !== 'settings' ? 'gone' : 'rejected'
  }
}

function operationOf(slug: string, change: Change): Operation {
  return change.action === 'settings' ? settingsOperation(slug, change) : mappingOperation(slug, listOf(change.target), change)
}

function mappingOperation(slug: string, list: List, change: MappingChangeBody): Operation {
  const name = `${operationName(list)}.${change.action === 'rename' ? 'patch' : change.action}`
  switch (change.action) {
    case 'create':
      return { name, method: 'POST', path: mappingsPath(slug, list), body: newMappingBody(list, change.group, change.target, change.role) }
    case 'patch':
      return { name, method: 'PATCH', path: mappingPath(slug, list, change.mapping), body: mappingPatchBody({ role: change.role }) }
    case 'rename': {
      const role = sendsRole(change) ? { role: change.role } : {}
      return {
        name,
        method: 'PATCH',
        path: mappingPath(slug, list, change.mapping),
        body: mappingPatchBody({ group: change.group, ...role }),
      }
    }
    case 'delete':
      return { name, method: 'DELETE', path: mappingPath(slug, list, change.mapping) }
    default:
      return change satisfies never
  }
}

/** Sends only the fields that differ, so that an edit of another field by a person in the meantime is kept. */
const settingsOperation = (slug: string, { after }: SettingsChangeBody): Operation => ({
  name: 'config.patch',
  method: 'PATCH',
  path: `${groupSyncPath(slug)}config/`,
  body: groupSyncPatchBody(after),
})
