import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf } from './program.ts'
import type { Running } from './running.ts'
import { started } from './startedDaemon.ts'

const declaration = (...groups: readonly string[]) => ({
  version: 1,
  workspaces: { acme: { projectRoles: groups.map((group) => ({ group, project: 'ENG', role: 'member' })) } },
})
const groups = ['ops', 'legal', 'sales']
const hourMs = 3_600_000
/** Undeclared mappings are deleted, so that the test sees a revocation. */
const good = { policy: 'sync', service: { unknownOutcomeWait: '1s' } }
const open = () => openPlace({ declaration: declaration('ops', 'sales'), groups, settings: good })
const keptFile = (place: Place) => place.path('state/last-valid-settings')
const settingsLines = (daemon: Running, level: string) =>
  daemon.log().flatMap((line) => (line.event === 'settings' && line.level === level ? [line.msg] : []))

/** Runs a daemon with good settings, and ends it. */
async function wasRunning(place: Place) {
  const daemon = await started(place)
  expect(stateOf(place.sandbox)).toEqual(['ENG ops → member', 'ENG sales → member'])
  await daemon.stop()
}

/** Sets the time of the kept settings. */
async function aged(place: Place, ms: number) {
  const content = await readFile(keptFile(place))
  const end = content.indexOf(0x0a)
  const head = JSON.parse(content.toString('utf8', 0, end)) as object
  await writeFile(
    keptFile(place),
    Buffer.concat([Buffer.from(JSON.stringify({ ...head, lastValidMs: Date.now() - ms })), content.subarray(end)]),
  )
}

const journalOf = (place: Place) => ({ env: { PLANE_GROUP_SYNC_JOURNAL: place.path('state') } })

describe('after a restart with settings that cannot be used, the last valid ones go on', () => {
  const brokenYaml = async (place: Place) => place.write('config.yaml', 'version: 1\nservice: {\n')
  test.each<readonly [what: string, damage: (place: Place) => Promise<unknown>, sentence: string]>([
    ['an unknown name', (place) => place.settings({ polcy: 'sync' }), 'unknown key "polcy"'],
    ['a schedule that is none', (place) => place.settings({ schedule: { cron: 'every 5m' } }), '"every 5m" is not a schedule'],
    [
      'a secret that is not there',
      (place) => place.settings({ service: { credential: { apiKey: { file: 'none' } } } }),
      'none does not exist',
    ],
    ['no YAML', brokenYaml, 'config.yaml:'],
    ['an empty file', (place) => place.write('config.yaml', ''), 'config.yaml'],
    ['no file', (place) => rm(place.path('config.yaml')), 'there is no such file'],
  ])('%s', async (_what, damage, sentence) => {
    await using place = await open()
    await wasRunning(place)
    expect((await stat(keptFile(place))).mode & 0o777).toBe(0o600)
    const before = await place.read('config.yaml')
    await damage(place)
    await place.write('groups.yaml', declaration('legal', 'sales'))

    const { daemon, metric, cycle, ready, stop } = await started(place, journalOf(place))
    expect(stateOf(place.sandbox)).toEqual(['ENG legal → member', 'ENG sales → member'])
    expect(await ready()).toBe(200)
    expect(await metric('configuration_valid{part="settings"}')).toBe(0)
    await cycle()
    const [line, ...more] = settingsLines(daemon, 'error')
    expect(more).toEqual([])
    expect(line).toMatch(/^the settings are invalid, the last valid ones stay in use, of .* UTC, and grants wait from .* UTC on: /)
    expect(line?.replaceAll(/\s+/g, ' ')).toContain(sentence)

    await place.write('config.yaml', before)
    await cycle()
    expect(await metric('configuration_valid{part="settings"}')).toBe(1)
    expect(settingsLines(daemon, 'info')).toEqual(['the settings are valid again and unchanged'])
    await stop()
  })

  test('for a day they grant, then they only revoke, until the file is valid', async () => {
    await using place = await open()
    await wasRunning(place)
    await aged(place, 25 * hourMs)
    await place.settings({ polcy: 'sync' })
    const next = declaration('ops', 'sales', 'legal')
    const [ops] = next.workspaces.acme.projectRoles
    if (ops !== undefined) ops.role = 'guest'
    await place.write('groups.yaml', next)
    const { daemon, cycle, stop } = await started(place)
    expect(stateOf(place.sandbox)).toEqual(['ENG ops → guest', 'ENG sales → member'])
    const hold = daemon.log().find(({ event }) => event === 'hold')
    expect(hold?.msg).toContain('the settings are invalid, and their last valid version is of')
    await place.settings({})
    await cycle()
    expect(stateOf(place.sandbox)).toEqual(['ENG legal → member', 'ENG ops → guest', 'ENG sales → member'])
    await stop()
  })

  test('a command says which settings the daemon uses meanwhile', async () => {
    await using place = await open()
    await wasRunning(place)
    await place.settings({ polcy: 'sync' })
    const plan = await place.run(['plan'])
    expect(plan.code).toBe(78)
    expect(plan.err.replaceAll(/\s+/g, ' ')).toMatch(
      /unknown key "polcy".* Until this is corrected, plane-group-sync run uses the last valid settings, of .* UTC, which it kept in .*\/state\/last-valid-settings\./,
    )
    const once = await place.run(['run', '--once'])
    expect(once.code).toBe(78)
  })
})

describe('the last valid settings are not used', () => {
  async function refused(place: Place, sentence: string) {
    await place.settings({ polcy: 'sync' })
    const daemon = await place.run(['run'])
    expect(daemon.code).toBe(78)
    expect(daemon.err.replaceAll(/\s+/g, ' ')).toContain(sentence)
  }
  test.each<readonly [what: string, damage: (place: Place) => Promise<unknown>, sentence: string]>([
    [
      'damaged',
      async (place) => writeFile(keptFile(place), `${await readFile(keptFile(place), 'utf8')} `),
      'it is longer or shorter than it says',
    ],
    [
      'edited',
      async (place) => writeFile(keptFile(place), (await readFile(keptFile(place), 'utf8')).replace('"sync"', '"SYNC"')),
      'does not have the hash that the file names, so it is damaged',
    ],
    ['a folder', (place) => rm(keptFile(place)).then(() => mkdir(keptFile(place))), 'this is a folder, not a file'],
  ])('if they are %s', async (_what, damage, sentence) => {
    await using place = await open()
    await wasRunning(place)
    await damage(place)
    await refused(place, `the last valid settings are kept in ${keptFile(place)}, but they cannot be used: `)
    await refused(place, sentence)
  })

  test('if there are none', async () => {
    await using place = await open()
    await refused(place, 'unknown key "polcy"')
  })

  test('if the new ones name another journal, or none', async () => {
    await using place = await open()
    await wasRunning(place)
    for (const journal of [{ folder: 'other' }, 'none']) {
      await place.settings({ polcy: 'sync', journal })
      expect((await place.run(['run'], journalOf(place))).code).toBe(78)
    }
  })
})

test('settings with a secret are used and not kept, and what was kept before is deleted', async () => {
  await using place = await open()
  await wasRunning(place)
  const text = await place.read('config.yaml')
  await place.write('config.yaml', `${text}\n# key-of-a-test\n`)
  const { daemon, stop } = await started(place)
  expect(settingsLines(daemon, 'warn').join()).toMatch(
    /the settings are valid, but they are not kept for a restart: config.yaml contains a secret/,
  )
  await expect(stat(keptFile(place))).rejects.toThrow('ENOENT')
  await stop()
})

test('settings that cannot be kept are used, and older ones are not kept in their place', async () => {
  await using place = await open()
  await wasRunning(place)
  const { daemon, cycle, stop } = await started(place)
  await rm(keptFile(place))
  await mkdir(keptFile(place))
  await chmod(keptFile(place), 0o500)
  await place.settings({ policy: 'upsert-only' })
  await cycle()
  expect(settingsLines(daemon, 'info')).toEqual(['the edited settings are in use'])
  expect(settingsLines(daemon, 'warn').join()).toContain('not kept for a restart')
  await stop()
})
