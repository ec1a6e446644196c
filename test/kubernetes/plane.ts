import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { image } from '../image/podman.ts'
import { clusterEnv, done } from './programs.ts'

export type Mapping = {
  readonly id: string
  readonly idp_group_name: string
  readonly project: string | null
  readonly role: string | null
  readonly created_at: string
}

/** The sandbox of this program as a pod that plays Plane, with the workspace `acme`, its projects ENG and OPS, and the key `sandbox-key`. */
export type Plane = AsyncDisposable & {
  /** The address inside the cluster. */
  readonly url: string
  mappings(workspace?: string): Promise<readonly Mapping[]>
  setState(state: unknown): Promise<void>
  /** Deletes the mappings of groups, as a person does in Plane. */
  forget(groups: readonly string[]): Promise<void>
  setFaults(...faults: readonly string[]): Promise<void>
}

const port = 8787

const pod = (args: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'plane' },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'plane',
        image,
        imagePullPolicy: 'Never',
        args: ['sandbox', '--host', '0.0.0.0', '--port', String(port), '--log-level', 'warn', ...args],
        readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
})

/** Starts the pod in a namespace. Its control endpoints are only for its own loopback, so a port-forward leads to them. */
export async function startPlane(namespace: string, args: readonly string[]): Promise<Plane> {
  await done('kubectl', ['-n', namespace, 'apply', '-f', '-'], JSON.stringify(pod(args)))
  await done('kubectl', ['-n', namespace, 'wait', '--for=condition=Ready', 'pod/plane', '--timeout=60s'])
  const address = await done('kubectl', ['-n', namespace, 'get', 'pod', 'plane', '-o', 'jsonpath={.status.podIP}'])
  const forward = spawn('kubectl', ['-n', namespace, 'port-forward', 'pod/plane', `:${port}`], {
    env: clusterEnv(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(forward, 'close')
  const [line] = (await Promise.race([once(createInterface(forward.stdout), 'line'), ended])) as [unknown]
  const here = `http://127.0.0.1:${/^Forwarding from 127\.0\.0\.1:(\d+)/.exec(String(line))?.[1]}`

  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { 'x-api-key': 'sandbox-key' }
    const answer = await fetch(`${here}/${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  type State = { readonly workspaces: Readonly<Record<string, { readonly projectMappings: readonly Mapping[] }>> }
  const mappings = async (workspace = 'acme') =>
    ((await ask('GET', '_sandbox/state')) as State).workspaces[workspace]?.projectMappings ?? []
  return {
    url: `http://${address}:${port}`,
    mappings,
    setState: async (state) => void (await ask('PUT', '_sandbox/state', state)),
    forget: async (groups) => {
      for (const { id, idp_group_name } of await mappings()) {
        if (groups.includes(idp_group_name)) await ask('DELETE', `api/v1/workspaces/acme/group-sync/project-mappings/${id}/`)
      }
    },
    setFaults: async (...faults) => void (await ask('PUT', '_sandbox/faults', { faults })),
    [Symbol.asyncDispose]: async () => {
      forward.kill()
      await ended
    },
  }
}
