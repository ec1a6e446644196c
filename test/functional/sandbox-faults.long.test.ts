import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { projectMappings, startWorld, type World, workspaceMappings } from './specification-world.ts'

const body = { idp_group_name: 'g', role: 'member' }
const start = (...faults: string[]) => startWorld('plane', AbortSignal.timeout(20_000), { faults })
const create = ({ ask }: World) => ask('POST', workspaceMappings, { body })
/** The end of a request: a status, or `cut` if the connection ended without an answer. */
const outcome = (asked: Promise<{ status: number }>) => asked.then(({ status }) => status).catch(() => 'cut')
const stored = ({ sandbox }: World) => sandbox.state.workspaces.acme?.workspaceMappings.length

describe('the answer is lost', () => {
  test.each([
    ['lost for 20ms', 'cut', 1],
    ['lost before commit for 20ms', 'cut', 0],
    ['reset', 'cut', 1],
    ['reset before commit', 'cut', 0],
    ['503', 503, 0],
    ['502 after commit', 502, 1],
    ['429', 429, 0],
    ['html', 200, 0],
    ['html after commit', 200, 1],
    ['redirect to http://other.example/', 302, 0],
    ['cut off', 'cut', 1],
    ['outage 20ms', 'cut', 0],
    ['outage 20ms after commit', 'cut', 1],
  ])('%s: %s, and %d stored', async (fault, ended, count) => {
    await using world = await start(`POST workspace-mappings: ${fault}, once`)
    expect(await outcome(create(world))).toBe(ended)
    expect(stored(world)).toBe(count)
    expect(world.sandbox.requests[0]?.committedAt === undefined).toBe(count === 0)
    expect(await outcome(create(world))).toBe(201)
  })

  test('what struck before the commit has cost nothing of the budget', async () => {
    await using world = await start('*: reset before commit, once', '*: reset after commit, from the 2nd, once')
    for (const left of [null, null, '58']) {
      const answer = await world.ask('GET', 'projects/').catch(() => undefined)
      expect(answer?.headers.get('x-ratelimit-remaining') ?? null).toBe(left)
    }
  })

  test('lost: the connection is silent, not closed', async () => {
    await using world = await start('*: lost for 150ms')
    const beganMs = performance.now()
    expect(await outcome(create(world))).toBe('cut')
    expect(performance.now() - beganMs).toBeGreaterThan(140)
  })

  test('the service goes on when the client has gone', async () => {
    await using world = await start('POST *: latency 4s')
    const address = `${world.sandbox.url}/api/v1/workspaces/acme/${workspaceMappings}`
    const headers = { 'X-API-Key': world.key, 'Content-Type': 'application/json' }
    const client = new AbortController()
    const gone = fetch(address, { method: 'POST', headers, body: JSON.stringify(body), signal: client.signal })
    gone.catch(() => undefined)
    while (world.sandbox.requests.length === 0) await sleep(5)
    client.abort()
    await expect(gone).rejects.toThrow('aborted')
    expect((await world.ask('GET', workspaceMappings)).results).toEqual([])
    while (world.sandbox.requests[0]?.committedAt === undefined) await sleep(20)
    expect((await world.ask('GET', workspaceMappings)).results).toMatchObject([body])
  })

  test('a late commit: no list shows it until then', async () => {
    // The service closes an idle connection after two seconds: the commit comes well before or after that.
    await using world = await start('POST *: commit late after 4s')
    expect(await outcome(create(world))).toBe('cut')
    expect((await world.ask('GET', workspaceMappings)).results).toEqual([])
    while (world.sandbox.requests[0]?.committedAt === undefined) await sleep(20)
    expect((await world.ask('GET', workspaceMappings)).results).toMatchObject([body])
  })

  test('a late commit is forgotten when the sandbox closes', async () => {
    const world = await start('POST *: commit late after 50ms')
    await outcome(create(world))
    await world.sandbox.close()
    await sleep(70)
    expect(stored(world)).toBe(0)
  })
})

describe('the answer is another', () => {
  test('429 with and without Retry-After, in either dialect', async () => {
    for (const dialect of ['specification', 'plane'] as const) {
      const faults = ['*: 429 retry after 7s, once', '*: 429, once']
      await using world = await startWorld(dialect, AbortSignal.timeout(20_000), { faults })
      const answers = [await world.ask('GET', 'projects/'), await world.ask('GET', 'projects/')]
      expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(['7', null])
    }
  })

  test('html, truncated JSON, an answer that is cut off, a redirect', async () => {
    await using world = await start(
      '*: html, once',
      '*: truncated, once',
      '*: 307 redirect to http://other.example/x, once',
      '*: cut off, once',
    )
    const html = await world.ask('GET', 'projects/')
    expect([html.headers.get('content-type'), html.text.startsWith('<!doctype html>')]).toEqual(['text/html; charset=utf-8', true])
    await expect(world.ask('GET', 'projects/')).rejects.toThrow(SyntaxError)
    const redirect = await world.ask('GET', 'projects/')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, 'http://other.example/x'])
    await expect(world.ask('GET', 'projects/')).rejects.toThrow('terminated')
  })

  test('an array comes as pages', async () => {
    await using world = await start('GET project-mappings/: envelope of 2')
    for (const name of ['a', 'b', 'c'])
      await world.ask('POST', projectMappings, { body: { ...body, idp_group_name: name, project: 'ENG' } })
    const first = await world.ask('GET', projectMappings)
    expect(first.json).toMatchObject({ count: 2, total_results: 3, next_page_results: true, next_cursor: '2:1:0' })
    const second = await world.ask('GET', `${projectMappings}?per_page=100&cursor=2:1:0`)
    expect([...first.results, ...second.results].map(({ idp_group_name }) => idp_group_name)).toEqual(['a', 'b', 'c'])
    expect(second.json.next_page_results).toBe(false)
  })

  test.each([
    ['list grows', 8, ['Work 0', 'Work 1', 'Work 2', 'Work 2', 'Work 3', 'Work 4']],
    ['list shrinks', 6, ['Work 0', 'Work 1', 'Work 2', 'Work 4', 'Work 5', 'Work 6']],
  ])('%s between two pages', async (fault, total, seen) => {
    await using world = await start(`GET work-items: ${fault}, once`)
    const { id } = world.sandbox.state.workspaces.acme?.projects[0] ?? {}
    const [one, two] = [
      await world.ask('GET', `projects/${id}/work-items/?per_page=3`),
      await world.ask('GET', `projects/${id}/work-items/?per_page=3&cursor=3:1:0`),
    ]
    expect([...one.results, ...two.results].map(({ name }) => name)).toEqual(seen)
    expect([one.json.total_results, two.json.total_results]).toEqual([7, total])
  })

  test('a role is stored under another name', async () => {
    await using world = await start('* workspace-mappings: role member becomes contributor')
    const { id, json } = await create(world)
    expect(json.role).toBe('contributor')
    expect((await world.ask('PATCH', `${workspaceMappings}${id}/`, { body: { role: 'member' } })).json.role).toBe('contributor')
    expect((await world.ask('GET', workspaceMappings)).results).toMatchObject([{ role: 'contributor' }])
  })

  test('duplicates: allowed, or refused', async () => {
    await using world = await start()
    expect([await outcome(create(world)), await outcome(create(world))]).toEqual([201, 201])
    for (const status of [400, 409]) {
      world.sandbox.setFaults([`*: duplicates ${status}`])
      expect(await outcome(create(world))).toBe(status)
    }
    const other = await world.ask('POST', workspaceMappings, { body: { ...body, idp_group_name: 'other' } })
    expect(await outcome(world.ask('PATCH', `${workspaceMappings}${other.id}/`, { body: { idp_group_name: 'g' } }))).toBe(409)
    expect(await outcome(world.ask('PATCH', `${workspaceMappings}${other.id}/`, { body: { role: 'admin' } }))).toBe(200)
    expect(stored(world)).toBe(3)
  })
})

test('an outage cuts what is in flight, and is silent for its time', async () => {
  await using world = await start('GET projects/: latency 5s', 'POST *: outage 200ms, once')
  const inFlight = outcome(world.ask('GET', 'projects/'))
  while (world.sandbox.requests.length === 0) await sleep(5)
  const beganMs = performance.now()
  expect([await outcome(create(world)), await inFlight]).toEqual(['cut', 'cut'])
  expect(await outcome(world.ask('GET', workspaceMappings))).toBe(200)
  expect(performance.now() - beganMs).toBeGreaterThan(190)
})

test('by chance, repeatable by its seed', async () => {
  const run = async (seed: number) => {
    const faults = ['POST *: lost after commit for 1ms, 30%']
    await using world = await startWorld('specification', AbortSignal.timeout(20_000), { faults, seed })
    const ended = []
    for (let n = 0; n < 30; n += 1) ended.push(await outcome(create(world)))
    return ended.join()
  }
  const [one, same, other] = [await run(5), await run(5), await run(6)]
  expect(one).toBe(same)
  expect(one).not.toBe(other)
})
