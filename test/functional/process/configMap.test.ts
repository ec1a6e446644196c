import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf } from './program.ts'
import type { Running } from './running.ts'

const declaration = (...groups: readonly string[]) => ({
  version: 1,
  workspaces: { acme: { projectRoles: groups.map((group) => ({ group, project: 'ENG', role: 'member' })) } },
})
const groups = ['engineering', 'ops', 'legal', 'sales']

/** Mounts the settings as the kubelet does: links into a folder that is replaced as a whole. */
async function mounted(place: Place) {
  let edits = 0
  const bring = async (text: string | undefined) => {
    const folder = `..${++edits}`
    await mkdir(place.path(folder))
    if (text !== undefined) await writeFile(place.path(`${folder}/config.yaml`), text)
    await symlink(folder, place.path('..data_tmp'))
    await rename(place.path('..data_tmp'), place.path('..data'))
    if (edits > 1) await rm(place.path(`..${edits - 1}`), { recursive: true })
  }
  const settingsText = async (more: object) => {
    await rm(place.path('config.yaml'), { force: true })
    await place.settings(more)
    const text = await place.read('config.yaml')
    await rm(place.path('config.yaml'))
    await symlink('..data/config.yaml', place.path('config.yaml'))
    return text
  }
  const good = await settingsText({})
  await bring(good)
  return { bring, good, settingsText }
}

async function started(place: Place) {
  const daemon = place.start(['run'])
  const line = await daemon.until(() => daemon.log().find(({ event }) => event === 'listening'))
  const metric = async (name: string) => {
    const page = await (await fetch(`${String(line['url'])}/metrics`)).text()
    const found = page.split('\n').find((text) => text.startsWith(`plane_group_sync_${name} `))
    return Number(found?.split(' ')[1])
  }
  const ended = () => metric('cycle_duration_seconds_count')
  const cycle = async () => {
    const before = await ended()
    daemon.child.kill('SIGHUP')
    await daemon.until(async () => (await ended()) > before)
  }
  await daemon.until(async () => (await ended()) === 1)
  return { daemon, metric, cycle, ended, valid: () => metric('configuration_valid{part="settings"}') }
}

const said = (daemon: Running, level: string) => daemon.log().filter((line) => line.event === 'settings' && line.level === level)

/**
 * Wrong settings that the schema of the chart accepts, or that were written into the ConfigMap without Helm. A function edits the text of good
 * settings.
 */
const wrong: readonly (readonly [what: string, more: object | ((good: string) => string | undefined), sentence: string])[] = [
  ['a schedule that is none', { schedule: { cron: 'every 5m' } }, '"every 5m" is not a schedule: it has 2 fields'],
  ['a day that never comes', { schedule: { cron: '0 0 30 2 *' } }, 'month 2 has no day 30'],
  ['a time zone that does not exist', { schedule: { timezone: 'Europe/Berln' } }, '"Europe/Berln" is not a time zone'],
  ['a credential that is not there', { workspaces: { acme: { credential: 'staging' } } }, 'credential "staging" is not one of'],
  ['one slug for two workspaces', { workspaces: { beta: { slug: 'acme' } } }, 'the slug "acme" is used twice'],
  ['a reserve of everything', { service: { limit: { reserve: '100%' } } }, 'the reserve leaves nothing of the limit'],
  ['a secret that is not there', { service: { credential: { apiKey: { file: 'none' } } } }, 'none does not exist'],
  ['certificates that are not there', { service: { caFile: 'missing.pem' } }, 'missing.pem'],
  ['an address without its scheme', { service: { baseUrl: 'plane.example.com' } }, 'this is not an address of HTTP'],
  [
    'another host',
    { service: { baseUrl: 'https://plane.exmaple.com' } },
    'to use the edited settings, restart it with another journal.folder',
  ],
  ['an unknown name', { polcy: 'exclusive' }, 'unknown key "polcy"'],
  ['no YAML', () => 'version: 1\nservice: {\n', 'config.yaml:'],
  ['an empty file', () => '', 'config.yaml'],
  ['no file', () => undefined, 'config.yaml: there is no such file'],
]

test('settings that are wrong in the ConfigMap: the last good ones go on, each mistake is said once, and a repair is taken up', async () => {
  await using place = await openPlace({ declaration: declaration(), groups })
  const { bring, good, settingsText } = await mounted(place)
  const { daemon, cycle, valid } = await started(place)
  expect(await valid()).toBe(1)

  for (const [index, [what, more, sentence]] of wrong.entries()) {
    const before = said(daemon, 'error').length
    await bring(typeof more === 'function' ? more(good) : await settingsText(more))
    // The daemon must continue its work, so each time the declaration changes, too.
    const declared = groups.slice(0, 1 + (index % groups.length))
    await place.write('groups.yaml', { ...declaration(...declared), owner: what })
    await cycle()
    await cycle()
    expect(await valid(), what).toBe(0)
    const lines = said(daemon, 'error').slice(before)
    expect(lines, what).toHaveLength(1)
    expect(String(lines[0]?.msg).replaceAll(/\s+/g, ' '), what).toContain(sentence)
    expect(stateOf(place.sandbox), what).toEqual(expect.arrayContaining(declared.map((group) => `ENG ${group} → member`)))

    await bring(good)
    await cycle()
    expect(await valid(), what).toBe(1)
    expect(said(daemon, 'info').at(-1)?.msg).toBe('the settings are valid again and unchanged')
  }
  daemon.child.kill('SIGTERM')
  expect((await daemon.ended).code).toBe(0)
})

test('edited settings are taken up without a restart and without a signal; what is read at the start only is said', async () => {
  await using place = await openPlace({ declaration: declaration('engineering'), groups, settings: { policy: 'observe' } })
  const { bring, settingsText } = await mounted(place)
  const { daemon, metric, ended, valid } = await started(place)
  expect(stateOf(place.sandbox)).toEqual([])

  const count = await ended()
  await bring(await settingsText({ policy: 'upsert-only', service: { limit: { requests: 77 } }, log: { level: 'debug' } }))
  await daemon.until(async () => (await ended()) > count)
  expect(stateOf(place.sandbox)).toEqual(['ENG engineering → member'])
  expect(await metric('budget_limit{credential="default"}')).toBe(77)
  expect(await valid()).toBe(1)
  expect(said(daemon, 'info').map(({ msg }) => msg)).toEqual(['the edited settings are in use'])
  expect(said(daemon, 'warn').map(({ msg }) => msg)).toEqual(['log: edited, but read only at the start; restart to use the edit'])
})

describe('with a tick every ten minutes, as by default, some seconds are enough for', () => {
  // The next tick is some minutes away: a tick between the edit and the look at the files would begin the cycle.
  const schedule = { cron: `${(new Date().getUTCMinutes() + 5) % 10}-59/10 * * * *`, jitter: '30s' }
  /** The files are looked at every two seconds, and twice after an edit. A busy machine needs longer for a look, and pauses longer after it. */
  const secondsMax = 25

  /** Edits something, and expects a mapping soon. */
  async function expectSoon(place: Place, { daemon }: { readonly daemon: Running }, group: string, edit: () => Promise<void>) {
    await edit()
    const editedMs = performance.now()
    await daemon.until(() => stateOf(place.sandbox).includes(`ENG ${group} → member`))
    expect((performance.now() - editedMs) / 1_000).toBeLessThan(secondsMax)
    const edits = daemon.log().flatMap(({ event, msg }) => (event === 'edit' ? [msg] : []))
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    return edits
  }

  test('an edited declaration', async () => {
    await using place = await openPlace({ declaration: declaration('engineering'), groups, settings: { schedule } })
    const edits = await expectSoon(place, await started(place), 'ops', () => place.write('groups.yaml', declaration('engineering', 'ops')))
    expect(edits).toEqual(['a cycle begins because of an edit: declaration'])
  })

  test('edited settings', async () => {
    await using place = await openPlace({ declaration: declaration('engineering'), groups, settings: { schedule, policy: 'observe' } })
    const daemon = await started(place)
    expect(stateOf(place.sandbox)).toEqual([])
    const edits = await expectSoon(place, daemon, 'engineering', () => place.settings({ policy: 'upsert-only' }))
    expect(edits).toEqual(['a cycle begins because of an edit: settings'])
  })

  test('a secret that replaces a refused one', async () => {
    const credential = { apiKey: { file: 'key' } }
    await using place = await openPlace({
      declaration: declaration('engineering'),
      groups,
      settings: { schedule, service: { credential } },
    })
    await place.write('key', 'key-that-was-revoked')
    const daemon = await started(place)
    expect(stateOf(place.sandbox)).toEqual([])
    const edits = await expectSoon(place, daemon, 'engineering', () => place.write('key', 'key-of-a-test'))
    expect(edits).toEqual(['a cycle begins because of an edit: credential default'])
  })
})
