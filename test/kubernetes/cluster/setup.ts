import type { TestProject } from 'vitest/node'
import { startCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that `kubectl` reads. */
    kubeconfig: string
    /** The folder of the node, for volumes. */
    nodeFolder: string
    /** The cgroup of all pods, in `/sys/fs/cgroup` or below a controller of version 1. */
    nodeCgroup: string
  }
}

/** Starts the cluster once for all files of the suite. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startMs = performance.now()
  const cluster = await startCluster()
  process.stdout.write(`the cluster is ready after ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`)
  project.provide('kubeconfig', cluster.kubeconfig)
  project.provide('nodeFolder', cluster.folder)
  project.provide('nodeCgroup', cluster.cgroup)
  return async () => cluster[Symbol.asyncDispose]()
}
