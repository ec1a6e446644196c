import { describe, expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'

const groups = Array.from({ length: 40 }, (_, n) => `team-${String(n).padStart(2, '0')}`)
const declaration = {
  version: 1,
  workspaces: { acme: { projectRoles: groups.map((group) => ({ group, project: 'ENG', role: 'member' })) } },
}
const written = 17

const world = () => openPlace({ declaration, groups, sandbox: { faults: [`POST project-mappings: 401, from the ${written + 1}th`] } })

type Line = { readonly event?: string; readonly outcome?: string; readonly [name: string]: unknown }
const linesOf = (err: string): readonly Line[] =>
  err.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))

describe('the key is refused after 17 of 40 changes', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    // What an apply writes is shown, and its log has no summary.
    ['apply', ['apply', '--yes'], []],
    ['run --once', ['run', '--once'], ['partial']],
  ])('%s: exit code, outcome, log and the next plan say the same', async (_name, command, outcomes) => {
    await using place = await world()
    const { code, out, err } = await place.run(command)
    expect([code, stateOf(place.sandbox).length], out + err).toEqual([1, written])
    const done = linesOf(err).filter(({ event, outcome }) => event === 'change' && outcome === 'done')
    expect(done.length).toBe(written)
    expect(linesOf(err).flatMap(({ event, outcome }) => (event === 'summary' ? [outcome] : []))).toEqual(outcomes)
    expect(`${out}${err}`).toContain('17 of 40 written')
    place.sandbox.setFaults([])
    const plan = await place.run(['plan', '--detailed-exitcode'])
    expect([plan.code, plan.out], plan.out).toEqual([2, expect.stringContaining('23 create, 0 raise')])
    expect((await place.run(command)).code).toBe(0)
    expect(stateOf(place.sandbox).length).toBe(40)
  })

  test('the daemon: metrics, log and status say the same', async () => {
    await using place = await world()
    const { daemon, metric, stop, cycle } = await started(place)
    expect(stateOf(place.sandbox).length).toBe(written)
    const changes = daemon.log().filter(({ event, outcome }) => event === 'change' && outcome === 'done')
    expect(changes.length).toBe(written)
    const of = (outcome: string) => metric(`cycles_total{workspace="acme",outcome="${outcome}"}`)
    expect([await of('partial'), (await of('success')) ?? 0, await metric('last_success_timestamp_seconds{workspace="acme"}')]).toEqual([
      1, 0, 0,
    ])
    const status = await place.run(['status', '-o', 'json'])
    expect(JSON.stringify(JSON.parse(status.out))).toContain('"outcome":"partial"')
    place.sandbox.setFaults([])
    await cycle()
    expect([await of('success'), stateOf(place.sandbox).length]).toEqual([1, 40])
    await stop()
  })
})
