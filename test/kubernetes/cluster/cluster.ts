import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEnclosure } from '../../functional/servers/enclosure.ts'
import { toolsFolder } from '../../toolsFolder.ts'
import { ownCgroup } from './cgroup.ts'
import { buildImages } from './images.ts'
import { containerdToml, kubeconfig, kubeletYaml, podsConflist } from './settings.ts'

/** A Kubernetes of one node, in namespaces and a cgroup of its own. It has the images of the program, and of an empty container (`sleep`). */
export type Cluster = AsyncDisposable & {
  /** The file that `kubectl` and `helm` read. */
  readonly kubeconfig: string
  /** The folder with the servers' data and logs, and with the volumes of pods. */
  readonly folder: string
  /** The name of the cgroup of all pods. */
  readonly cgroup: string
}

const port = 6443
/** The folder that `.ci/install-kubernetes-server` makes. */
export const toolsOfServer = join(toolsFolder, 'kubernetes-server')
const script = join(import.meta.dirname, 'start.sh')
/** The folder of `kubectl`. */
export const serverPrograms = join(toolsOfServer, 'bin')

/** Builds the images, and starts the cluster. All of it ends at the end of this process, even if it is killed. */
export async function startCluster(): Promise<Cluster> {
  if (!existsSync(join(toolsOfServer, 'kinds/stamp'))) throw new Error('Kubernetes is not installed: run .ci/install-kubernetes-server')
  await using left = new AsyncDisposableStack()
  const cgroup = left.use(ownCgroup())
  const images = await mkdtemp(join(tmpdir(), 'kubernetes-images-'))
  left.defer(() => rm(images, { recursive: true }))
  await buildImages(images)

  const token = randomBytes(16).toString('hex')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const enclosure = left.use(
    await openEnclosure({
      name: 'kubernetes',
      script,
      ports: [port],
      needs: 'the package iproute2, and cgroups to which it may write',
      files: {
        places: `tools=${toolsOfServer} images=${images}\n`,
        'tokens.csv': `${token},tests,tests,system:masters\n`,
        'accounts.key': privateKey.export({ type: 'sec1', format: 'pem' }),
        'accounts.pub': publicKey.export({ type: 'spki', format: 'pem' }),
        'kubelet.yaml': kubeletYaml(`/${cgroup.name}`),
        kubeconfig: kubeconfig(`https://127.0.0.1:${port}`, token),
        'containerd.toml': containerdToml(toolsOfServer),
        'pods.conflist': podsConflist,
      },
    }),
  )
  const outside = enclosure.file('kubeconfig-outside')
  writeFileSync(outside, kubeconfig(`https://${enclosure.host}:${port}`, token), { mode: 0o600 })
  const stack = left.move()
  return { kubeconfig: outside, folder: enclosure.file('.'), cgroup: cgroup.name, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
