import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { toolsEnv } from '../chart/helm.ts'
import { serverPrograms } from './cluster/cluster.ts'

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** The environment in which `kubectl` and `helm` find the cluster. */
export const clusterEnv = (): NodeJS.ProcessEnv => ({
  ...toolsEnv,
  PATH: `${serverPrograms}:${toolsEnv.PATH}`,
  KUBECONFIG: inject('kubeconfig'),
})

/** Runs a program of the cluster to its end, whatever its exit code. */
export async function ran(program: 'kubectl' | 'helm', args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(program, args, { env: clusterEnv(), timeout: 120_000 })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  child.stdin.on('error', () => undefined).end(input)
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

/** The standard output of a program of the cluster, which must succeed. */
export async function done(program: 'kubectl' | 'helm', args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await ran(program, args, input)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`)
  return stdout
}
