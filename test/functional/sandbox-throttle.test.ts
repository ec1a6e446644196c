import { describe, expect, test } from 'vitest'
import { type Ask, projectMappings, startWorld, sticky, type World } from './specification-world.ts'

const start = (dialect: World['dialect'], more = {}) => startWorld(dialect, AbortSignal.timeout(20_000), more)
const remaining = async ({ ask }: World) => Number((await ask('GET', 'projects/')).headers.get('x-ratelimit-remaining'))

/** Requests, and whether each costs one of the budget in the running service. */
const costs: [name: string, method: string, path: string, ask: Ask, plane: boolean][] = [
  ['200', 'GET', 'projects/', {}, true],
  ['400', 'POST', projectMappings, { body: {} }, true],
  ['404 of an object', 'GET', `${projectMappings}nowhere/`, {}, true],
  ['405', 'OPTIONS', 'projects/', {}, true],
  ['415', 'POST', projectMappings, { body: {}, headers: { 'Content-Type': 'text/plain' } }, true],
  ['500', 'GET', 'projects/?order_by=nonsense', {}, true],
  ['404 of an address', 'GET', 'nowhere/', {}, false],
  ['301', 'GET', 'projects', {}, false],
  ['403', 'GET', '/api/v1/workspaces/nowhere/projects/', {}, false],
  ['406', 'GET', 'projects/', { headers: { Accept: 'text/html' } }, false],
  ['a sticky', 'GET', `stickies/${sticky}/`, {}, false],
]

describe('what counts', () => {
  test.each(costs)('%s', async (_, method, path, ask, plane) => {
    for (const dialect of ['specification', 'plane'] as const) {
      await using world = await start(dialect)
      await world.ask(method, path, ask)
      expect(await remaining(world)).toBe(world.by({ specification: 58, plane: plane ? 58 : 59 }))
    }
  })

  test('a key of one’s own has a budget of its own; a token has none in plane', async () => {
    await using plane = await start('plane')
    const token = await plane.token('projects:read')
    for (let n = 0; n < 70; n += 1) {
      const { status, headers } = await plane.ask('GET', 'projects/', { token })
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '60'])
    }
    expect(await remaining(plane)).toBe(59)
    await using specification = await start('specification', { limit: { requests: 1, windowMs: 60_000 } })
    const other = { token: await specification.token('projects:read') }
    expect([
      (await specification.ask('GET', 'projects/', other)).status,
      (await specification.ask('GET', 'projects/', other)).status,
    ]).toEqual([200, 429])
  })
})

test('plane answers 401 and 403 even when the budget is used up', async () => {
  await using world = await start('plane', { limit: { requests: 1, windowMs: 60_000 } })
  await remaining(world)
  expect((await world.ask('GET', 'projects/')).status).toBe(429)
  expect((await world.ask('GET', '/api/v1/workspaces/nowhere/projects/')).status).toBe(403)
  expect((await world.ask('GET', `stickies/${sticky}/`)).status).toBe(200)
})

test('a limit that was lowered refuses without Retry-After', async () => {
  await using world = await start('plane')
  await remaining(world)
  await remaining(world)
  world.sandbox.state.limit = { requests: 1, windowMs: 60_000 }
  const { status, headers } = await world.ask('GET', 'projects/')
  expect([status, headers.get('retry-after')]).toEqual([429, null])
})

test.each([
  ['sliding-log', 900, 429],
  ['sliding-log', 1_000, 200],
  ['sliding-log', 1_700, 200],
  ['fixed-window', 900, 429],
  ['fixed-window', 1_000, 200],
] as const)('%s: two at 0 and 700 ms, one at %d ms is a %d', async (limiter, atMs, expected) => {
  let nowMs = Date.UTC(2026, 0, 1)
  const began = nowMs
  await using world = await start('plane', { limiter, limit: { requests: 2, windowMs: 1_000 }, now: () => nowMs })
  await remaining(world)
  nowMs = began + 700
  await remaining(world)
  nowMs = began + atMs
  const { status } = await world.ask('GET', 'projects/')
  expect(status).toBe(expected)
})

test('Reset: always a window ahead in plane, the end of the window in the specification', async () => {
  for (const dialect of ['specification', 'plane'] as const) {
    let nowMs = Date.UTC(2026, 0, 1)
    const beganS = nowMs / 1000
    await using world = await start(dialect, { now: () => nowMs })
    await remaining(world)
    nowMs += 10_000
    const { headers } = await world.ask('GET', 'projects/')
    expect(Number(headers.get('x-ratelimit-reset')) - beganS).toBe(world.by({ specification: 60, plane: 70 }))
  }
})
