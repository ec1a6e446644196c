import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endServer, resourcesAt, type ScimServer, scimServerToken, startScimServer } from './scimServer.ts'

const folder = join(import.meta.dirname, 'scimmy')

/**
 * Starts scimmy with scimmy-routers, without groups. It pages by index only, and sends the first groups again for a page behind the last group
 * (measured on scimmy 1.3.5).
 */
export async function startScimmy(): Promise<ScimServer> {
  if (!existsSync(join(folder, 'node_modules')))
    throw new Error(`scimmy is not in ${folder}/node_modules: install it with .ci/install-scim`)
  const child = spawn(process.execPath, [join(folder, 'server.ts'), scimServerToken], { stdio: ['ignore', 'pipe', 'inherit'] })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`scimmy did not start: it ended with ${code}`)
  })
  const [port] = await Promise.race([once(createInterface(child.stdout), 'line') as Promise<[string]>, failed])
  failed.catch(() => undefined)
  const url = new URL(`http://127.0.0.1:${port}/scim/v2`)
  return { url, ...resourcesAt(url), kill: () => endServer(child, 'SIGKILL'), [Symbol.asyncDispose]: () => endServer(child, 'SIGTERM') }
}

/** Each server that the tests read: its name, how its pages are asked for, and how it is started. */
export const scimServers = [
  ['scim2-server', 'index', () => startScimServer('index')],
  ['scim2-server', 'cursor', () => startScimServer('cursor')],
  ['scimmy', 'index', startScimmy],
] as const
