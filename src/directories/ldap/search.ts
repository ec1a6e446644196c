import type { Group } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import type { LdapEntry } from './ber.ts'
import { ldapsearchLine } from './command.ts'
import type { Connection } from './connection.ts'
import { takeEntry } from './entry.ts'
import { type Doing, failing, failureOf, LdapFailure, quoted } from './failure.ts'
import { countRest, requireFew } from './members.ts'
import { type LdapPage, searchPage } from './page.ts'
import { foreignReferences } from './referrals.ts'
import { accountOf, type LdapSettings, type Search } from './settings.ts'
import type { Counted } from './values.ts'

/** `size`: how many groups `index` has. `left`: a sentence for each entry that cannot be used, or not in full. */
export type FoundGroups = { readonly index: Map<GroupName, Group[]>; size: number; readonly left: string[] }

export type Base = {
  readonly connection: Connection
  readonly settings: LdapSettings
  readonly search: Search
  readonly found: FoundGroups
  readonly log: (line: string) => void
  readonly onPage: ((page: { readonly number: number; readonly groups: number }) => void | Promise<void>) | undefined
}

/** Active Directory leaves out entries that the account may not see, so pages can be empty. A server that only sends empty pages is stopped. */
const emptyPagesMax = 1_000

/** Reads one base to its last page into `found`, over the connection on which the bind succeeded. @throws {LdapFailure} */
export async function readBase(base: Base): Promise<void> {
  const { connection, settings, search, found, log } = base
  const doing = doingOf(base)
  log(ldapsearchLine(connection.address, settings, search, settings.pageSize))
  let cookie: Buffer | undefined
  let emptyPages = 0
  for (let number = 1; ; number++) {
    try {
      const page = await readPage(base, cookie, doing)
      await base.onPage?.({ number, groups: found.size })
      switch (page.more.is) {
        case 'end':
          return
        case 'unknown':
          throw failing(doing, 'the answer does not say whether more pages follow', 'if the server cannot page, set pageSize: 0')
        case 'cookie':
          cookie = page.more.cookie
          break
        default:
          page.more satisfies never
      }
      emptyPages = page.isEmpty ? emptyPages + 1 : 0
      if (emptyPages > emptyPagesMax) {
        throw failing(doing, `more than ${emptyPagesMax} empty pages one after another`, 'narrow groups.base to what the account may read')
      }
    } catch (error) {
      const failure = failureOf(connection.brokenBy() ?? error, doing)
      throw number === 1 ? failure : new LdapFailure(`${failure.message}, on page ${number} after ${found.size} groups`, failure)
    }
  }
}

async function readPage(base: Base, cookie: Buffer | undefined, doing: Doing): Promise<LdapPage> {
  const { connection, settings, search, found, log } = base
  const split: Split[] = []
  requireBound(connection)
  const request = { size: settings.pageSize, cookie }
  const page = await searchPage(connection, search, request, settings.timeoutMs, (entry) => take(entry, base, split, doing))
  if (settings.referrals === 'fail') requireNoneElsewhere(page.references, doing)
  for (const { group, counted } of split) {
    const logPart = (part: Search) => log(ldapsearchLine(connection.address, settings, part, 0))
    const people = await countRest(group.place, counted, { connection, settings, doing, log: logPart })
    if (people === undefined) found.left.push(uncounted(group.place))
    else keep(found, { ...group, people })
  }
  requireBound(connection)
  return page
}

/** A group of which the server sent only a part of the members. */
type Split = { readonly group: Group; readonly counted: Counted }

function take(entry: LdapEntry, { settings, found }: Base, split: Split[], doing: Doing): void {
  const taken = takeEntry(entry, settings.groups)
  if (taken.kind === 'nameless') {
    found.left.push(
      `${quoted(taken.place)}: the attribute ${settings.groups.name} has ${taken.why}, but must have exactly one short name: correct the entry, or exclude it with groups.filter`,
    )
  } else {
    const { group, counted } = taken
    if (counted !== undefined) requireFew(counted.count, group.place, settings, doing)
    keep(found, group)
    if (counted?.next !== undefined) split.push({ group, counted })
    else if (!counted && settings.groups.members !== undefined) found.left.push(uncounted(group.place))
  }
  if (found.size + found.left.length > settings.groupsMax) {
    throw failing(doing, `more than ${settings.groupsMax} groups`, 'narrow groups.filter, or raise groupsMax')
  }
}

/**
 * Adds a group to the index. A group that two bases or two pages contain is added once; the later one counts. There is no list beside the index,
 * which would need as much memory again. If 1,000 or more groups have one name, duplicates among them are not looked for; they are ambiguous anyway.
 */
function keep(found: FoundGroups, group: Group): void {
  const same = found.index.get(group.name)
  const known = same && same.length < 1_000 ? same.findIndex(({ place }) => place === group.place) : -1
  if (same && known >= 0) {
    same[known] = group
    return
  }
  found.size++
  if (same) same.push(group)
  else found.index.set(group.name, [group])
}

const uncounted = (place: string): string => `the server sent only a part of the members of ${quoted(place)}, so they are not counted`

/** After a loss ldapts would reconnect without a bind at the next search. The connection refuses that too; this error comes earlier. */
function requireBound(connection: Connection): void {
  if (!connection.isBound()) throw new Error('Connection closed')
}

function requireNoneElsewhere(references: readonly string[], doing: Doing): void {
  const [first, ...others] = foreignReferences(references)
  if (first === undefined) return
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  throw failing(doing, `a part of it is on another server: ${quoted(first)}${more}`, 'narrow groups.base, or set referrals: ignore')
}

const doingOf = ({ connection, settings, search }: Base): Doing => ({
  step: 'search',
  address: connection.address,
  what: `groups below ${quoted(search.base)}`,
  account: accountOf(settings),
  timeoutMs: settings.timeoutMs,
})
