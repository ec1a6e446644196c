import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declared, names } from './declared.ts'
import { cgroupOf, metric, type Pod, pods, readyPod } from './pods.ts'
import { openWorld, type World } from './release.ts'
import { took, until } from './until.ts'

let world: World
afterAll(() => world[Symbol.asyncDispose]())

const cycles = (pod: Pod) => metric(world, pod.name, 'plane_group_sync_cycles_total{workspace="acme",outcome="success"}')
const ready = () => until('a ready pod', () => readyPod(world), { withinMs: 180_000, state: () => pods(world) })
/** Waits until the pod has run so many cycles more. */
async function moreCycles(pod: Pod, count: number): Promise<void> {
  const before = (await cycles(pod)) ?? 0
  await until(`${count} cycles`, async () => (((await cycles(pod)) ?? 0) >= before + count ? true : undefined), {
    withinMs: 240_000,
    everyMs: 1_000,
  })
}

/** The working set of the pod's container in MB, as the kubelet counts it: what is in use, without the files that the kernel can drop. */
function workingSetMb(pod: Pod): number {
  const folder = cgroupOf(pod, 'memory')
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const isFirst = folder.includes('/memory/')
  const used = Number(read(isFirst ? 'memory.usage_in_bytes' : 'memory.current'))
  const [, dropped] = (isFirst ? /^total_inactive_file (\d+)$/m : /^inactive_file (\d+)$/m).exec(read('memory.stat')) ?? []
  return (used - Number(dropped)) / 2 ** 20
}

describe('a small workspace', () => {
  beforeAll(async () => {
    world = await openWorld('limits')
    await world.declare({ 'acme.yaml': declared(names('team', 20)) })
  })

  it('needs little memory', async () => {
    await world.install()
    const pod = await ready()
    await moreCycles(pod, 10)
    process.stdout.write(`  working set after ten cycles: ${workingSetMb(pod).toFixed(0)} MB\n`)
    expect(workingSetMb(pod)).toBeLessThan(80)
  })

  it('is kept in sync with a twentieth of a CPU', async () => {
    const before = await ready()
    const startMs = performance.now()
    await world.install({ resources: { requests: { cpu: '10m', memory: '128Mi' }, limits: { cpu: '50m', memory: '512Mi' } } })
    const limited = await until(
      'a new pod',
      async () => {
        const pod = await readyPod(world)
        return pod?.uid === before.uid ? undefined : pod
      },
      { withinMs: 240_000, state: () => pods(world) },
    )
    took('limits.cpu 50m: a new pod is ready after', startMs)
    await moreCycles(limited, 5)
    const edited = performance.now()
    await world.declare({ 'acme.yaml': declared(names('team', 21)) })
    await until('the new mapping', async () => ((await world.plane.mappings()).length === 21 ? true : undefined), { withinMs: 120_000 })
    took('limits.cpu 50m: an edit of the ConfigMap is in Plane after', edited)
    expect(await pods(world)).toMatchObject([{ uid: limited.uid, ready: true, restarts: 0 }])
  })
})

describe('10,000 mappings', () => {
  it('fit into the memory that the chart allows, with a plan beside', async () => {
    const groups = names('department', 10_000)
    await world.plane.setState({
      workspaces: {
        acme: {
          projects: ['ENG', 'OPS'],
          projectMappings: groups.map((group) => ({ idp_group_name: group, project: 'ENG', role: 'member' })),
        },
      },
    })
    await world.declare({ 'acme.yaml': declared([...groups, 'one-more']) })
    await world.install()
    await until('the mapping that was missing', async () => ((await world.plane.mappings()).length === 10_001 ? true : undefined), {
      withinMs: 240_000,
      everyMs: 1_000,
      state: () => pods(world),
    })
    const pod = await ready()
    const startMs = performance.now()
    let peak = 0
    const watch = setInterval(() => void (peak = Math.max(peak, workingSetMb(pod))), 100)
    try {
      const plans = await Promise.all([moreCycles(pod, 3), world.exec('plan'), world.exec('plan')])
      expect(plans.slice(1)).toMatchObject([{ code: 0 }, { code: 0 }])
    } finally {
      clearInterval(watch)
    }
    took(`10,000 mappings: three cycles with two plans beside, at most ${peak.toFixed(0)} MB`, startMs)
    expect(await pods(world)).toMatchObject([{ uid: pod.uid, ready: true, restarts: 0 }])
  })
})
