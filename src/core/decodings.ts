import { codePoint, entityOf, isEntityStart, isHex } from './entities.ts'

/**
 * What each place of a text may stand for. Many encodings can follow one another, and a place may be encoded or be meant as it is, so every place
 * has several decodings: itself, and each character that an encoding can give. Nothing of the decoded text is kept.
 */
export type Decodings = {
  /** How many decodings the place has. The last ones went through the most encodings. */
  readonly countAt: (place: number) => number
  /** The decoded character: a code point, or one UTF-16 unit of the text. */
  readonly codeAt: (place: number, index: number) => number
  /** Where the text goes on after this decoding. */
  readonly endAt: (place: number, index: number) => number
  /** Whether an encoding begins at one of so many places. */
  readonly isWithin: (place: number, places: number) => boolean
}

const codeOf = (character: string): number => character.charCodeAt(0)
const [percent, equals, ampersand, backslash] = [codeOf('%'), codeOf('='), codeOf('&'), codeOf('\\')]
const [lineFeed, carriageReturn, zeroWidthSpace] = [0x0a, 0x0d, 0x200b]
/** A byte that alone is no character. */
const byteBase = 0x110000
/** Added to a character after a backslash that is taken for nothing. It is no part of an encoding, but for one with that backslash. */
const bareBase = 2 ** 21
/** A decoding is one number, so that a text of a mebibyte of backslashes takes little memory. */
const ends = 2 ** 31

/** A place where no encoding begins stands for itself. Only these characters begin one, if what follows fits. */
const beginnings = /%(?=[\da-f]{2}|[\da-f]?[%&\\=]|u)|=(?=[\da-f]{2}|[\da-f]?[%&\\=]|\s)|&(?=[#a-z%&\\=])|\\/gi

/** More decodings of one place are not followed: several for each of four encodings that stand inside one another. */
const decodingsMax = 48
/** And of these with the same character: several for each encoding. */
const sameMax = 12
/** More steps are not made to decode one place. What people and programs write needs fewer than a hundred. */
const stepsMax = 6_000

/**
 * Known encodings: percent (`%5F`, `%u005F`), entities of HTML (`&amp;`, `&#95;`, `&#x5f;`), backslashes (`\n`, `\"`, `\x5f`, `\u005f`, `\u{5f}`), quoted-printable (`=5F`,
 * and a line break after `=`), inside one another in any order. The time is linear in the length of the text.
 *
 * @returns undefined if the text has no encoding, so that each place stands for itself alone
 */
export function decodingsOf(text: string): Decodings | undefined {
  const places = Array.from(text.matchAll(beginnings), ({ index }) => index)
  if (places.length === 0) return undefined
  /** Place → index in `entries` of its first decoding; 0: the place stands for itself alone. */
  const heads = new Int32Array(text.length + 1)
  /** Code and end of each decoding as one number. A 0 follows the last decoding of a place. */
  const entries: number[] = [0]
  /** The place that is decoded now, and its decodings so far. */
  let place = 0
  let current: number[] = []
  let steps = 0

  const codeIn = (entry: number) => Math.floor(entry / ends) % bareBase
  const isBare = (entry: number) => entry >= bareBase * ends
  const endIn = (entry: number) => entry % ends
  /** Calls `then` with each decoding of a place after the current one. */
  const each = (at: number, then: (code: number, end: number, bare: boolean) => void): void => {
    if (++steps > stepsMax) return
    let next = heads[at] ?? 0
    if (next > 0) for (; entries[next] !== 0; next++) then(codeIn(entries[next]!), endIn(entries[next]!), isBare(entries[next]!))
    else if (at < text.length) then(text.charCodeAt(at), at + 1, false)
  }
  const add = (code: number, end: number): void => {
    if (current.length >= decodingsMax) return
    let same = 0
    for (const entry of current) {
      if (entry === code * ends + end) return
      if (Math.floor(entry / ends) === code) same++
    }
    if (same < sameMax) current.push(code * ends + end)
  }
  const addIfAny = (code: number | undefined, end: number) => code !== undefined && add(code, end)
  /** A byte is a character of ASCII or Latin-1, or belongs to a character in UTF-8. */
  const addByte = (byte: number, end: number): void => {
    add(byte, end)
    if (byte < 0x80) return
    add(byteBase + byte, end)
    const more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0
    const follow = (left: number, code: number, at: number): void => {
      if (left === 0) return add(code, at)
      each(at, (next, after) => next >= byteBase && next < byteBase + 0xc0 && follow(left - 1, (code << 6) | (next & 0x3f), after))
    }
    if (more > 0) follow(more, byte & (0x3f >> more), end)
  }
  /** Reads `count` digits, each of which may be encoded itself. */
  const digits = (at: number, count: number, radix: number, then: (value: number, end: number) => void, value = 0): void => {
    if (count === 0) return then(value, at)
    each(at, (code, end, bare) => {
      const digit = digitOf(code)
      if (digit < radix && !bare) digits(end, count - 1, radix, then, value * radix + digit)
    })
  }
  /** Reads up to a closing character, as long as the content can become what is looked for. */
  const upTo = (
    at: number,
    closing: number,
    canBecome: (content: string) => boolean,
    then: (content: string, end: number) => void,
    content = '',
  ): void =>
    each(at, (code, end, bare) => {
      if (bare) return
      if (code === closing) return then(content, end)
      const longer = code < 0x80 ? content + String.fromCharCode(code) : ''
      if (longer !== '' && canBecome(longer)) upTo(end, closing, canBecome, then, longer)
    })

  const decoders: Readonly<Record<number, (end: number) => void>> = {
    [percent](end) {
      digits(end, 2, 16, addByte)
      each(end, (code, after, bare) => code === codeOf('u') && !bare && digits(after, 4, 16, add))
    },
    [equals](end) {
      digits(end, 2, 16, addByte)
      each(end, (code, after) => {
        if (!isBlank(code)) return
        let isBroken = false
        if (code === carriageReturn)
          each(after, (next, last) => {
            if (next !== lineFeed) return
            isBroken = true
            each(last, add)
          })
        if (!isBroken) each(after, add)
      })
    },
    [ampersand](end) {
      upTo(end, codeOf(';'), isEntityStart, (content, after) => {
        const code = entityOf(content)
        // Renderings put a zero-width space after characters that have a meaning in Markdown.
        if (code === zeroWidthSpace) each(after, add)
        else addIfAny(code, after)
      })
    },
    [backslash](end) {
      each(end, (code, after) => {
        if (code === backslash) return
        // It may mean nothing, however often an encoding has doubled it.
        add(bareBase + code, after)
        const control = controls[code]
        if (control !== undefined) add(control, after)
        if (code === codeOf('x')) digits(after, 2, 16, addByte)
        if (code === codeOf('U')) digits(after, 8, 16, (value, last) => value <= 0x10ffff && add(value, last))
        if (code !== codeOf('u')) return
        digits(after, 4, 16, add)
        each(
          after,
          (brace, inside) => brace === codeOf('{') && upTo(inside, codeOf('}'), isHex, (hex, last) => addIfAny(codePoint(hex, 16), last)),
        )
      })
    },
  }

  // From the end: the decodings of a place depend on those after it.
  for (place of places.toReversed()) {
    steps = 0
    current = [text.charCodeAt(place) * ends + place + 1]
    // A decoded character may begin the next encoding.
    for (let index = 0; index < current.length; index++) {
      const entry = current[index]!
      if (!isBare(entry)) decoders[codeIn(entry)]?.(endIn(entry))
    }
    if (current.length === 1) continue
    heads[place] = entries.length
    for (const entry of current) entries.push(entry)
    entries.push(0)
  }
  return {
    countAt: (place) => (heads[place] === 0 ? 1 : entries.indexOf(0, heads[place]) - heads[place]!),
    codeAt: (place, index) => (heads[place] === 0 ? text.charCodeAt(place) : codeIn(entries[heads[place]! + index]!)),
    isWithin(place, places) {
      for (let next = place; next < place + places; next++) if (heads[next]) return true
      return false
    },
    endAt: (place, index) => (heads[place] === 0 ? place + 1 : endIn(entries[heads[place]! + index]!)),
  }
}

/** `\n` and the like. */
const controls: Readonly<Record<number, number>> = Object.fromEntries(
  Array.from('abtnvfr')
    .map((letter, index) => [codeOf(letter), 7 + index])
    .concat([
      [codeOf('0'), 0],
      [codeOf('e'), 0x1b],
    ]),
)

const notADigit = 36
/** The value of a digit or letter, in either case. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x7a && code < 0x80 ? letter - 0x57 : notADigit
}

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)
