import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../../src/sandbox/server.ts'
import { folderWith, start } from './program.ts'
import type { Row } from './row.ts'

const projects = 250
const cycles = 3

/** Calls of a cycle in which nothing changes: the daemon with a schedule of every second, on a workspace with 250 projects. */
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
schedule: { cron: "* * * * * *", jitter: 0s }
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
  const begun = () => sandbox.requests.flatMap(({ path }, index) => (path.endsWith('/workspace-mappings/') ? [index] : []))
  // The first cycle also reads the workspace's settings, for an hour.
  while (begun().length < cycles + 2) await Promise.race([sleep(100), daemon.ended])
  const starts = begun()
  daemon.stop()
  await daemon.ended
  const calls = ((starts[cycles + 1] as number) - (starts[1] as number)) / cycles
  const bound = 2 + Math.ceil(projects / 100)
  const firstCalls = starts[1] as number
  return {
    measure: `quiet cycle, ${projects} projects`,
    figure: `${calls} calls (the first of an hour: ${firstCalls})`,
    against: `2 + ⌈${projects} ÷ 100⌉ = ${bound}, + 1 an hour`,
    ratio: calls / bound,
    goal: '= 1',
    reached: calls === bound && firstCalls === bound + 1,
  }
}
