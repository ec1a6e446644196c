import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declared } from './declared.ts'
import { logOf, metric, type Pod, pods, readyPod } from './pods.ts'
import { openWorld, type World } from './release.ts'
import { took, until } from './until.ts'

const teams = ['team-a', 'team-b', 'team-c', 'team-d']
let world: World

beforeAll(async () => {
  world = await openWorld('broken')
  await world.declare({ 'acme.yaml': declared(teams) })
  await world.install()
  await until('a ready pod', () => readyPod(world), { state: () => pods(world) })
  await inPlane(teams)
})
afterAll(() => world[Symbol.asyncDispose]())

const inPlane = (groups: readonly string[]) =>
  until(`${groups.join(', ')} in Plane`, async () => {
    const found = (await world.plane.mappings()).map(({ idp_group_name }) => idp_group_name).toSorted()
    return JSON.stringify(found) === JSON.stringify(groups) ? found : undefined
  })

const theReadyPod = () => until('a ready pod', () => readyPod(world), { withinMs: 120_000, state: () => pods(world) })
const isValid = (pod: Pod, part: string) => metric(world, pod.name, `plane_group_sync_configuration_valid{part="${part}"}`)
const validIs = (pod: Pod, part: string, value: 0 | 1) =>
  until(`configuration_valid ${value}`, async () => ((await isValid(pod, part)) === value ? true : undefined))

/** The lines of the pod's log that say what is wrong. Further lines about an invalid declaration say only that nothing changed. */
const mistakes = async (pod: Pod) => (await logOf(world, pod.name)).filter(({ level, why }) => level === 'error' && why !== undefined)

/** The program makes a mapping again that somebody deleted in Plane: so it uses the last valid declaration. */
async function makesAgain(): Promise<void> {
  await world.plane.forget(['team-a'])
  await inPlane(teams)
}

describe('a broken declaration', () => {
  it('changes nothing: the last valid one stays in use', async () => {
    const pod = await theReadyPod()
    await world.declare({ 'acme.yaml': `${declared(teams)}\n  labs: [` })
    await validIs(pod, 'declaration', 0)
    await makesAgain()
    expect(await mistakes(pod)).toHaveLength(1)
    expect(await readyPod(world)).toEqual(pod)
  })

  it('does not hinder a new pod', async () => {
    const before = await theReadyPod()
    const startMs = performance.now()
    await world.kubectl(['delete', 'pod', before.name])
    const pod = await theReadyPod()
    took('a broken declaration: a new pod is ready after', startMs)
    await validIs(pod, 'declaration', 0)
    await makesAgain()
    expect(await mistakes(pod)).toHaveLength(1)
    expect(await readyPod(world)).toEqual(pod)
  })

  it('is in use when it is corrected', async () => {
    const pod = await theReadyPod()
    await world.declare({ 'acme.yaml': declared(['other', ...teams]) })
    await inPlane(['other', ...teams])
    await validIs(pod, 'declaration', 1)
    expect(await readyPod(world)).toEqual(pod)
  })
})
