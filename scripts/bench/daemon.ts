import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../../src/sandbox/server.ts'
import { freePort } from '../../test/functional/freePorts.ts'
import { folderWith, start } from './program.ts'

/** `cycles`: how many cycles have asked for the mappings. */
type Watched = { readonly url: string; readonly pid: number; readonly cycles: () => number }

/** Runs the daemon for one workspace without changes. The service and the folder are gone at the end. */
async function withDaemon<T>(program: string, cron: string, look: (daemon: Watched) => Promise<T>, nodeOptions = ''): Promise<T> {
  const projectMappings = [{ idp_group_name: 'devs', project: 'ENG', role: 'member' }]
  await using sandbox = await startSandbox({
    limit: { requests: 100_000, windowMs: 60_000 },
    state: { workspaces: { acme: { projects: ['ENG'], projectMappings } } },
  })
  const port = await freePort()
  const settings = {
    version: 1,
    service: { baseUrl: sandbox.url, credential: { apiKey: { file: 'key' } } },
    workspaces: { acme: {} },
    declaration: 'groups.yaml',
    directories: { corp: { kind: 'file', path: 'corp.yaml' } },
    ...(cron === '' ? {} : { schedule: { cron, jitter: '0s' } }),
    journal: { folder: 'state' },
    http: { listen: `127.0.0.1:${port}` },
  }
  const rules = { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] }
  await using folder = await folderWith({
    'config.yaml': JSON.stringify(settings),
    'groups.yaml': JSON.stringify({ version: 1, workspaces: { acme: rules } }),
    'corp.yaml': 'groups: [{ name: devs }]\n',
    key: 'sandbox-key\n',
  })
  const daemon = start(['run', '--config', 'config.yaml', '--no-wait', '--quiet'], folder.path, { NODE_OPTIONS: nodeOptions }, program)
  try {
    const cycles = () => sandbox.requests.filter(({ path }) => path.endsWith('/project-mappings/')).length
    return await look({ url: `http://127.0.0.1:${port}`, pid: daemon.pid, cycles })
  } finally {
    daemon.stop()
    await daemon.ended
  }
}

async function untilReady(url: string): Promise<void> {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(20)
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
  return values.reduce((sum, value) => sum + value, 0)
}

/** The processor time, in ms, that the daemon has used when it is ready: by its own metric, so it includes the first page of metrics. */
export const firstReady = (program: string): Promise<number> =>
  withDaemon(program, '', async ({ url }) => {
    await untilReady(url)
    return 1_000 * (await metric(url, 'process_cpu_seconds_total'))
  })

/** The resident memory of the daemon after so many cycles, with these options of Node, and of a Node that does nothing. */
export async function rssAfterCycles(
  program: string,
  count: number,
  nodeOptions = '',
): Promise<{ readonly bytes: number; readonly bareBytes: number }> {
  const look = async ({ pid, cycles }: Watched) => {
    while (cycles() <= count) await sleep(200)
    const bare = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], { stdio: 'ignore' })
    await sleep(1_000)
    const read = { bytes: await rssOf(pid), bareBytes: await rssOf(bare.pid as number) }
    bare.kill()
    return read
  }
  return withDaemon(program, '* * * * * *', look, nodeOptions)
}

/** From Linux' own table. */
async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
}
