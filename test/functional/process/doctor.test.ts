import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { sandboxOptions } from '../../../src/sandbox/options.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts'
import { canMount } from '../canMount.ts'
import { openPlace, type Place, type PlaceOptions, type StartOptions, stateOf } from './program.ts'
import { follow } from './running.ts'
import { openClock } from './settableClock.ts'
import { started } from './startedDaemon.ts'

type Finding = {
  readonly code: string
  readonly severity: string
  readonly place: string
  readonly sentence: string
  readonly cure?: string
}
type Check = {
  readonly check: string
  readonly place: string
  readonly result: string
  readonly seen: string
  readonly findings: readonly Finding[]
}
type Document = { readonly well: boolean; readonly by: string; readonly checks: readonly Check[] }

const documentIn = (out: string) => JSON.parse(out) as Document
const findingsIn = (out: string) => documentIn(out).checks.flatMap(({ findings }) => findings)
const codesIn = (out: string) => findingsIn(out).map(({ code }) => code)

const devs = { group: 'devs', project: 'ENG', role: 'member' }
const declared = (acme: object) => ({ version: 1, workspaces: { acme } })
const mapping = (group: string, project = 'ENG', role = 'member') => ({ idp_group_name: group, project, role })
const on = { is_enabled: true, sync_on_login: true, sync_offline: true, auto_remove: true }

/** A workspace in which nothing is wrong: the one mapping that is declared is there, and takes effect. */
const well = (): PlaceOptions => ({
  workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: [mapping('devs')], config: on } },
  declaration: declared({ projectRoles: [devs] }),
  groups: ['devs', 'ops'],
})
const withMappings = (...projectMappings: readonly object[]): PlaceOptions => ({
  ...well(),
  workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: projectMappings as never, config: on } },
})
const withConfig = (config: object): PlaceOptions => ({
  ...well(),
  workspaces: { acme: { projects: ['ENG'], projectMappings: [mapping('devs')], config: { ...on, ...config } } },
})

/** `options`: the place. `plant`: what is spoilt in it; it may return the environment of the command. `beside`: codes that follow from the mistake. */
type Mistake = {
  readonly code: string
  readonly what: string
  readonly exit?: number
  readonly options?: PlaceOptions
  readonly plant?: (place: Place) => Promise<Record<string, string> | undefined | void>
  readonly beside?: readonly string[]
}

const lockOf = (more: object) =>
  JSON.stringify({ token: 'gone', pid: 2 ** 22 - 3, host: hostname(), sinceMs: Date.now() - 60_000, as: 'daemon', ...more })

const mistakes: readonly Mistake[] = [
  { code: 'credential-refused', what: 'the key is wrong', plant: async () => ({ PLANE_API_KEY: 'another-key' }) },
  {
    code: 'scope-missing',
    what: 'the token may not read mappings',
    plant: async (place) => {
      place.sandbox.state.applications.push({
        clientId: 'client',
        clientSecret: 'secret-of-the-client',
        installationId: '0b0f6dbe-3f5e-4c07-9d5c-7a3f5d7c1d11',
        owner: 'ann',
        scopes: ['projects:read'],
        workspaces: undefined,
        tokenLifetimeS: 3_600,
      })
      await place.write('client-secret', 'secret-of-the-client')
      await chmod(place.path('client-secret'), 0o600)
      const oauth = {
        clientId: 'client',
        clientSecret: { file: 'client-secret' },
        installation: '0b0f6dbe-3f5e-4c07-9d5c-7a3f5d7c1d11',
        scopes: ['projects:read'],
      }
      await place.settings({ service: { credential: { oauth } } })
    },
  },
  {
    code: 'owner-not-admin',
    what: 'the owner of the key is a member, and no admin',
    options: { ...well(), sandbox: { faults: ['GET project-mappings: 403'] } },
  },
  {
    code: 'workspace-unknown',
    what: 'the slug is wrong',
    plant: (place) => place.settings({ workspaces: { acme: { slug: 'acne' } } }),
  },
  {
    code: 'service-not-plane',
    what: 'the base URL has a wrong path',
    plant: async ({ sandbox }) => ({ PLANE_BASE_URL: `${sandbox.url}/plane` }),
  },
  { code: 'service-unreachable', what: 'nothing listens at the base URL', plant: async () => ({ PLANE_BASE_URL: 'http://127.0.0.1:9' }) },
  {
    code: 'clock-differs',
    what: 'the clock of the machine is wrong',
    beside: ['clock-stepped'],
    plant: async (place) => {
      const clock = await openClock(place)
      await clock.set(3 * 3_600_000)
      return clock.env
    },
  },
  {
    code: 'schedule-too-short',
    what: 'the budget is too small for the schedule',
    plant: (place) =>
      place.settings({
        service: { limit: { requests: 20, window: '600s', reserve: '0%' } },
        schedule: { cron: '* * * * *', jitter: '0s' },
      }),
  },
  { code: 'group-sync-off', what: 'group sync is off', options: withConfig({ is_enabled: false }) },
  { code: 'group-sync-never-runs', what: 'no kind of sync is on', options: withConfig({ sync_on_login: false, sync_offline: false }) },
  {
    code: 'removal-not-felt',
    what: 'auto-remove is off beside a removed entry',
    options: {
      ...withConfig({ auto_remove: false }),
      declaration: declared({ projectRoles: [], removed: [{ group: 'devs', project: 'ENG' }] }),
    },
  },
  {
    code: 'directory-unread',
    what: 'a directory cannot be reached',
    plant: async (place) => {
      await place.write('password', 'reader-password')
      await chmod(place.path('password'), 0o600)
      const bind = { dn: 'cn=reader', password: { file: 'password' } }
      const ldap = { kind: 'ldap', addresses: ['ldap://127.0.0.1:9'], allowPlaintext: true, bind, groups: { base: 'dc=example' } }
      await place.settings({ directories: { corp: ldap } })
    },
  },
  {
    code: 'secret-unreadable',
    what: 'the password of a directory is missing',
    beside: ['directory-unread'],
    plant: (place) => {
      const bind = { dn: 'cn=reader', password: { file: 'no-such-password' } }
      const ldap = { kind: 'ldap', addresses: ['ldaps://127.0.0.1:9'], bind, groups: { base: 'dc=example' } }
      return place.settings({ directories: { corp: ldap } })
    },
  },
  {
    code: 'names-not-in-claim',
    what: 'rules have plain names, and the directory gives paths',
    plant: (place) => place.groups(['/company/devs', '/company/ops']),
  },
  {
    code: 'mapping-of-unknown-group',
    what: 'a mapping is of a group that no directory has',
    options: withMappings(mapping('devs'), mapping('ghosts')),
  },
  {
    code: 'mapping-adds-nothing',
    what: 'a mapping gives no more than that to all projects',
    exit: 0,
    options: withMappings(mapping('devs'), { idp_group_name: 'ops', all_projects: true, role: 'member' }, mapping('ops', 'OPS', 'guest')),
  },
  {
    code: 'secret-file-world-readable',
    what: 'everybody may read the key',
    plant: async (place) => {
      await place.write('key', 'key-of-a-test')
      await chmod(place.path('key'), 0o644)
      await place.settings({ service: { credential: { apiKey: { file: 'key' } } } })
    },
  },
  {
    code: 'file-invalid',
    what: 'a file of the declaration cannot be read',
    exit: 78,
    plant: (place) => place.write('groups.yaml', 'version: 1\nworkspaces:\n  acme:\n    projctRoles: []\n'),
  },
  {
    code: 'settings-invalid',
    what: 'the settings have a mistake',
    exit: 78,
    plant: (place) => place.settings({ polcy: 'sync' }),
  },
  {
    code: 'journal-lock-left',
    what: 'a dead process holds the journal',
    plant: async (place) => {
      await mkdir(place.path('state'), { mode: 0o700 })
      await place.write('state/lock', lockOf({}))
      await chmod(place.path('state/lock'), 0o600)
    },
  },
  {
    code: 'journal-unwritable',
    what: 'the folder of the journal is below a file',
    beside: ['journal-unread'],
    plant: (place) => place.settings({ journal: { folder: 'groups.yaml/state' } }),
  },
  {
    code: 'journal-open-to-others',
    what: 'every account may write to the folder of the journal',
    plant: async (place) => {
      await mkdir(place.path('state'))
      await chmod(place.path('state'), 0o777)
    },
  },
  {
    code: 'sync-without-journal',
    what: 'the policy is sync, and there is no journal',
    plant: (place) => place.settings({ journal: 'none' }),
  },
  {
    code: 'list-unmanaged',
    what: 'a list with mappings is not declared',
    exit: 0,
    options: {
      ...well(),
      workspaces: {
        acme: {
          projects: ['ENG'],
          projectMappings: [mapping('devs')],
          workspaceMappings: [{ idp_group_name: 'ops', role: 'member' }],
          config: on,
        },
      },
    },
  },
]

/** Requests to a workspace that are no further page of a list. */
const askedOf = ({ requests }: Sandbox, workspace: string) =>
  requests.filter(({ path, query }) => path.includes(`/workspaces/${workspace}/`) && !query.includes('cursor='))

test.each(mistakes)('doctor names $code: $what', async ({ code, exit = 1, options = well(), plant, beside = [] }) => {
  await using place = await openPlace(options)
  const env = (await plant?.(place)) ?? {}
  const { requests } = place.sandbox
  const before = stateOf(place.sandbox)
  const found = await place.run(['doctor', '-o', 'json'], { env })
  expect(codesIn(found.out), found.err + found.out).toContain(code)
  const wrong = findingsIn(found.out).filter(({ severity }) => severity !== 'info')
  expect([...new Set(wrong.map((finding) => finding.code))].filter((other) => other !== code && !beside.includes(other))).toEqual([])
  expect(found.code).toBe(exit)
  const shown = findingsIn(found.out).find((finding) => finding.code === code)
  expect(shown?.cure ?? '', found.out).not.toBe('')
  const asText = await place.run(['doctor', '--quiet'], { env })
  expect([asText.code, asText.out.includes(code)], asText.out).toEqual([exit, true])
  expect(requests.filter(({ method, path }) => method !== 'GET' && path !== '/auth/o/token/')).toEqual([])
  expect(stateOf(place.sandbox)).toEqual(before)
  expect(askedOf(place.sandbox, 'acme').length).toBeLessThanOrEqual(2 * 12)
})

describe('without a mistake', () => {
  test('each check has a line, the exit code is 0, and only requests that create nothing are sent', async () => {
    await using place = await openPlace(well())
    const { code, out, err } = await place.run(['doctor'])
    expect(err).toMatch(/^1 workspace: about 8 calls to Plane, which create nothing; \d+ s at [\d]+ a minute\.\n$/)
    const names = ['settings', 'secrets', 'files', 'journal', 'service', 'credential', 'clock', 'schedule', 'directory']
    const rows = out.split('\n').filter((line) => line.startsWith('ok'))
    expect(rows.map((row) => row.slice(9, 19).trim())).toEqual([...names, 'access', 'group sync', 'mappings', 'plan'])
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'Nothing is wrong.'])
    const { requests } = place.sandbox
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
    expect(requests.length).toBeLessThanOrEqual(12)
    expect(requests.some(({ path }) => path.includes('/config/'))).toBe(true)
  })

  test('the settings of group sync are not read in a workspace without a mapping', async () => {
    await using place = await openPlace({ declaration: declared({ projectRoles: [devs] }), groups: ['devs'] })
    const { code, out } = await place.run(['doctor', '-o', 'json'])
    expect([code, place.sandbox.requests.filter(({ path }) => path.includes('/config/'))]).toEqual([0, []])
    expect(documentIn(out).checks.find(({ check }) => check === 'group sync')).toMatchObject({ result: 'skipped' })
    expect(place.sandbox.state.workspaces['acme']?.config).toBeUndefined()
  })

  test('a Plane that does not say whose the key is, is looked at all the same', async () => {
    await using place = await openPlace({ ...well(), sandbox: { faults: ['GET users/me: 404'] } })
    const { code, out } = await place.run(['doctor', '-o', 'json'])
    expect([code, codesIn(out)]).toEqual([0, ['owner-unknown']])
    expect(documentIn(out).checks.find(({ check }) => check === 'access')).toMatchObject({ result: 'ok' })
  })

  test('known mappings that the list lacks are asked for by id a few times only', async () => {
    const groups = Array.from({ length: 20 }, (_, n) => `team-${n}`)
    const projectRoles = groups.map((group) => ({ group, project: 'ENG', role: 'member' }))
    await using place = await openPlace({ ...well(), declaration: declared({ projectRoles }), groups })
    expect((await place.run(['apply', '--yes', '--no-wait'])).code).toBe(0)
    place.sandbox.state.workspaces['acme']?.projectMappings.splice(0)
    // The program believes Plane about a write of its own only after the wait for an unknown outcome.
    await setTimeout(1_500)
    const before = askedOf(place.sandbox, 'acme').length
    const { code, out } = await place.run(['doctor', '-o', 'json'])
    // A person took them away.
    expect([code, codesIn(out)]).toEqual([1, ['another-writer']])
    expect(documentIn(out).checks.find(({ check }) => check === 'plan')?.seen).toContain('20 changes to write')
    expect(askedOf(place.sandbox, 'acme').length - before).toBeLessThanOrEqual(12)
  })

  test('the example company has the two mistakes that it was given, and none without them', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'plane-group-sync-'))
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    const company = join(folder.path, 'example-company')
    await cp(join(root, 'config/example-company'), company, { recursive: true })
    const state = { name: 'service.yaml', text: await readFile(join(company, 'service.yaml'), 'utf8') }
    await using sandbox = await startSandbox({ ...sandboxOptions({ state }), limit: { requests: 100_000, windowMs: 1_000 } })
    const settings = await readFile(join(company, 'config.yaml'), 'utf8')
    await writeFile(join(company, 'config.yaml'), settings.replace('http://127.0.0.1:8787', sandbox.url))
    async function doctor() {
      const { PATH = '', HOME = '' } = process.env
      const env = { PATH, HOME, PLANE_API_KEY: 'sandbox-key' }
      const child = spawn(join(root, 'bin/plane-group-sync'), ['doctor', '-o', 'json'], {
        cwd: company,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      await using running = follow(child)
      running.child.stdin?.end()
      return await running.ended
    }
    const wrongIn = (out: string) => findingsIn(out).flatMap(({ code, severity }) => (severity === 'info' ? [] : [code]))
    const asItIs = await doctor()
    expect([asItIs.code, wrongIn(asItIs.out)]).toEqual([1, ['removal-not-felt', 'mapping-of-unknown-group']])
    const { product } = sandbox.state.workspaces
    Object.assign(product?.config ?? {}, { auto_remove: true })
    const old = product?.projectMappings.findIndex(({ idp_group_name }) => idp_group_name === 'old-web-admins') ?? -1
    product?.projectMappings.splice(old, 1)
    const cured = await doctor()
    expect([cured.code, wrongIn(cured.out)]).toEqual([0, []])
    for (const workspace of ['product', 'platform', 'business']) expect(askedOf(sandbox, workspace).length).toBeLessThanOrEqual(2 * 12)
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('which workspaces', () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const many = (): PlaceOptions => ({
    workspaces: Object.fromEntries(names.map((name) => [name, { projects: ['ENG'] }])),
    declaration: { version: 1, workspaces: Object.fromEntries(names.map((name) => [name, { projectRoles: [devs] }])) },
    groups: ['devs'],
  })

  test('many are looked at only if the command line says so, after calls and minutes are told', async () => {
    await using place = await openPlace(many())
    await place.settings({ workspaces: Object.fromEntries(names.map((name) => [name, {}])) })
    // The settings of the place have a workspace `acme`, too.
    const refused = await place.run(['doctor'])
    expect([refused.code, refused.out]).toEqual([64, ''])
    expect(refused.err).toContain('the settings have 7 workspaces, and doctor would make about 49 calls to Plane')
    expect(place.sandbox.requests).toEqual([])
    const { err, out } = await place.run(['doctor', '--all-workspaces', '-o', 'json'])
    expect(err).toMatch(/^7 workspaces: about 50 calls to Plane, which create nothing; \d+ s at 10000 a minute\.\n/)
    expect(documentIn(out).checks.filter(({ check, result }) => check === 'access' && result === 'ok')).toHaveLength(6)
    expect(codesIn(out)).toContain('workspace-unknown')
    const named = await place.run(['doctor', '-w', 'two', '-o', 'json'])
    expect(documentIn(named.out).checks.flatMap(({ check, place: of }) => (check === 'access' ? [of] : []))).toEqual(['two'])
  })
})

describe('beside a daemon', () => {
  test('the daemon asks Plane, within its budget, and without the key of the command', async () => {
    await using place = await openPlace(withConfig({ is_enabled: false }))
    const { daemon, stop } = await started(place)
    const before = place.sandbox.requests.length
    const { code, out, err } = await place.run(['doctor', '-o', 'json'], { env: { PLANE_API_KEY: '' } })
    expect(err).toContain('It carries out this order.')
    expect([code, documentIn(out).by], err).toEqual([1, 'daemon'])
    expect(findingsIn(out).flatMap(({ code: found, severity }) => (severity === 'info' ? [] : [found]))).toEqual(['group-sync-off'])
    expect(documentIn(out).checks.find(({ check }) => check === 'daemon')).toMatchObject({ result: 'ok' })
    expect(place.sandbox.requests.length - before).toBeLessThanOrEqual(12)
    expect(daemon.log().some(({ msg }) => msg.includes('an order came from'))).toBe(true)
    const fresh = await place.run(['doctor', '--fresh', '-o', 'json'])
    expect([fresh.code, documentIn(fresh.out).by]).toEqual([1, 'command'])
    await stop()
  })

  test('an empty secret file is no refusal of Plane, and after a refusal the cure is that of the log', async () => {
    await using place = await openPlace({ ...well(), settings: { service: { credential: { apiKey: { file: 'key' } } } } })
    const toKey = async (text: string) => {
      await place.write('key', text)
      await chmod(place.path('key'), 0o600)
    }
    await toKey('key-of-a-test')
    const { cycle, stop } = await started(place)
    await toKey('')
    await cycle()
    const empty = await place.run(['doctor', '-o', 'json'])
    const found = findingsIn(empty.out).filter(({ severity }) => severity === 'error')
    expect([empty.code, documentIn(empty.out).by, found.map(({ code }) => code)]).toEqual([
      1,
      'daemon',
      ['secret-unreadable', 'workspace-unread'],
    ])
    expect([found[0]?.sentence, found[0]?.cure]).toEqual([
      expect.stringMatching(/secret file .*key is empty/),
      expect.stringMatching(/^restore the file/),
    ])
    await toKey('another-key-of-a-test')
    await cycle()
    const refused = await place.run(['doctor', '-o', 'json'])
    const finding = findingsIn(refused.out).find(({ code }) => code === 'credential-refused')
    expect(finding?.cure, refused.out).toMatch(/^the key may have expired: make a new key/)
    await stop()
  })
})

describe('the disk of the journal', () => {
  /** The journal's folder is a file system of its own, which only this command sees. */
  const onDisk = (then: string): StartOptions => ({
    wrap: (command) => [
      'unshare',
      '--mount',
      'sh',
      '-c',
      `mount -t tmpfs -o size=400k,mode=700 tmpfs state; ${then}; exec "$@"`,
      'sh',
      ...command,
    ],
  })
  const full = 'head -c 500000 /dev/zero > state/filler 2> /dev/null'
  const disks: readonly [string, string, string, RegExp][] = [
    ['full', full, 'the journal cannot be written (ENOSPC: the disk is full)', /^make room on the volume of journal\.folder/],
    [
      'read-only',
      'mount -o remount,ro state',
      'the journal cannot be written (EROFS: the file system is read-only)',
      /^mount it for writing/,
    ],
  ]

  test.runIf(canMount).each(disks)('it is %s: the words are those of `run`', async (_, then, sentence, cure) => {
    await using place = await openPlace(well())
    await mkdir(place.path('state'), { mode: 0o700 })
    const { code, out } = await place.run(['doctor', '-o', 'json'], onDisk(then))
    const found = findingsIn(out).find((finding) => finding.code === 'journal-unwritable')
    expect([code, found?.sentence, found?.cure]).toEqual([1, `${place.path('state')}: ${sentence}`, expect.stringMatching(cure)])
    const ran = await place.run(['run', '--once'], onDisk(then))
    expect(ran.err.replaceAll(/\s+/g, ' ')).toContain(found?.cure)
  })

  test.runIf(canMount)('it is full beside a daemon: its last cycle may only not be written', async () => {
    await using place = await openPlace({ ...well(), settings: { schedule: { cron: '* * * * * *', jitter: '0s' } } })
    await mkdir(place.path('state'), { mode: 0o700 })
    const { daemon, stop } = await started(place, onDisk('true'))
    const inside = (command: readonly string[]) => ['nsenter', '--target', String(daemon.child.pid), '--mount', '--wd', ...command]
    await place.run([], { wrap: () => inside(['sh', '-c', full]) })
    const doctor = () => place.run(['doctor', '-o', 'json'], { wrap: inside })
    await expect.poll(async () => codesIn((await doctor()).out), { timeout: 40_000 }).toContain('daemon-overdue')
    const { out } = await doctor()
    const overdue = findingsIn(out).find(({ code }) => code === 'daemon-overdue')
    expect(codesIn(out)).toContain('journal-unwritable')
    expect([overdue?.sentence, overdue?.cure]).toEqual([
      expect.stringContaining('or the file could not be written'),
      expect.stringMatching(/^first mend journal-unwritable/),
    ])
    await place.run([], { wrap: () => inside(['rm', 'state/filler']) })
    await stop()
  })

  test('what is tried leaves nothing in the folder, or where the folder would be', async () => {
    await using place = await openPlace(well())
    const before = (await readdir(place.folder)).toSorted()
    expect((await place.run(['doctor'])).code).toBe(0)
    expect((await readdir(place.folder)).toSorted()).toEqual(before)
    await mkdir(place.path('state'), { mode: 0o700 })
    expect((await place.run(['doctor'])).code).toBe(0)
    expect(await readdir(place.path('state'))).toEqual([])
  })

  test('a killed process: only what was on its way waits at the next start', async () => {
    await using place = await openPlace(well())
    await mkdir(place.path('state'), { mode: 0o700 })
    await place.write('state/lock', lockOf({}))
    await chmod(place.path('state/lock'), 0o600)
    const left = findingsIn((await place.run(['doctor', '-o', 'json'])).out).find(({ code }) => code === 'journal-lock-left')
    expect(left?.cure).toContain('only the writes that were on their way wait 1 s (service.unknownOutcomeWait)')
  })
})
