import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'
import type { Running } from './running.ts'
import { started } from './startedDaemon.ts'

const declaration = (...groups: readonly string[]) => `version: 1
workspaces:
  acme:
    projectRoles:
${groups.map((group) => `      - { group: ${group}, project: ENG, role: member }\n`).join('')}`
const broken = `${declaration('ops', 'legal')}      - { group: sales, project: ENG, rule: member }\n`
const groups = ['ops', 'legal', 'sales']
const hourMs = 3_600_000

/** Undeclared mappings are deleted, so that the test sees a revocation. Δ is short, so that a deleted mapping is soon made again. */
const open = (more: object = {}) =>
  openPlace({
    declaration: declaration('ops', 'legal'),
    groups,
    settings: { policy: 'sync', service: { unknownOutcomeWait: '1s' }, ...more },
  })

/** Whether all mappings exist. A mapping that was deleted by hand is made again Δ after the start, because a list may be late. */
const isWhole = ({ sandbox }: Place): boolean => stateOf(sandbox).join() === 'ENG legal → member,ENG ops → member'

const of = (daemon: Running, event: string) => daemon.log().filter((line) => line.event === event)
const keptFile = (place: Place) => place.path('state/last-valid-declaration')

/** Runs a daemon with a good declaration. Then the declaration is broken, and a person edits the mappings. */
async function brokenBetween(place: Place) {
  const first = await started(place)
  expect(stateOf(place.sandbox)).toEqual(['ENG legal → member', 'ENG ops → member'])
  await first.stop()
  await place.write('groups.yaml', broken)
  const { projectMappings = [] } = place.sandbox.state.workspaces['acme'] ?? {}
  projectMappings.splice(0, projectMappings.length, ...projectMappings.filter(({ idp_group_name }) => idp_group_name !== 'legal'))
  const [ops] = projectMappings
  if (ops !== undefined)
    projectMappings.push({ ...ops, id: '00000000-0000-4000-8000-000000000001', idp_group_name: 'intruder', role: 'guest' })
  expect(stateOf(place.sandbox)).toEqual(['ENG intruder → guest', 'ENG ops → member'])
}

/** Sets the time of the kept declaration. */
async function aged(place: Place, ms: number) {
  const content = await readFile(keptFile(place))
  const end = content.indexOf(0x0a)
  const head = JSON.parse(content.toString('utf8', 0, end)) as object
  await writeFile(
    keptFile(place),
    Buffer.concat([Buffer.from(JSON.stringify({ ...head, lastValidMs: Date.now() - ms })), content.subarray(end)]),
  )
}

test('after a restart with a broken declaration the last valid one goes on: revokes, grants, and is said until it is mended', async () => {
  await using place = await open()
  await brokenBetween(place)
  expect((await stat(keptFile(place))).mode & 0o777).toBe(0o600)

  const { daemon, metric, cycle, ready, stop } = await started(place)
  await daemon.until(() => isWhole(place))
  expect(await ready()).toBe(200)
  expect(await metric('configuration_valid{part="declaration"}')).toBe(0)
  expect(await metric('cycles_thrown_total')).toBe(0)
  const lastValid = (await metric('declaration_last_valid_timestamp_seconds')) ?? 0
  expect(Math.abs(Date.now() / 1000 - lastValid)).toBeLessThan(60)

  // The log has the whole text once, then one line in each cycle, and the whole text again for another mistake.
  await cycle()
  const same = of(daemon, 'declaration').map(({ level, msg, why }) => [
    level,
    msg
      .replace(/\(.*?\)/, '(…)')
      .replace(/wait from \d{4}-\d\d-\d\d \d\d:\d\d UTC on/, 'wait from … on')
      .split('\n')[0],
    why !== undefined,
  ])
  expect([...new Map(same.map((line) => [JSON.stringify(line), line])).values()]).toEqual([
    [
      'error',
      'the declaration is invalid, the last valid one (…) stays in use, and grants wait from … on: ' +
        String(same[0]?.[1]).split(' on: ')[1],
      true,
    ],
    [
      'warn',
      'the declaration is still invalid, the last valid one (…) stays in use, and grants wait from … on; plane-group-sync validate shows what to correct',
      false,
    ],
  ])
  expect(of(daemon, 'declaration')[0]?.msg).toContain('groups.yaml:7:')
  await place.write('groups.yaml', 'version: 1\nworkspaces: {acme: {projectRoles: [\n')
  await cycle()
  await daemon.until(() => String(of(daemon, 'declaration').at(-1)?.msg).includes('groups.yaml:2:'))

  const plan = await place.run(['plan'])
  expect(plan.code).toBe(78)
  expect(plan.err).toMatch(
    /groups\.yaml:2:[\s\S]*Until this is corrected, plane-group-sync run uses the last valid version \([0-9a-f]{8}, of .* UTC\)\. After 24 hours, grants wait\./,
  )

  await place.write('groups.yaml', declaration('ops'))
  await cycle()
  await daemon.until(() => stateOf(place.sandbox).join() === 'ENG ops → member')
  expect(await metric('configuration_valid{part="declaration"}')).toBe(1)
  const again = of(daemon, 'declaration').filter(({ msg }) => msg === 'the declaration is valid again, and is in use')
  expect(again.map(({ level }) => level)).toEqual(['info'])
  const lines = of(daemon, 'declaration').length
  await cycle()
  expect(of(daemon, 'declaration')).toHaveLength(lines)
  await stop()

  // The kept declaration is now the one that was used last.
  await place.write('groups.yaml', broken)
  const third = await started(place)
  expect(stateOf(place.sandbox)).toEqual(['ENG ops → member'])
  await third.stop()
})

describe.each([
  ['older than a day', 25 * hourMs],
  ['of a clock that was far ahead', -25 * hourMs],
])('a last valid declaration %s', (_what, ms) => {
  test('revokes, and its grants wait', async () => {
    await using place = await open()
    await brokenBetween(place)
    await aged(place, ms)
    const { daemon, metric, cycle, stop } = await started(place)
    expect(stateOf(place.sandbox)).toEqual(['ENG ops → member'])
    expect(await metric('held{workspace="acme",reason="declarationOutdated"}')).toBe(1)
    expect(of(daemon, 'hold').map(({ msg }) => msg)).toEqual([expect.stringContaining('too old to grant anything')])
    expect(of(daemon, 'summary').at(-1)).toMatchObject({ outcome: 'incomplete' })
    expect((await place.run(['plan'])).err).toContain('too old to grant anything, so grants wait')

    await place.write('groups.yaml', declaration('ops', 'legal'))
    await cycle()
    await daemon.until(() => isWhole(place))
    expect(await metric('held{workspace="acme",reason="declarationOutdated"}')).toBe(0)
    await stop()
  })
})

test('a last valid declaration of almost a day still grants', async () => {
  await using place = await open()
  await brokenBetween(place)
  await aged(place, 23 * hourMs)
  const { stop, daemon } = await started(place)
  await daemon.until(() => isWhole(place))
  await stop()
})

const anotherContent = (place: Place) => async (change: (text: string) => string | Buffer) =>
  writeFile(keptFile(place), change(await readFile(keptFile(place), 'utf8')))

describe('a kept declaration that may not be used now', () => {
  test.each<readonly [what: string, spoil: (place: Place) => Promise<unknown>, sentence: string]>([
    [
      'names a workspace that the settings no longer have',
      (place) => place.settings({ workspaces: { acme: undefined, beta: {} } }),
      'acme',
    ],
    ['was damaged', (place) => anotherContent(place)((text) => text.replace('group: legal', 'group: lega1')), 'is damaged'],
    ['was cut off', (place) => anotherContent(place)((text) => text.slice(0, -1)), 'is damaged'],
    ['is of a newer version', (place) => anotherContent(place)((text) => text.replace('"format":1', '"format":9')), 'newer version'],
    [
      'is a folder',
      async (place) => {
        await rm(keptFile(place))
        await mkdir(keptFile(place))
      },
      'this is a folder, not a file',
    ],
  ])('%s: nothing is written, and the log says why, once', async (_what, spoil, sentence) => {
    await using place = await openPlace({
      workspaces: { acme: { projects: ['ENG'] }, beta: { projects: ['ENG'] } },
      declaration: declaration('ops', 'legal'),
      groups,
    })
    const first = await started(place)
    await first.stop()
    await place.write('groups.yaml', broken)
    await spoil(place)
    const before = writesTo(place.sandbox).length
    const { daemon, metric, cycle, ready, stop } = await started(place)
    await cycle()
    expect(writesTo(place.sandbox)).toHaveLength(before)
    expect(await ready()).toBe(503)
    expect(await metric('cycles_thrown_total')).toBe(2)
    const lines = of(daemon, 'declaration').map(({ level, msg }) => ({ level, msg }))
    expect(lines).toEqual([
      { level: 'warn', msg: expect.stringContaining(sentence) as string },
      { level: 'error', msg: expect.stringContaining('there is no last valid one') as string },
    ])
    expect(lines[0]?.msg).toContain('last-valid-declaration')
    expect(lines[1]?.msg).toContain('groups.yaml:7:')
    const thrown = of(daemon, 'cycle').map(({ msg }) => msg)
    expect(thrown).toHaveLength(2)
    for (const msg of thrown)
      expect(msg).toContain('there is no last valid one; nothing is written or revoked, and this process is not ready')
    await stop()
  })

  test('declares more than the settings allow today: by hand, with a right hash', async () => {
    await using place = await open()
    const { hashOf } = await import('../../../src/declaration/files.ts')
    await place.write('groups.yaml', broken)
    await mkdir(place.path('state'))
    const text = Buffer.from(declaration('ops').replace('acme:', 'other:'))
    const files = [{ file: 'groups.yaml', bytes: text }]
    const head = { format: 1, lastValidMs: Date.now(), hash: hashOf(files), files: [{ file: 'groups.yaml', bytes: text.length }] }
    await writeFile(keptFile(place), Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), text]))
    const { daemon, ready, stop } = await started(place)
    expect(await ready()).toBe(503)
    expect(of(daemon, 'declaration')[0]?.msg).toContain('"other"')
    expect(writesTo(place.sandbox)).toEqual([])
    await stop()
  })
})

describe('what is not kept', () => {
  const everything = async (folder: string): Promise<string> => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const texts = names.flatMap((one) => (one.isFile() ? [readFile(join(one.parentPath, one.name), 'utf8')] : []))
    return (await Promise.all(texts)).join('\n')
  }

  test.each([
    ['the key itself', 'key-of-a-test'],
    ['a key of Plane', 'plane_api_0123456789abcdef'],
    ['a password in an address', 'https://ann:hunter22@plane.example.com/'],
  ])('a declaration with a secret in a comment: %s', async (_what, secret) => {
    await using place = await open()
    const first = await started(place)
    await place.write('groups.yaml', `# ${secret}\n${declaration('ops')}`)
    await first.cycle()
    expect(stateOf(place.sandbox)).toEqual(['ENG ops → member'])
    expect(of(first.daemon, 'declaration').map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', expect.stringMatching(/not kept for a restart: groups\.yaml contains a secret, or a text that looks like one/)],
    ])
    await first.cycle()
    expect(of(first.daemon, 'declaration')).toHaveLength(1)
    await first.stop()
    expect(await everything(place.path('state'))).not.toContain(secret)
    // No older declaration is left: it would grant mappings that are no longer declared.
    await expect(stat(keptFile(place))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('anything without a journal', async () => {
    await using place = await open({ journal: 'none' })
    const first = await started(place)
    await first.stop()
    expect(await readdir(place.folder)).not.toContain('state')
    await place.write('groups.yaml', broken)
    const { ready, stop } = await started(place)
    expect(await ready()).toBe(503)
    await stop()
  })

  test('a place that cannot be written: the cycle goes on, and the log says it once', async () => {
    await using place = await open()
    await mkdir(join(keptFile(place), 'in-the-way'), { recursive: true })
    const { daemon, cycle, stop } = await started(place)
    await cycle()
    await daemon.until(() => stateOf(place.sandbox).length === 2)
    expect(of(daemon, 'declaration').map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', expect.stringMatching(/last-valid-declaration cannot be written/)],
    ])
    // The place is free again.
    await rm(keptFile(place), { recursive: true })
    await cycle()
    await daemon.until(() => of(daemon, 'declaration').length === 2)
    expect(of(daemon, 'declaration')[1]).toMatchObject({
      level: 'info',
      msg: expect.stringMatching(/last-valid-declaration: the declaration in use is kept here again for a restart$/) as string,
    })
    expect((await stat(keptFile(place))).isFile()).toBe(true)
    await cycle()
    expect(of(daemon, 'declaration')).toHaveLength(2)
    await stop()
  })
})

test('a declaration that was applied by hand since is the one that is kept', async () => {
  await using place = await open()
  const first = await started(place)
  await first.stop()
  await place.write('groups.yaml', declaration('ops'))
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG ops → member'])
  await place.write('groups.yaml', broken)
  const { stop } = await started(place)
  expect(stateOf(place.sandbox)).toEqual(['ENG ops → member'])
  await stop()
})
