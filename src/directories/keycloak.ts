import { type Group, type GroupIndex, indexGroups } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import type { Reading } from '../core/reading.ts'
import { visible } from '../core/safeName.ts'
import type { Origin } from '../http/origin.ts'
import { z } from '../yaml/zod.ts'
import { type Ask, asking } from './ask.ts'
import { DirectoryError } from './directoryError.ts'
import { countPeople } from './keycloakPeople.ts'
import { explain, nothingUnder, seesNothing } from './keycloakRefusal.ts'
import { type Node, pathOf, type Slashes, walkGroups } from './keycloakTree.ts'
import type { Pages } from './paging.ts'
import { refusePlainHttp } from './plainHttp.ts'
import { issuerTokens } from './token.ts'

export type KeycloakSettings = {
  /** Where the admin API is, with its path prefix (`/auth` before Keycloak 17) if it has one. */
  readonly url: URL
  readonly realm: string
  /** Where it is not `url` + `/realms/` + `realm`: a Keycloak with a fixed public host name. */
  readonly issuer?: URL
  readonly allowPlaintext?: boolean
  readonly client: {
    readonly id: string
    readonly secret: () => Promise<string>
    readonly authentication?: 'client_secret_basic' | 'client_secret_post'
  }
  readonly groups: {
    /**
     * What the realm's Group Membership mapper puts into the claim: the full path (the mapper's own default, and the better one: bare names
     * of different branches cannot be told apart, and those that are equal are held as ambiguous) or the bare name.
     */
    readonly name: 'path' | 'name'
    /** `escaped` where Keycloak runs with `--spi-group--jpa--escape-slashes-in-group-path=true`. */
    readonly slashes: Slashes
    /** Only this group and those below it: a path whose names write `/` as `~/`. The realm is walked whole all the same: only its total is known. */
    readonly under?: string
    /** Count each group's enabled direct members: two requests or more a group. */
    readonly members: boolean
  }
  readonly limits: Limits
}

/** What an operator may set; the rest is a net for a server that repeats itself or fails for ever. */
export type Limits = { readonly pageSize: number; readonly groupsMax: number } & Partial<Nets>
type Nets = { readonly depthMax: number; readonly requestsMax: number; readonly attemptsMax: number; readonly concurrency: number }

export type Surroundings = {
  readonly connect: (url: URL) => Origin
  readonly learned?: (token: string) => void
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
}

type Outcome = { readonly groups: GroupIndex; readonly missing: string | undefined }

/**
 * The groups of a Keycloak realm (23 or later; measured on 26.7.3) by its admin API. The client's service account needs the role `view-users`
 * of the client `realm-management`, and no other.
 */
export function keycloak(settings: KeycloakSettings, around: Surroundings): { read(signal: AbortSignal): Promise<Reading<GroupIndex>> } {
  const { url, realm, client } = settings
  const limits = { ...netsFor(settings.limits), ...settings.limits }
  const bearer = issuerTokens({
    issuer: settings.issuer ?? below(url, `/realms/${encodeURIComponent(realm)}`),
    clientId: client.id,
    clientSecret: client.secret,
    authentication: client.authentication ?? 'client_secret_basic',
    allowPlaintext: settings.allowPlaintext ?? false,
    connect: around.connect,
    ...(around.learned === undefined ? {} : { learned: around.learned }),
    now: around.now,
  })

  async function read(signal: AbortSignal): Promise<Reading<GroupIndex>> {
    const atMs = around.now()
    const took = () => ({ atMs, tookMs: around.now() - atMs })
    const origin = around.connect(below(url, `/admin/realms/${encodeURIComponent(realm)}`))
    try {
      refusePlainHttp(url, settings.allowPlaintext ?? false)
      const ask = asking({
        origin,
        bearer,
        ...limits,
        explain: (status) => explain(status, settings),
        wait: around.wait,
        random: around.random,
      })
      const { groups, missing } = await readRealm(ask, { ...settings, limits }, signal)
      return missing === undefined
        ? { status: 'complete', value: groups, ...took() }
        : { status: 'partial', value: groups, missing, ...took() }
    } catch (error) {
      if (signal.aborted) return { status: 'failed', why: `${url.href}: given up while it was read`, ...took() }
      if (!(error instanceof DirectoryError)) throw error
      return { status: 'failed', why: error.message, ...(error.cure === undefined ? {} : { cure: error.cure }), ...took() }
    } finally {
      await origin.close()
    }
  }

  return { read }
}

/** A request for each group's children, two for its members, and room for second attempts. */
const netsFor = ({ groupsMax }: Limits): Nets => ({ depthMax: 50, requestsMax: 1_000 + 4 * groupsMax, attemptsMax: 4, concurrency: 4 })

/** The total is asked before and after: Keycloak answers 200 `[]` for want of a right, and a list by offsets moves while it is read. */
async function readRealm(ask: Ask, settings: KeycloakSettings & { readonly limits: Nets }, signal: AbortSignal): Promise<Outcome> {
  const before = await countGroups(ask, signal)
  const tree = await walkGroups(ask, settings.limits, signal)
  const after = await countGroups(ask, signal)
  if (tree.items.length === 0 && before > 0 && after > 0) throw seesNothing(before, settings)
  const wanted = tree.items.filter((node) => isUnder(node, settings.groups.under))
  const missing = tree.missing ?? miscounted(tree, before, after) ?? otherPath(tree, settings.groups.slashes)
  if (missing === undefined && wanted.length === 0 && tree.items.length > 0) throw nothingUnder(settings, settings.groups.under ?? '')
  const people = settings.groups.members ? await countPeople(ask, wanted, settings.limits, signal) : undefined
  return { groups: indexGroups(wanted.map((node) => groupOf(node, settings.groups, people?.get(node.id)))), missing }
}

const Count = z.object({ count: z.int().nonnegative() })
const countGroups = async (ask: Ask, signal: AbortSignal) => (await ask('/groups/count', {}, Count, signal)).count

function groupOf(node: Node, { name, slashes }: KeycloakSettings['groups'], people: number | undefined): Group {
  return {
    name: (name === 'path' ? pathOf(node, slashes) : node.name) as GroupName,
    id: node.id,
    place: pathOf(node, 'escaped'),
    ...(people === undefined ? {} : { people }),
  }
}

function isUnder(node: Node, under: string | undefined): boolean {
  if (under === undefined) return true
  const path = pathOf(node, 'escaped')
  return path === under || path.startsWith(`${under}/`)
}

function miscounted({ items }: Pages<Node>, before: number, after: number): string | undefined {
  if (before !== after) return `the realm had ${before} groups before and ${after} after: it changed while it was read`
  if (items.length !== after)
    return `${items.length} of the realm's ${after} groups were found: it changed while it was read, or the account may not see all`
  return undefined
}

/** Where Keycloak's own path differs from the one built here, the claim would carry the former and no mapping would ever match. */
function otherPath({ items }: Pages<Node>, slashes: Slashes): string | undefined {
  const odd = items.find((node) => node.path !== undefined && node.path !== pathOf(node, slashes))
  if (odd === undefined) return undefined
  const other = slashes === 'plain' ? 'escaped' : 'plain'
  return `Keycloak's path "${visible(odd.path ?? '')}" would be "${visible(pathOf(odd, slashes))}" by these settings: try slashes: ${other}`
}

function below(url: URL, path: string): URL {
  return new URL(url.origin + url.pathname.replace(/\/$/, '') + path)
}
