import { FilterParser, ResultCodeError } from 'ldapts'
import { openSemaphore } from '../../http/semaphore.ts'
import { hasValuesOf, isType } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import { dnKey } from './dn.ts'
import { isOfGroups } from './memberSources.ts'
import { requireBound, searchPage } from './page.ts'
import { type LdapPerson, type MemberForm, type PeopleFound, type PeopleSettings, personKeys } from './people.ts'
import type { LdapSettings, Search } from './settings.ts'

/**
 * A member of a group whose name is that of none of the people who were read.
 *
 * `other`: it is neither a person nor a group, so it is not counted: a computer, a contact, a service account, a person whom `people.filter` or
 * `people.base` leaves out. `people`: the server knows it by another DN, which is that of people who were read. `unknown`: it may be a person or a group.
 */
type Stranger =
  | { readonly kind: 'group' | 'foreign' | 'dangling' | 'other' }
  | { readonly kind: 'people'; readonly people: readonly LdapPerson[] }
  | { readonly kind: 'unknown'; readonly why: string }

/** Says what a member is. @param key by `memberKey`; `name`: the value of the member attribute */
export type WhatIs = (key: string, name: string, signal: AbortSignal) => Promise<Stranger>

/** Bounds the requests of one reading: one for each stranger. */
const strangersMax = 10_000

const anything = '(objectClass=*)'
/** With it a group is recognised whose members the account may not read. The number of its people is then unknown. */
const anyGroup =
  '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=groupOfMembers)(objectClass=groupOfEntries)(objectClass=groupOfURLs)(objectClass=posixGroup))'
/** Each group of Active Directory has this attribute, also if it has no members. */
const groupType = 'groupType'

type Asked = Pick<Search, 'filterText' | 'attributes' | 'typesOnly'>

type Strangers = {
  readonly connection: Connection
  readonly settings: LdapSettings
  readonly people: PeopleSettings
  /** The people who were read, by the key of their DN. */
  readonly byKey: PeopleFound['byKey']
  /** The attribute of the members. */
  readonly attribute: string
  readonly form: MemberForm
  readonly atOnce: number
}

/** Asks for each stranger once. It logs no search: the name of a member can be the name of a person. */
export function openStrangers({ connection, settings, people, byKey, attribute, form, atOnce }: Strangers): WhatIs {
  const known = new Map<string, Promise<Stranger>>()
  const turns = openSemaphore(atOnce)
  const bases = [people.base].flat().map((base) => dnKey(base) ?? '')
  const mayBePerson = (key: string) => bases.some((base) => base === '' || key === base || key.endsWith(`,${base}`))

  /** @returns what `take` makes of the entry; undefined if the filter is not true, or if the account may not see the entry */
  async function lookAt<T>(name: string, asked: Asked, take: (entry: LdapEntry) => T, signal: AbortSignal): Promise<T | undefined> {
    const search: Search = { base: name, scope: 'base', filter: FilterParser.parseString(asked.filterText), ...asked }
    const taken: T[] = []
    const end = await turns.take(signal)
    try {
      requireBound(connection)
      await searchPage(connection, search, { size: 0, cookie: undefined }, settings.timeoutMs, (entry) => taken.push(take(entry)))
    } finally {
      end()
    }
    return taken[0]
  }

  const typesOf = (name: string, filterText: string, signal: AbortSignal) =>
    lookAt(name, { filterText, attributes: ['*', attribute, groupType], typesOnly: true }, factsOf, signal)
  const factsOf = ({ dn, attributes }: LdapEntry) => ({
    key: dnKey(dn),
    isGroup: attributes.some(
      (entryAttribute) =>
        hasValuesOf(entryAttribute, attribute) || isType(entryAttribute.type, groupType) || isOfGroups(entryAttribute.type),
    ),
  })

  /** Whether the entry is a person as people are read, although it was not among them. */
  async function isUnreadPerson(key: string | undefined, name: string, signal: AbortSignal): Promise<boolean> {
    if (key !== undefined && !mayBePerson(key)) return false
    const asked = { filterText: people.filter, attributes: ['objectClass'] }
    return (await lookAt(name, asked, (entry) => personKeys(entry, form) !== undefined, signal)) === true
  }

  async function ask(key: string, name: string, signal: AbortSignal): Promise<Stranger> {
    try {
      const facts = await typesOf(name, anything, signal)
      const known = facts?.key === undefined ? undefined : byKey.get(facts.key)
      if (known !== undefined) return { kind: 'people', people: known }
      if (facts?.isGroup === true) return { kind: 'group' }
      if (facts !== undefined) {
        if (people.nested && (await typesOf(name, anyGroup, signal)) !== undefined) return { kind: 'group' }
        if (!(await isUnreadPerson(facts.key, name, signal))) return { kind: 'other' }
        return { kind: 'unknown', why: 'one of them matches people.filter below people.base, and was not there when the people were read' }
      }
    } catch (error) {
      if (!(error instanceof ResultCodeError)) throw error
      const kind = byResult.get(error.code)
      if (kind !== undefined) return { kind }
      if (error.code !== 50) return { kind: 'unknown', why: `the server does not say what one of them is (result ${error.code})` }
    }
    // It exists, and the account may not see it.
    if (!people.nested && !mayBePerson(key)) return { kind: 'other' }
    return { kind: 'unknown', why: 'the account may not see one of them, which may be a person or a group' }
  }

  return (key, name, signal) => {
    if (form === 'uid') return Promise.resolve({ kind: 'dangling' })
    if (foreignPrincipal.test(key)) return Promise.resolve({ kind: 'foreign' })
    const asked = known.get(key)
    if (asked !== undefined) return asked
    if (known.size >= strangersMax)
      return Promise.resolve({ kind: 'unknown', why: `more than ${strangersMax} members of groups are not people of people.base` })
    const answer = ask(key, name, signal)
    known.set(key, answer)
    return answer
  }
}

/** Active Directory names an account of another forest by its SID. */
const foreignPrincipal = /^cn=s-1-[0-9-]+,cn=foreignsecurityprincipals,/

/** 10: another server has it, such as that of another domain. 32: there is no such entry. 34: no entry can have this name. */
const byResult: ReadonlyMap<number, 'foreign' | 'dangling'> = new Map([
  [10, 'foreign'],
  [32, 'dangling'],
  [34, 'dangling'],
])
