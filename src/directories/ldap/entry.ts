import { isUtf8 } from 'node:buffer'
import { exactly } from '../../core/bounds.ts'
import { compare } from '../../core/compare.ts'
import type { Group } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { count } from '../../core/quantity.ts'
import {
  type Attribute,
  type Counted,
  countValues,
  entryNamesMax,
  hasValue,
  isPlaceholder,
  isType,
  nameAttributes,
  nameCount,
  namesOf,
  onlyAscii,
  parts,
  textBytesMax,
  valuesOf,
} from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import { memberSources } from './memberSources.ts'
import { gidAttribute, type LdapSettings, primaryGroupRids, sidAttribute, stableIds } from './settings.ts'

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
  const people =
    members.kind === 'counted' && members.next === undefined ? { size: { of: 'members', ...exactly(members.count) } as const } : {}
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
  const { more, unshown } = memberSources(attributes, name)
  const mayHaveMore = isPrimaryGroup(attributes) || hasValue(attributes, gidAttribute) || more !== undefined || unshown.length > 0
  return counted.count > membersMax || mayHaveMore ? { kind: 'unclear' } : { kind: 'counted', ...counted }
}

/** Whether this is a primary group of Active Directory: most of its accounts are not among the values of `member`. */
function isPrimaryGroup(attributes: LdapEntry['attributes']): boolean {
  const [sid] = valuesOf(attributes, sidAttribute)
  return sid !== undefined && sid.length >= 4 && primaryGroupRids.has(sid.readUInt32LE(sid.length - 4))
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

/** The entries with more than `entryNamesMax` names. Their names are copied, in the bytes in which they came. */
export type Crowded = { readonly entries: CrowdedEntry[]; bytes: number }
type CrowdedEntry = { readonly place: string; readonly attributes: readonly Attribute[] }

/** As much as one message can have. */
const bytesMax = 16 * 1024 * 1024

export const noneCrowded = (): Crowded => ({ entries: [], bytes: 0 })

/**
 * Keeps the names of an entry.
 *
 * @param name the setting `groups.name`
 * @returns false if they are not kept: all entries together have more than `bytesMax` of them, or a template joins several attributes
 */
export function keepCrowded(crowded: Crowded, { dn: place, attributes }: LdapEntry, name: string): boolean {
  const [wanted = name] = nameAttributes(name)
  if (parts(name).filter(isPlaceholder).length > 1) return false
  const copies: Attribute[] = []
  for (const attribute of attributes) {
    if (!isType(attribute.type, wanted)) continue
    if (crowded.bytes + attribute.size > bytesMax) return false
    crowded.bytes += attribute.size
    copies.push(attribute.copy())
  }
  crowded.entries.push({ place, attributes: copies })
  return true
}

/**
 * Adds each crowded entry to the index under those of its names that other entries have, so that these names are ambiguous. Otherwise a person could hide
 * the name of another group behind `entryNamesMax` names. No text is kept for a name that only this entry has.
 */
export function indexCrowded(index: Map<GroupName, Group[]>, { entries }: Crowded, name: string): void {
  if (entries.length === 0) return
  const nameParts = parts(name)
  const at = nameParts.findIndex(isPlaceholder)
  const [before, after] = at < 0 ? ['', ''] : [nameParts.slice(0, at).join(''), nameParts.slice(at + 1).join('')]
  const mayBeName = valuesOfNames(index.keys(), before, after)
  for (const { place, attributes } of entries) {
    const names = [`more than ${count(entryNamesMax)} names`]
    for (const attribute of attributes) {
      attribute.each((bytes, start, end) => {
        if (!mayBeName(bytes, start, end)) return
        const made = `${before}${bytes.toString('utf8', start, end)}${after}` as GroupName
        const namesakes = index.get(made)
        if (namesakes?.some((group) => group.place === place) === false) namesakes.push({ name: made, id: place, place, names })
      })
    }
  }
}

/**
 * Says of the bytes of a value that they make none of the names, or that they may. Almost all of a million values make none, and a text for each of them
 * would block the process for seconds.
 */
function valuesOfNames(names: Iterable<GroupName>, before: string, after: string): (bytes: Buffer, start: number, end: number) => boolean {
  const hashes = new Uint8Array(hashMax)
  for (const name of names) {
    if (!name.startsWith(before) || !name.endsWith(after)) continue
    const bytes = Buffer.from(name.slice(before.length, name.length - after.length))
    hashes[hashOf(bytes, 0, bytes.length)] = 1
  }
  return (bytes, start, end) => end - start <= textBytesMax && hashes[hashOf(bytes, start, end)] === 1
}

const hashMax = 2 ** 22

/** Below `hashMax`. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return (hash ^ (hash >>> 15)) & (hashMax - 1)
}
