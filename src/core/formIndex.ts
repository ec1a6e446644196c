import { type Decodings, decodingsOf } from './decodings.ts'

/** A text may be cut in the middle of a secret. So the first characters of a secret are removed, too, if they are as many as this. */
const cutMin = 12

type Place = { readonly start: number; readonly end: number }

type FormIndex = {
  readonly add: (form: string) => void
  /** A form that was added several times stays until it is removed as many times. */
  readonly remove: (form: string) => void
  /** The places of a text that stand for a form, or for the beginning of one, in order. Places that overlap are joined. `end` is exclusive. */
  readonly placesIn: (text: string) => Iterable<Place>
}

/** The first units of a form by which most places of a text are passed over at once. */
const startLength = 4

/** Searches a text, as it is and as its encodings decode it, for thousands of forms of secrets in one pass. More forms do not make it slower. */
export function openFormIndex(): FormIndex {
  /** First unit → the forms that begin with it, sorted, so that each further unit of a text halves what is left to compare. */
  const byFirst = new Map<number, string[]>()
  /** Unit → how many forms begin with it; and those that are shorter than `startLength`. */
  const begins = new Uint32Array(65_536)
  const shortBegins = new Uint32Array(65_536)
  /** Hash of the first `startLength` units → how many forms have it. */
  const starts = new Uint32Array(65_536)

  function count(form: string, by: 1 | -1): void {
    begins[form.charCodeAt(0)]! += by
    if (form.length < startLength) shortBegins[form.charCodeAt(0)]! += by
    else starts[hashAt(form, 0)]! += by
  }

  function mayBeginAt(text: string, at: number): boolean {
    const unit = comparableUnit(text.charCodeAt(at))
    return begins[unit] !== 0 && (shortBegins[unit] !== 0 || starts[hashAt(text, at)] !== 0)
  }

  function narrow(range: Range, unit: number): Range | undefined {
    const { matched } = range
    const forms = matched === 0 ? byFirst.get(unit) : range.forms
    if (forms === undefined) return undefined
    if (matched === 0) return { forms, low: 0, high: forms.length, matched: 1 }
    const low = firstFrom(range, unit)
    if (low === range.high || forms[low]!.charCodeAt(matched) !== unit) return undefined
    return { forms, low, high: firstFrom({ ...range, low }, unit + 1), matched: matched + 1 }
  }

  /** The end of the longest match that begins at `start`; `start` itself if there is none. */
  function endFrom(text: string, start: number, decodings: Decodings | undefined): number {
    let end = start
    const waiting: { readonly at: number; readonly range: Range }[] = [{ at: start, range: nothingMatched }]
    /** Several ways can lead to the same place with as much matched. One of them is enough. */
    const seen = new Set<string>()
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      const { at, range } = step
      const { forms, low, matched } = range
      if (matched >= cutMin || forms[low]?.length === matched) end = Math.max(end, at)
      const choices = at < text.length ? (decodings?.countAt(at) ?? 1) : 0
      if (choices > 1) {
        const way = `${at} ${matched} ${low}`
        if (seen.has(way)) continue
        seen.add(way)
      }
      for (let choice = 0; choice < choices; choice++) {
        const next = narrowAll(range, decodings?.codeAt(at, choice) ?? text.charCodeAt(at))
        if (next !== undefined) waiting.push({ at: decodings?.endAt(at, choice) ?? at + 1, range: next })
      }
    }
    return end
  }

  /** A character outside the basic plane is two units. */
  function narrowAll(range: Range, code: number): Range | undefined {
    if (code <= 0xffff) return narrow(range, comparableUnit(code))
    if (code > 0x10ffff) return undefined
    const [high, low] = [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff)]
    const first = narrow(range, high)
    return first && narrow(first, low)
  }

  function* placesIn(text: string): Generator<Place> {
    const decodings = decodingsOf(text)
    let place: { start: number; end: number } | undefined
    for (let at = 0; at < text.length; at++) {
      if (!mayBeginAt(text, at) && !decodings?.isWithin(at, startLength)) continue
      const end = endFrom(text, at, decodings)
      if (end === at) continue
      if (place !== undefined && at < place.end) place.end = Math.max(place.end, end)
      else {
        if (place !== undefined) yield place
        place = { start: at, end }
      }
    }
    if (place !== undefined) yield place
  }

  return {
    placesIn,
    add(form) {
      count(form, 1)
      const first = form.charCodeAt(0)
      const forms = byFirst.get(first) ?? []
      byFirst.set(first, forms)
      forms.splice(placeOf(forms, form), 0, form)
    },
    remove(form) {
      count(form, -1)
      const forms = byFirst.get(form.charCodeAt(0)) ?? []
      forms.splice(placeOf(forms, form), 1)
    },
  }
}

/** The forms that begin as what is matched so far: those from `low` to before `high`. */
type Range = { readonly forms: readonly string[]; readonly low: number; readonly high: number; readonly matched: number }
const nothingMatched: Range = { forms: [], low: 0, high: 0, matched: 0 }

/** The first form of the range whose next unit is at least `unit`. A form without a next unit comes before all others. */
function firstFrom({ forms, low, high, matched }: Range, unit: number): number {
  const isFrom = (index: number) => forms[index]!.charCodeAt(matched) >= unit
  let [from, to] = [low, high]
  // Most ranges have one form, or forms that all go on in the same way.
  if (isFrom(low)) return low
  if (!isFrom(high - 1)) return high
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isFrom(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** Where a form is in a sorted list, or where it belongs. */
function placeOf(forms: readonly string[], form: string): number {
  let [from, to] = [0, forms.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (forms[middle]! < form) from = middle + 1
    else to = middle
  }
  return from
}

/** As `comparable` in `scrub.ts`. */
const comparableUnit = (unit: number): number => (unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) ? 0x2b : unit)

/** 16 bits over the first units. Behind the end of the text a unit counts as 0. */
function hashAt(text: string, at: number): number {
  let hash = 0
  for (let next = at; next < at + startLength; next++) hash = Math.imul(hash ^ comparableUnit(text.charCodeAt(next)), 0x01000193)
  return (hash ^ (hash >>> 16)) & 0xffff
}
