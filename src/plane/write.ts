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
    return { ...achieved(call, workspace, change, operation, answer, earlier.earlierLastByteMs !== undefined), ...earlier }
  } catch (error) {
    if (!(error instanceof PlaneError)) throw error
    const outcome = outcomeOfError(error, change)
    const { earlierLastByteMs = earlier.earlierLastByteMs } = error
    return outcome.is === 'unknown' || earlierLastByteMs === undefined ? outcome : { ...outcome, earlierLastByteMs }
  }
}

/**
 * @param repeated an earlier sending may have done it: what is to be deleted, and is gone, is done
 * @throws {PlaneError} for every answer but the operation's success with a body that is understood
 */
function achieved(
  call: Caller,
  workspace: PlaneWorkspace,
  change: Change,
  operation: Operation,
  answer: Answer,
  repeated: boolean,
): Extract<Outcome, { is: 'done' }> {
  const gone = repeated ? [404, 410] : []
  const succeeded = operation.method === 'DELETE' ? [200, 204, ...gone] : [200, 201]
  if (!succeeded.includes(answer.status)) throw call.error(operation, answer)
  if (operation.method === 'DELETE') return { is: 'done' }
  return understood(
    answer,
    (body) => done(workspace, change, body),
    (reason) => call.errorOfBody(operation, answer, reason),
  )
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
 * | a complete 3xx, or 4xx but 408 | refused: the service says that it did nothing |
 * | no byte left this machine | notSent |
 * | all else: 5xx, 408, another 2xx, a body that cannot be understood, no answer | unknown |
 *
 * Of a repeated write it says what came of the last sending; the outcome then names the earlier one, too.
 */
function outcomeOfError(error: PlaneError, change: Change): Outcome {
  const { status } = error
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
