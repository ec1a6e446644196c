import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { foldersOf } from './cluster/cgroup.ts'
import type { World } from './release.ts'

export type Pod = {
  readonly name: string
  readonly uid: string
  /** False from the moment at which it is to end. */
  readonly ready: boolean
  readonly restarts: number
  /** Why the last container ended: `OOMKilled`, `Error`, `Completed`. */
  readonly lastEnd: string | undefined
  readonly containerId: string | undefined
}

type Listed = {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
  }
  readonly status: {
    readonly containerStatuses?: readonly {
      readonly ready: boolean
      readonly restartCount: number
      readonly containerID?: string
      readonly lastState: { readonly terminated?: { readonly reason: string } }
    }[]
  }
}

/** The pods of the release, the oldest first. */
export async function pods({ kubectl }: World): Promise<readonly Pod[]> {
  const { items } = JSON.parse(await kubectl(['get', 'pods', '-l', 'app.kubernetes.io/name=plane-group-sync', '-o', 'json'])) as {
    items: Listed[]
  }
  const oldestFirst = items.toSorted((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp))
  return oldestFirst.map(({ metadata: { name, uid, deletionTimestamp }, status: { containerStatuses: [container] = [] } }) => ({
    name,
    uid,
    ready: deletionTimestamp === undefined && (container?.ready ?? false),
    restarts: container?.restartCount ?? 0,
    lastEnd: container?.lastState.terminated?.reason,
    containerId: container?.containerID?.replace('containerd://', ''),
  }))
}

/** The ready pod of the release; undefined if none is ready. */
export const readyPod = async (world: World): Promise<Pod | undefined> => (await pods(world)).find(({ ready }) => ready)

export type LogLine = { readonly event?: string; readonly level: string; readonly msg: string; readonly [field: string]: unknown }

/** The log of a pod's container. */
export async function logOf({ kubectl }: World, pod: string, ...args: readonly string[]): Promise<readonly LogLine[]> {
  const lines = (await kubectl(['logs', pod, ...args])).split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as LogLine)
}

/** A number from `/metrics` of a pod; undefined if the series does not exist. @param series name and labels, as `/metrics` shows them */
export async function metric({ kubectl, namespace }: World, pod: string, series: string): Promise<number | undefined> {
  const page = await kubectl(['get', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}:9464/proxy/metrics`])
  const line = page.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

/** The folder of a container's cgroup of one controller. */
export function cgroupOf({ containerId }: Pod, controller: string): string {
  for (const folder of foldersOf(inject('nodeCgroup'))) {
    if (!folder.includes(`/${controller}/`) && !folder.startsWith('/sys/fs/cgroup/plane')) continue
    const below = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const found = below.find((path) => path.endsWith(`/${containerId}`))
    if (found !== undefined) return join(folder, found)
  }
  throw new Error(`the container ${containerId} has no cgroup`)
}

/** The process of the program on this machine. */
export function processOf(pod: Pod): number {
  const [pid] = readFileSync(join(cgroupOf(pod, 'pids'), 'cgroup.procs'), 'utf8').split('\n')
  if (pid === undefined || pid === '') throw new Error(`${pod.name} has no process`)
  return Number(pid)
}
