import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { needsRestart, waitForStart } from '../../src/settings/restart.ts'
import { settingsSchema } from '../../src/settings/schema.ts'
import { otherHost, serviceOf } from '../../src/settings/service.ts'
import { everySetting as allSettings, at, edited, type Path, pathsOf } from '../unit/settings/everySetting.ts'
import { problemsOf } from '../unit/settings/problems.ts'
import { manifests, render } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-restart-'))
afterAll(() => rm(folder, { recursive: true }))

/** The page, which the chart itself sets, needs a journal. */
const everySetting = edited(allSettings, ['http', 'page'], undefined)

/** Settings that the chart itself sets. */
const own = /^(version|declaration|http|http\..*|journal\.folder)$/
/**
 * Settings for which no other value is valid if nothing else changes: another `kind` needs other settings, another `startTls` needs another address,
 * another role in the order needs changes where the role is used. A fence needs a workspace of the settings, and has each role once. An owner of `notify` is
 * that of a fence.
 */
const noOther =
  /^(directories\.\w+\.(kind|startTls)|roles\.order\.\d+|notify\.\d+\.owner|fences\.\S+\.(workspace|owner)|fences\.\S+\.projectRoles\.roles\.\d+)$/
const values: readonly unknown[] = [
  ...[
    'x',
    '7s',
    '7%',
    '7h',
    'dc=other,dc=example',
    '(objectClass=other)',
    '/other',
    'member',
    'guest',
    'https://other.example.com',
    'ldaps://other.example.com',
    '@daily',
    'UTC',
    'none',
    'anonymous',
    'default',
    '30d',
    'other@example.com',
    'C1',
    'projects/1/locations/global/workloadIdentityPools/other/providers/other',
  ],
  ...[
    'sync',
    'hold',
    'send',
    'base',
    'fail',
    'client_secret_basic',
    'name',
    'whoAmI',
    'plain',
    'escaped',
    'debug',
    'auto',
    'BUILT_IN',
    true,
    false,
    7,
    12_345,
    [],
  ],
  ...['/plane/all-staff', '/plane/leads', 'any', 'files-only', 'text', 'card', 'waiting', 'failed'],
  ...['ffffffff-0000-4000-8000-000000000000', 'usgov', 'displayName', 'all', 'id'],
  ...['unmanaged', ['unmanaged'], { owner: 'x', workspace: 'acme', workspaceRoles: { groups: ['x-*'], roles: ['guest'] } }],
  ...[['x'], ['ldaps://other.example.com'], { x: 'y' }, { env: 'OTHER' }, {}],
]
const dotted = (path: Path): string => path.join('.')

type Edit = { readonly name: string; readonly settings: unknown }
const isValid = async (settings: unknown): Promise<boolean> => (await problemsOf(settings)).length === 0
/** The settings with another valid value in this place; undefined if there is none. */
async function changed(path: Path): Promise<unknown> {
  const now = JSON.stringify(at(everySetting, path))
  for (const value of values) {
    const settings = edited(everySetting, path, value)
    if (JSON.stringify(value) !== now && (await isValid(settings))) return settings
  }
  return undefined
}
const edits: Edit[] = []
for (const path of pathsOf(everySetting)) {
  const name = dotted(path)
  if (own.test(name)) continue
  const settings = await changed(path)
  if (settings !== undefined) edits.push({ name, settings })
  else if (typeof at(everySetting, path) !== 'object' && !noOther.test(name)) throw new Error(`no other value for ${name}`)
}
const more: readonly Edit[] = [
  { name: 'another workspace', settings: edited(everySetting, ['workspaces', 'beta'], { slug: 'beta-stg' }) },
  { name: 'no slug', settings: edited(everySetting, ['workspaces', 'acme', 'slug'], undefined) },
  { name: 'another path of the address', settings: edited(everySetting, ['service', 'baseUrl'], 'https://plane.example.com/plane') },
  { name: 'another credential', settings: edited(everySetting, ['service', 'credential'], { apiKey: { file: '/other' } }) },
  {
    name: 'startTls',
    settings: ['startTls', 'addresses'].reduce<unknown>(
      (settings, key) => edited(settings, ['directories', 'corp', key], key === 'startTls' ? true : ['ldap://ldap1.example.com']),
      everySetting,
    ),
  },
  { name: 'no directory', settings: edited(everySetting, ['directories'], {}) },
]

/** The pod's template that the chart renders for these settings. */
async function podOf({ name, settings }: Edit, ...args: readonly string[]): Promise<unknown> {
  const file = join(folder, `${name.replaceAll(/[^\w.]/g, '-')}.json`)
  const given = ['version', 'declaration', 'http', 'journal.folder'].reduce<unknown>(
    (rest, path) => edited(rest, path.split('.'), undefined),
    settings,
  )
  await writeFile(
    file,
    JSON.stringify({ settings: (settings as { journal: unknown }).journal === 'none' ? { ...(given as object), journal: 'none' } : given }),
  )
  const deployment = manifests(await render('--values', file, ...args)).find(({ kind }) => kind === 'Deployment')
  return (deployment as unknown as { spec: { template: unknown } }).spec.template
}

/** The program's own answer to an edit. */
function programSays(settings: unknown): 'live' | 'new process' | 'new journal' {
  const [before, after] = [settingsSchema.parse(everySetting), settingsSchema.parse(settings)]
  if (otherHost(serviceOf(before), serviceOf(after)) !== undefined) return 'new journal'
  return needsRestart(before, after, true) !== undefined || waitForStart(before, after).length > 0 ? 'new process' : 'live'
}

const good: Edit = { name: 'good', settings: everySetting }

describe('a new pod is started for a setting that only a new process takes up, and for no other', async () => {
  const kept = await podOf(good)

  it('of all settings', () => {
    const names = (says: string) => edits.filter(({ settings }) => programSays(settings) === says).map(({ name }) => name)
    expect(names('new process')).toEqual([
      'service.unknownOutcomeWait',
      'journal',
      'journal.bytesMax',
      'journal.filesMax',
      'journal.seenMax',
      'log',
      'log.level',
      'log.format',
    ])
    expect(names('new journal')).toEqual(['service.baseUrl'])
    expect(names('live').length).toBeGreaterThan(70)
  })

  it.each([...edits, ...more])('$name', async (edit) => {
    const restarts = programSays(edit.settings) === 'new process'
    const pod = await podOf(edit)
    if (restarts) expect(pod).not.toEqual(kept)
    else expect(pod).toEqual(kept)
  })
})

describe('a journal that ends with the pod', () => {
  it.each([
    ['emptyDir', ['--set', 'persistence.enabled=false']],
    ['none', ['--set', 'settings.journal=none']],
  ])('%s: another host starts a new pod, another path and another slug do not', async (_name, args) => {
    const before = await podOf(good, ...args)
    const pod = (...path: readonly string[]) =>
      podOf({ name: 'edit', settings: edited(everySetting, path.slice(0, -1), path.at(-1)) }, ...args)
    expect(await pod('service', 'baseUrl', 'https://other.example.com')).not.toEqual(before)
    expect(await pod('service', 'baseUrl', 'https://plane.example.com/plane')).toEqual(before)
    expect(await pod('workspaces', 'acme', 'slug', 'other')).toEqual(before)
    expect(await pod('schedule', 'cron', '@daily')).toEqual(before)
    expect(await pod('log', 'level', 'debug')).not.toEqual(before)
  })
})
