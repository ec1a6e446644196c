import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'

/** The input of a test, where it differs from the usual world. In `files` and `env`, the `word` of a `Place` stands for its address. */
export type Given = {
  /** Name → content, in the folder in which the program runs. `null`: the file does not exist. */
  readonly files?: Readonly<Record<string, string | null>>
  /** Name of a link → its target. */
  readonly links?: Readonly<Record<string, string>>
  /** Name of a file → its mode. */
  readonly modes?: Readonly<Record<string, number>>
  readonly service?: SandboxOptions
  readonly env?: Readonly<Record<string, string>>
  /** The number of requests that others have just sent with the same key. */
  readonly othersSpend?: number
  /** Default: `apply`, because a program that accepts a bad input would write then. */
  readonly args?: readonly string[]
  /** The command line does not name the settings, so the program looks for them. */
  readonly isUnnamed?: true
}

export type Got = {
  readonly exit: number | null
  readonly out: string
  readonly err: string
  /** Requests that changed something at the service. */
  readonly writes: readonly string[]
}

/** A word in `files` and `env`, the address for which it stands, and the name of this address in the shown output. */
export type Place = { readonly word: string; readonly address: string; readonly shown: string }

/** A world without errors: one rule, one group, one project, and no mapping. */
export const usualFiles: Readonly<Record<string, string>> = {
  'config.yaml': `version: 1
service:
  baseUrl: SERVICE
  credential: { apiKey: { file: api-key } }
workspaces:
  acme: {}
declaration: groups.yaml
directories:
  corp: { kind: file, path: corp.yaml }
journal: { folder: state }
http: none
`,
  'groups.yaml': `version: 1
workspaces:
  acme:
    projectRoles:
      - { group: engineering, project: ENG, role: member }
`,
  'corp.yaml': 'groups:\n  - { name: engineering }\n',
  'api-key': 'sandbox-key\n',
}

const program = join(import.meta.dirname, '../../bin/plane-group-sync')
const usualArgs = ['apply', '--yes', '--no-wait']

/** Runs the real program on an input, as a process in a folder of its own, against a service of its own. */
export async function give(given: Given, more: readonly Place[] = []): Promise<Got> {
  const { files = {}, links = {}, modes = {}, service = {}, env = {}, othersSpend = 0, args = usualArgs, isUnnamed } = given
  const folder = await mkdtemp(join(tmpdir(), 'bad-input-'))
  await using sandbox = await startSandbox(service)
  const places: readonly Place[] = [
    { word: 'SERVICE', address: sandbox.url, shown: 'https://plane.example.com' },
    { word: 'HOST', address: new URL(sandbox.url).host, shown: 'plane.example.com' },
    ...more,
  ]
  const filled = (text: string) => places.reduce((sofar, { word, address }) => sofar.replaceAll(word, () => address), text)
  try {
    for (const [name, content] of Object.entries({ ...usualFiles, ...files })) {
      if (content === null) continue
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), filled(content), { mode: 0o600 })
    }
    for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name))
    for (const [name, mode] of Object.entries(modes)) await chmod(join(folder, name), mode)
    for (let sent = 0; sent < othersSpend; sent++) await spend(sandbox.url)
    const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]))
    const { exit, out, err } = await run(folder, args, variables, isUnnamed)
    const writes = sandbox.requests.filter(
      ({ method, committedAt, status }) => method !== 'GET' && committedAt !== undefined && (status ?? 200) < 300,
    )
    const shown = (text: string) => steady(text.replaceAll(folder, '/etc/plane-group-sync'), places)
    return { exit, out: shown(out), err: shown(err), writes: writes.map(({ method, path }) => `${method} ${path}`) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function spend(url: string): Promise<void> {
  await fetch(`${url}/api/v1/users/me/`, { headers: { 'x-api-key': 'sandbox-key' } })
}

/** Replaces the parts of the text that differ from run to run. */
const steady = (text: string, places: readonly Place[]): string =>
  places
    .reduce((sofar, { address, shown }) => sofar.replaceAll(address, () => shown), text)
    .replaceAll(` on ${hostname()} `, ' on this-host ')
    .replaceAll(/\d+ s ago/g, '0 s ago')
    .replaceAll(/^\[\d\d:\d\d:\d\d\] /gm, '')

/** The text on one line. The line breaks of the output depend on the lengths of ports and folders. */
export const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

async function run(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>, isUnnamed?: true) {
  const [command = 'apply', ...rest] = args
  const { PATH = '', HOME = '' } = process.env
  const config = isUnnamed === true || rest.includes('--config') ? [] : ['--config', 'config.yaml']
  const child = spawn(program, [command, ...config, ...rest], {
    cwd,
    env: { PATH, HOME, USER: 'operator', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const deadline = setTimeout(() => child.kill('SIGKILL'), 30_000)
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  const [exit] = (await once(child, 'close')) as [number | null]
  clearTimeout(deadline)
  return { exit, out, err }
}
