import { expect, it } from 'vitest'
import { image } from '../image/podman.ts'
import { logOf, pods, readyPod } from './pods.ts'
import { openWorld, type World } from './release.ts'
import { took, until } from './until.ts'

const edits = 200

/**
 * One of two states of a folder of two files: the group has its role by the one file, or another role by the other one. A program that read files of both
 * states would see two roles for one key, which is an error, or no role at all, which makes the mapping undeclared.
 */
function state(group: string, isFirst: boolean): Readonly<Record<'a.yaml' | 'b.yaml', string>> {
  const rule = (role: string) => `version: 1\nworkspaces: { acme: { projectRoles: [{ group: ${group}, project: ENG, role: ${role} }] } }\n`
  const none = 'version: 1\nworkspaces: { acme: { projectRoles: [] } }\n'
  return isFirst ? { 'a.yaml': rule('member'), 'b.yaml': none } : { 'a.yaml': none, 'b.yaml': rule('guest') }
}

const rolesAre = (world: World, roles: readonly string[]) =>
  until(
    `${roles.join(', ')} in Plane`,
    async () => {
      const found = (await world.plane.mappings()).map(({ idp_group_name, role }) => `${idp_group_name} ${role}`)
      return JSON.stringify(found.toSorted()) === JSON.stringify(roles) ? true : undefined
    },
    { withinMs: 120_000, state: () => pods(world) },
  )

/**
 * No cycle of the pod found a mistake in the declaration, or a mapping that it does not declare. On a busy machine a cycle may find the files changed each
 * time that it reads them. Then it uses none of them.
 */
async function expectNothingTorn(world: World): Promise<void> {
  const pod = await until('a ready pod', () => readyPod(world))
  const log = await logOf(world, pod.name)
  const cycles = new Set(log.filter(({ event }) => event === 'change').map(({ cycle }) => cycle))
  process.stdout.write(`  ${edits} edits: ${cycles.size} cycles wrote to Plane\n`)
  expect(cycles.size).toBeGreaterThan(3)
  const errors = log.filter(({ level, msg }) => level === 'error' && !msg.includes('the files keep changing while they are read'))
  expect(errors.map(({ msg }) => msg)).toEqual([])
  expect(log.filter(({ msg }) => msg.includes('undeclared')).map(({ msg }) => msg)).toEqual([])
}

const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
/** So many patches are too many for one day otherwise. */
const guards = { day: { raises: 1_000, lowers: 1_000 } }

it('two teams edit their own ConfigMaps, and no cycle reads half an edit', async () => {
  await using world = await openWorld('teams')
  const teams = ['pay', 'web']
  const edit = (team: string, isFirst: boolean) =>
    world.kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(configMap(`groups-${team}`, state(team, isFirst))))
  for (const team of teams) await edit(team, true)
  const configMaps = teams.map((team) => ({ name: `groups-${team}`, folder: `teams/${team}` }))
  await world.install({ declaration: { configMaps }, settings: { guards } })
  await rolesAre(world, ['pay member', 'web member'])
  const startMs = performance.now()
  for (let nth = 0; nth < edits / 2; nth++) await Promise.all(teams.map((team) => edit(team, nth % 2 === 1)))
  for (const team of teams) await edit(team, false)
  await rolesAre(world, ['pay guest', 'web guest'])
  took('two ConfigMaps, 200 edits', startMs)
  await expectNothingTorn(world)
})

it('a sidecar swaps a link to a checkout, and no cycle reads half an edit', async () => {
  await using world = await openWorld('checkout')
  await world.kubectl(
    ['apply', '--server-side', '-f', '-'],
    JSON.stringify(configMap('states', { ...named('first', true), ...named('second', false) })),
  )
  const mounts = [{ name: 'git', mountPath: '/git' }]
  const gitSync = (name: string, code: string) => ({
    name,
    image,
    command: ['node', '-e', `${checkout}${code}`],
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [...mounts, { name: 'states', mountPath: '/states' }],
  })
  await world.install({
    declaration: { path: '/git/current/groups' },
    extraVolumes: [
      { name: 'git', emptyDir: {} },
      { name: 'states', configMap: { name: 'states' } },
    ],
    extraVolumeMounts: mounts,
    initContainers: [gitSync('first-checkout', 'checkout(0)')],
    extraContainers: [gitSync('git-sync', swapLinks)],
    settings: { guards },
  })
  const startMs = performance.now()
  await until(
    'the last swap',
    async () => ((await world.kubectl(['logs', 'deploy/plane-group-sync', '-c', 'git-sync'])).includes('swapped') ? true : undefined),
    {
      withinMs: 180_000,
      state: () => pods(world),
    },
  )
  await rolesAre(world, ['checkout guest'])
  took('a link, 200 swaps', startMs)
  await expectNothingTorn(world)
})

/** The keys of a ConfigMap with the two files of a state. */
const named = (name: string, isFirst: boolean) =>
  Object.fromEntries(Object.entries(state('checkout', isFirst)).map(([file, text]) => [`${name}-${file}`, text]))

/** As git-sync: each edit is a new folder, and then a link to it that takes the place of the former one. The former folder is removed. */
const checkout = `
  const { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync } = require('node:fs')
  const checkout = (nth) => {
    mkdirSync('/git/' + nth + '/groups', { recursive: true })
    for (const file of ['a.yaml', 'b.yaml']) copyFileSync('/states/' + (nth % 2 === 0 ? 'first-' : 'second-') + file, '/git/' + nth + '/groups/' + file)
    symlinkSync(String(nth), '/git/next')
    renameSync('/git/next', '/git/current')
    if (nth > 0) rmSync('/git/' + (nth - 1), { recursive: true })
  }
`
const swapLinks = `
  let nth = 0
  setTimeout(() => {
    const timer = setInterval(() => {
      checkout(++nth)
      if (nth === ${edits - 1}) { clearInterval(timer); console.log('swapped'); setInterval(() => {}, 60000) }
    }, 150)
  }, 5000)
`
