import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { toolsFolder } from '../toolsFolder.ts'

const folder = join(toolsFolder, 'image')
const store = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
const env = { ...process.env, CONTAINERS_CONF: join(folder, 'containers.conf') }

export const image = 'localhost/plane-group-sync:test'

/** The time of all files in an image of the tests, in seconds since 1970. docs/kubernetes.md takes that of the commit. */
const epoch = 1_700_000_000

/** Builds the image from the Dockerfile, anew each time. Build secrets have the files that this machine needs to reach its registry. */
export async function build(name = image): Promise<void> {
  const ca = process.env['NODE_EXTRA_CA_CERTS']
  const npmrc = process.env['NPM_CONFIG_USERCONFIG'] ?? join(homedir(), '.npmrc')
  const fromOutside = [
    ...(existsSync(npmrc) ? ['--secret', `id=npmrc,src=${npmrc}`] : []),
    ...(ca === undefined ? [] : ['--secret', `id=ca,src=${ca}`, '--build-arg', 'NODE_EXTRA_CA_CERTS=/run/secrets/ca']),
  ]
  const times = ['--timestamp', String(epoch)]
  await run('buildah', ['build', '--no-cache', '--isolation', 'chroot', '--network', 'host', ...times, '--tag', name, ...fromOutside, '.'])
  await run('podman', ['image', 'prune', '--force']) // removes the rest of the last build
}

/** Runs podman or buildah to its end, on a storage of its own; resolves with its output. */
export async function run(name: 'buildah' | 'podman', args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(name, [...store, ...args], { env, timeout: 240_000, maxBuffer: 16 * 1024 * 1024 })
    return stdout
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (code === 'ENOENT') throw new Error(`${name} is not installed: run .ci/install-image-tools`, { cause: error })
    throw new Error(`${name} ${args.join(' ')}: exit ${String(code)}\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}

/** The container uses the host's network, so that it reaches a server on this machine's loopback. */
const inContainer = (options: readonly string[]): string[] => ['run', '--rm', '--pull=never', '--network=host', ...options, image]

/** Runs one command in the container to its end. */
export const runImage = (options: readonly string[], args: readonly string[]): Promise<string> =>
  run('podman', [...inContainer(options), ...args])

export type Container = {
  /** The output of the container so far. */
  log(): string
  /** Sends the signal to the program, number 1 in its container; resolves with the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the container and follows it. Disposing removes it, whatever state it is in. */
export function start(name: string, options: readonly string[], args: readonly string[]): Container & AsyncDisposable {
  const child: ChildProcess = spawn('podman', [...store, ...inContainer([`--name=${name}`, ...options]), ...args], { env })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => void (said += text))
  return {
    log: () => said,
    stop: async (signal) => {
      await run('podman', ['kill', '--signal', signal, name])
      return ended
    },
    [Symbol.asyncDispose]: async () => {
      await run('podman', ['rm', '--force', '--ignore', name])
      await ended
    },
  }
}
