import { afterAll, beforeAll, expect, it } from 'vitest'
import { declared, names } from './declared.ts'
import { logOf, pods, processOf, readyPod } from './pods.ts'
import { ran } from './programs.ts'
import { openWorld, type World } from './release.ts'
import { took, until } from './until.ts'

/** Each test adds so many mappings, and disturbs the program while it writes them. */
const added = 30
const groups: string[] = []
let world: World

beforeAll(async () => {
  world = await openWorld('writer')
  await world.plane.setFaults('POST project-mappings: latency 400ms')
  await world.declare({ 'acme.yaml': declared(['first']) })
  await world.install()
  groups.push('first')
  await until('the first mapping', async () => (await world.plane.mappings()).length === 1 || undefined, { state: () => pods(world) })
})
afterAll(() => world[Symbol.asyncDispose]())

/** Declares more mappings, disturbs the program when the first of them are written, and waits until each one exists once. */
async function disturbed(what: string, disturbance: () => Promise<void>): Promise<void> {
  const before = groups.length
  groups.push(...names(what.replaceAll(/\W+/g, '-'), added))
  await world.declare({ 'acme.yaml': declared(groups) })
  const begun = await until('the first writes', async () => atLeast(before + 3), { everyMs: 30, state: () => pods(world) })
  expect(begun, 'the program still writes').toBeLessThan(before + added)
  const startMs = performance.now()
  await disturbance()
  await until(`all mappings after ${what}`, () => atLeast(groups.length), { withinMs: 180_000, state: () => pods(world) })
  took(`${what}: no write for ${(await longestPauseMs()) / 1000} s; all written after`, startMs)
  expect((await world.plane.mappings()).map(({ idp_group_name }) => idp_group_name).toSorted()).toEqual(groups.toSorted())
}

/** The number of mappings once there are so many. */
async function atLeast(count: number): Promise<number | undefined> {
  const { length } = await world.plane.mappings()
  return length >= count ? length : undefined
}

/** The longest time between two of the mappings that were added last. */
async function longestPauseMs(): Promise<number> {
  const createdMs = (await world.plane.mappings()).map(({ created_at }) => Date.parse(created_at)).toSorted((a, b) => a - b)
  const pausesMs = createdMs.slice(-added).map((atMs, index, last) => atMs - (last[index - 1] ?? atMs))
  return Math.max(...pausesMs)
}

const theReadyPod = () => until('a ready pod', () => readyPod(world), { withinMs: 120_000, state: () => pods(world) })
const only = (count: number) =>
  until(`${count} pods`, async () => ((await pods(world)).length === count ? true : undefined), { state: () => pods(world) })
const deployment = 'deployment/plane-group-sync'

it('a second replica is refused, and the first one goes on', async () => {
  const first = await theReadyPod()
  await disturbed('scale to 2', async () => void (await world.kubectl(['scale', deployment, '--replicas=2'])))
  const second = await until('a refusal of the second pod', async () => {
    const [, other] = await pods(world)
    return other !== undefined && (other.restarts > 0 || other.lastEnd !== undefined) ? other : undefined
  })
  expect(second.ready).toBe(false)
  expect((await logOf(world, second.name, '--previous')).map(({ msg }) => msg).join('\n')).toMatch(/has held this journal since/)
  expect(await readyPod(world)).toMatchObject({ uid: first.uid, restarts: 0 })
  await world.kubectl(['scale', deployment, '--replicas=1'])
  await only(1)
  expect(await theReadyPod()).toMatchObject({ uid: first.uid })
})

it('an upgrade starts a pod that was stopped by kubectl scale', async () => {
  await world.kubectl(['scale', deployment, '--replicas=0'])
  await only(0)
  await world.install()
  await theReadyPod()
})

it('a pod is stopped by replicas: 0, and starts again by replicas: 1', () =>
  disturbed('replicas 0 and 1', async () => {
    await world.install({ replicas: 0 })
    await only(0)
    expect((await world.plane.mappings()).length).toBeLessThan(groups.length)
    await world.install({ replicas: 1 })
  }))

it('a pod is evicted', async () => {
  const { name } = await theReadyPod()
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: world.namespace } }
  const path = `/api/v1/namespaces/${world.namespace}/pods/${name}/eviction`
  await disturbed('eviction', async () => void (await world.kubectl(['create', '--raw', path, '-f', '-'], JSON.stringify(eviction))))
})

it('a pod is deleted', async () => {
  const { name } = await theReadyPod()
  await disturbed('delete', async () => void (await world.kubectl(['delete', 'pod', name])))
})

it('the process is killed', async () => {
  const pod = await theReadyPod()
  await disturbed('kill -9', async () => void process.kill(processOf(pod), 'SIGKILL'))
  expect(await theReadyPod()).toMatchObject({ uid: pod.uid, restarts: pod.restarts + 1, lastEnd: 'Error' })
})

it('the container has no memory left', async () => {
  const pod = await theReadyPod()
  // Each of these processes holds less memory than the program, so the kernel ends the program.
  const hoard = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do (head -c 40M /dev/zero; sleep 60) | tail & done; wait'
  await disturbed(
    'out of memory',
    async () => void (await ran('kubectl', ['-n', world.namespace, 'exec', pod.name, '--', 'sh', '-c', hoard])),
  )
  expect(await theReadyPod()).toMatchObject({ uid: pod.uid, restarts: pod.restarts + 1, lastEnd: 'OOMKilled' })
})

it('an upgrade is rolled back', () =>
  disturbed('rollback', async () => {
    await world.install({ podAnnotations: { upgrade: 'wrong' } })
    await world.helm('rollback', 'plane-group-sync')
  }))

it('the release is uninstalled and installed again, on the claim that it left', () =>
  disturbed('uninstall and install', async () => {
    await world.helm('uninstall', 'plane-group-sync')
    await only(0)
    await world.install()
  }))
