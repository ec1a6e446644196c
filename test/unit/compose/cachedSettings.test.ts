import { expect, test } from 'vitest'
import { withCachedSettings } from '../../../src/compose/cachedReader.ts'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { Key } from '../../../src/core/mapping.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { quarantined } from '../../../src/core/memory/quarantine.ts'
import type { ReportedBinding } from '../../../src/cycle/cycle.ts'
import { type Answer, NoAnswer, type Origin, type Request } from '../../../src/http/origin.ts'
import type { WorkspaceReader } from '../../../src/plane/client.ts'
import { acme } from '../core/smallWorld.ts'
import { programOfManyKeys } from '../manyKeys/program.ts'
import { never, type VirtualTime, virtualTime } from '../plane/virtualTime.ts'

const minuteMs = 60_000
const change: Change = {
  action: 'settings',
  key: `${acme}/groupSync` as Key,
  id: 'c1' as ChangeId,
  before: { autoRemove: true },
  after: { autoRemove: false },
  requires: [],
}

/** Runs `work` in virtual time. */
async function during<T>(clock: VirtualTime, work: Promise<T>): Promise<T> {
  await clock.run()
  return work
}

/**
 * A program for one workspace. Its service answers no PATCH of the settings if `isLost`, and executes the first one `executedAfterMs` after its
 * arrival. `reads`: the times at which the settings were requested.
 */
async function programWith({ isLost, executedAfterMs }: { readonly isLost: boolean; readonly executedAfterMs: number }) {
  const clock = virtualTime()
  const reads: number[] = []
  let executedMs = Number.POSITIVE_INFINITY
  const request = async ({ method }: Request): Promise<Answer> => {
    const sentAtMs = clock.now()
    if (method === 'PATCH') executedMs = Math.min(executedMs, sentAtMs + executedAfterMs)
    else reads.push(sentAtMs)
    if (method === 'PATCH' && isLost) throw new NoAnswer('cut', true, sentAtMs, 'the connection was cut')
    return { status: 200, headers: {}, body: JSON.stringify({ auto_remove: sentAtMs < executedMs }), sentAtMs, receivedAtMs: sentAtMs }
  }
  const connect = (url: URL): Origin => ({ url, request, close: async () => {} })
  const { program, writing } = await programOfManyKeys({
    credentials: { default: [acme] },
    declaration: 'projectRoles: []\n',
    groups: [],
    service: { unknownOutcomeWait: '2m' },
    clock,
    connect,
  })
  const [binding] = program.sources.bindings.get('default') as readonly [ReportedBinding]
  return {
    clock,
    reads,
    autoRemove: async () => (await during(clock, binding.about('patient', never))).groupSync?.autoRemove,
    async write() {
      const writer = writing.writer(acme)
      await writer.intend(acme, change, 'd')
      const outcome = await during(
        clock,
        writer.write(
          change,
          () => undefined,
          () => true,
          never,
        ),
      )
      await writer.settle(acme, change, outcome, 'd')
      return outcome
    },
  }
}

test('settings that were read before a lost write of them is settled are shown, and not kept', async () => {
  const { clock, reads, autoRemove, write } = await programWith({ isLost: true, executedAfterMs: minuteMs })
  const outcome = await write()
  expect(outcome).toMatchObject({ kind: 'unknown' })
  const settledMs = (outcome.kind === 'unknown' ? outcome.lastByteMs : 0) + 2 * minuteMs
  expect(await autoRemove()).toBe(true)
  await during(clock, clock.sleep(settledMs - clock.now(), never))
  expect(await autoRemove()).toBe(false)
  expect(await autoRemove()).toBe(false)
  expect(reads).toHaveLength(2)
})

test('settings that were read after a write with an answer are kept for an hour', async () => {
  const { clock, reads, autoRemove, write } = await programWith({ isLost: false, executedAfterMs: 0 })
  expect(await autoRemove()).toBe(true)
  expect(await write()).toEqual({ kind: 'done' })
  expect(await autoRemove()).toBe(false)
  await during(clock, clock.sleep(59 * minuteMs, never))
  expect(await autoRemove()).toBe(false)
  expect(reads).toHaveLength(2)
  await during(clock, clock.sleep(minuteMs, never))
  await autoRemove()
  expect(reads).toHaveLength(3)
})

test('the age of a kept value counts from the request', async () => {
  const clock = virtualTime()
  let reads = 0
  const slow: Pick<WorkspaceReader, 'groupSync'> = {
    async groupSync() {
      reads++
      await clock.sleep(10 * minuteMs, never)
      return { status: 'complete', value: {}, atMs: 0, tookMs: 0 }
    },
  }
  const memory = { ...emptyMemory, quarantine: quarantined({}, [change], clock.now() + 1) }
  const { groupSync } = withCachedSettings(
    () => slow as WorkspaceReader,
    acme,
    () => memory,
    clock,
  )
  await during(clock, groupSync(never))
  expect(reads).toBe(1)
  await during(clock, groupSync(never))
  expect(reads).toBe(2)
  await during(clock, clock.sleep(49 * minuteMs, never))
  await during(clock, groupSync(never))
  expect(reads).toBe(2)
  await during(clock, clock.sleep(minuteMs, never))
  await during(clock, groupSync(never))
  expect(reads).toBe(3)
})
