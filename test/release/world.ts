import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generated } from '../../scripts/generate/files.ts'
import { type Blanks, blanksFile } from '../../scripts/release/blanks.ts'
import { toolsFolder } from '../toolsFolder.ts'

export const root = join(import.meta.dirname, '../..')

const image = join(toolsFolder, 'image')
/** The environment of a release on this machine: the store of `.ci/install-image-tools`, and the programs of `.ci/install-release-tools`. */
export const releaseEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${join(toolsFolder, 'release/bin')}:${process.env['PATH']}`,
  CONTAINERS_CONF: join(image, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: join(image, 'storage.conf'),
  COSIGN_PASSWORD: 'of-a-trial',
}

export const run = async (program: string, args: readonly string[], cwd: string, env = releaseEnv): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd, env, maxBuffer: 64 * 2 ** 20 })).stdout

/** A clone of what is here now, edits included, in which `edit` was done and committed. */
export async function cloneWith(folder: string, edit: (clone: string) => Promise<void>): Promise<string> {
  await run('git', ['clone', '--quiet', '--no-local', root, folder], root)
  const changed = (await run('git', ['ls-files', '--modified', '--others', '--exclude-standard'], root)).split('\n').filter(Boolean)
  for (const path of changed)
    await run('bash', ['-c', 'mkdir -p "$2/$(dirname "$1")" && { cp "$1" "$2/$1" 2>/dev/null || rm -f "$2/$1"; }', '-', path, folder], root)
  await edit(folder)
  await commit(folder)
  return folder
}

export async function commit(clone: string): Promise<void> {
  await run('git', ['add', '--all'], clone)
  await run(
    'git',
    ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '--allow-empty', '--message', 'As on the day'],
    clone,
  )
}

export const aCommit = '0123456789abcdef0123456789abcdef01234567'
/** No registry is reached here, so the stand-in of buildah takes this digest away again. */
export const baseDigest = `sha256:${'b'.repeat(64)}`
export const signer = 'https://github.com/acme/plane-group-sync/.github/workflows/release.yml'

/** Every blank filled, as if the project had a public address. */
export async function fillBlanks(clone: string): Promise<void> {
  const read = (path: string): Promise<string> => readFile(join(clone, path), 'utf8')
  const empty = JSON.parse(await read(blanksFile)) as Blanks
  const values: Blanks = {
    repository: 'https://github.com/acme/plane-group-sync',
    maintainers: '@acme/platform',
    npmPackage: '@acme/plane-group-sync',
    image: 'ghcr.io/acme/plane-group-sync',
    chart: 'oci://ghcr.io/acme/charts',
    signer,
  }
  const whole = Object.keys(empty).map((name) => [name, values[name] ?? (name.includes('@') ? aCommit : baseDigest)])
  await writeFile(join(clone, blanksFile), JSON.stringify(Object.fromEntries(whole), undefined, 2))
  for (const { path, content } of await generated(read)) if (path.startsWith('.github/')) await writeFile(join(clone, path), content)
}
