import { readdir, rename, stat, utimes } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, type StartOptions } from './program.ts'
import { started } from './startedDaemon.ts'

/** No network, and none of the variables with which the program would find Plane. */
const cutOff: StartOptions = { wrap: (command) => ['unshare', '-rn', 'env', '-u', 'PLANE_BASE_URL', '-u', 'PLANE_API_KEY', ...command] }

const declared = (...rows: readonly object[]) => ({ version: 1, workspaces: { acme: { projectRoles: rows } } })
const row = (group: string, role = 'member', project = 'ENG') => ({ group, project, role })
const people = (...numbers: readonly number[]) => numbers.map((n) => `person${n}@example.com`)
const directory = {
  groups: [
    { name: 'devs', id: '1', members: people(1, 2, 3) },
    { name: 'ops', id: '2', members: people(3, 4) },
    { name: 'all', id: '3', members: people(1, 2, 3, 4, 5) },
    { name: 'unread', id: '4' },
    { name: 'twice', id: '5' },
    { name: 'twice', id: '6' },
  ],
}

/** One mapping exists by hand and one by this program; a grant waits, since it concerns too many people. */
async function openRecorded(settings: object = {}): Promise<Place> {
  const place = await openPlace({
    workspaces: {
      acme: { projects: ['ENG', 'OPS', 'LAB'], projectMappings: [{ idp_group_name: 'by-hand', role: 'admin', project: 'ENG' }] },
    },
    declaration: declared(row('devs', 'guest'), row('all')),
    groups: [],
    settings: { guards: { people: { raise: 4 } }, ...settings },
  })
  await place.write('directory.yaml', directory)
  expect((await place.run(['apply', '--yes'])).code).toBe(3)
  expect(await place.run(['record', '--out', 'recording.json'])).toMatchObject({ code: 0, out: '' })
  return place
}

type Hold = { readonly reason: { readonly places?: readonly string[] }; readonly sentence: string }
type Planned = Readonly<Record<'fingerprint' | 'changes' | 'later' | 'sets' | 'counts' | 'waits', unknown>> & {
  readonly holds: readonly Hold[]
}
/** What a plan decides. The place of a group may be a DN, so a recording has a number for it. */
function decided(text: string) {
  const { workspaces } = JSON.parse(text) as { readonly workspaces: readonly Planned[] }
  return workspaces.map(({ fingerprint, changes, later, sets, counts, waits, holds }) => ({
    ...{ fingerprint, changes, later, sets, counts, waits },
    holds: holds.map(({ reason: { places, ...reason }, sentence, ...hold }) => ({
      ...{ ...hold, reason, places: places?.length },
      sentence: sentence.replace(/: corp: .*/, ''),
    })),
  }))
}

test('a plan of a recording is the live plan, without network, key and directory', async () => {
  await using place = await openRecorded()
  expect((await stat(place.path('recording.json'))).mode & 0o777).toBe(0o600)
  await place.write(
    'groups.yaml',
    declared(row('devs'), row('gone'), row('twice'), row('all'), row('ops', 'member', 'OPS'), row('unread', 'member', 'LAB')),
  )
  const live = await place.run(['plan', '-o', 'json'])
  await rename(place.path('directory.yaml'), place.path('moved.yaml'))
  const recorded = await place.run(['plan', '--recorded', 'recording.json', '-o', 'json'], cutOff)
  expect(recorded.code).toBe(live.code)
  expect(decided(recorded.out)).toEqual(decided(live.out))
  expect(decided(live.out)[0]).toMatchObject({ counts: { raise: 1, create: 1, waiting: 2, held: 2 } })
  const { out } = await place.run(['plan', '--recorded', 'recording.json'], cutOff)
  expect(out).toMatch(/^From a recording of .* UTC \(\d+ s ago\)\n/)
  expect(out).toContain('devs  guest → member')
  const file = await place.read('recording.json')
  for (const secret of ['key-of-a-test', '@example.com', place.folder, 'directory.yaml']) expect(file).not.toContain(secret)
})

test('the recorded settings count, and what differs here is said first', async () => {
  await using place = await openRecorded()
  await place.settings({ policy: 'exclusive', service: { baseUrl: 'https://other.example.com' }, workspaces: { acme: { slug: 'b' } } })
  const { out, code } = await place.run(['plan', '--recorded', 'recording.json'], cutOff)
  expect(code).toBe(3)
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /^From a recording of .*, with its settings; those of this folder differ in policy, service\.baseUrl and workspaces\.acme\.slug, which does not count here/,
  )
  expect(out).toMatch(/acme at 127\.0\.0\.1:\d+ .* policy sync/)
  await place.write('config.yaml', 'version: 1\nworkspaces: [')
  expect(await place.run(['plan', '--recorded', 'recording.json'], cutOff)).toMatchObject({ code: 78 })
  const elsewhere = await place.run(['plan', '--recorded', 'recording.json', '--declaration', 'groups.yaml'], cutOff)
  expect(elsewhere.code).toBe(3)
  expect(elsewhere.out).toContain('those of this folder are invalid')
})

test('without memberships the changes that a limit on people would look at are counted when they are applied', async () => {
  await using place = await openRecorded()
  expect((await place.run(['record', '--out', 'recording.json', '--no-memberships'])).code).toBe(0)
  await place.write('groups.yaml', declared(row('devs', 'guest'), row('all'), row('unread', 'member', 'LAB')))
  const { out, code } = await place.run(['plan', '--recorded', 'recording.json', '--all'], cutOff)
  expect(code).toBe(0)
  expect(out).toMatch(/ENG {2}all +→ member +5 people, will be counted when applied/)
  expect(out).toMatch(/LAB {2}unread → member +people will be counted when applied/)
  expect(out.replaceAll(/\s+/g, ' ')).toContain('this recording has no memberships, so numbers of people are missing here')
  expect(await place.read('recording.json')).not.toContain('"people":["')
})

test('only of the declared groups holds a rule for another group, and says which pattern cannot be judged', async () => {
  await using place = await openRecorded()
  const recorded = await place.run(['record', '--out', 'recording.json', '--declared-groups'])
  expect(recorded).toMatchObject({ code: 0, err: 'recorded 1 workspace with 2 mappings, and 2 groups\n' })
  for (const name of ['ops', 'unread', 'twice']) expect(await place.read('recording.json')).not.toContain(`"${name}"`)
  await place.write(
    'groups.yaml',
    declared(row('devs', 'guest'), row('all'), row('ops', 'member', 'OPS'), row('nobody'), {
      groupGlob: 'un*',
      project: 'LAB',
      role: 'guest',
    }),
  )
  const { out, code } = await place.run(['plan', '--recorded', 'recording.json', '--all'], cutOff)
  expect(code).toBe(1)
  expect(out).toMatch(/\? ENG {2}nobody → member +groups\.yaml:\d+\n +\? OPS {2}ops +→ member .*\n +both rows: not in this recording/)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    '1 pattern may match groups that are not in this recording, and their changes are not shown: un*',
  )
})

describe('beside a daemon', () => {
  test('a recording is what its last cycle read and wrote: nothing is asked', async () => {
    await using place = await openRecorded({ journal: { folder: 'state' } })
    await place.write('groups.yaml', declared(row('devs'), row('ops', 'member', 'OPS'), row('all')))
    const { stop } = await started(place)
    const live = await place.run(['plan', '-o', 'json'])
    await rename(place.path('directory.yaml'), place.path('moved.yaml'))
    const before = place.sandbox.requests.length
    const recorded = await place.run(['record', '--out', 'recording.json'])
    expect(place.sandbox.requests.length).toBe(before)
    expect(recorded).toMatchObject({ code: 0, out: '' })
    expect(recorded.err).toContain('recorded 1 workspace with 3 mappings, and 5 groups')
    expect(recorded.err).toContain('not in it, since no rule is about it today: the workspace mappings of acme; record --fresh')
    expect((await stat(place.path('recording.json'))).mode & 0o777).toBe(0o600)
    expect(await readdir(place.path('state/orders'))).toEqual([])
    const planned = await place.run(['plan', '--recorded', 'recording.json', '-o', 'json'], cutOff)
    expect(decided(planned.out)).toEqual(decided(live.out))
    expect(decided(live.out)[0]).toMatchObject({ counts: { raise: 0, create: 1, waiting: 0 } })
    const file = await place.read('recording.json')
    for (const secret of ['key-of-a-test', '@example.com', place.folder]) expect(file).not.toContain(secret)
    await stop()
  })

  test('what the directory did not answer waits as in a live plan; only what was not asked is counted when applied', async () => {
    await using place = await openRecorded({ journal: { folder: 'state' } })
    await place.write('groups.yaml', declared(row('devs', 'guest'), row('unread', 'member', 'LAB')))
    const { stop } = await started(place)
    const live = await place.run(['plan', '-o', 'json'])
    expect((await place.run(['record', '--out', 'recording.json'])).code).toBe(0)
    const recorded = await place.run(['plan', '--recorded', 'recording.json', '-o', 'json'], cutOff)
    const amounts = (out: string) => decided(out).map(({ fingerprint, counts, waits }) => ({ fingerprint, counts, waits }))
    expect([recorded.code, amounts(recorded.out)]).toEqual([live.code, amounts(live.out)])
    expect(amounts(live.out)).toMatchObject([{ counts: { waiting: 1 } }])
    await place.write('groups.yaml', declared(row('devs', 'guest'), row('ops', 'member', 'OPS')))
    const { out } = await place.run(['plan', '--recorded', 'recording.json'], cutOff)
    expect(out).toMatch(/OPS {2}ops → member +2 people, will be counted when applied/)
    await stop()
  })

  test('a list of projects that was not read makes the recording incomplete', async () => {
    const faults = ['GET projects: 500']
    await using place = await openPlace({ declaration: declared(row('devs')), groups: ['devs'], sandbox: { faults } })
    const { stop } = await started(place)
    const { code, err } = await place.run(['record', '--out', 'recording.json'])
    expect([code, err.includes('not read whole, so plans hold what needs it: the projects of acme')], err).toEqual([1, true])
    expect(err).not.toContain('If a cycle runs now')
    await stop()
  })

  test('a declaration that needs more than the daemon read is not planned, and --fresh reads it', async () => {
    await using place = await openRecorded({ journal: { folder: 'state' } })
    const { stop } = await started(place)
    expect((await place.run(['record', '--out', 'recording.json'])).code).toBe(0)
    await place.write('groups.yaml', { version: 1, workspaces: { acme: { workspaceRoles: [{ group: 'devs', role: 'guest' }] } } })
    const short = await place.run(['plan', '--recorded', 'recording.json'], cutOff)
    expect(short.code).toBe(1)
    expect(short.out + short.err).toContain('the workspace mappings cannot be read: it is not in this recording')
    expect(short.out + short.err).toContain('record --fresh')
    expect((await place.run(['record', '--out', 'recording.json', '--fresh'])).code).toBe(0)
    const whole = await place.run(['plan', '--recorded', 'recording.json'], cutOff)
    expect(whole.out).toMatch(/\+ workspace {2}devs → guest/)
    await stop()
  })
})

test.each([
  [['plan', '--recorded', 'recording.json', '--out', 'plan.json'], 64, '--out saves no plan of a recording'],
  [['plan', '--recorded-max-age', '1h'], 64, '--recorded-max-age belongs to --recorded FILE'],
  [['plan', '--recorded', 'recording.json', '--recorded-max-age', 'soon'], 64, '--recorded-max-age takes a duration'],
  [['plan', '--recorded', 'config.yaml'], 64, 'config.yaml is no recording: its format is not plane-group-sync-recording'],
  [['plan', '--recorded', 'absent.json'], 64, 'absent.json'],
  [['record'], 64, 'record needs --out FILE'],
  [['record', '--out', 'config.yaml'], 64, 'this would replace an input of this command'],
])('%j ends with %d', async (args, code, sentence) => {
  await using place = await openRecorded()
  await utimes(place.path('recording.json'), 0, 0)
  const ended = await place.run(args)
  expect(ended).toMatchObject({ code, out: '' })
  expect(ended.err).toContain(sentence)
})

test('no result replaces the password of the page', async () => {
  const http = { listen: '127.0.0.1:9464', page: { token: { file: 'page-password' } } }
  await using place = await openRecorded({ journal: { folder: 'state' } })
  await place.write('page-password', 'correct horse')
  await place.settings({ http })
  const { code, err } = await place.run(['record', '--out', 'page-password'])
  expect(code, err).toBe(64)
  expect(err).toContain('this would replace an input of this command')
  expect(await place.read('page-password')).toBe('correct horse')
})

test('an old recording is refused, with the option that allows it', async () => {
  await using place = await openRecorded()
  const text = await place.read('recording.json')
  await place.write('recording.json', text.replace(/"readMs":\d+/, `"readMs":${Date.now() - 25 * 3_600_000}`))
  const old = await place.run(['plan', '--recorded', 'recording.json'], cutOff)
  expect(old).toMatchObject({ code: 1, out: '' })
  expect(old.err).toContain('this recording is 25 h old, and at most 24 h are allowed')
  expect((await place.run(['plan', '--recorded', 'recording.json', '--recorded-max-age', '2d'], cutOff)).code).toBe(3)
})
