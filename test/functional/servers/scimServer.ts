import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../freePorts.ts'

/** A real SCIM server on loopback, stopped at the end of its scope. `add` returns the id of the new group. */
export type ScimServer = AsyncDisposable & {
  readonly url: URL
  readonly add: (displayName: string) => Promise<string>
  readonly remove: (id: string) => Promise<void>
  /** Ends the process at once (SIGKILL). */
  readonly kill: () => Promise<void>
}

export const scimServerToken = 'the-token-of-the-scim-server'
const cache = process.env['PLANE_GROUP_SYNC_CACHE'] ?? join(homedir(), '.cache', 'plane-group-sync')
const program = join(cache, 'scim', 'bin', 'scim2-server')
const startMs = 30_000
const headers = { authorization: `Bearer ${scimServerToken}`, 'content-type': 'application/scim+json' }

/** The smallest configuration by which this server has pages by cursor, of at most 50 groups (RFC 9865 §4). */
const cursorConfiguration = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 1_000 },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: false },
  pagination: { cursor: true, index: true, defaultPaginationMethod: 'cursor', defaultPageSize: 20, maxPageSize: 50, cursorTimeout: 3_600 },
  authenticationSchemes: [{ type: 'oauthbearertoken', name: 'token', description: 'a bearer token' }],
}

/** Starts a scim2-server without groups. @param paging which pages it has by default */
export async function startScimServer(paging: 'index' | 'cursor'): Promise<ScimServer> {
  if (!existsSync(program)) throw new Error(`scim2-server is not in ${program}: install it with .ci/install-scim`)
  const folder = await mkdtemp(join(tmpdir(), 'scim-'))
  const file = join(folder, 'configuration.json')
  await writeFile(file, JSON.stringify(cursorConfiguration))
  const port = await freePort()
  const url = new URL(`http://127.0.0.1:${port}/v2`)
  const options = paging === 'cursor' ? ['--service-provider-config', file] : []
  const child = spawn(program, ['--port', `${port}`, '--bearer-token', scimServerToken, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
  const stop = async () => {
    await endServer(child, 'SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await ready(url, child)
  } catch (error) {
    await stop()
    throw new Error(`scim2-server did not start:\n${said}`, { cause: error })
  }
  return { url, ...groupsAt(url), kill: () => endServer(child, 'SIGKILL'), [Symbol.asyncDispose]: stop }
}

/** Adds and removes groups of a server. */
export function groupsAt(url: URL): Pick<ScimServer, 'add' | 'remove'> {
  return {
    async add(displayName) {
      const body = JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName, externalId: `x-${displayName}` })
      const answer = await fetch(`${url.href}/Groups`, { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Error(`${displayName} was not added: ${answer.status} ${await answer.text()}`)
      return ((await answer.json()) as { readonly id: string }).id
    },
    async remove(id) {
      const { status } = await fetch(`${url.href}/Groups/${id}`, { method: 'DELETE', headers })
      if (status !== 204) throw new Error(`${id} was not removed: ${status}`)
    },
  }
}

async function ready(url: URL, child: ChildProcess): Promise<void> {
  for (const untilMs = Date.now() + startMs; Date.now() < untilMs; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const isReady = await fetch(`${url.href}/ServiceProviderConfig`, { headers }).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
  }
  throw new Error(`it was not ready after ${startMs / 1000} s`)
}

/** Ends a server, and waits for its end. */
export async function endServer(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}
