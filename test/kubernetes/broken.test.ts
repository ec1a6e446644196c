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

/** The lines of the pod's log that say what is wrong. */
const mistakes = async (pod: Pod, event: 'declaration' | 'settings') =>
  (await logOf(world, pod.name)).filter((line) => line.level === 'error' && line.event === event)

/** The program makes a mapping again that somebody deleted in Plane: so it uses the last valid declaration. */
async function makesAgain(groups: readonly string[] = teams): Promise<void> {
  await world.plane.forget(['team-a'])
  await inPlane(groups)
}

describe('a broken declaration', () => {
  it('changes nothing: the last valid one stays in use', async () => {
    const pod = await theReadyPod()
    await world.declare({ 'acme.yaml': `${declared(teams)}\n  labs: [` })
    await validIs(pod, 'declaration', 0)
    await makesAgain()
    expect(await mistakes(pod, 'declaration')).toHaveLength(1)
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
    expect(await mistakes(pod, 'declaration')).toHaveLength(1)
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

describe('broken settings', () => {
  const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['a setting that does not exist', { polcy: 'exclusive' }],
    ['a policy that does not exist', { policy: 'sync-all' }],
    ['a cron expression that is none', { schedule: { cron: 'every day' } }],
    ['a time zone that does not exist', { schedule: { timezone: 'Mars/Olympus' } }],
    ['a duration without a unit', { service: { timeout: '30' } }],
    ['an address without a scheme', { service: { baseUrl: 'plane' } }],
    ['a limit of no request', { service: { limit: { requests: 0, window: '1m' } } }],
    ['a share above the whole', { guards: { deletes: { share: '200%' } } }],
    ['a directory without an address', { directories: { corp: { kind: 'ldap', addresses: [] } } }],
    ['a credential that is not there', { workspaces: { acme: { credential: 'other' } } }],
  ]

  it('are refused by Helm, or change nothing: the last valid ones stay in use', async () => {
    const pod = await theReadyPod()
    const lastSuccess = () => metric(world, pod.name, 'plane_group_sync_last_success_timestamp_seconds{workspace="acme"}')
    const refused: string[] = []
    const refusedByProgram: string[] = []
    for (const [what, settings] of wrong) {
      const error = await world.install({ settings }).catch((why: Error) => why)
      if (error instanceof Error) {
        expect(error.message, what).toContain("values don't meet the specifications of the schema")
        refused.push(what)
        continue
      }
      refusedByProgram.push(what)
      await until(
        `an error line about ${what}`,
        async () => ((await mistakes(pod, 'settings')).length === refusedByProgram.length ? true : undefined),
        {
          state: () => mistakes(pod, 'settings'),
        },
      )
      expect(await isValid(pod, 'settings'), what).toBe(0)
    }
    process.stdout.write(`  refused by Helm: ${refused.join(', ')}\n  refused by the program: ${refusedByProgram.join(', ')}\n`)
    expect(refusedByProgram).toEqual(['a credential that is not there'])
    await makesAgain(['other', ...teams])
    expect(Date.now() / 1000 - ((await lastSuccess()) ?? 0), 'seconds since the last success').toBeLessThan(20)
    expect(await mistakes(pod, 'settings')).toHaveLength(refusedByProgram.length)
    expect(await readyPod(world)).toEqual(pod)

    await world.install()
    await validIs(pod, 'settings', 1)
    expect(await readyPod(world)).toEqual(pod)
  })

  it('do not hinder a new pod', async () => {
    const before = await theReadyPod()
    await world.install({ settings: { workspaces: { acme: { credential: 'other' } } } })
    await validIs(before, 'settings', 0)
    const startMs = performance.now()
    await world.kubectl(['delete', 'pod', before.name])
    const pod = await theReadyPod()
    took('broken settings: a new pod is ready after', startMs)
    await validIs(pod, 'settings', 0)
    await makesAgain(['other', ...teams])
    expect(await mistakes(pod, 'settings')).toHaveLength(1)
    expect(await readyPod(world)).toEqual(pod)

    await world.install()
    await validIs(pod, 'settings', 1)
  })

  it('that name a missing secret change nothing, too', async () => {
    const pod = await theReadyPod()
    await world.install({ settings: { service: { credential: { apiKey: { file: '/run/secrets/plane-group-sync/none' } } } } })
    try {
      await until('settings that are not valid', async () => ((await isValid(pod, 'settings')) === 0 ? true : undefined), {
        withinMs: 30_000,
      })
    } finally {
      await world.install()
    }
  })
})
