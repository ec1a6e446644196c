import { array, assert, constantFrom, nat, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openScrubber } from '../../../src/core/scrub.ts'
import { runs } from '../../long.ts'

const runMin = 16

type Encoding = {
  /** `pick` chooses whether a character is encoded, and among the forms. */
  readonly encode: (text: string, pick: () => number) => string
  readonly decode: (text: string) => string
}

const bytesOf = (character: string) => [...Buffer.from(character)]
const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const cased = (hex: string, pick: () => number) => (pick() % 2 === 0 ? hex.toUpperCase() : hex)
const ofUnits = (text: string, replace: (unit: string) => string) => text.split('').map(replace).join('')
/** Decodes runs of bytes as UTF-8. */
const ofBytes = (text: string, run: RegExp, pieceLength: number) =>
  text.replaceAll(run, (found) =>
    Buffer.from(found.match(new RegExp(`.{${pieceLength}}`, 'gs'))!.map((piece) => Number.parseInt(piece.slice(-2), 16))).toString(),
  )

const names: Readonly<Record<string, string>> = {
  '&': 'amp',
  '"': 'quot',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
  _: 'lowbar',
  '%': 'percnt',
  ö: 'ouml',
}
const characters = new Map(Object.entries(names).map(([character, name]) => [name, character]))
const letters: Readonly<Record<string, string>> = { '\n': 'n', '\t': 't', '\r': 'r', '"': '"', '\\': '\\', '/': '/' }
const controls = new Map(Object.entries(letters).map(([character, letter]) => [letter, character]))

const encodings: Readonly<Record<string, Encoding>> = {
  percent: {
    encode: (text, pick) =>
      Array.from(text, (one) =>
        pick() === 0
          ? one
          : bytesOf(one)
              .map((byte) => `%${cased(hexOf(byte, 2), pick)}`)
              .join(''),
      ).join(''),
    decode: (text) => ofBytes(text, /(?:%[\da-f]{2})+/gi, 3),
  },
  entities: {
    encode: (text, pick) =>
      Array.from(text, (one) => {
        const name = names[one]
        if (pick() === 0) return one
        if (name !== undefined && pick() > 0) return `&${name};`
        return pick() === 0 ? `&#${one.codePointAt(0)};` : `&#x${cased(hexOf(one.codePointAt(0)!, 2), pick)};`
      }).join(''),
    decode: (text) =>
      text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
        return characters.get(name) ?? (code <= 0x10ffff ? String.fromCodePoint(code) : whole)
      }),
  },
  backslashes: {
    encode: (text, pick) =>
      Array.from(text, (one) => {
        if (pick() === 0) return one
        const letter = letters[one]
        if (letter !== undefined && pick() > 0) return `\\${letter}`
        if (one.charCodeAt(0) < 0x80 && pick() === 0) return `\\x${hexOf(one.charCodeAt(0), 2)}`
        return ofUnits(one, (unit) => `\\u${cased(hexOf(unit.charCodeAt(0), 4), pick)}`)
      }).join(''),
    decode: (text) =>
      text.replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2})|([^ux]))/gi, (whole, unit, byte, letter) =>
        letter === undefined ? String.fromCharCode(Number.parseInt(unit ?? byte, 16)) : (controls.get(letter) ?? whole),
      ),
  },
  quotedPrintable: {
    encode: (text, pick) =>
      Array.from(text, (one, index) => {
        const shown =
          pick() === 0
            ? one
            : bytesOf(one)
                .map((byte) => `=${cased(hexOf(byte, 2), pick)}`)
                .join('')
        return index % 7 === 6 && pick() > 0 ? `${shown}=\r\n` : shown
      }).join(''),
    decode: (text) => ofBytes(text.replaceAll(/=\r?\n/g, ''), /(?:=[\da-f]{2})+/gi, 3),
  },
  json: { encode: (text) => JSON.stringify(text).slice(1, -1), decode: (text) => text },
  uri: { encode: (text) => encodeURIComponent(text), decode: (text) => text },
  form: { encode: (text) => new URLSearchParams({ _: text }).toString().slice(2), decode: (text) => text.replaceAll('+', ' ') },
}

/** Whether a run of the secret is in the text, also after up to four decodings in any order. */
function leaks(text: string, secret: string, left = 4): boolean {
  for (let from = 0; from + runMin <= secret.length; from++) if (text.includes(secret.slice(from, from + runMin))) return true
  if (left === 0) return false
  return Object.values(encodings).some(({ decode }) => {
    const decoded = decode(text)
    return decoded !== text && leaks(decoded, secret, left - 1)
  })
}

/** Numbers from 0 to 2, again and again; or one that encodes everything. */
const picker = (numbers: readonly number[]) => {
  let next = 0
  return () => numbers[next++ % numbers.length] ?? 1
}
const picks = array(nat({ max: 2 }), { minLength: 1, maxLength: 30 })
const layers = array(tuple(constantFrom(...Object.keys(encodings)), picks), { minLength: 0, maxLength: 4 })
const unit = constantFrom(...Array.from('abXY01_-.~"\\%&=+;#/ <>\'xun25C\nö☃😀'))
const secrets = string({ unit, minLength: runMin, maxLength: 48 }).filter((text) => text.trim().length >= runMin)
const around = constantFrom('', ' ', 'key=', '"', '\\', '%', '&', '=', '{"a":"', '&amp;', '%25', '+', 'n', '\\n', '=\r\n', 'u00', '5', 'ab')

const encoded = (secret: string, chosen: readonly (readonly [string, readonly number[]])[]) =>
  chosen.reduce((text, [name, numbers]) => encodings[name]!.encode(text, picker(numbers)), secret)

describe('a secret that is echoed through up to four encodings', () => {
  test('leaves no 16 of its characters, in any surroundings', () => {
    assert(
      property(secrets, layers, around, around, (value, chosen, before, after) => {
        const secret = value.trim()
        const { add, scrub } = openScrubber()
        add(secret)
        const shown = scrub(before + encoded(secret, chosen) + after)
        expect(leaks(shown, secret), shown).toBe(false)
      }),
      { numRuns: runs(300) },
    )
  })

  test('leaves none where the text is cut', () => {
    assert(
      property(secrets, layers, nat({ max: 200 }), (value, chosen, length) => {
        const secret = value.trim()
        const { add, scrub } = openScrubber()
        add(secret)
        const shown = scrub(`refused: ${encoded(secret, chosen)}`.slice(0, length))
        expect(leaks(shown, secret), shown).toBe(false)
      }),
      { numRuns: runs(500) },
    )
  })

  test('leaves none where each character has its own encodings, and a soft break follows it', () => {
    assert(
      property(secrets, array(layers, { minLength: 1, maxLength: 8 }), constantFrom('', '=\n', '=\r\n'), (value, chosen, soft) => {
        const secret = value.trim()
        const { add, scrub } = openScrubber()
        // A backslash or what looks like the rest of an encoding would change what its neighbours mean.
        const plain = secret.replaceAll(/[\\%&=]/g, '-')
        add(plain)
        const whole = Array.from(plain, (one, index) => encoded(one, chosen[index % chosen.length]!.slice(0, 2)) + soft).join('')
        const shown = scrub(`a ${whole} b`)
        expect(leaks(shown, plain), shown).toBe(false)
      }),
      { numRuns: runs(300) },
    )
  })

  test.each(['=\n', '=\r\n', '%3D%0A', '&#61;\n', '=\\r\\n'])('leaves none with the soft break %j after each character', (soft) => {
    const { add, scrub } = openScrubber()
    add('plane_api_0123456789abcdef')
    expect(scrub(`key: ${Array.from('plane_api_0123456789abcdef').join(soft)}.`)).toBe('key: •••.')
  })

  test.each([50, 400])('leaves none in %i encodings at one place', (count) => {
    const { add, scrub } = openScrubber()
    add('plane_api_0123456789abcdef')
    expect(scrub(`key: plane%${'25'.repeat(count)}5Fapi_0123456789abcdef.`)).toBe('key: •••.')
  })
})
