import type { Group } from '../../core/group.ts'
import type { Members } from '../../core/people/members.ts'
import type { MembersReading, UnreadGroup } from '../../core/people/membersReading.ts'
import { type Deadline, noDeadline } from '../deadline.ts'
import type { Explained } from '../groupTurns.ts'
import { type MembershipsFound, readMemberships } from '../membership.ts'
import { type GroupPlace, readDirect } from './directMembers.ts'
import { dnKey } from './dn.ts'
import { LdapFailure, quoted } from './failure.ts'
import { firstThatWorks } from './firstServer.ts'
import { openWhyNamed } from './otherSources.ts'
import { findPeople, memberForm } from './people.ts'
import type { Capabilities } from './read.ts'
import { type LdapSettings, requireAddresses } from './settings.ts'
import { openStrangers } from './strangers.ts'

type MembersCapabilities = Omit<Capabilities, 'onPage'> & { readonly deadline?: Deadline }

/** How many groups are read at the same time, and how many members that are no people. All searches use one connection. */
const atOnce = 8

/**
 * Reads the members of these groups: first all people, page after page, then the entry of each group. A member is looked up among the people, so that
 * no request is needed for it.
 *
 * *partial*: some of the groups were not read whole, and are not in the value. *failed*: none was, or the people were not read, with place and cure.
 *
 * @param asOfMs epoch ms by the machine's clock: an account that has ended by then is no person's
 */
export async function readLdapMembers(
  settings: LdapSettings,
  groups: readonly Group[],
  asOfMs: number,
  capabilities: MembersCapabilities,
  signal: AbortSignal,
): Promise<MembersReading> {
  const { now } = capabilities
  const atMs = now()
  const times = () => ({ atMs, tookMs: now() - atMs })
  try {
    const { memberships: value, missing, unread } = await membersOf(settings, groups, asOfMs, capabilities, signal)
    if (missing === undefined) return { status: 'complete', value, ...times() }
    return { status: 'partial', value, missing, ...(unread === undefined ? {} : { unread }), ...times() }
  } catch (error) {
    if (signal.aborted) return { status: 'failed', why: 'given up while it was read', ...times() }
    if (!(error instanceof LdapFailure)) throw error
    return { status: 'failed', why: error.message, ...(error.cure === undefined ? {} : { cure: error.cure }), ...times() }
  }
}

async function membersOf(
  settings: LdapSettings,
  groups: readonly Group[],
  asOfMs: number,
  { log = () => undefined, deadline = noDeadline, ...calls }: MembersCapabilities,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const { people: wanted } = settings
  const { members: attribute } = settings.groups
  if (wanted === undefined || attribute === undefined) throw new TypeError('the settings do not say how members are read')
  requireAddresses(settings)
  const form = memberForm(attribute)
  const { keys, shared } = keysById(groups)
  const places = new Map<string, GroupPlace>()
  for (const { id, place, name } of groups)
    if (keys.has(id)) places.set(keys.get(id) ?? place, { dn: place, name, ...(id === place ? {} : { id }) })

  const connection = await firstThatWorks(settings, { log, ...calls }, signal)
  try {
    const people = await findPeople(connection, settings, wanted, { form, asOfMs }, log)
    const whatIs = openStrangers({ connection, settings, people: wanted, byKey: people.byKey, attribute, form, atOnce })
    const whyNamed = openWhyNamed({ connection, settings, log, people: wanted, form, byKey: people.byKey })
    const source = { connection, settings, attribute, form, people, places, whatIs, whyNamed, atOnce, log }
    // A search that is late does not harm the others. Without its connection there is none.
    // ldapts closes the connection after a request that was not answered. This request is why the others fail.
    let late: LdapFailure | undefined
    const readOne = (key: string) =>
      readDirect(source, key, signal).catch((error: unknown) => {
        throw late !== undefined && error instanceof LdapFailure && !error.isLate && !connection.isBound() ? late : error
      })
    const explained: Explained = (error) => {
      if (!(error instanceof LdapFailure)) return undefined
      const isOwn = connection.isBound() || (error.isLate && error !== late)
      if (error.isLate) late ??= error
      return { of: isOwn ? 'group' : 'all', why: error.message, cure: error.cure }
    }
    const options = { nested: wanted.nested, atOnce, deadline, explained }
    const membershipsFound = await readMemberships([...keys.values()], readOne, options, signal)
    await connection.close()
    const memberships = new Map<string, Members>()
    const unread = new Map<string, UnreadGroup>()
    for (const [id, key] of keys) {
      const members = membershipsFound.memberships.get(key)
      if (members !== undefined) memberships.set(id, members)
      const why = membershipsFound.unread?.get(key)
      if (why !== undefined) unread.set(id, why)
    }
    if (shared !== undefined) for (const { id } of groups) if (!keys.has(id)) unread.set(id, { why: shared })
    const missing = [shared, membershipsFound.missing].filter((text) => text !== undefined)
    return { memberships, missing: missing.length === 0 ? undefined : missing.join('; '), unread }
  } finally {
    connection.destroy()
  }
}

/**
 * Id → key of the DN. The members of a group are known by its id, so groups that share one are left out; `shared` names two of them. An attribute of the
 * settings (`groups.id`) may be one that is not an id.
 */
function keysById(groups: readonly Group[]): { readonly keys: ReadonlyMap<string, string>; readonly shared: string | undefined } {
  const first = new Map<string, { readonly key: string; readonly place: string }>()
  const doubtful = new Set<string>()
  let shared: string | undefined
  for (const { id, place } of groups) {
    const key = dnKey(place) ?? place
    const before = first.get(id)
    if (before === undefined) first.set(id, { key, place })
    else if (before.key !== key) {
      doubtful.add(id)
      shared ??= `${quoted(before.place)} and ${quoted(place)} have one id: name an attribute in groups.id that each group has once`
    }
  }
  return { keys: new Map([...first].flatMap(([id, { key }]) => (doubtful.has(id) ? [] : [[id, key]]))), shared }
}
