import { rm } from 'node:fs/promises'
import { setTimeout as pause, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'
import type { Running } from './running.ts'

const eng = Array.from({ length: 20 }, (_, n) => `eng-${String(n).padStart(2, '0')}`)
const declaration = (more = '') => `version: 1
owner: platform-team
workspaces:
  acme:
    workspaceRoles:
      - { groupGlob: "eng-*", role: member }
    projectRoles:
      - { group: ops, project: OPS, role: guest }
${more}`
const ofEng = eng.map((group) => `- ${group} → member`)

/** A daemon that runs a cycle only on request, and functions that show its state. */
async function started(place: Place) {
  const daemon = place.start(['run'])
  const line = await daemon.until(() => daemon.log().find(({ event }) => event === 'listening'))
  const url = String(line['url'])
  const page = async (path: string) => (await fetch(url + path)).text()
  const metric = async (name: string) => {
    const found = (await page('/metrics')).split('\n').find((text) => text.startsWith(`plane_group_sync_${name} `))
    return found === undefined ? undefined : Number(found.split(' ')[1])
  }
  const begun = async () => {
    const triggers = ['start', 'schedule', 'hold', 'reload'].map((trigger) => metric(`cycles_begun_total{trigger="${trigger}"}`))
    return (await Promise.all(triggers)).reduce<number>((sum, count) => sum + (count ?? 0), 0)
  }
  const ended = async () => metric('cycle_duration_seconds_count')
  /** One more cycle, from its beginning to its end. */
  const cycle = async () => {
    const before = (await ended()) ?? 0
    daemon.child.kill('SIGHUP')
    await daemon.until(async () => ((await ended()) ?? 0) > before)
  }
  await daemon.until(async () => (await ended()) === 1)
  const status = async (path: string) => (await fetch(url + path)).status
  return { daemon, metric, cycle, status, begun, ended, page }
}

const errorsOf = (daemon: Running, event: string) => daemon.log().filter((line) => line.level === 'error' && line.event === event)

test('twenty cycles: declaration, settings and directory edited, broken and repaired while it runs', async () => {
  const workspaces = { acme: { projects: ['ENG', 'OPS'] }, beta: { projects: ['ENG'] } }
  // Δ is short here. A person deletes mappings directly after they were written, and the program waits Δ before it creates such a mapping again.
  const settings = { policy: 'exclusive', service: { unknownOutcomeWait: '1s' } }
  await using place = await openPlace({ workspaces, declaration: declaration(), groups: [...eng, 'ops'], settings })
  const { sandbox } = place
  const { daemon, metric, cycle, status, page } = await started(place)
  const before = await page('/metrics')
  const good = [...ofEng, 'OPS ops → guest']
  expect(stateOf(sandbox)).toEqual(good)
  expect(await status('/readyz')).toBe(200)
  const success = 'last_success_timestamp_seconds{workspace="acme"}'

  // 2: nothing to do, and nothing done
  const writes = writesTo(sandbox).length
  await cycle()
  expect(writesTo(sandbox)).toHaveLength(writes)

  // 3, 4: edited
  await place.write('groups.yaml', declaration('      - { group: ops, project: ENG, role: member }\n'))
  await cycle()
  expect(stateOf(sandbox)).toEqual([...ofEng, 'ENG ops → member', 'OPS ops → guest'])
  await place.write('groups.yaml', declaration('      - { group: ops, project: ENG, role: guest }\n'))
  await cycle()
  const edited = [...ofEng, 'ENG ops → guest', 'OPS ops → guest']
  expect(stateOf(sandbox)).toEqual(edited)

  // 5 to 8: the declaration is broken, and the last good one stays in use: mappings that a person deletes come back
  await place.write('groups.yaml', declaration('      - { group: ops, project: ENG, rule: guest }\n'))
  await cycle()
  expect(await metric('configuration_valid{part="declaration"}')).toBe(0)
  expect(await metric('configuration_valid{part="settings"}')).toBe(1)
  expect(errorsOf(daemon, 'declaration').at(-1)?.msg).toContain('groups.yaml:9:37: unknown key')
  expect([await status('/readyz'), await status('/healthz')]).toEqual([200, 200])
  // The first cycle may have written this mapping less than Δ ago.
  await pause(1_000)
  sandbox.state.workspaces.acme?.workspaceMappings.splice(3, 1)
  await cycle()
  expect(stateOf(sandbox)).toEqual(edited)
  await place.write('groups.yaml', 'version: 1\nworkspaces: {acme: {projectRoles: [\n')
  await cycle()
  expect(errorsOf(daemon, 'declaration').at(-1)?.msg).toContain('groups.yaml:2:')
  await rm(place.path('groups.yaml'))
  await cycle()
  expect(await metric('configuration_valid{part="declaration"}')).toBe(0)
  expect(stateOf(sandbox)).toEqual(edited)

  // 9: repaired
  await place.write('groups.yaml', declaration('      - { group: ops, project: ENG, role: guest }\n'))
  await cycle()
  expect(await metric('configuration_valid{part="declaration"}')).toBe(1)

  // 10, 11: settings edited: another limit; another workspace with a credential of its own
  await place.settings({ service: { limit: { requests: 5_000 } } })
  await cycle()
  expect(await metric('budget_limit{credential="default"}')).toBe(5_000)
  const credentials = { default: { apiKey: { env: 'PLANE_API_KEY' } }, other: { apiKey: { env: 'PLANE_API_KEY' } } }
  const wider = { service: { credentials, limit: { requests: 5_000 } }, workspaces: { beta: { credential: 'other' } } }
  await place.settings(wider)
  const ofBeta = '  beta:\n    projectRoles:\n      - { group: ops, project: ENG, role: member }\n'
  await place.write('groups.yaml', declaration(`      - { group: ops, project: ENG, role: guest }\n${ofBeta}`))
  await cycle()
  expect(stateOf(sandbox, 'beta')).toEqual(['ENG ops → member'])
  expect(await metric('budget_limit{credential="other"}')).toBe(5_000)
  expect(await metric('owned_mappings{workspace="beta",list="projectRoles"}')).toBe(0)

  // 12, 13: settings broken, and repaired
  await place.write('config.yaml', 'version: 1\nservce: {}\n')
  await cycle()
  expect(await metric('configuration_valid{part="settings"}')).toBe(0)
  expect(errorsOf(daemon, 'settings').at(-1)?.msg).toContain('config.yaml:2:1')
  const settingsLeft = async () => JSON.parse(await place.read('state/last.json')).settings
  const unused = await settingsLeft()
  expect(unused.kept).toContain('config.yaml:2:1')
  expect(await metric('owned_mappings{workspace="beta",list="projectRoles"}')).toBe(1)
  await place.settings(wider)
  await cycle()
  expect(await metric('configuration_valid{part="settings"}')).toBe(1)
  expect(await settingsLeft()).toEqual({ hash: unused.hash })

  // 14 to 17: the directory shrinks, is empty, is gone, and comes back: nothing is deleted, even under sync
  const succeeded = await metric(success)
  await place.groups(['ops', 'eng-00'])
  await cycle()
  await place.groups([])
  await cycle()
  await rm(place.path('directory.yaml'))
  await cycle()
  expect(stateOf(sandbox)).toEqual(edited)
  expect(await metric('directory_readings_total{directory="corp",status="complete"}')).toBe(13)
  expect(await metric('last_attempt_timestamp_seconds{workspace="acme"}')).toBeGreaterThan(succeeded ?? 0)
  await place.groups([...eng, 'ops'])
  await cycle()

  // 18, 19: suspended, then not
  await place.write('groups.yaml', declaration('    removed: [{ group: ops, project: ENG }]\n'))
  await place.settings({ ...wider, suspend: true })
  await cycle()
  expect(stateOf(sandbox)).toEqual(edited)
  expect(await metric('suspended{workspace="acme",what="all"}')).toBe(1)
  await place.settings(wider)
  await cycle()
  expect(stateOf(sandbox)).toEqual(good)

  // 20: quiet again
  await cycle()
  expect(await metric('cycle_duration_seconds_count')).toBe(20)
  expect(await metric('requests_total{operation="project-mappings.list",status="200"}')).toBeGreaterThan(19)
  expect(before).toContain('plane_group_sync_cycles_begun_total{trigger="start"} 1')
  expect(await metric('cycles_begun_total{trigger="reload"}')).toBe(19)
  expect(await metric('changes_total{workspace="acme",action="delete",result="done"}')).toBe(1)

  daemon.child.kill('SIGTERM')
  expect((await daemon.ended).code).toBe(0)
})

test('whatever asks during a run leads to exactly one more', async () => {
  await using place = await openPlace({ declaration: declaration(), groups: [...eng, 'ops'] })
  const { daemon, begun, ended } = await started(place)
  // The run lasts longer than a busy machine needs for all signals.
  place.sandbox.setFaults(['GET project-mappings: latency 4s'])
  for (let n = 0; n < 5; n++) {
    daemon.child.kill('SIGHUP')
    await sleep(40)
  }
  await daemon.until(async () => (await begun()) === 3)
  place.sandbox.setFaults([])
  await daemon.until(async () => (await ended()) === 3)
  await sleep(800)
  expect(await begun()).toBe(3)
})

test('SIGHUP asks a Plane that has failed for a while, without waiting for the pause', async () => {
  await using place = await openPlace({ declaration: declaration(), groups: [...eng, 'ops'] })
  const { daemon, cycle, metric } = await started(place)
  place.sandbox.setFaults(['*: 503'])
  // The circuit opens after five failures over ten seconds.
  for (const untilMs = performance.now() + 25_000; performance.now() < untilMs && (await isOpen()) !== 1; await sleep(1_000)) await cycle()
  expect(await isOpen()).toBe(1)
  const asked = place.sandbox.requests.length
  await cycle()
  expect(place.sandbox.requests).toHaveLength(asked + 1)
  place.sandbox.setFaults([])
  await cycle()
  expect(await isOpen()).toBe(0)
  expect(daemon.log().findLast(({ event }) => event === 'summary')).toMatchObject({ outcome: 'success' })

  function isOpen() {
    return metric('circuit_open{credential="default"}')
  }
})

test('settings that would bind its journal to another host, or to another Δ, wait for a restart', async () => {
  await using place = await openPlace({ declaration: declaration(), groups: [...eng, 'ops'] })
  const { daemon, cycle, metric } = await started(place)
  const valid = () => metric('configuration_valid{part="settings"}')
  expect(await valid()).toBe(1)

  for (const [edit, why] of [
    [{ service: { baseUrl: 'http://127.0.0.1:9' } }, /not at 127\.0\.0\.1:9: to use the edited settings, restart it with another/],
    [{ service: { unknownOutcomeWait: '30m' } }, /service\.unknownOutcomeWait is now 30 min instead of 1 s: that needs a restart/],
  ] as const) {
    await place.settings(edit)
    await cycle()
    expect(await valid()).toBe(0)
    expect(String(errorsOf(daemon, 'settings').at(-1)?.msg)).toMatch(why)
  }
  await place.settings({ policy: 'exclusive' })
  await cycle()
  expect(await valid()).toBe(1)
})
