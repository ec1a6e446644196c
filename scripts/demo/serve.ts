import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from './stage.ts'

export type Served = { readonly folder: string; readonly service: string; readonly key: string }

/** Keeps the daemon running beside the sandbox, prints all addresses, and stops the daemon at the stage's signal. */
export async function serve({ heading, start, say, signal }: Stage, { folder, service, key }: Served): Promise<void> {
  const listen = `127.0.0.1:${await freePort()}`
  const config = join(folder, 'config.yaml')
  await writeFile(config, (await readFile(config, 'utf8')).replace('127.0.0.1:0', listen))
  heading('The daemon: it reconciles every ten seconds, until Ctrl-C.')
  const daemon = start(['run'])
  const ended = once(daemon, 'exit')
  await isReady(`http://${listen}/readyz`, AbortSignal.any([signal, AbortSignal.timeout(20_000)]))
  const mappings = `${service}/api/v1/workspaces/acme/group-sync/project-mappings/`
  say(`metrics  curl -s http://${listen}/metrics | grep ^plane_group_sync_
health   curl -s http://${listen}/healthz
API      curl -s -H 'X-API-Key: ${key}' ${mappings}
drift    curl -s -H 'X-API-Key: ${key}' ${mappings} --json '{"idp_group_name": "all-staff", "project": "SEC", "role": "admin"}'
declare  sed -i 's/role: guest/role: member/' ${join(folder, 'groups/teams/ops.yaml')}
`)
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([stopped, ended])
  // Ctrl-C reaches the daemon through the terminal; a signal to the demo alone does not.
  daemon.kill('SIGTERM')
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`the daemon ended with exit code ${code}`)
  say('Stopped. All files of the demo are removed.')
}

async function isReady(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await fetch(url, { signal }).catch(() => undefined)
    if (answer?.ok === true) return
    await pause(100, undefined, { signal }).catch(() => undefined)
  }
}

/** The port is free again when this returns. Another process is unlikely to take it before the daemon does. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
