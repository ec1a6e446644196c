import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { chart } from '../chart/helm.ts'
import { image } from '../image/podman.ts'
import { type Plane, startPlane } from './plane.ts'
import { done, type Ran, ran } from './programs.ts'

/** A namespace with the Pod Security Standard "restricted", a Plane, the Secret, a volume and the ConfigMap `groups`. The chart is not yet installed. */
export type World = AsyncDisposable & {
  readonly namespace: string
  readonly plane: Plane
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>
  /** `helm upgrade --install` with the values of this suite, those that the test adds, and further arguments. */
  readonly install: (values?: Values, ...args: readonly string[]) => Promise<void>
  /** The same with another chart, such as an older one. */
  readonly installChart: (path: string, values?: Values, ...args: readonly string[]) => Promise<void>
  readonly helm: (...args: readonly string[]) => Promise<string>
  /** Replaces the ConfigMap of the declaration. */
  readonly declare: (files: Readonly<Record<string, string>>) => Promise<void>
  /** Runs the program by `kubectl exec` in the pod of the release. */
  readonly exec: (...args: readonly string[]) => Promise<Ran>
}

export type Values = {
  readonly settings?: { readonly service?: object; readonly [setting: string]: unknown }
  readonly [value: string]: unknown
}

const release = 'plane-group-sync'
export const [repository, tag] = image.split(':') as [string, string]

/** Quick where production is patient. */
const quick = { cron: '*/2 * * * * *', jitter: '0s' }

/** @param purpose the first part of the namespace's name
 * @param planeArgs options of the sandbox */
export async function openWorld(purpose: string, planeArgs: readonly string[] = []): Promise<World> {
  const name = `${purpose}-${randomBytes(3).toString('hex')}`
  const kubectl = (args: readonly string[], input?: string) => done('kubectl', ['-n', name, ...args], input)
  const helm = (...args: readonly string[]) => done('helm', ['-n', name, ...args])
  const apply = (...objects: readonly object[]) =>
    kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))

  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  await apply(await volume(name), secret('sandbox-key'), configMap({}))
  const plane = await startPlane(name, ['--limit', '100000/minute', ...planeArgs])
  const valuesFile = join(inject('nodeFolder'), `${name}-values.json`)

  const installChart: World['installChart'] = async (
    path,
    { settings: { service: more = {}, ...settings } = {}, ...values } = {},
    ...args
  ) => {
    const service = {
      baseUrl: plane.url,
      allowPlaintext: true,
      unknownOutcomeWait: '10s',
      limit: { requests: 60_000, window: '1m' },
      ...more,
    }
    const all = {
      image: { repository, tag, pullPolicy: 'Never' },
      declaration: { existingConfigMap: 'groups' },
      ...values,
      settings: { service, workspaces: { acme: {} }, schedule: quick, ...settings },
    }
    await writeFile(valuesFile, JSON.stringify(all))
    await helm('upgrade', '--install', release, path, '--values', valuesFile, ...args)
  }

  return {
    namespace: name,
    plane,
    kubectl,
    helm,
    installChart,
    install: (...args) => installChart(chart, ...args),
    declare: async (files) => void (await apply(configMap(files))),
    exec: (...args) => ran('kubectl', ['-n', name, 'exec', `deploy/${release}`, '--', 'plane-group-sync', ...args]),
    [Symbol.asyncDispose]: async () => {
      await plane[Symbol.asyncDispose]()
      await kubectl(['delete', 'namespace', name, '--wait=false'])
    },
  }
}

export const secret = (apiKey: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: release },
  stringData: { 'api-key': `${apiKey}\n` },
})

const configMap = (data: Readonly<Record<string, string>>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'groups' }, data })

/** A volume in a folder of the node, which only the claim of this namespace gets. */
async function volume(namespace: string) {
  const path = join(inject('nodeFolder'), 'volumes', namespace)
  await mkdir(path, { recursive: true })
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `journal-of-${namespace}` },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace, name: release },
      local: { path },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['localhost'] }] }] },
      },
    },
  }
}
