import { isUtf8 } from 'node:buffer'
import { compare } from '../../core/compare.ts'
import type { Group } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { textBytesMax } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import { entryNamesMax, nameCount, namesOf, onlyAscii, valuesOf } from './name.ts'
import { hasOtherSources } from './otherSources.ts'
import { type LdapSettings, primaryGroup, stableIds } from './settings.ts'
import { type Counted, countValues, isType } from './values.ts'

/**
 * One entry as groups, or why it is none.
 *
 * `group`: one group for each name of the entry. `nameless`: it has no name, or the account may not read the name. Its name can then be any name.
 * `unusable`: it has a name, but a rule could not have this name. `isCrowded`: it has more than `entryNamesMax` names, and this is the result of the first ones.
 */
type EntryResult = { readonly isCrowded: boolean } & (
  | { readonly kind: 'group'; readonly groups: readonly [Group, ...Group[]]; readonly members: Members }
  | { readonly kind: 'nameless'; readonly place: string }
  | { readonly kind: 'unusable'; readonly place: string }
)

/**
 * The members of an entry. `counted`: their number, or that of a part. `absent`: the entry does not have the attribute, so it has no members, or
 * the account may not read them. `unclear`: it has members, but how many is unknown. `unwanted`: the settings name no attribute.
 */
type Members = ({ readonly kind: 'counted' } & Counted) | { readonly kind: 'absent' | 'unclear' | 'unwanted' }

/**
 * An entry with several names is a group under each of them, since logins may send any. A name that is not UTF-8, or longer than any name in a
 * rule, is unusable. An entry that has such a name and another name still counts as an entry with several names.
 *
 * @param membersMax more members are not counted
 */
export function takeEntry({ dn: place, attributes }: LdapEntry, wanted: LdapSettings['groups'], membersMax: number): EntryResult {
  const names = groupNames(attributes, wanted.name)
  const { isCrowded } = names
  if ('kind' in names) return { kind: names.kind, place, isCrowded }
  const id = stableId(attributes, wanted.id) ?? place
  const members = membersOf(attributes, wanted.members, membersMax)
  const people = members.kind === 'counted' && members.next === undefined ? { people: members.count } : {}
  const named = (name: GroupName): Group => ({ name, id, place, ...people, ...names.shown })
  return { kind: 'group', groups: [named(names.first), ...names.others.map(named)], members, isCrowded }
}

/** The names that rules can have. `shown`: all of several names, for messages. */
type Names = { readonly first: GroupName; readonly others: readonly GroupName[]; readonly shown: Pick<Group, 'names'> }
type NamesResult = { readonly isCrowded: boolean } & (Names | { readonly kind: 'nameless' | 'unusable' })

function groupNames(attributes: LdapEntry['attributes'], wanted: string): NamesResult {
  // Most entries have one name in ASCII.
  const only = onlyAscii(attributes, wanted)
  if (only !== undefined && only !== '') return { first: only as GroupName, others: [], shown: {}, isCrowded: false }
  const isCrowded = nameCount(attributes, wanted) > entryNamesMax
  const values = distinct(namesOf(attributes, wanted))
  if (values.every(({ length }) => length === 0)) return { kind: 'nameless', isCrowded }
  const [first, ...others] = values.flatMap((value) => usableName(value) ?? [])
  if (first === undefined) return { kind: 'unusable', isCrowded }
  return { first, others, shown: values.length === 1 ? {} : { names: namesShown(values) }, isCrowded }
}

/** Each value once. A server must not send one twice (RFC 4511 §4.1.7). */
const distinct = (values: readonly Buffer[]): readonly Buffer[] =>
  values.length < 2 ? values : [...new Map(values.map((value) => [value.toString('latin1'), value])).values()]

const usableName = (value: Buffer): GroupName | undefined =>
  value.length === 0 || value.length > textBytesMax ? undefined : (text(value) as GroupName | undefined)

/** Messages show at most this many names of an entry, since every group of the entry is held with these names. */
const shownMax = 10
/** Characters of each of these names. */
const charactersMax = 100

function namesShown(values: readonly Buffer[]): readonly string[] {
  const names = values.map((value) => cut(value.toString('utf8', 0, textBytesMax))).toSorted(compare)
  return names.length <= shownMax ? names : [...names.slice(0, shownMax), `${names.length - shownMax} more`]
}

const cut = (name: string): string => (name.length > charactersMax ? `${name.slice(0, charactersMax)}…` : name)

function membersOf(attributes: LdapEntry['attributes'], name: string | undefined, membersMax: number): Members {
  if (name === undefined) return { kind: 'unwanted' }
  const counted = countValues(attributes, name, 0)
  if (typeof counted === 'string') return { kind: counted }
  return counted.count > membersMax || isPrimaryGroup(attributes) || hasOtherSources(attributes, name)
    ? { kind: 'unclear' }
    : { kind: 'counted', ...counted }
}

/** Whether this is a primary group of Active Directory: most of its accounts are not among the values of `member`. */
function isPrimaryGroup(attributes: LdapEntry['attributes']): boolean {
  const [token] = valuesOf(attributes, primaryGroup.attribute)
  return token !== undefined && primaryGroup.tokens.has(token.toString('latin1'))
}

/** The first of these attributes that the entry has, as text. An empty value is none. @param wanted absent: `stableIds` */
export function stableId(attributes: LdapEntry['attributes'], wanted: string | undefined): string | undefined {
  for (const name of wanted === undefined ? stableIds : [wanted]) {
    const only = isType(name, 'objectGUID') ? undefined : onlyAscii(attributes, name)
    if (only !== undefined && only !== '') return only
    const value = valuesOf(attributes, name).find(({ length }) => length > 0)
    if (value && value.length <= textBytesMax)
      return isType(name, 'objectGUID') && value.length === 16 ? guid(value) : (text(value) ?? value.toString('hex'))
  }
  return undefined
}

/** A GUID as Active Directory prints it: the first three parts are little-endian (RFC 4122 §4.1.2, MS-DTYP 2.3.4). */
function guid(bytes: Buffer): string {
  const part = (from: number, to: number) => bytes.subarray(from, to).toString('hex')
  const swapped = (from: number, to: number) => Buffer.from(bytes.subarray(from, to).toReversed()).toString('hex')
  return [swapped(0, 4), swapped(4, 6), swapped(6, 8), part(8, 10), part(10, 16)].join('-')
}

/** The bytes as text; undefined if they are not UTF-8. A byte order mark is kept: it is part of a name. */
const text = (bytes: Buffer): string | undefined => (isUtf8(bytes) ? bytes.toString('utf8') : undefined)
