import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../../src/sandbox/server.ts'
import { folderWith, start } from './program.ts'
import type { Row } from './row.ts'

const projects = 250
const cycles = 4
/** A longer pause between two requests separates two cycles, which start every two seconds. */
const pauseMs = 700

/** Counts the calls of the daemon in a cycle without changes, for a workspace with 250 projects. */
export async function quietRow(): Promise<Row> {
  const identifiers = Array.from({ length: projects }, (_, index) => `P${index}`)
  const projectMappings = identifiers.map((project) => ({ idp_group_name: 'everyone', project, role: 'guest' }))
  const workspaceMappings = [{ idp_group_name: 'everyone', role: 'member' }]
  await using sandbox = await startSandbox({
    limit: { requests: 100_000, windowMs: 60_000 },
    state: { workspaces: { acme: { projects: identifiers, projectMappings, workspaceMappings } } },
  })
  await using folder = await folderWith({
    'config.yaml': `version: 1
service: { baseUrl: "${sandbox.url}", credential: { apiKey: { file: key } }, limit: { requests: 100000 } }
workspaces: { acme: {} }
declaration: groups.yaml
directories: { corp: { kind: file, path: corp.yaml } }
schedule: { cron: "*/2 * * * * *", jitter: 0s }
journal: { folder: state }
http: none
`,
    'groups.yaml': JSON.stringify({
      version: 1,
      workspaces: {
        acme: {
          workspaceRoles: [{ group: 'everyone', role: 'member' }],
          projectRoles: [{ group: 'everyone', projects: identifiers, role: 'guest' }],
        },
      },
    }),
    'corp.yaml': 'groups: [{ name: everyone }]\n',
    key: 'sandbox-key\n',
  })
  const daemon = start(['run', '--config', 'config.yaml', '--no-wait'], folder.path)
  while (callsByCycle(sandbox.requests).length <= cycles) await Promise.race([sleep(100), daemon.ended])
  // The first cycle may overlap the next tick, and the last one may not have ended yet.
  const calls = callsByCycle(sandbox.requests).slice(1, cycles)
  const settings = sandbox.requests.filter(({ path }) => path.endsWith('/config/')).length
  daemon.stop()
  await daemon.ended
  const bound = 2 + Math.ceil(projects / 100)
  return {
    measure: `quiet cycle, ${projects} projects`,
    figure: `${calls.join(', ')} calls, and the settings ${settings} time`,
    against: `2 + ⌈${projects} ÷ 100⌉ = ${bound}, + 1 an hour`,
    ratio: Math.max(...calls) / bound,
    goal: '= 1',
    reached: calls.every((one) => one === bound) && settings === 1,
  }
}

function callsByCycle(requests: readonly { readonly receivedAt: number }[]): readonly number[] {
  const calls: number[] = []
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { receivedAt } of requests) {
    if (receivedAt - lastMs > pauseMs) calls.push(0)
    calls[calls.length - 1] = (calls.at(-1) as number) + 1
    lastMs = receivedAt
  }
  return calls
}
