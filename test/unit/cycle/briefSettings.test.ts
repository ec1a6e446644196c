import { expect, test } from 'vitest'
import type { Answer, Origin } from '../../../src/http/origin.ts'
import { NoAnswer } from '../../../src/http/origin.ts'
import { programOfManyKeys } from '../manyKeys/program.ts'
import { serviceOfManyKeys } from '../manyKeys/service.ts'
import { never, type VirtualTime, virtualTime } from '../plane/virtualTime.ts'

const declaration = 'projectRoles:\n  - { group: [devs, ops], project: ENG, role: member }\n'
const row = (group: string) => ({ id: `m-${group}`, idp_group_name: group, project: 'ENG', all_projects: false, role: 'member' })

type Settings = (clock: VirtualTime, signal: AbortSignal) => Promise<Pick<Answer, 'status' | 'headers'>>

const after =
  (ms: number): Settings =>
  async (clock, signal) => {
    await clock.sleep(ms, signal).catch((error: unknown) => {
      throw new NoAnswer('aborted', true, clock.now(), 'given up', error)
    })
    return { status: 200, headers: {} }
  }

const limited: Settings = async () => ({ status: 429, headers: { 'retry-after': '240' } })

/** One cycle over a workspace with these mappings. Its service answers a read of the settings in the way that `settings` says. */
async function cycleOver(existing: readonly string[], settings: Settings) {
  const clock = virtualTime()
  const service = serviceOfManyKeys({
    clock,
    latencyMs: 100,
    limit: 60,
    projects: ['ENG'],
    stock: (_, list) => (list === 'project-mappings' ? existing.map(row) : []),
  })
  const connect = (url: URL): Origin => {
    const origin = service.connect(url)
    return {
      ...origin,
      async request(wanted, signal) {
        if (!wanted.path.endsWith('/config/')) return origin.request(wanted, signal)
        const sentAtMs = clock.now()
        const body = JSON.stringify({ is_enabled: true })
        return { ...(await settings(clock, signal)), body, sentAtMs, receivedAtMs: clock.now() }
      },
    }
  }
  const { cycle } = await programOfManyKeys({ credentials: { default: ['acme'] }, declaration, groups: ['devs', 'ops'], clock, connect })
  const reported = cycle(never)
  await clock.run()
  const { tookMs, workspaces } = await reported
  const [one] = workspaces
  if (one?.kind !== 'judged') throw new Error('not judged')
  return { tookMs, written: one.applied?.results.length, about: one.about }
}

test.each([
  ['hangs', after(600_000)],
  ['waits for the rate limit', limited],
])('after a write the report waits a few seconds at most for the settings of group sync: a read that %s', async (_how, settings) => {
  const { tookMs, written, about } = await cycleOver(['ops'], settings)
  expect(written).toBe(1)
  expect(tookMs).toBeLessThan(5_000)
  expect(about).not.toHaveProperty('groupSync')
  expect(about).not.toHaveProperty('groupSyncUnread')
})

test('after a write the settings are shown if they come soon', async () => {
  expect((await cycleOver(['ops'], after(2_000))).about.groupSync).toEqual({ enabled: true })
})

test('if nothing is written, the report waits for the settings', async () => {
  const { tookMs, about } = await cycleOver(['devs', 'ops'], after(60_000))
  expect(tookMs).toBeGreaterThan(60_000)
  expect(about.groupSync).toEqual({ enabled: true })
})
