import type { Group } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { count } from '../../core/quantity.ts'
import { type Attribute, textBytesMax } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import { entryNamesMax, isPlaceholder, nameAttributes, parts } from './name.ts'
import { isType } from './values.ts'

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
  for (const one of attributes) {
    if (!isType(one.type, wanted)) continue
    if (crowded.bytes + one.size > bytesMax) return false
    crowded.bytes += one.size
    copies.push(one.copy())
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
  const all = parts(name)
  const at = all.findIndex(isPlaceholder)
  const [before, after] = at < 0 ? ['', ''] : [all.slice(0, at).join(''), all.slice(at + 1).join('')]
  const mayBeName = valuesOfNames(index.keys(), before, after)
  for (const { place, attributes } of entries) {
    const names = [`more than ${count(entryNamesMax)} names`]
    for (const attribute of attributes) {
      attribute.each((bytes, start, end) => {
        if (!mayBeName(bytes, start, end)) return
        const made = `${before}${bytes.toString('utf8', start, end)}${after}` as GroupName
        const same = index.get(made)
        if (same?.some((group) => group.place === place) === false) same.push({ name: made, id: place, place, names })
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
