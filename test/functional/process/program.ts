import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts'
import type { StateInput } from '../../../src/sandbox/state-input.ts'
import { type Ended, follow, type Running } from './running.ts'

const bin = fileURLToPath(new URL('../../../bin/plane-group-sync', import.meta.url))
const key = 'key-of-a-test'

/** The commands that take no `--config`. */
const withoutSettings: ReadonlySet<string | undefined> = new Set(['sandbox', 'schema', 'completion'])

/** A folder with settings, declaration and directory, a sandbox, and the real program that runs on them. All are removed at the end of the block. */
export type Place = AsyncDisposable & {
  readonly folder: string
  readonly sandbox: Sandbox
  readonly path: (name: string) => string
  readonly read: (name: string) => Promise<string>
  /** Writes a file: text as it is, other values as JSON, which is valid YAML. */
  readonly write: (name: string, content: unknown) => Promise<void>
  /** Writes the settings file anew: the defaults of `openPlace`, with `more` merged in. */
  readonly settings: (more: object) => Promise<void>
  /** Replaces the groups of the directory `corp`. */
  readonly groups: (names: readonly string[]) => Promise<void>
  readonly start: (args: readonly string[], options?: StartOptions) => Running
  /** Starts the program, and waits for its end. After 50 s the program is killed. */
  readonly run: (args: readonly string[], options?: StartOptions) => Promise<Ended>
}

export type PlaceOptions = {
  readonly sandbox?: Omit<SandboxOptions, 'state'>
  /** The workspaces of the service at the start. Default: a workspace `acme` with the projects ENG and OPS. */
  readonly workspaces?: StateInput['workspaces']
  readonly settings?: object
  readonly declaration: unknown
  readonly groups: readonly string[]
}

/** `wrap` changes the started command, for example to run it in `script` or `bash -c`. */
export type StartOptions = { readonly wrap?: (command: readonly string[]) => readonly string[]; readonly env?: Record<string, string> }

/** The sandbox has one key, which the program finds in its environment. */
export async function openPlace(options: PlaceOptions): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-group-sync-'))
  const { workspaces = { acme: { projects: ['ENG', 'OPS'] } } } = options
  const limit = { requests: 10_000, windowMs: 60_000 }
  const sandbox = await startSandbox({ limit, ...options.sandbox, state: { keys: [{ value: key, owner: 'ann' }], workspaces } })
  const path = (name: string) => join(folder, name)
  const write = (name: string, content: unknown) =>
    writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
  const settings = (more: object) => write('config.yaml', merged(merged(defaultSettings, options.settings ?? {}), more))
  const groups = (names: readonly string[]) => write('directory.yaml', { groups: names.map((name) => ({ name })) })
  const open: Running[] = []
  const onExit = () => open.forEach(({ child }) => child.kill('SIGKILL'))
  process.once('exit', onExit)

  function start(args: readonly string[], { wrap = (command) => command, env = {} }: StartOptions = {}): Running {
    const [file = bin, ...rest] = wrap([bin, ...args, ...(withoutSettings.has(args[0]) ? [] : ['--config', path('config.yaml')])])
    const { PATH = '', HOME = '' } = process.env
    const running = follow(
      spawn(file, rest, {
        cwd: folder,
        env: { PATH, HOME, PLANE_BASE_URL: sandbox.url, PLANE_API_KEY: key, TZ: 'UTC', ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    )
    open.push(running)
    return running
  }

  await Promise.all([settings({}), write('groups.yaml', options.declaration), groups(options.groups)])
  return {
    folder,
    sandbox,
    path,
    read: (name) => readFile(path(name), 'utf8'),
    write,
    settings,
    groups,
    start,
    async run(args, how) {
      const running = start(args, how)
      running.child.stdin?.end()
      const late = setTimeout(() => running.child.kill('SIGKILL'), 50_000)
      return running.ended.finally(() => clearTimeout(late))
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', onExit)
      for (const running of open) await running[Symbol.asyncDispose]()
      await sandbox.close()
      // A process that a test did not start itself (below a terminal) may still remove its lock.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

const defaultSettings = {
  version: 1,
  service: { limit: { requests: 10_000, window: '60s', reserve: '0%' }, unknownOutcomeWait: '1s', timeout: '10s' },
  workspaces: { acme: {} },
  declaration: 'groups.yaml',
  directories: { corp: { kind: 'file', path: 'directory.yaml' } },
  schedule: { cron: '0 0 1 1 *', jitter: '0s' },
  journal: { folder: 'state' },
  http: { listen: '127.0.0.1:0' },
}

type Tree = Readonly<Record<string, unknown>>
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
function merged(base: Tree, more: object): Tree {
  const entries = Object.entries(more).map(([name, value]: [string, unknown]) => {
    const before = base[name]
    // A directory of another kind shares nothing with the one before.
    return [name, isTree(before) && isTree(value) && !('kind' in value) ? merged(before, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(entries) }
}

/** The mappings of a workspace in the sandbox, as `ENG group → role`, sorted. */
export function stateOf({ state }: Sandbox, workspace = 'acme'): readonly string[] {
  const { projectMappings = [], workspaceMappings = [] } = state.workspaces[workspace] ?? {}
  const ofProjects = projectMappings.map(({ idp_group_name, project, role }) => `${project ?? 'all'} ${idp_group_name} → ${role}`)
  return [...workspaceMappings.map(({ idp_group_name, role }) => `- ${idp_group_name} → ${role}`), ...ofProjects].toSorted()
}

/** Targets and groups with more than one mapping. The list must always be empty. */
export function doublesOf(sandbox: Sandbox, workspace = 'acme'): readonly string[] {
  const keys = stateOf(sandbox, workspace).map((line) => line.replace(/ → .*$/, ''))
  return keys.filter((one, index) => keys.indexOf(one) !== index)
}

/** All requests for a change, with any outcome. */
export const writesTo = ({ requests }: Sandbox) => requests.filter(({ method }) => method !== 'GET')
