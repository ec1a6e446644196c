import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts'
import { openPlace, type PlaceOptions, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'

const workspaces = { acme: { projects: ['ENG'] }, beta: { projects: ['ENG'] } }
const key = 'key-of-a-test'
const declaredIn = (...names: readonly string[]) => ({
  version: 1,
  workspaces: Object.fromEntries(
    names.map((name) => [name, { projectRoles: ['ops', 'legal'].map((group) => ({ group, project: 'ENG', role: 'member' })) }]),
  ),
})

/** Two services of Plane, a folder with the settings of the first, and other settings beside them. */
async function openPair(options: Partial<PlaceOptions> = {}) {
  const place = await openPlace({ declaration: declaredIn('acme'), groups: ['ops'], workspaces, ...options })
  const other = await startSandbox({
    limit: { requests: 10_000, windowMs: 60_000 },
    state: { keys: [{ value: key, owner: 'ann' }], workspaces },
  })
  const written = () => ({ a: everywhere(place.sandbox), b: everywhere(other) })
  return {
    place,
    other,
    written,
    /** Runs a command with the file `trial.yaml`, which is written first. */
    async trial(args: readonly string[], settings: object | string, env: Record<string, string> = {}) {
      const base = JSON.parse(await place.read('config.yaml')) as Record<string, object>
      const text = typeof settings === 'string' ? settings : { ...base, ...settings }
      await place.write('trial.yaml', text)
      return await place.run(args, { env, wrap: (command) => command.map((word) => word.replace(/config\.yaml$/, 'trial.yaml')) })
    },
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]()
      await other.close()
    },
  }
}
type Pair = Awaited<ReturnType<typeof openPair>>

const everywhere = (sandbox: Sandbox) => ['acme', 'beta'].flatMap((slug) => stateOf(sandbox, slug).map((row) => `${slug} ${row}`))

const serviceAt = (baseUrl: string) => ({ service: { baseUrl, limit: { requests: 10_000, window: '60s' }, unknownOutcomeWait: '1s' } })

const rows: string[] = []
afterAll(() => void process.stdout.write(`\n| pair | exit code | written to A | written to B |\n|---|---|---|---|\n${rows.join('\n')}\n`))

/** What came to each service since `before`. */
async function noted(pair: Pair, what: string, act: () => Promise<{ readonly code: number | null; readonly err: string }>) {
  const before = pair.written()
  const { code, err } = await act()
  const after = pair.written()
  const news = (place: 'a' | 'b') => after[place].filter((row) => !before[place].includes(row))
  const [a, b] = [news('a'), news('b')]
  rows.push(`| ${what} | ${code} | ${a.join(', ') || 'nothing'} | ${b.join(', ') || 'nothing'} |`)
  return { code, err: err.replaceAll(/\s+/g, ' '), a, b }
}

describe('after a run with settings A, in the same folder', () => {
  /** Something is left to write to A. */
  async function afterA(pair: Pair) {
    const { stop } = await started(pair.place)
    await stop()
    await pair.place.groups(['ops', 'legal'])
  }
  test.each<readonly [what: string, args: readonly string[], settings: (pair: Pair) => object | string, code: number, says: string]>([
    ['settings B with an unknown key, run', ['run'], ({ other }) => ({ ...serviceAt(other.url), polici: 'observe' }), 78, 'polici'],
    ['settings B that are no YAML, run', ['run'], () => 'version: 1\nservice: {\n', 78, 'trial.yaml'],
    ['settings B, run --once', ['run', '--once'], ({ other }) => serviceAt(other.url), 1, 'this journal is about the service at'],
    ['settings B, plan', ['plan'], ({ other }) => serviceAt(other.url), 1, 'this journal is about the service at'],
    ['settings B, status', ['status'], ({ other }) => serviceAt(other.url), 1, 'last.json: it is about the service at'],
    ['A below another path, apply', ['apply', '--yes'], ({ place }) => serviceAt(`${place.sandbox.url}/b`), 1, 'this journal is about'],
    ['A with another slug, apply', ['apply', '--yes'], () => ({ workspaces: { acme: { slug: 'beta' } } }), 1, 'with the slug "acme"'],
    [
      'settings B with a journal of their own, apply',
      ['apply', '--yes'],
      ({ other }) => ({ ...serviceAt(other.url), journal: { folder: 'b' } }),
      0,
      '',
    ],
  ])('%s', async (what, args, settings, code, says) => {
    await using pair = await openPair()
    await afterA(pair)
    const end = await noted(pair, `A ran; ${what}`, () =>
      pair.trial(args, settings(pair), { PLANE_GROUP_SYNC_JOURNAL: pair.place.path('state') }),
    )
    expect([end.code, end.a]).toEqual([code, []])
    expect(end.b).toEqual(code === 0 ? ['acme ENG legal → member', 'acme ENG ops → member'] : [])
    expect(end.err).toContain(says)
  })
})

test('settings B that are invalid, and after them settings A', async () => {
  await using pair = await openPair()
  const first = await noted(pair, 'nothing ran; settings B with an unknown key, run', () =>
    pair.trial(['run'], { ...serviceAt(pair.other.url), polici: 'observe' }),
  )
  expect([first.code, first.a, first.b]).toEqual([78, [], []])
  const second = await noted(pair, 'B was invalid; settings A, run --once', () => pair.place.run(['run', '--once']))
  expect([second.code, second.a, second.b]).toEqual([0, ['acme ENG ops → member'], []])
})

describe('beside a daemon with settings A, in the same folder', () => {
  const wrongKey = '0'.repeat(32)
  test.each<readonly [what: string, args: readonly string[], settings: (pair: Pair) => object, says: string]>([
    ['settings B, apply', ['apply', '--yes'], ({ other }) => serviceAt(other.url), 'works with the service at'],
    ['settings B, reconcile', ['reconcile'], ({ other }) => serviceAt(other.url), 'works with the service at'],
    ['settings B, run --once', ['run', '--once'], ({ other }) => serviceAt(other.url), 'works with the service at'],
    ['settings B, run', ['run'], ({ other }) => serviceAt(other.url), 'has held this journal since'],
    [
      'settings B, approve --withdraw',
      ['approve', '--withdraw', wrongKey],
      ({ other }) => serviceAt(other.url),
      'works with the service at',
    ],
    ['settings B, status', ['status'], ({ other }) => serviceAt(other.url), 'last.json: it is about the service at'],
    [
      'A with another slug, reconcile',
      ['reconcile'],
      () => ({ workspaces: { acme: { slug: 'beta' } } }),
      'a workspace acme with the slug "acme"',
    ],
    ['A below another path, reconcile', ['reconcile'], ({ place }) => serviceAt(`${place.sandbox.url}/b`), 'works with the service at'],
    ['A with one workspace more, reconcile', ['reconcile'], () => ({ workspaces: { acme: {}, beta: {} } }), 'the daemon has only acme'],
  ])('%s', async (what, args, settings, says) => {
    await using pair = await openPair()
    const { stop } = await started(pair.place)
    await pair.place.groups(['ops', 'legal'])
    const end = await noted(pair, `A runs; ${what}`, () => pair.trial(args, settings(pair)))
    expect([end.a, end.b]).toEqual([[], []])
    expect(end.code).not.toBe(0)
    expect(end.err).toContain(says)
    await stop()
  })

  test('an order is carried out in the workspaces that its settings name', async () => {
    await using pair = await openPair({ declaration: declaredIn('acme', 'beta'), settings: { workspaces: { acme: {}, beta: {} } } })
    const { stop } = await started(pair.place)
    await pair.place.groups(['ops', 'legal'])
    const end = await noted(pair, 'A runs with acme and beta; A with beta only, reconcile', () =>
      pair.trial(['reconcile'], { workspaces: { beta: {} } }),
    )
    expect([end.code, end.a, end.b]).toEqual([0, ['beta ENG legal → member'], []])
    await stop()
  })

  test('edited to B, the daemon goes on with A, and takes no order of B', async () => {
    await using pair = await openPair()
    const { daemon, metric, cycle, ready, stop } = await started(pair.place)
    const before = await pair.place.read('config.yaml')
    await pair.place.settings(serviceAt(pair.other.url))
    const end = await noted(pair, 'A runs, and its file is edited to B; reconcile', () => pair.place.run(['reconcile']))
    expect([end.a, end.b]).toEqual([[], []])
    expect(end.err).toContain('works with the service at')
    await pair.place.groups(['ops', 'legal'])
    await cycle()
    expect(pair.written()).toEqual({ a: ['acme ENG legal → member', 'acme ENG ops → member'], b: [] })
    expect([await metric('configuration_valid{part="settings"}'), await ready()]).toEqual([0, 200])
    const errors = daemon.log().filter(({ event, level }) => event === 'settings' && level === 'error')
    expect(errors.map(({ msg }) => msg)).toEqual([
      expect.stringContaining('the settings are invalid, and those that were read before stay in use'),
    ])
    await pair.place.write('config.yaml', before)
    await cycle()
    expect(await metric('configuration_valid{part="settings"}')).toBe(1)
    await stop()
    await pair.place.settings(serviceAt(pair.other.url))
    const restarted = await noted(pair, 'A ran, and its file is edited to B; run', () => pair.place.run(['run']))
    expect([restarted.code, restarted.a, restarted.b]).toEqual([1, [], []])
  })
})

test('a running daemon goes on with invalid settings, and does not start with them', async () => {
  await using place = await openPlace({ declaration: declaredIn('acme'), groups: ['ops'], workspaces })
  const { metric, cycle, ready, stop } = await started(place)
  await place.settings({ polcy: 'exclusive' })
  await place.groups(['ops', 'legal'])
  await cycle()
  expect(stateOf(place.sandbox)).toEqual(['ENG legal → member', 'ENG ops → member'])
  expect([await metric('configuration_valid{part="settings"}'), await ready()]).toEqual([0, 200])
  await stop()
  const again = await place.run(['run'])
  expect([again.code, again.err]).toEqual([78, expect.stringContaining('unknown key "polcy"')])
})

type Given = {
  readonly at: 'a' | 'b' | 'a/b'
  readonly slug: 'acme' | 'beta'
  readonly fault: 'none' | 'key' | 'yaml'
  readonly folder: 'state' | 'absolute' | 'own'
  readonly command: 'run --once' | 'apply --yes'
}
const given: fc.Arbitrary<Given> = fc.record({
  at: fc.constantFrom('a', 'b', 'a/b'),
  slug: fc.constantFrom('acme', 'beta'),
  fault: fc.constantFrom('none', 'none', 'key', 'yaml'),
  folder: fc.constantFrom('state', 'absolute', 'own'),
  command: fc.constantFrom('run --once', 'apply --yes'),
})

test('two settings files one after the other: each writes only where it says, whatever the other says', async () => {
  const property = fc.asyncProperty(given, given, fc.boolean(), async (first, second, hasVariable) => {
    await using pair = await openPair({ groups: ['ops', 'legal'] })
    const { place, other } = pair
    let bound: string | undefined
    for (const [index, one] of [first, second].entries()) {
      const url = one.at === 'b' ? other.url : `${place.sandbox.url}${one.at === 'a' ? '' : '/b'}`
      const folder = one.folder === 'absolute' ? place.path('state') : one.folder === 'own' ? `own-${index}` : 'state'
      const settings = {
        ...serviceAt(url),
        workspaces: { acme: { slug: one.slug } },
        journal: { folder },
        ...(one.fault === 'key' ? { polici: 'observe' } : {}),
      }
      const before = pair.written()
      const text = one.fault === 'yaml' ? 'version: 1\nservice: {\n' : settings
      const { code } = await pair.trial(one.command.split(' '), text, hasVariable ? { PLANE_GROUP_SYNC_JOURNAL: place.path('state') } : {})
      const after = pair.written()
      const service = `${one.at} ${one.slug}`
      const isRefused = one.fault !== 'none' || (one.folder !== 'own' && bound !== undefined && bound !== service) || one.at === 'a/b'
      const mine = (['ENG legal → member', 'ENG ops → member'] as const).map((row) => `${one.slug} ${row}`)
      const expected = (at: 'a' | 'b') => (!isRefused && one.at === at ? [...new Set([...before[at], ...mine])].toSorted() : before[at])
      expect(after).toEqual({ a: expected('a'), b: expected('b') })
      expect(code === 0).toBe(!isRefused)
      if (one.fault !== 'none') expect(code).toBe(78)
      // A journal belongs to the service that answered first.
      if (!isRefused && one.folder !== 'own') bound ??= service
    }
  })
  await fc.assert(property, { numRuns: 25 })
}, 240_000)
