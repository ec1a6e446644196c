/** Texts that are looked for, all in one pass: thousands of them cost no more than one. */
export type FormIndex = {
  readonly add: (form: string) => void
  /** One that was added several times stays until it was removed as often. */
  readonly remove: (form: string) => void
  /** Where a text has any of them, in order; what overlaps is one place. `end` is exclusive. */
  readonly found: (text: string) => Iterable<Place>
}

type Place = { readonly start: number; readonly end: number }

/** So many first characters are looked up; keys may begin alike by the thousand, so the rest is looked up whole, by its length. */
const startLength = 4

/** How often each text was added, by its length, by its first characters, by how many those are: fewer only of shorter texts. */
type Counts = Map<string, number>
type Starts = Map<number, Map<string, Map<number, Counts>>>

export function openFormIndex(): FormIndex {
  const starts: Starts = new Map()
  /** How many begin with each UTF-16 code: at most places of a text none does. */
  const codes = new Uint32Array(65_536)

  function change(form: string, by: 1 | -1): void {
    const length = Math.min(startLength, form.length)
    const byStart = entry(starts, length, () => new Map<string, Map<number, Counts>>())
    const byLength = entry(byStart, form.slice(0, length), () => new Map<number, Counts>())
    const counts = entry(byLength, form.length, () => new Map<string, number>())
    const count = (counts.get(form) ?? 0) + by
    codes[form.charCodeAt(0)]! += by
    if (count > 0) counts.set(form, count)
    else if (counts.delete(form) && counts.size === 0 && byLength.delete(form.length) && byLength.size === 0)
      byStart.delete(form.slice(0, length))
  }

  /** Of the longest text that begins here; `at` where none does. */
  function endAt(text: string, at: number): number {
    let end = at
    for (const [length, byStart] of starts) {
      for (const [whole, counts] of byStart.get(text.slice(at, at + length)) ?? []) {
        if (at + whole > end && counts.has(text.slice(at, at + whole))) end = at + whole
      }
    }
    return end
  }

  function* found(text: string): Generator<Place> {
    let place: { start: number; end: number } | undefined
    for (let at = 0; at < text.length; at++) {
      const end = codes[text.charCodeAt(at)] === 0 ? at : endAt(text, at)
      if (end === at) continue
      if (place !== undefined && at < place.end) place.end = Math.max(place.end, end)
      else {
        if (place !== undefined) yield place
        place = { start: at, end }
      }
    }
    if (place !== undefined) yield place
  }

  return { add: (form) => change(form, 1), remove: (form) => change(form, -1), found }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
