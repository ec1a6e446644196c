import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Rules, rulesFor, workspaces } from './world.ts'

export const key = 'sandbox-key'

/** The service of one situation. `limit`: requests of each window. */
export type Service = { readonly url: string; readonly requests: number; readonly windowMs: number }

export type Tool = {
  readonly name: string
  /** Writes its files but the declared mappings into the folder. */
  prepare(folder: string, service: Service): Promise<void>
  declare(folder: string, rules: Rules): Promise<void>
  command(verb: 'plan' | 'apply', service: Service): { readonly file: string; readonly args: readonly string[] }
  readonly env?: Readonly<Record<string, string>>
}

const mappingsFile = (folder: string, rules: Rules) => writeFile(join(folder, 'mappings.yaml'), JSON.stringify(rules))

/** @param program the program as the package has it */
export const ours = (program: string): Tool => ({
  name: 'plane-group-sync',
  async prepare(folder, { url, requests, windowMs }) {
    const names = Object.values(rulesFor()).flatMap((rules) => rules.map(({ group }) => group))
    const settings = {
      version: 1,
      // Δ has the scale of the window.
      service: { baseUrl: url, limit: { requests, window: `${windowMs}ms` }, unknownOutcomeWait: '12s' },
      workspaces: Object.fromEntries(workspaces.map((workspace) => [workspace, {}])),
      declaration: 'groups.yaml',
      directories: { corp: { kind: 'file', path: 'corp.yaml' } },
      guards: { creates: { count: 300 }, run: { creates: 300 } },
      journal: { folder: 'state' },
    }
    await writeFile(join(folder, 'config.yaml'), JSON.stringify(settings), { mode: 0o600 })
    await writeFile(join(folder, 'corp.yaml'), JSON.stringify({ groups: names.map((name) => ({ name })) }))
  },
  async declare(folder, rules) {
    const lists = Object.entries(rules).map(([workspace, those]) => [
      workspace,
      {
        workspaceRoles: those.filter(({ projects }) => projects === undefined).map(({ group, role }) => ({ group, role })),
        projectRoles: those.flatMap(({ group, projects, role }) => (projects === undefined ? [] : [{ group, project: projects, role }])),
      },
    ])
    await writeFile(join(folder, 'groups.yaml'), JSON.stringify({ version: 1, workspaces: Object.fromEntries(lists) as object }))
  },
  command: (verb) => ({ file: program, args: [verb, ...(verb === 'apply' ? ['--yes'] : []), '--config', 'config.yaml'] }),
})

export const script: Tool = {
  name: 'a CI script',
  prepare: (folder) => copyFile(join(import.meta.dirname, 'ci.py'), join(folder, 'ci.py')),
  declare: mappingsFile,
  command: (verb) => ({ file: 'python3', args: ['ci.py', verb] }),
}

/** @param provider the folder that has the binary of Mastercard/restapi */
export const terraform = (provider: string): Tool => ({
  name: 'Terraform',
  async prepare(folder) {
    await copyFile(join(import.meta.dirname, 'terraform/main.tf'), join(folder, 'main.tf'))
    const text = `provider_installation {\n  dev_overrides { "mastercard/restapi" = "${provider}" }\n  direct {}\n}\n`
    await writeFile(join(folder, 'cli.tfrc'), text)
  },
  declare: mappingsFile,
  env: { TF_CLI_CONFIG_FILE: 'cli.tfrc', TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' },
  command: (verb, { url, requests, windowMs }) => ({
    file: 'terraform',
    args: [
      ...[verb, '-input=false', '-no-color', ...(verb === 'apply' ? ['-auto-approve'] : [])],
      // By hand a little below the limit: the provider does not obey Retry-After.
      ...[`-var=url=${url}`, `-var=key=${key}`, `-var=per_second=${Math.max(1, Math.floor((requests * 900) / windowMs))}`],
    ],
  }),
})

export type Ended = { readonly code: number | null; readonly said: string; readonly tookMs: number }

/** A tool in a folder of its own, beside one service. */
export type Bench = AsyncDisposable & {
  declare(rules: Rules): Promise<void>
  run(verb: 'plan' | 'apply', whileItRuns?: (kill: () => void) => Promise<void>): Promise<Ended>
}

export async function openBench(tool: Tool, service: Service): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'instead-'))
  await tool.prepare(folder, service)
  return {
    declare: (rules) => tool.declare(folder, rules),
    async run(verb, whileItRuns) {
      const { file, args } = tool.command(verb, service)
      const env = { ...process.env, ...tool.env, PLANE_BASE_URL: service.url, PLANE_API_KEY: key }
      const beganMs = performance.now()
      // A group of its own, so that a kill also ends the provider of Terraform.
      const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
      const closed = once(child, 'close') as Promise<[number | null]>
      await whileItRuns?.(() => process.kill(-(child.pid as number), 'SIGKILL'))
      const [code] = await closed
      return { code, said, tookMs: performance.now() - beganMs }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
