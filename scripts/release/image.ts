import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { output, run } from './run.ts'
import { debianParts, npmPart, type Part } from './sbom.ts'

export const platforms = ['linux/amd64', 'linux/arm64'] as const

export type Image = { readonly digest: string; readonly platforms: readonly BuiltPlatform[] }
type BuiltPlatform = { readonly platform: string; readonly digest: string; readonly parts: readonly Part[] }

type Build = {
  /** The folder of the package (`scripts/bundle/package.ts`). */
  readonly bundle: string
  readonly base: string
  readonly version: string
  readonly commit: string
  readonly repository: string
  /** The time of all files, in seconds since 1970. */
  readonly epoch: number
}

/** Builds the image for all platforms into one file, an OCI archive. Two builds of one commit are equal to the byte. */
export async function buildImage(root: string, file: string, { bundle, base, version, commit, repository, epoch }: Build): Promise<Image> {
  const context = await mkdtemp(join(tmpdir(), 'image-'))
  const name = `localhost/plane-group-sync-release-${process.pid}`
  const images = platforms.map((platform) => `${name}:${platform.replace('/', '-')}`)
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      await rm(context, { recursive: true })
      await output('buildah', ['manifest', 'rm', name], root).catch(() => '')
      await output('buildah', ['rmi', ...images], root).catch(() => '')
    },
  }
  await layOut(context, bundle, lastStage(await readFile(join(root, 'Dockerfile'), 'utf8')))
  const values = Object.entries({ NODE_IMAGE: base, VERSION: version, REVISION: commit, SOURCE: repository })
  const args = [...values.flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]), '--timestamp', String(epoch), '--format', 'oci']
  await output('buildah', ['manifest', 'create', name], context)
  // One after the other: together, buildah puts them into the list in the order in which they end.
  for (const [index, platform] of platforms.entries()) {
    const tag = images[index] as string
    await run('buildah', ['build', '--isolation', 'chroot', '--platform', platform, '--tag', tag, ...args, '.'], context)
    await output('buildah', ['manifest', 'add', name, `containers-storage:${tag}`], context)
  }
  await rm(file, { force: true })
  await run('buildah', ['manifest', 'push', '--all', '--format', 'oci', name, `oci-archive:${file}:${version}`], context)
  return readImage(file)
}

/**
 * The last stage of the Dockerfile alone, which copies from the folder of the build instead of the first stage. The first one would need an emulator. Besides,
 * buildah 1.28 gives an image of arm64 the base of amd64, if one stage names the platform of the machine.
 */
function lastStage(dockerfile: string): string {
  const base = /^ARG NODE_IMAGE=.*\n/m.exec(dockerfile)?.[0]
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ') + 1)
  if (base === undefined || /^RUN /m.test(stage))
    throw new Error('the last stage of Dockerfile must begin with NODE_IMAGE, and run nothing')
  return base + stage.replaceAll('--from=bundle ', '')
}

/** The files that the first stage would have made. */
async function layOut(context: string, bundle: string, dockerfile: string): Promise<void> {
  await writeFile(join(context, 'Dockerfile'), dockerfile)
  await cp(bundle, join(context, 'app/package'), { recursive: true })
  for (const folder of ['tree/bin', 'tree/lib/plane-group-sync']) await mkdir(join(context, folder), { recursive: true })
  await symlink('/app/bin/plane-group-sync', join(context, 'tree/bin/plane-group-sync'))
}

type Descriptor = { readonly digest: string; readonly platform?: { readonly os: string; readonly architecture: string } }
type Manifest = { readonly manifests: readonly Descriptor[]; readonly layers: readonly Descriptor[]; readonly config: Descriptor }

/** The digests of an OCI archive, and what each platform of it consists of beside the bundle. */
export async function readImage(file: string): Promise<Image> {
  const folder = await mkdtemp(join(tmpdir(), 'oci-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
  await output('tar', ['xf', file, '-C', folder], folder)
  const blob = (digest: string): string => join(folder, 'blobs', digest.replace(':', '/'))
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Manifest
  const [index, ...others] = (await read(join(folder, 'index.json'))).manifests
  if (index === undefined || others.length > 0) throw new Error(`${file} must hold one image`)
  const { manifests } = await read(blob(index.digest))
  const built = manifests.map(async ({ digest, platform }): Promise<BuiltPlatform> => {
    const { layers } = await read(blob(digest))
    const parts = await partsIn(layers.map((layer) => blob(layer.digest)))
    const others = parts.filter(
      ({ purl }) => purl.startsWith('pkg:deb/') && !new RegExp(`arch=(?:all|${platform?.architecture})&`).test(purl),
    )
    if (others.length > 0)
      throw new Error(`the image of ${platform?.architecture} has packages of Debian for another platform: ${others[0]?.purl}`)
    return { platform: `${platform?.os}/${platform?.architecture}`, digest, parts }
  })
  return { digest: index.digest, platforms: await Promise.all(built) }
}

const wanted = ['var/lib/dpkg/status', 'etc/os-release', 'usr/lib/os-release', 'usr/local/lib/node_modules/**/package.json']

/** Debian's packages and those of npm. A later layer replaces the files of an earlier one. */
async function partsIn(layers: readonly string[]): Promise<readonly Part[]> {
  const folder = await mkdtemp(join(tmpdir(), 'layers-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
  for (const layer of layers) {
    // tar fails if a layer has none of the files.
    const paths = wanted.flatMap((path) => [path, `./${path}`])
    await output('tar', ['xf', layer, '-C', folder, '--wildcards', '--no-same-owner', ...paths], folder).catch(() => '')
  }
  const text = (path: string): Promise<string> => readFile(join(folder, path), 'utf8').catch(() => '')
  const release = (await text('usr/lib/os-release')) || (await text('etc/os-release'))
  const packages = (await output('find', [folder, '-path', '*/node_modules/*', '-name', 'package.json'], folder)).trim().split('\n')
  const npm = await Promise.all(packages.filter(Boolean).map(npmPartIn))
  return [...debianParts(await text('var/lib/dpkg/status'), release), ...npm.flat()]
}

/** Some folders of a package have a package.json without a name, which only says the kind of their modules. */
async function npmPartIn(path: string): Promise<readonly Part[]> {
  const { name, version, license } = JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || typeof version !== 'string') return []
  return [npmPart(name, version, typeof license === 'string' ? license : undefined)]
}
