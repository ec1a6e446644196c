/**
 * Finds the groups that have another group as a member. The number of people of such a group is unknown, since the other group counts as one value.
 * Only groups of the same reading are recognised.
 */
export type Nesting = {
  /** Looks at one member of the group at `place`: the bytes from `start` to `end`. */
  look(place: string, bytes: Buffer, start: number, end: number): void
  /** The places that have one of the groups at `places` as a member. */
  parents(places: Iterable<string>): ReadonlySet<string>
}

/** Bounds the memory: 8 bytes for each. The groups whose members are not kept count as parents. */
const keptMax = 2_000_000

/**
 * A directory has many more members than groups, and a group may arrive after the groups that contain it. So a member is kept as a hash, and only if
 * its DN ends with a base of the groups. Two members with the same hash do little harm: at worst the number of people of a group is not shown.
 *
 * @param bases the DNs below which the groups are
 */
export function openNesting(bases: readonly string[], max = keptMax): Nesting {
  const ends = bases.map((base) => Buffer.from(base.trim()))
  const hashes = new Map<string, number[]>()
  const unkept = new Set<string>()
  let kept = 0
  return {
    look(place, bytes, start, end) {
      if (!ends.some((base) => endsWith(bytes, start, end, base))) return
      if (++kept > max) {
        unkept.add(place)
        return
      }
      const hash = hashOf(bytes, start, end)
      const sofar = hashes.get(place)
      if (sofar) sofar.push(hash)
      else hashes.set(place, [hash])
    },
    parents(places) {
      if (hashes.size === 0) return unkept
      const groups = new Set(Array.from(places, (place) => hashOf(Buffer.from(place), 0, Buffer.byteLength(place))))
      const parents = new Set(unkept)
      for (const [place, members] of hashes) if (members.some((hash) => groups.has(hash))) parents.add(place)
      return parents
    },
  }
}

const comma = 0x2c
const blank = 0x20

/** Compares without the case of ASCII letters and without blanks, from the end, as servers may write a DN in several ways. */
function endsWith(bytes: Buffer, start: number, end: number, base: Buffer): boolean {
  let at = end - 1
  for (let wanted = base.length - 1; wanted >= 0; wanted--) {
    const byte = base[wanted]
    // Most bytes are equal as they are.
    if (byte === bytes[at] && byte !== blank && at >= start) {
      at--
      continue
    }
    if (byte === blank) continue
    while (at >= start && bytes[at] === blank) at--
    if (at < start || folded(bytes[at]) !== folded(byte)) return false
    at--
  }
  while (at >= start && bytes[at] === blank) at--
  return base.length === 0 || at < start || bytes[at] === comma
}

/** 52 bits over the same bytes that `endsWith` compares. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let at = start; at < end; at++) {
    const byte = folded(bytes[at])
    if (byte === blank) continue
    high = Math.imul(high ^ byte, 0x01000193)
    low = Math.imul(low ^ byte, 0x85ebca6b) ^ (low >>> 13)
  }
  return (high >>> 0) * 0x100000 + (low & 0xfffff)
}

const folded = (byte = 0): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
