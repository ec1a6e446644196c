import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { chart } from '../chart/helm.ts'
import { declared } from './declared.ts'
import { metric, pods, readyPod } from './pods.ts'
import { openWorld, type World } from './release.ts'
import { until } from './until.ts'

const groupsAre = (world: World, groups: readonly string[]) =>
  until(
    `${groups.join(', ')} in Plane`,
    async () => {
      const found = (await world.plane.mappings()).map(({ idp_group_name }) => idp_group_name)
      return JSON.stringify(found.toSorted()) === JSON.stringify(groups.toSorted()) ? true : undefined
    },
    { withinMs: 180_000, everyMs: 200, state: () => pods(world) },
  )

const claimOf = async (world: World) =>
  JSON.parse(await world.kubectl(['get', 'pvc', 'plane-group-sync', '--output', 'json'])) as { metadata: { uid: string }; spec: object }

it.each(readdirSync('test/chart/older'))(
  'a release of the older chart %s goes on with this one, also with --reuse-values',
  async (older) => {
    await using world = await openWorld('upgraded')
    await world.declare({ 'acme.yaml': declared(['team']) })
    await world.installChart(`test/chart/older/${older}`, { podLabels: { team: 'platform' } })
    await groupsAre(world, ['team'])
    const claim = await claimOf(world)

    await world.helm('upgrade', 'plane-group-sync', chart, '--reuse-values', '--set', 'settings.suspend=true')
    await until(
      'a pod that is suspended',
      async () => {
        const pod = await readyPod(world)
        if (pod === undefined) return undefined
        return (await metric(world, pod.name, 'plane_group_sync_suspended{workspace="acme",what="all"}')) === 1 ? true : undefined
      },
      { withinMs: 180_000, everyMs: 500, state: () => pods(world) },
    )
    expect(await claimOf(world)).toMatchObject({ metadata: { uid: claim.metadata.uid }, spec: claim.spec })
    expect(await world.kubectl(['get', 'pods', '--selector', 'team=platform', '--output', 'name'])).toContain('pod/')

    await world.declare({ 'acme.yaml': declared(['team', 'more']) })
    await world.helm('upgrade', 'plane-group-sync', chart, '--reuse-values', '--set', 'settings.suspend=false')
    await groupsAre(world, ['team', 'more'])
    expect(await world.helm('rollback', 'plane-group-sync', '1')).toContain('Rollback was a success')
  },
)
