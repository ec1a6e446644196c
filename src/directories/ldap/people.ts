import { type Person, personKey } from '../../core/people/members.ts'
import { counted } from '../../core/quantity.ts'
import type { AccountState } from '../accountState.ts'
import { isNoPerson, ldapAccountState, stateAttributes } from './accounts.ts'
import { isType, valuesOf } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import { dnKey } from './dn.ts'
import { stableId } from './entry.ts'
import { type Doing, failing, quoted } from './failure.ts'
import { eachPage, requireBound, requireNoneElsewhere, searchPage } from './page.ts'
import {
  accountOf,
  gidAttribute,
  type LdapSettings,
  ldapsearchLine,
  parsedFilter,
  type Search,
  sidAttribute,
  stableIds,
} from './settings.ts'

/** The people of a directory, as groups name them. */
export type PeopleFound = {
  /** By `memberKey`. Several entries may have one key: then it is unknown which of them a group means, and all of them count. */
  readonly byKey: ReadonlyMap<string, readonly LdapPerson[]>
  /** The SID of a group → the people who are in it by their `primaryGroupID`. */
  readonly byPrimaryGroup: ReadonlyMap<string, readonly LdapPerson[]>
  /** `gidKey` of a group → the people who are in it by their `gidNumber`. */
  readonly byGid: ReadonlyMap<string, readonly LdapPerson[]>
  /** Whether a person has a `gidNumber`, or may have one, that the account may not read. */
  readonly hidesGid: boolean
}

export type PeopleSettings = NonNullable<LdapSettings['people']>

/** Bounds the memory: some 250 bytes for each. */
const peopleMax = 1_000_000

/**
 * Reads all people below all bases. It fails if a base has none, or if none of them has the identity: an account that may not read people gets
 * success and no entries from many servers, and a number of people would then be too small.
 *
 * @throws {LdapFailure}
 */
export async function findPeople(
  connection: Connection,
  settings: LdapSettings,
  people: PeopleSettings,
  { form, asOfMs }: Pick<PersonForm, 'form' | 'asOfMs'>,
  log: (line: string) => void,
  max = peopleMax,
): Promise<PeopleFound> {
  const byKey = new Map<string, LdapPerson[]>()
  const byPrimaryGroup = new Map<string, LdapPerson[]>()
  const byGid = new Map<string, LdapPerson[]>()
  let hidesGid = false
  let taken = 0
  const filter = parsedFilter(people.filter, 'people.filter')
  const attributes = personAttributes(people.identity, form)
  for (const base of [people.base].flat()) {
    let persons = 0
    let identities = 0
    const search: Search = { base, scope: 'sub', filter, filterText: people.filter, attributes }
    const doing = await eachPerson(connection, settings, search, log, (entry, doing) => {
      const facts = takePerson(entry, { identity: people.identity, form, asOfMs })
      if (facts === undefined) return
      persons++
      if (facts.hasIdentity) identities++
      taken += Math.max(1, facts.keys.length)
      if (taken > max) throw failing(doing, 'ldap.peopleMax', `more than ${counted(max, 'person', 'people')}`, 'narrow people.filter')
      for (const key of facts.keys) addTo(byKey, key, facts.person)
      if (facts.primaryGroup !== undefined) addTo(byPrimaryGroup, facts.primaryGroup, facts.person)
      if (facts.gid === 'hidden') hidesGid = true
      else if (facts.gid !== '') addTo(byGid, facts.gid, facts.person)
    })
    requireSeen(persons, identities, people, doing)
  }
  return { byKey, byPrimaryGroup, byGid, hidesGid }
}

/** Reads the entries of people that a search finds, page after page. @throws {LdapFailure} */
export async function eachPerson(
  connection: Connection,
  settings: LdapSettings,
  search: Search,
  log: (line: string) => void,
  onEntry: (entry: LdapEntry, doing: Doing) => void,
): Promise<Doing> {
  const doing = doingOf(connection, settings, search.base)
  let entries = 0
  /** The DN of the first entry of each page. */
  const firsts = new Set<string>()
  log(ldapsearchLine(connection.address, settings, search, settings.pageSize))
  await eachPage(
    connection,
    doing,
    () => counted(entries, 'person', 'people'),
    async (cookie) => {
      requireBound(connection)
      let first: string | undefined
      const page = await searchPage(connection, search, { size: settings.pageSize, cookie }, settings.timeoutMs, (entry) => {
        first ??= entry.dn
        entries++
        onEntry(entry, doing)
      })
      if (settings.referrals === 'fail') requireNoneElsewhere(page.references, doing)
      if (first !== undefined && firsts.has(first)) throw repeated(doing)
      if (first !== undefined) firsts.add(first)
      return page
    },
  )
  return doing
}

/** A server that repeats a page may do so for ever, and entries that are no people do not count towards `max`. */
const repeated = (doing: Doing) =>
  failing(
    doing,
    'ldap.peoplePageTwice',
    'the server repeats a page, or the list changed while it was read',
    'wait for the next reading, and if it is so at each one, set pageSize: 0',
  )

function addTo(people: Map<string, LdapPerson[]>, key: string, person: LdapPerson): void {
  const ofKey = people.get(key)
  if (ofKey) ofKey.push(person)
  else people.set(key, [person])
}

function requireSeen(persons: number, identities: number, { identity, filter }: PeopleSettings, doing: Doing): void {
  if (persons === 0)
    throw failing(
      doing,
      'ldap.noPeople',
      'the search succeeded and found no people',
      `let ${doing.account} read people there (many servers answer success without the right to read), or correct people.base or people.filter ${quoted(filter)}`,
    )
  if (identities === 0)
    throw failing(
      doing,
      'ldap.noIdentity',
      `none of ${counted(persons, 'person', 'people')} has a value of ${identity}`,
      `let ${doing.account} read ${identity}, or name an attribute in people.identity that people have`,
    )
}

const doingOf = (connection: Connection, settings: LdapSettings, base: string): Doing => ({
  step: 'search',
  address: connection.address,
  what: `people below ${quoted(base)}`,
  account: accountOf(settings),
  timeoutMs: settings.timeoutMs,
  of: 'people',
  isPaged: settings.pageSize > 0,
})

export type LdapPerson = Person & { readonly account: AccountState }

type PersonEntry = {
  readonly person: LdapPerson
  /** The texts by which groups name the person, as `memberKey` gives them. */
  readonly keys: readonly string[]
  readonly hasIdentity: boolean
  /** The `objectSid` of the person's primary group in Active Directory. */
  readonly primaryGroup: string | undefined
  /** The `gidKey` of the person's primary group in POSIX; empty if there is none. `hidden`: there is one, or may be one, that cannot be read. */
  readonly gid: string
}

/** How the values of the member attribute name a person: by the DN, or by the `uid`, as `memberUid` of posixGroup does (RFC 2307). */
export type MemberForm = 'dn' | 'uid'
export const memberForm = (attribute: string): MemberForm => (isType(attribute, 'memberUid') ? 'uid' : 'dn')

/** A text that is equal for all names of the same entry; undefined if the text is no name of this form. */
export const memberKey = (form: MemberForm, name: string): string | undefined => (form === 'uid' ? name.trim().toLowerCase() : dnKey(name))

/** The name in a value: a value of `uniqueMember` may end with a bit string (RFC 4517 §3.3.21). */
export const memberName = (form: MemberForm, value: string): string =>
  form === 'dn' && value.endsWith("'B") ? value.replace(/#'[01]*'B$/, '') : value

/** The last part of the id of a person's primary group in Active Directory. */
const primaryGroupId = 'primaryGroupID'

/** The attributes that `takePerson` needs. */
const personAttributes = (identity: string, form: MemberForm): readonly string[] => [
  ...new Set([
    identity,
    ...stableIds,
    'objectClass',
    ...stateAttributes,
    primaryGroupId,
    sidAttribute,
    gidAttribute,
    ...(form === 'uid' ? ['uid'] : []),
  ]),
]

/**
 * The texts by which groups name the person, as `memberKey` gives them.
 *
 * @param classes in lower case
 * @returns undefined if the entry is no person
 */
export function personKeys(
  { dn, attributes }: LdapEntry,
  form: MemberForm,
  classes = classesOf(attributes),
): readonly string[] | undefined {
  if (isNoPerson(classes)) return undefined
  const names = form === 'uid' ? textsOf(attributes, 'uid') : [dn]
  return names.flatMap((name) => memberKey(form, name) ?? [])
}

type Attributes = LdapEntry['attributes']
const textsOf = (attributes: Attributes, name: string) => valuesOf(attributes, name).map((value) => value.toString('utf8'))
const classesOf = (attributes: Attributes) => textsOf(attributes, 'objectClass').map((name) => name.toLowerCase())

/** How people are recognised. `asOfMs`: epoch ms by the machine's clock; an account whose end is not later cannot sign in. */
type PersonForm = Pick<PeopleSettings, 'identity'> & { readonly form: MemberForm; readonly asOfMs: number }

/** @returns undefined if the entry is no person */
export function takePerson(entry: LdapEntry, { identity, form, asOfMs }: PersonForm): PersonEntry | undefined {
  const { dn, attributes } = entry
  const classes = classesOf(attributes)
  const keys = personKeys(entry, form, classes)
  if (keys === undefined) return undefined
  const known = stableId(attributes, identity)
  const gid = gidKey(textsOf(attributes, gidAttribute)[0])
  const hasHiddenGid = gid === '' && (classes.length === 0 || classes.includes('posixaccount'))
  return {
    person: {
      id: stableId(attributes, undefined) ?? dn,
      key: personKey(known),
      account: ldapAccountState(attributes, classes, asOfMs),
    },
    keys,
    hasIdentity: personKey(known) !== '',
    primaryGroup: primaryGroupOf(valuesOf(attributes, sidAttribute)[0], textsOf(attributes, primaryGroupId)[0]),
    gid: hasHiddenGid ? 'hidden' : gid,
  }
}

/** A `gidNumber` without leading zeros; empty if there is none. */
export const gidKey = (gid: string | undefined): string => (gid === undefined ? '' : gid.trim().replace(/^0+(?=.)/, ''))

/** The SID of the primary group has the group's number in its place. */
function primaryGroupOf(own: Buffer | undefined, group: string | undefined): string | undefined {
  if (own === undefined || own.length < 12 || group === undefined || !/^\d{1,10}$/.test(group)) return undefined
  const bytes = Buffer.from(own)
  bytes.writeUInt32LE(Number(group) >>> 0, bytes.length - 4)
  return bytes.toString('latin1')
}
