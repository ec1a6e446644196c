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
