import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, image, run } from '../../image/podman.ts'

/** The image of a container that only holds the namespaces of a pod. */
export const pauseImage = 'localhost/pause:test'

/** Builds the image of the program from the Dockerfile, and an image that only sleeps, as archives in the folder. */
export async function buildImages(folder: string): Promise<void> {
  await build()
  const containerfile = join(folder, 'pause.containerfile')
  await writeFile(containerfile, `FROM ${image}\nENTRYPOINT ["sleep", "infinity"]\nCMD []\n`)
  await run('buildah', ['build', '--isolation', 'chroot', '--tag', pauseImage, '--file', containerfile, folder])
  for (const [name, file] of [
    [image, 'program.tar'],
    [pauseImage, 'pause.tar'],
  ] as const) {
    await run('buildah', ['push', '--quiet', name, `docker-archive:${join(folder, file)}:${name}`])
  }
}
