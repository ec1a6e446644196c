import { exactly } from '../../core/bounds.ts'
import type { Group } from '../../core/group.ts'
import { counted } from '../../core/quantity.ts'
import { type Counted } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import { keepCrowded, takeEntry } from './entry.ts'
import { type Doing, quoted } from './failure.ts'
import { type FoundGroups, foundSize, keep, notePlace } from './found.ts'
import { countRest, eachPage, type LdapPage, requireBound, requireNoneElsewhere, searchPage, tooManyLdapGroups } from './page.ts'
import { accountOf, type LdapSettings, ldapsearchLine, type Search } from './settings.ts'

type Base = {
  readonly connection: Connection
  readonly settings: LdapSettings
  readonly search: Search
  readonly foundGroups: FoundGroups
  readonly seen: SeenEntries
  readonly log: (line: string) => void
  readonly onPage: ((page: { readonly number: number; readonly groups: number }) => void | Promise<void>) | undefined
}

/** Reads one base to its last page into `foundGroups`, over the connection on which the bind succeeded. @throws {LdapFailure} */
export async function readBase(base: Base): Promise<void> {
  const { connection, settings, search, foundGroups, log } = base
  const doing = doingOf(base)
  log(ldapsearchLine(connection.address, settings, search, settings.pageSize))
  const readText = () => counted(foundGroups.size, 'group')
  await eachPage(connection, doing, readText, async (cookie, number) => {
    const page = await readPage(base, cookie, doing)
    await base.onPage?.({ number, groups: foundGroups.size })
    return page
  })
}

async function readPage(base: Base, cookie: Buffer | undefined, doing: Doing): Promise<LdapPage> {
  const { connection, settings, search, foundGroups, log } = base
  const split: Split[] = []
  let isRepeated = false
  let isNew = false
  requireBound(connection)
  const request = { size: settings.pageSize, cookie }
  const page = await searchPage(connection, search, request, settings.timeoutMs, (entry) => {
    if (base.seen.add(entry.dn)) isNew = true
    else if (settings.pageSize > 0) {
      isRepeated = true
      notePlace(foundGroups.repeated, entry.dn)
    }
    take(entry, base, split, doing)
  })
  if (settings.referrals === 'fail') requireNoneElsewhere(page.references, doing)
  for (const { groups, counted } of split) {
    const [{ place }] = groups
    const logPart = (part: Search) => log(ldapsearchLine(connection.address, settings, part, 0))
    const members = await countRest(place, counted, { connection, settings, log: logPart })
    if (members === undefined) log(uncounted(place))
    else for (const group of groups) keep(foundGroups, { ...group, size: { of: 'members', ...exactly(members) } })
  }
  requireBound(connection)
  // A server that repeats a page may do so for ever.
  return isRepeated && !isNew ? { ...page, more: { is: 'end' } } : page
}

/** The groups of one entry, if the server sent only a part of the entry's members. */
type Split = { readonly groups: readonly [Group, ...Group[]]; readonly counted: Counted }

function take(entry: LdapEntry, base: Base, split: Split[], doing: Doing): void {
  const { settings, foundGroups, seen, log } = base
  const taken = takeEntry(entry, settings.groups, settings.membersMax)
  if (taken.isCrowded) {
    notePlace(keepCrowded(foundGroups.crowded, entry, settings.groups.name) ? foundGroups.manyNames : foundGroups.endlessNames, entry.dn)
  }
  switch (taken.kind) {
    case 'nameless':
    case 'unusable':
      notePlace(foundGroups[taken.kind], taken.place)
      break
    case 'group': {
      const { groups, members } = taken
      const [{ id, place }] = groups
      if (id !== place && !seen.addId(id, place)) notePlace(foundGroups.sameId, place)
      for (const group of groups) keep(foundGroups, group)
      if (members.kind === 'counted' || members.kind === 'unclear') foundGroups.hasMembers = true
      if (members.kind === 'unclear') log(uncounted(entry.dn))
      if (members.kind === 'counted') {
        if (members.next !== undefined) split.push({ groups, counted: members })
      }
      break
    }
    default:
      taken satisfies never
  }
  if (foundSize(foundGroups) > settings.groupsMax) {
    throw tooManyLdapGroups(settings, doing)
  }
}

const uncounted = (place: string): string =>
  `it is unknown how many members ${quoted(place)} has: the server did not send all values, they are more than membersMax, or it has members by something else than groups.member`

const doingOf = ({ connection, settings, search }: Base): Doing => ({
  step: 'search',
  address: connection.address,
  what: `groups below ${quoted(search.base)}`,
  account: accountOf(settings),
  timeoutMs: settings.timeoutMs,
  isPaged: settings.pageSize > 0,
})

/** Which texts came before. */
type SeenTexts = {
  /** @returns false if the text came before */
  add(text: string): boolean
  has(text: string): boolean
}

/** The entries of one search, among those of the whole reading. */
export type SeenEntries = {
  /** @returns false if this search has sent the entry before */
  add(dn: string): boolean
  /** Call it after `add`. @returns false if the reading had this id with another DN before */
  addId(id: string, dn: string): boolean
}

/** Opens the entries of each search. The searches of a reading come one after another, and may have the same entries. */
export function openSeenEntries(): () => SeenEntries {
  const ids = openSeen()
  const searches: SeenTexts[] = []
  return () => {
    const before = [...searches]
    const dns = openSeen()
    let isNew = true
    searches.push(dns)
    return {
      add(dn) {
        isNew = dns.add(dn)
        return isNew
      },
      addId: (id, dn) => ids.add(id) || !isNew || before.some((search) => search.has(dn)),
    }
  }
}

/**
 * A set of texts by our own hash. V8 enters each text of its own sets into a table of the whole process, which took a tenth of the time of a large reading
 * (measured). The texts are compared, so that two texts with one hash stay two. Such texts go into a set of V8, whose hash has a secret seed: names that
 * a server chose for their equal hashes cost no more than others.
 */
export function openSeen(): SeenTexts {
  const byHash = new Map<number, string | Set<string>>()
  return {
    has(text) {
      const before = byHash.get(hashOf(text))
      return typeof before === 'string' ? before === text : before?.has(text) === true
    },
    add(text) {
      const hash = hashOf(text)
      const before = byHash.get(hash)
      if (before === undefined) byHash.set(hash, text)
      else if (typeof before === 'string') {
        if (before === text) return false
        byHash.set(hash, new Set([before, text]))
      } else {
        if (before.has(text)) return false
        before.add(text)
      }
      return true
    },
  }
}

/** 30 bits: V8 keeps such numbers without an object. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}
