import { FilterParser, ResultCodeError } from 'ldapts'
import { openSemaphore } from '../../http/semaphore.ts'
import type { Connection } from './connection.ts'
import { dnKey } from './dn.ts'
import { searchPage } from './page.ts'
import { requireBound } from './paging.ts'
import type { PeopleSettings } from './people.ts'
import type { MemberForm } from './person.ts'
import type { LdapSettings, Search } from './settings.ts'
import { hasValuesOf, isType } from './values.ts'

/**
 * A member of a group that is none of the people who were read.
 *
 * `other`: it is neither a person nor a group, so it is not counted: a computer, a contact, a service account, a person whom `people.filter` or
 * `people.base` leaves out. `unknown`: it may be a person or a group.
 */
type Stranger = { readonly kind: 'group' | 'foreign' | 'dangling' | 'other' } | { readonly kind: 'unknown'; readonly why: string }

/** Says what a member is. @param key by `memberKey`; `name`: the value of the member attribute */
export type WhatIs = (key: string, name: string, signal: AbortSignal) => Promise<Stranger>

/** Bounds the requests of one reading: one for each stranger. */
const strangersMax = 10_000

const anything = '(objectClass=*)'
/** With it a group is recognised whose members the account may not read. The number of its people is then unknown. */
const anyGroup = '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=groupOfMembers))'
/** Each group of Active Directory has this attribute, also if it has no members. */
const groupType = 'groupType'

type Strangers = {
  readonly connection: Connection
  readonly settings: LdapSettings
  readonly people: PeopleSettings
  /** The attribute of the members. */
  readonly attribute: string
  readonly form: MemberForm
  readonly atOnce: number
}

/** Asks for each stranger once. It logs no search: the name of a member can be the name of a person. */
export function openStrangers({ connection, settings, people, attribute, form, atOnce }: Strangers): WhatIs {
  const known = new Map<string, Promise<Stranger>>()
  const turns = openSemaphore(atOnce)
  const bases = [people.base].flat().map((base) => dnKey(base) ?? '')
  const mayBePerson = (key: string) => bases.some((base) => base === '' || key === base || key.endsWith(`,${base}`))

  /** The names of the attributes that say that the entry is a group. Undefined: the filter is not true, or the account may not see the entry. */
  async function typesOf(name: string, filterText: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const attributes = [attribute, groupType]
    const search: Search = {
      base: name,
      scope: 'base',
      filter: FilterParser.parseString(filterText),
      filterText,
      attributes,
      typesOnly: true,
    }
    const types: string[][] = []
    const end = await turns.take(signal)
    try {
      requireBound(connection)
      await searchPage(connection, search, { size: 0, cookie: undefined }, settings.timeoutMs, (entry) =>
        types.push(entry.attributes.filter((one) => hasValuesOf(one, attribute) || isType(one.type, groupType)).map(({ type }) => type)),
      )
    } finally {
      end()
    }
    return types[0]
  }

  async function ask(key: string, name: string, signal: AbortSignal): Promise<Stranger> {
    try {
      const types = await typesOf(name, anything, signal)
      if (types !== undefined && types.length > 0) return { kind: 'group' }
      if (types !== undefined) return { kind: people.nested && (await typesOf(name, anyGroup, signal)) !== undefined ? 'group' : 'other' }
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
