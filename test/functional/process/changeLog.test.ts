import { describe, expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'

const groups = Array.from({ length: 65 }, (_, n) => `team-${String(n).padStart(2, '0')}`)
const declaration = {
  version: 1,
  workspaces: { acme: { projectRoles: groups.map((group) => ({ group, project: 'ENG', role: 'member' })) } },
}

const world = (journal: unknown) =>
  openPlace({
    declaration,
    groups,
    sandbox: { faults: ['POST project-mappings: latency 15ms'] },
    settings: { journal, guards: { creates: { count: 100 } } },
  })

describe.each([
  ['run --once', ['run', '--once']],
  ['apply', ['apply', '--yes']],
  ['the daemon', ['run']],
])('%s, killed while it writes 65 changes', (_name, command) => {
  test.each([
    ['with a journal', { folder: 'state' }, 9],
    ['with a journal', { folder: 'state' }, 43],
    ['without a journal', 'none', 43],
  ] as const)('has logged all of them but the one in flight: %s, %j, after %i', async (_how, journal, count) => {
    await using place = await world(journal)
    const running = place.start(command)
    const changes = () => running.log().filter(({ event }) => event === 'change')
    await running.until(() => stateOf(place.sandbox).length >= count)
    running.child.kill('SIGKILL')
    await running.ended
    const [written, logged] = [stateOf(place.sandbox), changes()]
    expect(written.length).toBeGreaterThanOrEqual(count)
    expect(written.length).toBeLessThan(groups.length)
    expect(logged.every(({ outcome, action }) => outcome === 'done' && action === 'create')).toBe(true)
    expect(new Set(logged.map(({ id }) => id)).size).toBe(logged.length)
    expect(logged.length).toBeGreaterThanOrEqual(written.length - 1)
    expect(new Set(logged.map(({ time }) => time)).size).toBeGreaterThan(5)
    if (journal === 'none') return
    const entries = (await place.read('state/journal-000001.jsonl'))
      .split('\n')
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
    const results = entries.filter((entry: { entry?: string }) => entry.entry === 'result')
    expect(results.length).toBeLessThanOrEqual(logged.length + 1)
    expect(logged.length).toBeLessThanOrEqual(results.length)
  })
})

test('each write is logged once, before the summary', async () => {
  await using place = await world({ folder: 'state' })
  const { code, err } = await place.run(['run', '--once'])
  const lines = err.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as { event: string; id?: string }] : []))
  const ids = lines.flatMap(({ event, id }) => (event === 'change' && id !== undefined ? [id] : []))
  expect([code, ids.length, new Set(ids).size]).toEqual([0, 65, 65])
  expect(lines.findLastIndex(({ event }) => event === 'change')).toBeLessThan(lines.findIndex(({ event }) => event === 'summary'))
})
