import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toolsFolder } from '../../toolsFolder.ts'
import { freePorts } from '../freePorts.ts'
import { type Admin, adminOf, fillRealm } from './keycloakRealm.ts'

/** A real Keycloak on loopback with the realm of `keycloakRealm.ts`, stopped at the end of its scope. */
export type Keycloak = AsyncDisposable & { readonly url: URL; readonly admin: Admin }

const version = '26.7.3'
const home = join(toolsFolder, `keycloak-${version}`)
/** The folder with Keycloak's tools, such as `kcadm.sh`. */
export const keycloakBin = join(home, 'bin')
const startMs = 150_000

/**
 * Starts Keycloak on a copy of a filled database, which takes ten seconds. If there is no filled database yet, it is made first: half a minute.
 * @param options more options of `kc.sh start`
 */
export async function startKeycloak(...options: string[]): Promise<Keycloak> {
  if (!existsSync(join(home, 'built'))) throw new Error(`Keycloak ${version} is not in ${home}: install it with .ci/install-keycloak`)
  const folder = await mkdtemp(join(tmpdir(), 'keycloak-'))
  try {
    await cp(await filledDatabase(), folder, { recursive: true })
    const server = await start(folder, options)
    const remove = async () => {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    }
    return { ...server, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** The filled database is kept between runs. Its folder name has the hash of `keycloakRealm.ts`. The folder is moved to its place when it is complete. */
async function filledDatabase(): Promise<string> {
  const recipe = await readFile(new URL('./keycloakRealm.ts', import.meta.url))
  const filled = join(toolsFolder, `keycloak-${version}-filled-${createHash('sha256').update(recipe).digest('hex').slice(0, 16)}`)
  if (existsSync(filled)) return filled
  await mkdir(toolsFolder, { recursive: true })
  const folder = await mkdtemp(join(toolsFolder, '.filling-'))
  try {
    await using server = await start(folder, [])
    await fillRealm(server.admin)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  await rename(folder, filled).catch((error: unknown) => {
    if (!existsSync(filled)) throw error
  })
  return filled
}

async function start(folder: string, options: readonly string[]): Promise<Keycloak> {
  const [port, managementPort] = await freePorts(2)
  const url = new URL(`http://127.0.0.1:${port}`)
  const child = spawn(
    join(home, 'bin', 'kc.sh'),
    [
      'start',
      '--optimized',
      '--http-enabled=true',
      '--http-host=127.0.0.1',
      `--http-port=${port}`,
      `--http-management-port=${managementPort}`,
      `--hostname=${url.origin}`,
      `--db-url=jdbc:h2:file:${folder}/keycloak;NON_KEYWORDS=VALUE`,
      ...options,
    ],
    {
      // A process group of its own: kc.sh starts java as a child, and a signal must reach both.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
        KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin',
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      },
    },
  )
  const output = tailOf(child)
  const server = { url, admin: adminOf(url), [Symbol.asyncDispose]: () => stop(child) }
  try {
    await ready(new URL(`http://127.0.0.1:${managementPort}/health/ready`), child)
    return server
  } catch (error) {
    await stop(child)
    throw new Error(`Keycloak did not start:\n${output()}`, { cause: error })
  }
}

async function ready(url: URL, child: ChildProcess): Promise<void> {
  for (const untilMs = Date.now() + startMs; Date.now() < untilMs; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status === 200) return
  }
  throw new Error(`it was not ready after ${startMs / 1000} s`)
}

async function stop(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  process.kill(-pid, 'SIGTERM')
  const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), 20_000)
  await ended
  clearTimeout(late)
}

function tailOf(child: ChildProcess): () => string {
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lines.push(text)
      if (lines.length > 100) lines.shift()
    })
  }
  return () => lines.join('')
}

/** Keycloak does not report its port, so this looks up two free ports. It holds both until both are known. */
