import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { toolsFolder } from '../../toolsFolder.ts'
import type { Address, Call, Outcome } from './call.ts'

/** An official client: how it is found and started, and its names for the operations of the sandbox. */
export type OfficialClient = {
  readonly name: 'Python' | 'Node'
  /** Program and first arguments of its driver. Throws if the client is not installed. */
  readonly command: () => readonly [string, ...string[]]
  readonly calls: Readonly<Record<Operation, string>>
}

export type Operation =
  | 'me'
  | 'projects'
  | 'workItems'
  | 'roles'
  | 'sticky'
  | 'page'
  | 'token'
  // These operations have no method in either client. They use the general request function of the client.
  | 'read'
  | 'create'
  | 'update'
  | 'remove'

const here = import.meta.dirname
const cure = 'install it with .ci/install-official-clients'

const python: OfficialClient = {
  name: 'Python',
  command: () => {
    const requirements = readFileSync(join(here, 'python/requirements.txt'))
    const home = join(toolsFolder, `official-python-client-${createHash('sha256').update(requirements).digest('hex').slice(0, 16)}`)
    if (!existsSync(join(home, 'installed'))) throw new Error(`Plane's official Python client is not in ${home}: ${cure}`)
    return [join(home, 'bin/python'), join(here, 'python/driver.py')]
  },
  calls: {
    me: 'users.get_me',
    projects: 'projects.list',
    workItems: 'work_items.list',
    roles: 'roles.list',
    sticky: 'stickies.retrieve',
    page: 'pages.retrieve_workspace_page',
    token: 'oauth.get_client_credentials_token',
    read: 'group_sync.read',
    create: 'group_sync.create',
    update: 'group_sync.update',
    remove: 'group_sync.remove',
  },
}

const node: OfficialClient = {
  name: 'Node',
  command: () => {
    const name = '@makeplane/plane-node-sdk'
    const manifest = JSON.parse(readFileSync(join(here, 'node/package.json'), 'utf8')) as { dependencies: Record<string, string> }
    const installed = join(here, 'node/node_modules', name, 'package.json')
    const version = existsSync(installed) ? (JSON.parse(readFileSync(installed, 'utf8')) as { version: string }).version : 'none'
    const wanted = manifest.dependencies[name]
    if (version !== wanted)
      throw new Error(`Plane's official Node client ${wanted} is not in ${join(here, 'node')} (${version} is): ${cure}`)
    return [process.execPath, join(here, 'node/driver.ts')]
  },
  calls: {
    me: 'users.me',
    projects: 'projects.list',
    workItems: 'workItems.list',
    roles: 'roles.list',
    sticky: 'stickies.retrieve',
    page: 'pages.retrieveWorkspacePage',
    token: 'oauth.getBotToken',
    read: 'groupSync.read',
    create: 'groupSync.create',
    update: 'groupSync.update',
    remove: 'groupSync.remove',
  },
}

export const officialClients = [python, node] as const

/** No proxy, no netrc and no key of the machine reaches a client. */
const env = { PATH: process.env['PATH'], NO_PROXY: '*', no_proxy: '*' }

/** Every operation that the client has. */
export async function addressesOf({ command }: OfficialClient): Promise<readonly Address[]> {
  const [program, ...args] = command()
  const { stdout } = await promisify(execFile)(program, [...args, 'addresses'], { env, maxBuffer: 16 * 1024 * 1024 })
  return JSON.parse(stdout) as Address[]
}

/** A client in a process of its own. */
export type Running = AsyncDisposable & { readonly call: (call: Call) => Promise<Outcome> }

export function start({ name, command }: OfficialClient): Running {
  const [program, ...args] = command()
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const complaints = tailOf(child.stderr)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(`it ended with ${String(code)}:\n${complaints()}`))
  })
  child.stdin.on('error', () => undefined) // A write to a process that has ended fails. `ended` reports that.
  const waiting: ((outcome: Outcome) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Outcome))
  return {
    async call(call) {
      const answered = new Promise<Outcome>((resolve) => void waiting.push(resolve))
      child.stdin.write(`${JSON.stringify(call)}\n`)
      const outcome = await Promise.race([answered, ended])
      if (typeof outcome === 'string') throw new Error(`the ${name} client does not answer: ${outcome}`)
      return outcome
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

function tailOf(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (more: string) => {
    text = `${text}${more}`.slice(-10_000)
  })
  return () => text
}
