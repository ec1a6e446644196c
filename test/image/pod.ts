import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '../chart/helm.ts'

/** The part of a rendered Deployment that this test reads. */
type PodSpec = {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number; readonly fsGroup: number }
  readonly containers: readonly [
    {
      readonly args: readonly string[]
      readonly env: readonly { readonly name: string; readonly value: string }[]
      readonly securityContext: {
        readonly allowPrivilegeEscalation: boolean
        readonly readOnlyRootFilesystem: boolean
        readonly capabilities: { readonly drop: readonly string[] }
      }
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
    },
  ]
  readonly volumes: readonly (
    | { readonly name: string; readonly configMap: { readonly name: string } }
    | { readonly name: string; readonly secret: { readonly secretName: string } }
    | { readonly name: string; readonly persistentVolumeClaim: { readonly claimName: string } }
  )[]
}

export type Files = Readonly<Record<string, string>>

/**
 * Lays the volumes of a rendered pod out in a folder, as a kubelet does. Returns how podman runs the only container of this pod.
 *
 * @param secrets by the Secret's name: its keys and values
 * @returns options and arguments of `podman run`, on either side of the image's name
 */
export async function layOut(manifests: readonly Manifest[], secrets: Readonly<Record<string, Files>>, folder: string) {
  const deployment = manifests.find(({ kind }) => kind === 'Deployment') as Manifest & { spec: { template: { spec: PodSpec } } }
  const { securityContext: pod, containers, volumes } = deployment.spec.template.spec
  const [{ args, env, securityContext: container, volumeMounts }] = containers

  for (const volume of volumes) {
    const target = join(folder, volume.name)
    if ('configMap' in volume) {
      const { data } = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === volume.configMap.name) as Manifest
      await writeVolume(target, data as Files, 0o644, 0)
    } else if ('secret' in volume) await writeVolume(target, secrets[volume.secret.secretName] ?? {}, 0o440, pod.fsGroup)
    else {
      await mkdir(target)
      await chown(target, 0, pod.fsGroup)
      await chmod(target, 0o2770)
    }
  }

  const options = [
    `--user=${pod.runAsUser}:${pod.runAsGroup}`,
    `--group-add=${pod.fsGroup}`,
    ...container.capabilities.drop.map((name) => `--cap-drop=${name}`),
    ...(container.readOnlyRootFilesystem ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(container.allowPrivilegeEscalation ? [] : ['--security-opt=no-new-privileges']),
    ...env.map(({ name, value }) => `--env=${name}=${value}`),
    ...volumeMounts.map(({ name, mountPath, readOnly }) => `--volume=${join(folder, name)}:${mountPath}${readOnly === true ? ':ro' : ''}`),
  ]
  return { options, args, path: (volume: string, file: string) => join(folder, volume, '..data', file) }
}

/** A volume has each file of a ConfigMap or Secret twice: in a folder whose name begins with a dot, and as a link into it. */
async function writeVolume(folder: string, files: Files, mode: number, group: number): Promise<void> {
  const real = '..2026_01_01'
  await mkdir(join(folder, real), { recursive: true })
  await symlink(real, join(folder, '..data'))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, real, name), content, { mode })
    await chown(join(folder, real, name), 0, group)
    await symlink(join('..data', name), join(folder, name))
  }
}
