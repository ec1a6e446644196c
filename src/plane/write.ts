import type { Change, MappingDeed, SettingsDeed } from '../core/change.ts'
import { type List, listOf } from '../core/mapping.ts'
import type { Outcome, RefusalCode } from '../core/outcome.ts'
import type { Answer } from '../http/origin.ts'
import type { Caller, Delivered, Operation, Sending } from './call.ts'
import { PlaneError } from './errors.ts'
import { groupSyncPath, mappingPath, mappingsPath, operationName, type PlaneWorkspace } from './mappings.ts'
import { understood } from './understood.ts'
import { groupSyncFrom, groupSyncPatchBody, mappingFrom, mappingPatchBody, newMappingBody } from './wire.ts'

/**
 * Sends one change and says what is known of it afterwards; nothing of the service or of the network is thrown.
 *
 * @param sending `permit` is asked directly before each sending, after the wait for the rate limit: a sentence says why not
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
    return { is: 'notSent', why: 'nothing would change' }
  }
  let earlier: Pick<Delivered, 'earlierLastByteMs'> = {}
  try {
    const { answer, ...before } = await call.send(operation, sending, signal)
    earlier = before
    return { ...achieved(call, workspace, change, operation, answer), ...earlier }
  } catch (error) {
    if (!(error instanceof PlaneError)) throw error
    const { earlierLastByteMs = earlier.earlierLastByteMs } = error
    const outcome = outcomeOfError(error, change, earlierLastByteMs)
    return outcome.is === 'unknown' || earlierLastByteMs === undefined ? outcome : { ...outcome, earlierLastByteMs }
  }
}

/** @throws {PlaneError} for every answer but the operation's success with a body that is understood */
function achieved(
  call: Caller,
  workspace: PlaneWorkspace,
  change: Change,
  operation: Operation,
  answer: Answer,
): Extract<Outcome, { is: 'done' }> {
  if (operation.method === 'DELETE') return deleted(call, operation, answer)
  if (![200, 201].includes(answer.status)) throw call.error(operation, answer)
  return understood(
    answer,
    (body) => done(workspace, change, body),
    (reason) => call.errorOfBody(operation, answer, reason),
  )
}

/** Plane answers a DELETE with 204. A 200 may be a login page, or what a proxy answers for want of Plane. */
function deleted(call: Caller, operation: Operation, answer: Answer): Extract<Outcome, { is: 'done' }> {
  if (answer.status === 204) return { is: 'done' }
  if (answer.status === 200) throw call.errorOfBody(operation, answer, 'a DELETE is answered with 204, not with 200')
  throw call.error(operation, answer)
}

function done(workspace: PlaneWorkspace, change: Change, body: unknown): Extract<Outcome, { is: 'done' }> {
  if (change.action === 'settings') {
    groupSyncFrom(body)
    return { is: 'done' }
  }
  const { id, role, key } = mappingFrom(body, workspace.name, listOf(change.target))
  // A role that was not sent is nobody's answer to it: somebody may have changed it meanwhile.
  const echoed = sendsRole(change) ? { echoed: role } : {}
  return { is: 'done', mapping: id, ...echoed, ...(key === change.key ? {} : { keptAs: key }) }
}

const sendsRole = (change: MappingDeed): boolean => change.action !== 'rename' || change.role !== change.before

/**
 * The one place that decides whether a write that went wrong may have been executed.
 *
 * | what there is | outcome |
 * |---|---|
 * | 404 or 410, and an earlier sending may have been executed | unknown: the earlier sending may be why, or a proxy answered instead of Plane |
 * | another complete 3xx, or 4xx but 408 | refused: the service says that it did nothing |
 * | no byte left this machine | notSent |
 * | all else: 5xx, 408, another 2xx, a body that cannot be understood, no answer | unknown |
 *
 * Of a repeated write every other row says what came of the last sending; the outcome then names the earlier sending, too.
 */
function outcomeOfError(error: PlaneError, change: Change, earlierLastByteMs: number | undefined): Outcome {
  const { status } = error
  // The status of a request that was not sent is the token endpoint's.
  if (error.sent && (status === 404 || status === 410) && earlierLastByteMs !== undefined) {
    const why = `an earlier sending got no usable answer, and the repetition says: ${error.sentence}; the next list shows what was executed`
    return { is: 'unknown', why, lastByteMs: earlierLastByteMs, status }
  }
  if (status !== undefined && status >= 300 && status < 500 && status !== 408) {
    const retryAfterMs = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }
    return { is: 'refused', status, code: refusalCode(error, change), sentence: sentenceOf(error), ...retryAfterMs }
  }
  if (!error.sent) return { is: 'notSent', why: sentenceOf(error) }
  return { is: 'unknown', why: sentenceOf(error), lastByteMs: error.atMs, ...(status === undefined ? {} : { status }) }
}

/** The change names the place. */
const sentenceOf = ({ sentence, cure }: PlaneError) => (cure === undefined ? sentence : `${sentence}: ${cure}`)

function refusalCode({ code, status }: PlaneError, { action }: Change): RefusalCode {
  switch (code) {
    case 'forbidden':
    case 'credential':
    case 'redirected':
    case 'conflict':
    case 'throttled':
      return code
    default:
      // Of a collection, or of the settings, a 404 says that the address or the project is wrong.
      return (status === 404 || status === 410) && action !== 'create' && action !== 'settings' ? 'gone' : 'rejected'
  }
}

function operationOf(slug: string, change: Change): Operation {
  return change.action === 'settings' ? settingsOperation(slug, change) : mappingOperation(slug, listOf(change.target), change)
}

function mappingOperation(slug: string, list: List, change: MappingDeed): Operation {
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

/** Only fields that differ are sent, so that a person's edit of another field in the meantime stays. */
const settingsOperation = (slug: string, { after }: SettingsDeed): Operation => ({
  name: 'config.patch',
  method: 'PATCH',
  path: `${groupSyncPath(slug)}config/`,
  body: groupSyncPatchBody(after),
})
