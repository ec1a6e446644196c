import { createHash } from 'node:crypto'
import { directoryFrom, readOptional } from './compose/directory.ts'
import { doubting, rememberingSettings } from './compose/reader.ts'
import type { Waiver } from './core/guards.ts'
import type { WorkspaceName } from './core/mapping.ts'
import type { Entry, Memory } from './core/memory.ts'
import type { Outcome } from './core/outcome.ts'
import type { Sources, SubjectAbout, Writing } from './cycle.ts'
import { connectOrigin, type Origin, type OriginOptions } from './http/origin.ts'
import type { Observed } from './plane/call.ts'
import { connectPlane, type Plane } from './plane/client.ts'
import { apiKey, type Credential } from './plane/credential.ts'
import { oauthClient } from './plane/oauth.ts'
import { type Clock, openQueue, type Queue } from './plane/queue.ts'
import { credentialsOf } from './settings/check.ts'
import { loadDeclared } from './settings/declared.ts'
import type { Environment, LoadedSettings } from './settings/load.ts'
import type { SecretReference } from './settings/scalars.ts'
import type { CredentialSettings } from './settings/schema.ts'
import type { Declared, Writer } from './workspace.ts'

/** What is real in the world, and different in a simulation. */
export type World = {
  readonly env: Environment
  readonly clock: Clock
  readonly random: () => number
  /** The value behind a reference, read anew each time. */
  readonly secret: (reference: SecretReference) => Promise<string>
  readonly debug: (line: string) => void
  readonly observe?: (observed: Observed) => void
  readonly version: string
}

/** Everything that commands use, made from the settings. Nothing in `sources` can write; `writing` is the one way to get what can. */
export type Program = {
  readonly sources: Sources
  writing(journal: Journalling): Writing
  /** One entry a credential: its queue with the budget. */
  readonly queues: ReadonlyMap<string, Queue>
  close(): Promise<void>
}

/** What writing needs of the journal. */
export type Journalling = { append(entry: Entry): Promise<void>; readonly run: string; readonly progress?: Writer['progress'] }

const answerBytesMax = 64 * 1024 * 1024
/** Plane closes idle connections after 2 s (measured); a second less leaves room for a slow network. */
const idleMs = 1_000

/**
 * Settings and world to concrete parts: the one place where they meet.
 *
 * @param before the program that ran with earlier settings: its budgets go on, since the service's do
 */
export async function compose(
  loaded: LoadedSettings,
  world: World,
  waivers: readonly Waiver[],
  memory: () => Memory,
  before?: Program,
): Promise<Program> {
  const { settings, path } = loaded
  const { service } = settings
  const { now } = world.clock
  const proxy = proxyOf(world.env)
  const bounds = { bytesMax: answerBytesMax, idleMs, connections: 8, now, ...(proxy === undefined ? {} : { proxy }) }
  const ca = await readOptional(service.caFile, path)
  const baseUrl = new URL(service.baseUrl)
  const origin = connectOrigin(baseUrl, { ...bounds, deadlineMs: service.timeout, ...ca })
  const budget = {
    requests: service.limit.requests,
    windowMs: service.limit.window,
    reserve: service.limit.reserve,
    blockedMaxMs: 15 * 60_000,
  }

  const queues = new Map<string, Queue>()
  const planes = new Map<string, Plane>()
  for (const [name, said] of Object.entries(credentialsOf(settings))) {
    const kept = before?.queues.get(name)
    kept?.changeBudget(budget)
    const queue = kept ?? openQueue({ budget, clock: world.clock, lengthMax: 10_000, inFlightMax: 4 })
    queues.set(name, queue)
    const credential = credentialFrom(name, said, origin, world)
    planes.set(
      name,
      connectPlane({
        origin,
        credential,
        queue,
        clock: world.clock,
        random: world.random,
        ...(world.observe === undefined ? {} : { observe: world.observe }),
      }),
    )
  }

  const bound = Object.entries(settings.workspaces).map(([name, said]) => {
    const workspace = { name: name as WorkspaceName, slug: said.slug ?? name }
    const credential = said.credential ?? 'default'
    return {
      workspace,
      credential,
      plane: planes.get(credential) as Plane,
      policy: said.policy ?? settings.policy,
      suspend: said.suspend ?? settings.suspend,
    }
  })

  const subjects = bound.map(({ workspace, credential, plane, policy, suspend }): SubjectAbout & { credential: string } => {
    const read = doubting(rememberingSettings(plane.reader(workspace), now), workspace.name, service.shrink, memory)
    return {
      workspace: workspace.name,
      credential,
      suspend,
      read,
      options: {
        origin: `${baseUrl.host}/${workspace.slug}`,
        policy,
        roles: settings.roles,
        hash: sha256,
        guards: settings.guards,
        waivers,
      },
      about: async (existing, signal) => {
        const { limit } = (queues.get(credential) as Queue).view()
        const groupSync = existing ? await read.groupSync(signal).catch(() => undefined) : undefined
        const perMinute = Math.max(1, Math.floor((limit * (1 - budget.reserve) * 60_000) / budget.windowMs))
        return {
          workspace: workspace.name,
          slug: workspace.slug,
          host: baseUrl.host,
          policy,
          suspend,
          credential,
          perMinute,
          quietCalls: 3,
          roles: settings.roles,
          unknownOutcomeWaitMs: service.unknownOutcomeWait,
          ...(groupSync === undefined ? {} : { groupSync }),
        }
      },
    }
  })

  return {
    queues,
    sources: {
      declaration: (): Promise<Declared> => loadDeclared(loaded),
      directories: new Map(Object.entries(settings.directories).map(([name, said]) => [name, directoryFrom(said, loaded, world, bounds)])),
      subjects: Map.groupBy(subjects, ({ credential }) => credential),
    },
    writing: (journal) => {
      const entry = { run: journal.run }
      const writerOf = ({ workspace, plane }: (typeof bound)[number]): Writer => ({
        // A few windows: then the world is looked at again.
        changesMax: 3 * budget.requests,
        write: (change, gate, signal) =>
          plane.writer(workspace, (asked) => (gate(asked) === undefined ? undefined : 'held at the last moment')).write(change, signal),
        intend: (name, change, declaration) =>
          journal.append({ ...entry, atMs: now(), entry: 'intent', workspace: name, change: change, declaration }),
        settle: (name, change, outcome: Outcome, declaration) =>
          journal.append({ ...entry, atMs: now(), entry: 'result', workspace: name, change: change, declaration, outcome }),
        waived: async (name, fingerprint, used) => {
          for (const { passes, by, source } of used)
            await journal.append({ ...entry, atMs: now(), entry: 'waiver', workspace: name, fingerprint, passes, by, source })
        },
        ...(journal.progress === undefined ? {} : { progress: journal.progress }),
      })
      const writers = new Map(bound.map((one) => [one.workspace.name, writerOf(one)]))
      return {
        writer: (name) => writers.get(name) as Writer,
        believed: (of, size) => journal.append({ ...entry, atMs: now(), entry: 'reading', of, size }),
      }
    },
    close: () => origin.close(),
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function credentialFrom(name: string, said: CredentialSettings, origin: Origin, { secret, clock }: World): Credential {
  if ('apiKey' in said) return apiKey(name, () => secret(said.apiKey))
  const { clientId, clientSecret, installation, scopes } = said.oauth
  return oauthClient(name, { clientId, clientSecret: () => secret(clientSecret), installation, scopes }, origin, clock.now)
}

function proxyOf(env: Environment): OriginOptions['proxy'] {
  const [http, https, except] = ['http_proxy', 'https_proxy', 'no_proxy'].map((name) => env[name] ?? env[name.toUpperCase()])
  if (http === undefined && https === undefined) return undefined
  return { ...(http === undefined ? {} : { http }), ...(https === undefined ? {} : { https }), ...(except === undefined ? {} : { except }) }
}
