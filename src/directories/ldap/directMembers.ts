import { FilterParser, ResultCodeError } from 'ldapts'
import { defined } from '../../core/optionalFields.ts'
import type { Person } from '../../core/people/members.ts'
import { counted } from '../../core/quantity.ts'
import { byState } from '../accountState.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import { type DirectMembers, doubtfulOf } from '../membership.ts'
import { countValues, hasValuesOf, valuesOf } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import { stableId } from './entry.ts'
import { type Doing, failureOf, quoted } from './failure.ts'
import { computedMembers, memberSources, sourceAttributes } from './memberSources.ts'
import { nameKey, type WhyNamed, whyHidden } from './otherSources.ts'
import { countRest, requireBound, searchFailure, searchPage } from './page.ts'
import { gidKey, type LdapPerson, type MemberForm, memberKey, memberName, type PeopleFound } from './people.ts'
import { accountOf, gidAttribute, type LdapSettings, ldapsearchLine, type Search, sidAttribute, stableIds } from './settings.ts'
import type { WhatIs } from './strangers.ts'

/** A group by its DN. `id`: its own id of the last reading; absent if the directory has none. A group inside a group has neither name nor id. */
export type GroupPlace = { readonly dn: string; readonly name?: string; readonly id?: string }

type MembersSource = {
  readonly connection: Connection
  readonly settings: LdapSettings
  /** The attribute of the members. */
  readonly attribute: string
  readonly form: MemberForm
  readonly people: PeopleFound
  /** Key of a DN → the group. Groups that are found inside are added. */
  readonly places: Map<string, GroupPlace>
  readonly whatIs: WhatIs
  readonly whyNamed: WhyNamed
  /** How many members that are no people are asked for at the same time. */
  readonly atOnce: number
  readonly log: (line: string) => void
}

type Missing = { readonly missing: string }
const anything = '(objectClass=*)'

/** Reads the direct members of one group by a search of its entry. People whose primary group it is are members, too. @throws {LdapFailure} */
export async function readDirect(source: MembersSource, key: string, signal: AbortSignal): Promise<DirectMembers | Missing> {
  const { connection, settings } = source
  const place = source.places.get(key) ?? { dn: key }
  const doing: Doing = {
    step: 'search',
    address: connection.address,
    what: `members of ${quoted(place.dn)}`,
    account: accountOf(settings),
    timeoutMs: settings.timeoutMs,
    of: 'members',
    isPaged: false,
  }
  try {
    requireBound(connection)
    const values = await valuesIn(source, place)
    if ('missing' in values) return { missing: `${doing.address}: ${doing.what}: ${values.missing}` }
    const members = await classified(source, values, signal)
    // Active Directory computes `memberOf` of people from `member`.
    const names = [key, ...(place.name === undefined ? [] : [nameKey(place.name)])]
    const more =
      values.more ??
      members.more ??
      (values.sid === undefined ? await source.whyNamed(names, new Set(values.people), members.groups) : undefined)
    return more === undefined ? members : { ...members, more }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof ResultCodeError) return { missing: failureOf(error, doing).message }
    throw searchFailure(connection, error, doing)
  }
}

/** The members of a group as they were named. `strangers`: key → name of each that is none of the people who were read. */
type Values = {
  readonly people: LdapPerson[]
  readonly strangers: Map<string, string>
  sid?: string
  /** Why it may have members beside these. */
  more?: string
}

async function valuesIn(source: MembersSource, place: GroupPlace): Promise<Values | Missing> {
  const { connection, settings, attribute, people } = source
  const values: Values = { people: [], strangers: new Map() }
  const search: Search = {
    base: place.dn,
    scope: 'base',
    filter: FilterParser.parseString(anything),
    filterText: anything,
    attributes: [
      '*',
      'objectClass',
      attribute,
      sidAttribute,
      gidAttribute,
      ...sourceAttributes(attribute),
      ...(settings.groups.id === undefined ? stableIds : [settings.groups.id]),
    ],
  }
  const log = (search: Search) => source.log(ldapsearchLine(connection.address, settings, search, 0))
  log(search)
  const facts: ReturnType<typeof factsOf>[] = []
  let isTooLarge = false
  let hasWrongForm = false
  const look = (entry: LdapEntry) => {
    if (!takeValues(entry, source, values)) hasWrongForm = true
  }
  await searchPage(
    connection,
    search,
    { size: 0, cookie: undefined },
    settings.timeoutMs,
    (entry) => {
      facts.push(factsOf(entry, source))
      look(entry)
    },
    () => {
      isTooLarge = true
    },
  )
  const [fact] = facts
  if (isTooLarge) return { missing: 'the entry is too large to be read' }
  if (fact === undefined) return { missing: `${accountOf(settings)} may not see it` }
  if (facts.length > 1) return { missing: `the server sent ${counted(facts.length, 'entry', 'entries')} for one DN` }
  if (place.id !== undefined && fact.id !== place.id) return { missing: 'the DN belongs to another group now' }
  const { counted: own, sid, gid } = fact
  if (own === 'unclear') return unread
  const hidden = own === 'absent' ? (fact.computed ?? (await whyHidden(place.dn, attribute, source))) : undefined
  if (hidden !== undefined) return { missing: hidden }
  if (own !== 'absent') {
    const count = own.next === undefined ? own.count : await countRest(place.dn, own, { connection, settings, look, log })
    if (count === undefined || count > settings.membersMax) return unread
  }
  if (hasWrongForm) return { missing: `a value of ${attribute} is not a DN: name the attribute with the members in groups.member` }
  if (sid !== undefined && people.byPrimaryGroup.size === 0) return { missing: notReadable('primaryGroupID and objectSid', settings) }
  if (gid !== undefined && people.hidesGid) return { missing: notReadable(gidAttribute, settings) }
  const primary = [people.byPrimaryGroup.get(sid ?? ''), people.byGid.get(gidKey(gid))]
  for (const person of primary.flatMap((members) => members ?? [])) values.people.push(person)
  let { more } = fact
  for (const name of fact.unshown) more ??= await whyHidden(place.dn, name, source)
  return { ...values, ...defined({ sid, more }) }
}

function factsOf({ attributes }: LdapEntry, { attribute, settings }: MembersSource) {
  const texts = (name: string) => valuesOf(attributes, name).map((value) => value.toString('latin1'))
  return {
    counted: countValues(attributes, attribute, 0),
    id: stableId(attributes, settings.groups.id),
    sid: texts(sidAttribute)[0],
    gid: texts(gidAttribute)[0],
    computed: computedMembers(texts('objectClass'), attribute),
    ...memberSources(attributes, attribute),
  }
}

const notReadable = (what: string, settings: LdapSettings): string =>
  `the group may be the primary group of people, and it cannot be seen of whom: let ${accountOf(settings)} read ${what} of people`

const unread: Missing = { missing: 'the server did not send all values, or they are more than membersMax' }

/** Looks the values up among the people. An empty value is the placeholder of a group without members. @returns false if one is no name */
function takeValues({ attributes }: LdapEntry, { settings, attribute, form, people }: MembersSource, values: Values): boolean {
  let isRight = true
  for (const entryAttribute of attributes) {
    if (!hasValuesOf(entryAttribute, attribute) || entryAttribute.count > settings.membersMax) continue
    entryAttribute.each((bytes, start, end) => {
      if (start === end) return
      const name = memberName(form, bytes.toString('utf8', start, end))
      const key = memberKey(form, name)
      const named = key === undefined ? undefined : people.byKey.get(key)
      if (key === undefined) isRight = false
      else if (named === undefined) values.strangers.set(key, name)
      else for (const person of named) values.people.push(person)
    })
  }
  return isRight
}

const whyDoubtful = {
  foreign: 'another directory has some of its members',
  dangling: 'the server answers that some of its members do not exist, which it may also say of those that the account does not see',
} as const

/** Asks what each stranger is. */
async function classified(source: MembersSource, { people, strangers }: Values, signal: AbortSignal): Promise<DirectMembers> {
  const groups: string[] = []
  const doubtful: { readonly members: Person[]; why: string } = { members: [], why: '' }
  let more: string | undefined
  // What the account does not see may also be a group, whose members would count.
  const doubt = (key: string, why: string) => {
    if (source.settings.people?.nested === true) more ??= why
    else doubtful.members.push({ id: key, key: '' })
    doubtful.why ||= why
  }
  const answers = await mapConcurrently([...strangers], source.atOnce, async ([key, name]) => ({
    key,
    name,
    stranger: source.places.has(key) ? ({ kind: 'group' } as const) : await source.whatIs(key, name, signal),
  }))
  for (const { key, name, stranger } of answers) {
    switch (stranger.kind) {
      case 'group':
        if (!source.places.has(key)) source.places.set(key, { dn: name })
        groups.push(key)
        break
      case 'foreign':
      case 'dangling':
        doubt(key, whyDoubtful[stranger.kind])
        break
      case 'people':
        for (const person of stranger.people) people.push(person)
        break
      case 'other':
        break
      case 'unknown':
        doubt(key, stranger.why)
        break
      default:
        stranger satisfies never
    }
  }
  // A person comes twice if two bases of the people overlap, or if the primary group also lists the person.
  const once = new Map(people.map((person) => [person.id, person]))
  const sorted = byState(
    once.values(),
    ({ account }) => account,
    (person) => person,
  )
  return {
    ...sorted,
    ...doubtfulOf([sorted.doubtful, doubtful]),
    groups,
    ...(more === undefined ? {} : { more }),
  }
}
