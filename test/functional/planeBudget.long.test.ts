import { expect, onTestFinished, test } from 'vitest'
import { dialectNames } from '../../src/sandbox/dialect.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { change, client, everywhere, never } from './planeWorld.ts'

const limit = { requests: 60, windowMs: 300 }
/** These limiters never refuse a client that uses each place once in a window. A sliding counter only estimates, so it may. */
const unfooled = ['sliding-log', 'fixed-window', 'token-bucket'] as const

test.each(dialectNames.flatMap((dialect) => unfooled.flatMap((limiter) => [0, 0.1].map((reserve) => ({ dialect, limiter, reserve })))))(
  '180 writes and 12 reads, $dialect, $limiter, reserve $reserve: nothing is refused',
  async ({ dialect, limiter, reserve }) => {
    const sandbox = await startSandbox({ dialect, limiter, limit })
    onTestFinished(() => sandbox.close())
    const { reader, writer } = client(sandbox.url, { budget: { ...limit, reserve } })
    const writes = Array.from({ length: 180 }, (_, nth) =>
      writer.write(change(`g${nth}`, everywhere, { action: 'create', role: 'member' }), never),
    )
    const reads = Array.from({ length: 12 }, () => reader.projects(never))
    expect(new Set((await Promise.all(writes)).map(({ kind }) => kind))).toEqual(new Set(['done']))
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set(['complete']))
    expect(sandbox.requests).toHaveLength(192)
    expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([])
    expect(sandbox.state.workspaces.acme?.workspaceMappings).toHaveLength(180)
  },
)

test('somebody else with the same key: few refusals, and everything gets done', async () => {
  const sandbox = await startSandbox({ dialect: 'plane', limit })
  onTestFinished(() => sandbox.close())
  const { writer } = client(sandbox.url, { budget: { ...limit, reserve: 0.1 } })
  const stop = new AbortController()
  const other = (async () => {
    while (!stop.signal.aborted) {
      await fetch(`${sandbox.url}/api/v1/users/me/`, { headers: { 'X-API-Key': 'sandbox-key' } }).then((answer) => answer.text())
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  })()
  const writes = Array.from({ length: 100 }, (_, nth) =>
    writer.write(change(`g${nth}`, everywhere, { action: 'create', role: 'member' }), never),
  )
  expect(new Set((await Promise.all(writes)).map(({ kind }) => kind))).toEqual(new Set(['done']))
  stop.abort()
  await other
  expect(sandbox.requests.filter(({ status, method }) => status === 429 && method === 'POST').length).toBeLessThanOrEqual(4)
})
