import { readlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { declared } from './declared.ts'
import { metric, type Pod, pods, processOf, readyPod } from './pods.ts'
import { openWorld, secret, type World } from './release.ts'
import { took, until } from './until.ts'

/** The default schedule, and no wait before the first create. */
const settings = { schedule: { cron: '*/10 * * * *', jitter: '30s' }, service: { unknownOutcomeWait: '1s' } }

/** Edits, and waits until the kubelet has swapped the files in the container. Returns the time of the swap. */
async function swapped(pod: Pod, folder: string, edit: () => Promise<unknown>): Promise<number> {
  const link = `/proc/${processOf(pod)}/root${folder}/..data`
  const before = readlinkSync(link)
  await edit()
  await until(`a swap of ${folder}`, () => (readlinkSync(link) === before ? undefined : true), { withinMs: 120_000, everyMs: 20 })
  return performance.now()
}

const groupsAre = (world: World, groups: readonly string[]) =>
  until(
    `${groups.join(', ')} in Plane`,
    async () => {
      const found = (await world.plane.mappings()).map(({ idp_group_name }) => idp_group_name)
      return JSON.stringify(found.toSorted()) === JSON.stringify(groups.toSorted()) ? true : undefined
    },
    { withinMs: 90_000, everyMs: 50, state: () => pods(world) },
  )

const theReadyPod = (world: World) => until('a ready pod', () => readyPod(world), { withinMs: 120_000, state: () => pods(world) })

it('a ConfigMap with the declaration is in Plane within ten seconds after the kubelet has swapped it', async () => {
  await using world = await openWorld('edited-declaration')
  await world.declare({ 'acme.yaml': declared(['team']) })
  await world.install({ settings })
  await groupsAre(world, ['team'])
  const pod = await theReadyPod(world)
  const swap = await swapped(pod, '/etc/plane-group-sync/groups', () => world.declare({ 'acme.yaml': declared(['team', 'more']) }))
  await groupsAre(world, ['team', 'more'])
  expect(took('declaration: from the swap to Plane', swap)).toBeLessThan(10)
  expect(await readyPod(world)).toEqual(pod)
})

it('settings are in use within ten seconds after the kubelet has swapped them', async () => {
  await using world = await openWorld('edited-settings')
  await world.declare({ 'acme.yaml': declared(['team']) })
  const undeclared = { idp_group_name: 'undeclared', project: 'ENG', role: 'guest' }
  await world.plane.setState({ workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: [undeclared] } } })
  await world.install({ settings })
  await groupsAre(world, ['team', 'undeclared'])
  const pod = await theReadyPod(world)
  const swap = await swapped(pod, '/etc/plane-group-sync/settings', () => world.install({ settings: { ...settings, policy: 'exclusive' } }))
  await groupsAre(world, ['team'])
  expect(took('settings: from the swap to Plane', swap)).toBeLessThan(10)
  expect(await readyPod(world)).toEqual(pod)
})

it('a Secret whose key was refused is in use within ten seconds after the kubelet has swapped it', async () => {
  await using world = await openWorld('edited-secret')
  await world.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(secret('wrong-key')))
  await world.declare({ 'acme.yaml': declared(['team']) })
  await world.install({ settings })
  const pod = await theReadyPod(world)
  const swap = await swapped(pod, '/run/secrets/plane-group-sync', () =>
    world.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(secret('sandbox-key'))),
  )
  await groupsAre(world, ['team'])
  expect(took('secret: from the swap to Plane', swap)).toBeLessThan(10)
  expect(await readyPod(world)).toEqual(pod)
})

it('settings that name a secret are in use soon after the kubelet has brought it', async () => {
  await using world = await openWorld('later-secret')
  await world.declare({ 'acme.yaml': declared(['team']) })
  await world.plane.setState({
    workspaces: { acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'undeclared', project: 'ENG', role: 'guest' }] } },
  })
  await world.install({ settings })
  await groupsAre(world, ['team', 'undeclared'])
  const pod = await theReadyPod(world)
  const credential = { apiKey: { file: '/run/secrets/plane-group-sync/later-key' } }
  await world.install({ settings: { ...settings, policy: 'exclusive', service: { ...settings.service, credential } } })
  await until('settings that are not used', async () => {
    const isValid = await metric(world, pod.name, 'plane_group_sync_configuration_valid{part="settings"}')
    return isValid === 0 ? true : undefined
  })
  const startMs = performance.now()
  const { stringData, ...rest } = secret('sandbox-key')
  const both = { ...rest, stringData: { ...stringData, 'later-key': 'sandbox-key' } }
  const swap = await swapped(pod, '/run/secrets/plane-group-sync', () =>
    world.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(both)),
  )
  await groupsAre(world, ['team'])
  took('settings that waited for a secret: from the swap to Plane', swap)
  // An edit begins at most one cycle a minute, and the edit of the settings began one.
  expect(took('settings that waited for a secret: from the edit to Plane', startMs)).toBeLessThan(75)
  expect(await readyPod(world)).toEqual(pod)
})
