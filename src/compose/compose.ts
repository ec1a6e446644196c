import type { Change } from '../core/change.ts'
import { isRevocation } from '../core/change.ts'
import { steppedMs } from '../core/clock.ts'
import type { Dates } from '../core/dates.ts'
import { clockFindings } from '../core/findings/clocks.ts'
import { guardsOf } from '../core/judge/guardSettings.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { complete, defined } from '../core/optionalFields.ts'
import type { Waiver } from '../core/waiver.ts'
import { openPeopleCounter } from '../cycle/countPeople.ts'
import type { CycleSources, Writing } from '../cycle/cycle.ts'
import type { MemberPauses } from '../cycle/memberPauses.ts'
import { memberReaders, type ReadMembers } from '../cycle/readPeople.ts'
import { readCertificates } from '../files/read.ts'
import type { Origin, OriginOptions } from '../http/origin.ts'
import { openSemaphore } from '../http/semaphore.ts'
import { connectPlane, type Plane, type PlaneOptions } from '../plane/client.ts'
import { apiKey, type Credential, type OAuthClient, oauthClient } from '../plane/credential.ts'
import type { BudgetSettings } from '../plane/rate/budget.ts'
import { openQueue, type Queue } from '../plane/rate/queue.ts'
import type { ReadingsKeeper } from '../recording/readings.ts'
import type { Work } from '../render/cost.ts'
import { credentialsOf } from '../settings/check.ts'
import { noDeclaration, openDeclared } from '../settings/declared.ts'
import { directoryMark, openMarks } from '../settings/fileMarks.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { CredentialSettings } from '../settings/schema.ts'
import { serviceAddress } from '../settings/service.ts'
import { type BoundWorkspace, bindingOf, budgetSnapshot, sliceChangesOf } from './binding.ts'
import { boundsOf } from './bounds.ts'
import { cycleReader, withCachedSettings } from './cachedReader.ts'
import { originWithConnectionLimit, queueWithConnectionLimit } from './connectionLimit.ts'
import { directoryFrom } from './directory.ts'
import type { ProgramEnvironment } from './environment.ts'
import { openSecretCache, type SecretCache } from './keptSecrets.ts'
import { loggedOrigin, openServiceClock } from './origins.ts'
import { type WritingAccess, writingOf } from './writers.ts'

/** Everything that commands use, made from the settings. Nothing in `sources` can write; only `writing` gives a writer. */
export type Program = {
  readonly sources: CycleSources
  writing(access: WritingAccess): Writing
  /** What writing changes to a workspace costs, by its last reading. */
  work(workspace: WorkspaceName, changes: readonly Change[]): Work & { readonly credential: string }
  /** Credential → its queue with the budget. */
  readonly queues: ReadonlyMap<string, Queue>
  /** Reads that no cycle makes, for `doctor`. */
  readonly probes: {
    owner(credential: string, signal: AbortSignal): Promise<string>
    access(workspace: WorkspaceName, signal: AbortSignal): ReturnType<Plane['probe']['access']>
  }
  /** A person asks: what was left alone after failures is asked for again. */
  askAgain(): void
  /** Whether the content of `service.caFile` has changed since it was read for this `Program`, or can no longer be read. */
  isCaRenewed(): Promise<boolean>
  close(): Promise<void>
}

/**
 * The most requests that are on their way to the service at the same time, of all credentials together; also the number of sockets. Each credential
 * has its own rate limit, so with thousands of credentials only this number limits the load on the service.
 */
const connections = 64

/**
 * Makes the concrete parts from the settings and the world. No other place connects them.
 *
 * @param before the program with the earlier settings: its budgets are kept, since the service keeps counting
 */
export async function compose(
  loaded: LoadedSettings,
  world: ProgramEnvironment,
  waivers: readonly Waiver[],
  memory: () => Memory,
  before?: Program,
): Promise<Program> {
  const { settings, path } = loaded
  const { service } = settings
  const { clock, random, keeper } = world
  const { now } = clock
  const bounds = boundsOf(world)
  const caFile = service.caFile === undefined ? undefined : path(service.caFile)
  const ca = caFile === undefined ? undefined : await certificatesIn(caFile)
  const baseUrl = new URL(service.baseUrl)
  const serviceClock = openServiceClock(clock)
  const origin = serviceClock.setBy(
    world.connect(
      baseUrl,
      complete<OriginOptions>({ ...bounds, connections, deadlineMs: service.timeout, ca, clientCertificate: undefined }),
    ),
  )
  const turns = openSemaphore(connections)
  const secrets = openSecretCache(world.secret, now)
  const tokens = originWithConnectionLimit(origin, turns, clock)
  const budget: BudgetSettings = {
    requests: service.limit.requests,
    windowMs: service.limit.window,
    reserve: service.limit.reserve,
    blockedMaxMs: 15 * 60_000,
  }

  const queues = new Map<string, Queue>()
  const credentials = new Map<string, Credential>()
  for (const [name, own] of Object.entries(credentialsOf(settings))) {
    const kept = before?.queues.get(name)
    kept?.changeBudget(budget)
    queues.set(name, kept ?? openQueue({ budget, clock, random, lengthMax: 10_000, inFlightMax: 4 }))
    credentials.set(name, credentialFrom(name, own, secrets, tokens, world))
  }
  const shared = complete<Pick<PlaneOptions, 'origin' | 'clock' | 'random' | 'isRevocation' | 'observe' | 'logCall'>>({
    origin,
    clock,
    random,
    isRevocation: (change: Change) => isRevocation(change, settings.roles),
    observe: world.observe,
    logCall: world.logCall,
  })
  // A client is made for each call, since of thousands of credentials nearly all are idle most of the time.
  const planeOf = (name: string): Plane =>
    connectPlane({
      ...shared,
      credential: credentials.get(name) as Credential,
      queue: queueWithConnectionLimit(queues.get(name) as Queue, turns, clock),
    })

  const bound = Object.entries(settings.workspaces).map(([name, own]): BoundWorkspace => {
    const workspace = { name: name as WorkspaceName, slug: own.slug ?? name }
    const credential = own.credential ?? 'default'
    const plane = () => planeOf(credential)
    return {
      workspace,
      credential,
      plane,
      read: withCachedSettings(() => plane().reader(workspace), workspace.name, memory, clock),
      policy: own.policy ?? settings.policy,
      suspend: own.suspend ?? settings.suspend,
      guards: guardsOf({ ...settings.guards, people: defined(settings.guards.people) }, own.guards),
    }
  })
  const dates = (): Dates => ({ hereMs: clock.wall(), thereMs: serviceClock.nowMs() })
  const sharedFindings = () => clockFindings(dates(), baseUrl.host, steppedMs(clock))
  const host = serviceAddress(service.baseUrl)
  const keptReader: ReadingsKeeper['reader'] = keeper?.reader ?? ((_, reader) => reader)
  const bindings = bound.map((boundWorkspace) =>
    bindingOf(
      { ...boundWorkspace, read: keptReader(boundWorkspace.workspace.name, cycleReader(boundWorkspace.read)) },
      {
        settings,
        hasJournal: settings.journal !== 'none',
        intervalMs: loaded.intervalMs,
        waivers,
        dates,
        sharedFindings,
        host,
        budget: () => budgetSnapshot(queues.get(boundWorkspace.credential) as Queue),
        clock,
      },
    ),
  )

  const byName = new Map(bindings.map((binding) => [binding.workspace, binding]))
  const declared =
    loaded.lacksDeclaration === true
      ? async () => noDeclaration
      : openDeclared(path(settings.declaration), settings, clock.wall, { env: world.env, texts: world.texts })
  const keptDeclared = keeper?.declaration(declared) ?? declared
  keeper?.forget()
  const read = directoriesFrom(loaded, world)
  const directories = keeper?.directories(read) ?? read
  const countPeople = openPeopleCounter(withMemberPauses(memberReaders(directories), loaded, world.memberPauses))
  return {
    queues,
    work(name, changes) {
      const { credential, work } = byName.get(name) as (typeof bindings)[number]
      return { ...work(changes), credential }
    },
    sources: {
      async declaration(signal) {
        // Each cycle begins with this call.
        secrets.forget()
        for (const queue of queues.values()) queue.tryAgain()
        const inUse = await keptDeclared(signal)
        world.memberPauses?.declared(inUse.hash)
        return inUse
      },
      directories,
      countPeople,
      bindings: Map.groupBy(bindings, ({ credential }) => credential),
    },
    probes: {
      owner: (credential, signal) => planeOf(credential).probe.owner(signal),
      access: (name, signal) => {
        const { workspace, plane } = bound.find((candidate) => candidate.workspace.name === name) as BoundWorkspace
        return plane().probe.access(workspace, signal)
      },
    },
    writing: (access) => writingOf(bound, access, { now, changesMax: sliceChangesOf(budget.requests), settings, wrote: keeper?.wrote }),
    askAgain() {
      for (const queue of queues.values()) queue.tryAgain('person')
      world.memberPauses?.end()
    },
    isCaRenewed: async () => caFile !== undefined && (await readCertificates(caFile)) !== ca,
    close: () => origin.close(),
  }
}

/** An edit of a directory's settings, or of a secret that they name, ends the pauses of its groups. */
function withMemberPauses(
  readers: ReadonlyMap<string, ReadMembers | undefined>,
  loaded: LoadedSettings,
  pauses: MemberPauses | undefined,
): ReadonlyMap<string, ReadMembers | undefined> {
  if (pauses === undefined) return readers
  const marks = openMarks()
  const stateOf = async (name: string) =>
    JSON.stringify([loaded.settings.directories[name], ...(await marks.secrets(loaded, new Set([directoryMark(name)]))).values()])
  return new Map(
    [...readers].map(([name, read]) => [name, read && pauses.around(name, read, loaded.intervalMs, () => stateOf(name))] as const),
  )
}

/** The directories of the settings by name. They need nothing of the service. */
export function directoriesFrom(loaded: LoadedSettings, world: ProgramEnvironment): CycleSources['directories'] {
  const bounds = boundsOf(world)
  return new Map(Object.entries(loaded.settings.directories).map(([name, own]) => [name, directoryFrom(name, own, loaded, world, bounds)]))
}

async function certificatesIn(file: string): Promise<string> {
  const read = await readCertificates(file)
  if (typeof read === 'string') return read
  throw new OperationalError('CertificatesUnread', `service.caFile ${file} cannot be read: ${read.why}`)
}

function credentialFrom(
  name: string,
  own: CredentialSettings,
  secrets: SecretCache,
  origin: Origin,
  world: ProgramEnvironment,
): Credential {
  const { secretSeen, clock } = world
  if ('apiKey' in own) return apiKey(name, secrets.of(own.apiKey))
  const { clientId, clientSecret, installation, scopes } = own.oauth
  const client: OAuthClient = { clientId, clientSecret: secrets.of(clientSecret), installation, scopes, onToken: secretSeen }
  return oauthClient(name, client, loggedOrigin(origin, { operation: 'oauth.token', credential: name }, world), clock)
}
