import { readingsOf, type TextReading } from './decoded.ts'
import { hidden, secretCharactersMin } from './secretText.ts'

/** Removes secrets from texts. */
export type Scrubber = {
  /** From now on `scrub` removes this secret. */
  readonly add: (secret: string) => void
  readonly scrub: (text: string) => string
}

/** Of a form at least the first `lengthMin` units are removed, or all. */
type Form = { readonly form: string; readonly lengthMin: LengthMin }
type LengthMin = typeof cutMin | typeof shrunkMin | typeof innerMin

/** A text may be cut in the middle of a secret. So the first characters of a secret are removed, too, if they are as many as this. */
const cutMin = 12
/** The same where the secret has what looks like encodings, and so fewer units than characters. */
const shrunkMin = 8

/**
 * A text is searched as it is, and as `decoded.ts` decodes it. What stands for a secret is cut out of the original text. Thousands of secrets do not make it slower than a
 * few.
 *
 * @param secretsMax above this the secrets that were read least recently are forgotten, because rotation adds values as long as the process
 * lives. It is more than twice the credentials of any process; a secret takes eight kilobytes (measured with 20,000).
 */
export function openScrubber(secretsMax = 40_000): Scrubber {
  const known = new Map<string, readonly Form[]>()
  const index = openFormIndex(secretsMax)

  return {
    add(value) {
      // A sender may trim the secret; blanks at its ends are not secret.
      const secret = value.trim()
      if (secret === '') return
      const before = known.get(secret)
      const forms = before ?? formsOf(secret)
      known.delete(secret)
      known.set(secret, forms)
      if (before !== undefined) return
      for (const form of forms) index.add(form)
      const [oldest] = known
      if (known.size <= secretsMax || oldest === undefined) return
      known.delete(oldest[0])
      for (const form of oldest[1]) index.remove(form)
    },
    scrub(text) {
      const places = readingsOf(text)
        .flatMap(index.placesIn)
        .toSorted((a, b) => a.start - b.start)
      let safe = ''
      let from = 0
      for (const { start, end } of places) {
        if (start >= from) safe += text.slice(from, start) + hidden
        from = Math.max(from, end)
      }
      return from === 0 ? text : safe + text.slice(from)
    },
  }
}

/** What stands before a secret may make its first characters a part of an encoding. So the rest of it is searched for as well, from so many places on. */
const lostMax = 12
/** A longer secret has enough characters beside its encodings. */
const shrunkLengthMax = 64
/** Only so long a part from the middle of a secret is removed. A shorter one can be in any text, such as the name of a group. */
const innerMin = 16
/** Behind so few lost characters it is still the beginning. */
const firstLostMax = 4

/** A form of a secret without its first characters, as often as enough is left. */
const restsOf = (form: string, from: number, to: number, lengthMin: LengthMin): readonly Form[] =>
  Array.from({ length: Math.max(0, Math.min(to, form.length - lengthMin) - from + 1) }, (_, index) => ({
    form: form.slice(from + index),
    lengthMin,
  }))

/**
 * What is searched for: the secret, and the forms that do not encode it character by character. They are hex, and base64 of both alphabets, also as a part of a
 * longer text (`Basic` joins it with a name, and a client of OAuth encodes it for a URL first).
 */
function formsOf(secret: string): readonly Form[] {
  const value = secret.toWellFormed()
  const hex = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const pieces = [value, encodeURIComponent(value), new URLSearchParams({ _: value }).toString().slice(2)].flatMap(base64Forms)
  // A sender may fold a line break into a blank.
  const read = [value, value.replaceAll(/\s+/g, ' ')]
    .flatMap(readingsOf)
    .map(({ units }) => Array.from(units, (unit) => String.fromCharCode(unit)).join(''))
  const forms = new Set(read)
    .values()
    .flatMap((form): readonly Form[] =>
      form.length < value.length && value.length <= shrunkLengthMax
        ? [{ form, lengthMin: shrunkMin }, ...restsOf(form, 1, lostMax, shrunkMin)]
        : [{ form, lengthMin: cutMin }, ...restsOf(form, 1, firstLostMax, cutMin), ...restsOf(form, firstLostMax + 1, lostMax, innerMin)],
    )
  const others = new Set([hex, hex.toUpperCase(), ...pieces]).values().map((form): Form => ({ form, lengthMin: cutMin }))
  const min = Math.min(secretCharactersMin, value.length)
  return [...forms, ...others].filter(({ form }) => form.length >= min)
}

/**
 * A text in base64: whole, and inside a longer text, where it may begin at the first, second or third byte of three. Inside, the characters at
 * its edges depend on the neighbours and are left out.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  const within = [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  )
  return [btoa(bytes), ...within]
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')])
    .filter(({ length }) => length >= secretCharactersMin)
}

type Place = { readonly start: number; readonly end: number }

/** The first units of a form by which most places of a text are passed over at once. */
const startLength = 4
/** 20 bits over the last four units: what an older unit gave has been shifted out. */
const hashWith = (hash: number, unit: number): number => ((hash << 5) + Math.imul(unit, 0x9e3b5)) & 0xfffff
const hashMax = 0x100000
/** So many places of the table for each secret. Most are empty, since a secret has some sixty forms. */
const placesOfSecret = 1024

/** Searches a text for thousands of forms of secrets in one pass. */
function openFormIndex(secretsMax: number) {
  /** First unit → the forms that begin with it, sorted, so that each further unit of a text halves what is left to compare. */
  const byFirst = {
    [shrunkMin]: new Map<number, string[]>(),
    [cutMin]: new Map<number, string[]>(),
    [innerMin]: new Map<number, string[]>(),
  }
  /** The last bits of the hash of the first units → how many forms have them; and how many forms are shorter. */
  const starts = new Uint32Array(Math.min(hashMax, 2 ** Math.ceil(Math.log2(Math.max(1, secretsMax) * placesOfSecret))))
  const mask = starts.length - 1
  let short = 0

  /** How many units at a place are a form, or the beginning of one. */
  function lengthAt(units: Uint16Array, at: number, lengthMin: LengthMin): number {
    const forms = byFirst[lengthMin].get(units[at]!) ?? []
    let [low, high, length] = [0, forms.length, 0]
    for (let matched = 1; low < high; matched++) {
      if (matched >= lengthMin || forms[low]!.length === matched) length = matched
      const unit = units[at + matched]
      if (unit === undefined) break
      low = firstFrom(forms, low, high, matched, unit)
      high = firstFrom(forms, low, high, matched, unit + 1)
    }
    return length
  }

  function count(form: string, by: 1 | -1): void {
    if (form.length < startLength) short += by
    else starts[hashOf(form) & mask]! += by
  }

  return {
    placesIn({ units, starts: from, ends }: TextReading): readonly Place[] {
      const places: Place[] = []
      const margin = short > 0 ? startLength : 1
      let hash = 0
      for (let last = 0; last < units.length + margin - 1; last++) {
        hash = hashWith(hash, units[last] ?? 0)
        const at = last - startLength + 1
        if (at < 0 || (starts[hash & mask] === 0 && short === 0)) continue
        const length = Math.max(lengthAt(units, at, shrunkMin), lengthAt(units, at, cutMin), lengthAt(units, at, innerMin))
        if (length > 0) places.push({ start: from?.[at] ?? at, end: ends?.[at + length - 1] ?? at + length })
      }
      return places
    },
    add({ form, lengthMin }: Form) {
      count(form, 1)
      const lists = byFirst[lengthMin]
      const forms = lists.get(form.charCodeAt(0)) ?? []
      lists.set(form.charCodeAt(0), forms)
      forms.splice(placeOf(forms, form), 0, form)
    },
    /** A form that was added several times stays until it is removed as many times. */
    remove({ form, lengthMin }: Form) {
      count(form, -1)
      const forms = byFirst[lengthMin].get(form.charCodeAt(0)) ?? []
      forms.splice(placeOf(forms, form), 1)
    },
  }
}

function hashOf(form: string): number {
  let hash = 0
  for (let at = 0; at < startLength; at++) hash = hashWith(hash, form.charCodeAt(at))
  return hash
}

/** The first of some sorted forms whose unit at an index is at least `unit`. A form that ends before it comes first. */
function firstFrom(forms: readonly string[], low: number, high: number, index: number, unit: number): number {
  const isFrom = (at: number) => forms[at]!.charCodeAt(index) >= unit
  // Most ranges have one form, or forms that all go on in the same way.
  if (low === high || isFrom(low)) return low
  return isFrom(high - 1) ? firstWhere(low, high, isFrom) : high
}

/** Where a form is in a sorted list, or where it belongs. */
const placeOf = (forms: readonly string[], form: string): number => firstWhere(0, forms.length, (at) => forms[at]! >= form)

/** The first index from `low` to before `high` at which what becomes true is true. */
function firstWhere(low: number, high: number, isTrue: (index: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}
