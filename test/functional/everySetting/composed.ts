import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as soon } from 'node:timers/promises'
import { compose, type Program } from '../../../src/compose/compose.ts'
import { openEnvironment, type RealEnvironment } from '../../../src/compose/environment.ts'
import { emptyMemory, type Memory } from '../../../src/core/memory/memory.ts'
import { sizeText } from '../../../src/core/quantity.ts'
import { openScrubber } from '../../../src/core/scrub.ts'
import { runCycle } from '../../../src/cycle/cycle.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import { type LoadedSettings, loadSettings } from '../../../src/settings/load.ts'
import { chain } from '../certificateChain.ts'
import { selfSigned } from '../selfSigned.ts'
import { keyFile, workloadJwt } from '../standIns/googleTokens.ts'
import type { Tree } from './row.ts'

/** Ports in the settings that stand for the real ports of servers, which are unknown until they listen. No program listens on these ports. */
export type Ports = Readonly<Record<number, URL | string>>
export const standIn = { plane: 701, keycloak: 702, ldap: 703, okta: 704, google: 706, entra: 714, scim: 705 } as const

export type Given = {
  readonly ports?: Ports
  /** Name → text of the files beside the settings file. */
  readonly files?: Readonly<Record<string, string>>
  readonly memory?: (declarationHash: string) => Memory
}

export type Composed = AsyncDisposable & {
  readonly folder: string
  readonly loaded: LoadedSettings
  readonly program: Program
  readonly world: RealEnvironment
  /** The lines of the log so far. */
  readonly logged: readonly string[]
  /** One cycle that writes nothing. */
  readonly cycle: () => Promise<CycleReport>
}

/** Settings that are refused before anything is composed. */
export class Refused extends Error {}

const otherAccount = 'other@project.iam.gserviceaccount.com'
export const env = {
  KEY: 'firstKey',
  KEY_2: 'secondKey',
  SIGNING_KEY: selfSigned.key,
  SIGNING_KEY_2: chain.key,
  GOOGLE_KEY: keyFile(),
  GOOGLE_KEY_2: keyFile(otherAccount),
}
const usualFiles = {
  'groups.yaml': 'version: 1\nworkspaces: { acme: { projectRoles: [{ group: devs, project: ENG, role: member }] } }\n',
  'other-groups.yaml': 'version: 1\nworkspaces: { acme: { projectRoles: [{ group: ops, project: ENG, role: member }] } }\n',
  'directory.yaml': 'groups: [{ name: devs }, { name: ops }]\n',
  'other-directory.yaml': 'groups: [{ name: sales }]\n',
  'key.txt': 'keyOfFile',
  'key-2.txt': 'keyOfFile2',
  'ca.pem': selfSigned.cert,
  'signing.pem': selfSigned.key,
  'signing-2.pem': chain.key,
  'leaf.pem': chain.leaf,
  'account.jwt': 'first.foreign.assertion',
  'account-2.jwt': 'second.foreign.assertion',
  'google.json': keyFile(),
  'google-2.json': keyFile(otherAccount),
  'google-token': 'static-token',
  'workload.jwt': workloadJwt(),
  'workload-2.jwt': workloadJwt('system:serviceaccount:plane:other'),
}

/** The settings that a file must have, and no others. */
export const usual: Tree = {
  version: 1,
  service: { baseUrl: 'http://127.0.0.1:701', credential: { apiKey: { env: 'KEY' } } },
  workspaces: { acme: {} },
  declaration: 'groups.yaml',
  directories: { corp: { kind: 'file', path: 'directory.yaml' } },
}

/** A folder with a file of these settings. @throws {Refused} with the first problem */
export async function loadedFrom(settings: Tree, { ports = {}, files = {} }: Given): Promise<Pick<Composed, 'folder' | 'loaded'>> {
  const folder = await mkdtemp(join(tmpdir(), 'every-setting-'))
  const text = Object.entries(ports).reduce(
    (sofar, [port, url]) => sofar.replaceAll(`:${port}`, `:${new URL(url).port}`),
    JSON.stringify(settings),
  )
  const all = { ...usualFiles, ...files, 'config.yaml': text }
  await Promise.all(Object.entries(all).map(([name, content]) => writeFile(join(folder, name), content, { mode: 0o600 })))
  const loaded = await loadSettings(join(folder, 'config.yaml'), env)
  if (loaded.valid) return { folder, loaded }
  await rm(folder, { recursive: true })
  throw new Refused(loaded.problems[0]?.message)
}

/** The program with these settings, with real sockets and files. Only its waits end at once. @throws {Refused} */
export async function composed(settings: Tree, given: Given = {}): Promise<Composed> {
  const { folder, loaded } = await loadedFrom(settings, given)
  const logged: string[] = []
  const world: RealEnvironment = {
    ...openEnvironment(
      loaded,
      { level: 'info', format: 'json', color: false },
      { env, version: 'of a test', err: (line) => logged.push(line), isTerminal: { err: false }, secrets: openScrubber() },
    ),
    clock: { now: Date.now, wall: Date.now, sleep: () => soon() },
    random: () => 0.5,
  }
  let memory = emptyMemory
  const program = await compose(loaded, world, [], () => memory)
  return {
    folder,
    loaded,
    program,
    world,
    logged,
    async cycle() {
      const { hash } = await program.sources.declaration(new AbortController().signal)
      memory = given.memory?.(hash) ?? memory
      const cycle = { now: Date.now, wall: Date.now, memory: () => memory, rebind: async () => undefined }
      return runCycle(program.sources, cycle, undefined, new AbortController().signal)
    },
    async [Symbol.asyncDispose]() {
      await program.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** The result of reading the directory `corp`: its groups, or the reason why it is not complete. The random ports of its servers are left out. */
export async function readCorp({ program }: Composed): Promise<unknown> {
  const reading = await program.sources.directories.get('corp')?.read(new AbortController().signal)
  switch (reading?.status) {
    case 'complete':
      return {
        complete: [...reading.value.values()].flat().map(({ name, size }) => (size === undefined ? name : `${name} ${sizeText(size)}`)),
      }
    case 'partial':
      return { partial: withoutPorts(reading.missing) }
    case 'failed':
      return { failed: withoutPorts(reading.why) }
    case undefined:
      return undefined
    default:
      return reading satisfies never
  }
}

const withoutPorts = (text: string): string => text.replaceAll(/(:\/\/[\w.]+):\d+/g, '$1')
