import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { descriptions } from '../../../src/commands/descriptions.ts'
import { openPlace, type Place, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'

const gone = ['g1', 'g2', 'g3']
const many = ['n1', 'n2', 'n3']
const odd = 'on: "call" #1, {a} & ünïcode'
const declaration = {
  version: 1,
  workspaces: {
    acme: {
      workspaceRoles: [{ group: 'leads', role: 'admin' }],
      projectRoles: [
        { group: odd, project: ['ENG', 'OPS'], role: 'admin' },
        { group: 'renamed', previously: 'former', project: 'ENG', role: 'admin' },
        { group: many, project: ['ENG', 'OPS'], role: 'member' },
      ],
      removed: gone.flatMap((group) => ['ENG', 'OPS'].map((project) => ({ group, project }))),
      groupSync: { autoRemove: true },
    },
  },
}

type Planned = {
  readonly workspaces: readonly {
    readonly sets: readonly { readonly id: string; readonly limit: string }[]
    readonly holds: readonly {
      readonly change?: { readonly id: string }
      readonly reason: { readonly kind: string; readonly why?: string }
    }[]
  }[]
}

async function open(): Promise<Place> {
  const existing = [...gone.flatMap((group) => ['ENG', 'OPS'].map((project) => ({ project, idp_group_name: group, role: 'guest' })))]
  const mappings = [...existing, { project: 'ENG', idp_group_name: 'former', role: 'member' }]
  const place = await openPlace({
    settings: {
      declaration: 'groups',
      waivers: { files: ['platform/*'] },
      guards: { deletes: { count: 2 }, creates: { count: 3 } },
    },
    declaration: '',
    groups: [],
    workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: mappings } },
  })
  await mkdir(place.path('groups/platform'), { recursive: true })
  await place.write('groups/a.yaml', declaration)
  const names = ['leads', odd, 'renamed', ...many, ...gone]
  await place.write('directory.yaml', { groups: names.map((name, index) => ({ name, id: `${index}e5` })) })
  return place
}

const idsIn = ({ workspaces }: Planned): readonly string[] =>
  workspaces.flatMap(({ sets, holds }) => [
    ...sets.map(({ id }) => id),
    ...holds.flatMap(({ reason, change }) => (reason.kind === 'approval' && reason.why !== 'limit' ? (change?.id ?? []) : [])),
  ])

test('the example of the help puts the words into the declaration, also where no daemon runs', async () => {
  await using place = await openPlace({
    settings: { declaration: 'groups', waivers: { files: ['platform/*'] } },
    declaration: '',
    groups: ['leads'],
  })
  await mkdir(place.path('groups/platform'), { recursive: true })
  await place.write('groups/a.yaml', { version: 1, workspaces: { acme: { workspaceRoles: [{ group: 'leads', role: 'admin' }] } } })
  const [id = ''] = idsIn(JSON.parse((await place.run(['plan', '-o', 'json'])).out) as Planned)
  const line = (descriptions.approve.examples[0]?.line ?? '').replace(/[0-9a-f]{32}/, id)
  const wrap = ([program = '']: readonly string[]) => ['bash', '-c', line.replace('plane-group-sync', program)]
  const { code, err } = await place.run([], { wrap, env: { PLANE_GROUP_SYNC_CONFIG: place.path('config.yaml') } })
  expect([code, err]).toEqual([0, ''])
  const applied = await place.run(['apply', '--yes', '--no-wait'])
  expect([applied.code, stateOf(place.sandbox)], applied.err).toEqual([0, ['- leads → admin']])
})

test('where no file may have the words, approve says so beside them', async () => {
  const leads = { version: 1, workspaces: { acme: { workspaceRoles: [{ group: 'leads', role: 'admin' }] } } }
  await using place = await openPlace({ declaration: leads, groups: ['leads'] })
  const [id = ''] = idsIn(JSON.parse((await place.run(['plan', '-o', 'json'])).out) as Planned)
  const { code, out, err } = await place.run(['approve', id, '--reason', 'INC-99'])
  expect(code).toBe(0)
  expect(out).toContain('waivers:')
  expect(err).toBe('No file may have these words: name one in the setting waivers.files; or, beside a daemon, add --now.\n')
})

test('the words that approve prints let everything pass for which they were printed', async () => {
  await using place = await open()
  const planned = JSON.parse((await place.run(['plan', '-o', 'json'])).out) as Planned
  const ids = idsIn(planned)
  expect(planned.workspaces[0]?.sets.map(({ limit }) => limit)).toEqual(['creates', 'deletes'])
  expect(ids.length).toBeGreaterThanOrEqual(6)
  const printed = await place.run(['approve', ...ids, '--reason', 'INC-99: "moved" #2', '--for', '2h'])
  expect([printed.code, printed.err]).toEqual([0, ''])

  // Without one of the entries something still waits.
  const less = await place.run(['approve', ...ids.slice(1), '--reason', 'x'])
  await place.write('groups/platform/waivers.yaml', less.out)
  const first = await place.run(['plan'])
  expect(first.code, first.out + first.err).toBe(3)

  await place.write('groups/platform/waivers.yaml', printed.out)
  const second = await place.run(['plan'])
  expect(second.code, printed.out + second.out + second.err).toBe(0)
  const applied = await place.run(['apply', '--yes'])
  expect(applied.code, applied.out + applied.err).toBe(0)
  expect(stateOf(place.sandbox)).toContain(`ENG ${odd} → admin`)
  expect(stateOf(place.sandbox)).toContain('ENG renamed → admin')
  expect(stateOf(place.sandbox).some((line) => line.includes('g1'))).toBe(false)
})

test('beside a daemon the words in a commit let the change pass in its next cycle', async () => {
  await using place = await openPlace({
    settings: { declaration: 'groups', waivers: { files: ['platform/*'] } },
    declaration: '',
    groups: ['leads'],
  })
  await mkdir(place.path('groups/platform'), { recursive: true })
  await place.write('groups/a.yaml', {
    version: 1,
    workspaces: { acme: { projectRoles: [{ group: 'leads', project: 'ENG', role: 'admin' }] } },
  })
  const { cycle, stop } = await started(place)
  await cycle()
  const status = JSON.parse((await place.run(['status', '-o', 'json'])).out) as {
    readonly last: { readonly workspaces: readonly { readonly plan: Planned['workspaces'][number] }[] }
  }
  const [id = ''] = idsIn({ workspaces: status.last.workspaces.map(({ plan }) => plan) })
  expect(stateOf(place.sandbox)).toEqual([])
  const printed = await place.run(['approve', id, '--reason', 'INC-1'])
  expect([printed.code, printed.err]).toEqual([0, ''])
  await place.write('groups/platform/waivers.yaml', printed.out)
  await cycle()
  await cycle()
  expect(stateOf(place.sandbox)).toEqual(['ENG leads → admin'])
  expect((await place.run(['status'])).out).not.toContain('Waits for approval')
  await stop()
})
