import { mkdir, readdir, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place } from './program.ts'
import { started } from './startedDaemon.ts'

const setFaults = (place: Place, ...faults: readonly string[]) =>
  fetch(`${place.sandbox.url}/_sandbox/faults`, { method: 'PUT', body: JSON.stringify({ faults }) })

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** A daemon with a page, and its first sentence with its colour. */
async function watched(place: Place) {
  const run = await started(place)
  await run.daemon.until(async () => (await readdir(place.path('state'))).includes('last.json'))
  const line = run.daemon.log().find(({ event }) => event === 'listening')
  const first = async () => {
    const page = await (await fetch(`${String(line?.['url'])}/`)).text()
    return /<h1 class="(\w+)">(.*?)<\/h1>/.exec(page)?.slice(1)
  }
  return { ...run, first }
}

const page = { http: { listen: '127.0.0.1:0', page: { open: true } } }
const declared = (groups: readonly string[]) => ({
  version: 1,
  workspaces: { acme: { projectRoles: [{ group: groups, project: 'ENG', role: 'member' }] } },
})

describe('status and the page say why', { concurrent: true }, () => {
  test('the list of projects was not read, with the cure of its error', async () => {
    await using place = await openPlace({ declaration: declared(['devs']), groups: ['devs', 'ops'], settings: page })
    const { first, cycle, stop } = await watched(place)
    expect(await first()).toEqual(['good', 'Nothing waits, and all is as declared.'])
    await setFaults(place, 'GET projects: html')
    await cycle()
    expect(await first()).toEqual(['alarm', 'The last cycle failed, or was not whole, in acme.'])
    const status = oneLine((await place.run(['status'])).out)
    expect(status).toContain('warning reading-incomplete: the list of projects could not be read')
    expect(status.match(/HTML|web page/gi)?.length, status).toBeGreaterThan(0)
    expect(status).not.toContain('check that the credential may read projects')
    await stop()
  })

  test('a directory was not read', async () => {
    await using place = await openPlace({ declaration: declared(['devs']), groups: ['devs', 'ops'], settings: page })
    const { first, cycle, stop } = await watched(place)
    await rm(place.path('directory.yaml'))
    await cycle()
    expect(await first()).toEqual(['alarm', 'The last cycle failed, or was not whole, in acme; directory corp was not read whole.'])
    await stop()
  })

  test('the settings could not be read again', async () => {
    await using place = await openPlace({ declaration: declared(['devs']), groups: ['devs', 'ops'], settings: page })
    const { first, cycle, stop } = await watched(place)
    const settings = await place.read('config.yaml')
    await place.write('config.yaml', 'version: 1\nservce: {}\n')
    await cycle()
    expect(await first()).toEqual(['alarm', 'The settings have a mistake.'])
    await place.write('config.yaml', settings)
    const status = oneLine((await place.run(['status'])).out)
    expect(status).toMatch(/The settings are invalid, and those that were read before stay in use: .*config.yaml:2:1: unknown key/)
    await cycle()
    expect((await place.run(['status'])).out).not.toContain('The settings are invalid')
    await stop()
  })
})

test('a cycle that runs is not missed, however old the last one is', async () => {
  const groups = Array.from({ length: 25 }, (_, n) => `team-${n}`)
  const limit = { sandbox: { limit: { requests: 10, windowMs: 6_000 } }, settings: { service: { limit: { requests: 10, window: '6s' } } } }
  await using place = await openPlace({ declaration: declared(groups.slice(0, 1)), groups, ...limit })
  const { daemon, stop } = await watched(place)
  const last = JSON.parse(await place.read('state/last.json'))
  await place.write('groups.yaml', declared(groups))
  await daemon.until(async () => (await place.run(['status'])).out.includes('A cycle runs'))
  await place.write('state/last.json', { ...last, overdue: '2020-01-01T00:00:00.000Z', ended: '2020-01-01T00:00:00.000Z' })
  const { code, out } = await place.run(['status'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^A cycle runs since /)])
  expect(out).not.toContain('missed')
  await stop()
})

describe('a line that is gone belongs to the owner of the file that gave the mapping', { concurrent: true }, () => {
  const groups = Array.from({ length: 12 }, (_, n) => `eng-${n}`)
  const fence = (owner: string, project: string) => ({
    ...{ owner, workspace: 'acme', may: ['removed'] },
    projectRoles: { projects: [project], roles: ['member'], groups: ['eng-*', 'ops'] },
  })
  const settings = {
    declaration: 'groups',
    policy: 'sync',
    fences: { 'teams/eng/**': fence('team-eng', 'ENG'), 'teams/ops/**': fence('team-ops', 'OPS') },
  }
  const rules = (chosen: readonly string[], project: string) => ({
    version: 1,
    workspaces: { acme: { projectRoles: chosen.map((group) => ({ group, project, role: 'member' })) } },
  })
  const open = async () => {
    const place = await openPlace({ declaration: '', groups: [...groups, 'ops'], settings })
    for (const team of ['eng', 'ops']) await mkdir(place.path(`groups/teams/${team}`), { recursive: true })
    await place.write('groups/teams/eng/a.yaml', rules(groups, 'ENG'))
    await place.write('groups/teams/ops/a.yaml', rules(['ops'], 'OPS'))
    return place
  }

  test.each([
    ['all lines', false],
    ['the whole file', true],
  ])('%s', async (_, isFileGone) => {
    await using place = await open()
    const { cycle, metric, stop } = await watched(place)
    if (isFileGone) await rm(place.path('groups/teams/eng/a.yaml'))
    else await place.write('groups/teams/eng/a.yaml', rules([], 'ENG'))
    await cycle()
    const own = await place.run(['status', '--owner', 'team-eng'])
    expect(own.out).toContain('Waits for approval (12: 12 delete)')
    expect(own.out).not.toContain('Nothing of team-eng waits')
    expect((await place.run(['status', '--owner', 'team-ops'])).out).toContain('Nothing of team-ops waits in acme')
    expect(await metric('owner_waiting_for_approval{owner="team-eng"}')).toBe(12)
    expect(await metric('owner_waiting_for_approval{owner="none"}')).toBe(0)
    const planned = async (owner: string) => (await place.run(['plan', '--owner', owner])).out
    expect(await planned('team-eng')).toContain('eng-1 ')
    expect(await planned('team-ops')).not.toContain('eng-1')
    await stop()
  })
})
