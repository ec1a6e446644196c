import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ScimSettings, scim } from '../../../src/directories/scim/read.ts'
import type { Request } from '../../../src/http/origin.ts'
import { toolsFolder } from '../../toolsFolder.ts'
import { freePort } from '../freePorts.ts'
import { callsTo } from './calls.ts'

/** A real SCIM server on loopback, stopped at the end of its scope. `add` and `addUser` return the id of the new group or user. */
export type ScimServer = AsyncDisposable & {
  readonly url: URL
  readonly add: (displayName: string, members?: readonly object[]) => Promise<string>
  readonly addUser: (user: object) => Promise<string>
  readonly removeUser: (id: string) => Promise<void>
  readonly replaceMembers: (id: string, displayName: string, members: readonly object[]) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  /** Ends the process at once (SIGKILL). */
  readonly kill: () => Promise<void>
}

export const scimServerToken = 'the-token-of-the-scim-server'
const program = join(toolsFolder, 'scim', 'bin', 'scim2-server')
const startMs = 120_000
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
  return { url, ...resourcesAt(url), kill: () => endServer(child, 'SIGKILL'), [Symbol.asyncDispose]: stop }
}

/** Adds and removes groups and users of a server. */
export function resourcesAt(url: URL): Pick<ScimServer, 'add' | 'addUser' | 'remove' | 'removeUser' | 'replaceMembers'> {
  const schemas = (kind: 'Group' | 'User') => [`urn:ietf:params:scim:schemas:core:2.0:${kind}`]
  const send = (method: string, path: string, status: number, resource?: object) => sendTo(url, method, path, status, resource)
  const group = (displayName: string, members: readonly object[]) => ({
    schemas: schemas('Group'),
    displayName,
    externalId: `x-${displayName}`,
    ...(members.length === 0 ? {} : { members }),
  })
  return {
    add: (displayName, members = []) => send('POST', '/Groups', 201, group(displayName, members)),
    addUser: (user) => send('POST', '/Users', 201, { schemas: schemas('User'), ...user }),
    remove: async (id) => void (await send('DELETE', `/Groups/${id}`, 204)),
    removeUser: async (id) => void (await send('DELETE', `/Users/${id}`, 204)),
    replaceMembers: async (id, displayName, members) =>
      void (await send('PUT', `/Groups/${id}`, 200, { ...group(displayName, members), id })),
  }
}

/** Sends a resource, and returns the id of the one that comes back. @param status what the server must answer */
export async function sendTo(url: URL, method: string, path: string, status: number, resource?: object): Promise<string> {
  const answer = await fetch(`${url.href}${path}`, { method, headers, ...(resource && { body: JSON.stringify(resource) }) })
  const text = await answer.text()
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? '' : (JSON.parse(text) as { readonly id: string }).id
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

/** A reader of this server: 40 groups in a page. @param before gets each request before it is sent */
export const scimReader = (server: ScimServer, more: Partial<ScimSettings>, before: (request: Request) => unknown) =>
  scim(
    {
      url: server.url,
      credential: { token: async () => scimServerToken },
      allowPlaintext: false,
      groups: { name: 'displayName' },
      limits: { pageSize: 40, groupsMax: 1_000, attemptsMax: 2 },
      ...more,
    },
    callsTo(before),
  )
