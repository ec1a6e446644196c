/** Searches a text for thousands of forms (encodings of secrets) in one pass. More forms do not make it slower. */
type FormIndex = {
  readonly add: (form: string) => void
  /** A form that was added several times stays until it is removed as many times. */
  readonly remove: (form: string) => void
  /** The places of a text that contain a form, in order. Places that overlap are joined. `end` is exclusive. */
  readonly placesIn: (text: string) => Iterable<FormPlace>
}

export type FormPlace = { readonly start: number; readonly end: number }

/**
 * A form is looked up by this many of its first characters. Thousands of API keys may begin with the same characters, so the whole form is then
 * looked up among the forms of its length.
 */
const startLength = 4

/** Form → how often it was added. */
type Counts = Map<string, number>
/** Number of first characters (fewer than `startLength` only for shorter forms) → first characters → length of the form → counts. */
type Starts = Map<number, Map<string, Map<number, Counts>>>

export function openFormIndex(): FormIndex {
  const starts: Starts = new Map()
  /** UTF-16 code → how many forms begin with it. Usually no form begins at a given place of a text, so this test comes first. */
  const formsByFirstCode = new Uint32Array(65_536)
  /** The same for the forms that are shorter than `startLength`. */
  const shortByFirstCode = new Uint32Array(65_536)
  /** Hash of the first `startLength` codes → how many forms have it. Without this test every word that begins like a form would be cut out and looked up. */
  const formsByStart = new Uint32Array(65_536)

  function change(form: string, by: 1 | -1): void {
    const length = Math.min(startLength, form.length)
    const byStart = getOrSet(starts, length, () => new Map<string, Map<number, Counts>>())
    const byLength = getOrSet(byStart, form.slice(0, length), () => new Map<number, Counts>())
    const counts = getOrSet(byLength, form.length, () => new Map<string, number>())
    const count = (counts.get(form) ?? 0) + by
    formsByFirstCode[form.charCodeAt(0)]! += by
    if (form.length < startLength) shortByFirstCode[form.charCodeAt(0)]! += by
    else formsByStart[hashOfStart(form, 0)]! += by
    if (count > 0) {
      counts.set(form, count)
      return
    }
    // Empty maps are removed, too.
    counts.delete(form)
    if (counts.size === 0) byLength.delete(form.length)
    if (byLength.size === 0) byStart.delete(form.slice(0, length))
  }

  /** The end of the longest form that begins at `at`; `at` itself if no form begins there. */
  function endAt(text: string, at: number): number {
    let end = at
    for (const [length, byStart] of starts) {
      for (const [whole, counts] of byStart.get(text.slice(at, at + length)) ?? []) {
        if (at + whole > end && counts.has(text.slice(at, at + whole))) end = at + whole
      }
    }
    return end
  }

  function mayBeginAt(text: string, at: number): boolean {
    const code = text.charCodeAt(at)
    return formsByFirstCode[code] !== 0 && (shortByFirstCode[code] !== 0 || formsByStart[hashOfStart(text, at)] !== 0)
  }

  function* placesIn(text: string): Generator<FormPlace> {
    let place: { start: number; end: number } | undefined
    for (let at = 0; at < text.length; at++) {
      const end = mayBeginAt(text, at) ? endAt(text, at) : at
      if (end === at) continue
      if (place !== undefined && at < place.end) place.end = Math.max(place.end, end)
      else {
        if (place !== undefined) yield place
        place = { start: at, end }
      }
    }
    if (place !== undefined) yield place
  }

  return { add: (form) => change(form, 1), remove: (form) => change(form, -1), placesIn }
}

/** 16 bits over `startLength` codes. Behind the end of the text a code counts as 0. */
function hashOfStart(text: string, at: number): number {
  let hash = 0
  for (let next = at; next < at + startLength; next++) hash = Math.imul(hash ^ text.charCodeAt(next), 0x01000193)
  return (hash ^ (hash >>> 16)) & 0xffff
}

function getOrSet<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
