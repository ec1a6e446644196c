import { assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openScrubber } from '../../../src/core/scrub.ts'
import { hidden as replacement } from '../../../src/core/secretText.ts'
import { openLogger } from '../../../src/log/logger.ts'
import { code, prose } from '../../../src/render/markup.ts'
import { longTest, runs } from '../../long.ts'

const secret = 'S3cr3t/"pass"+wörd\\&='

function logging(format: 'json' | 'pretty', value = secret) {
  let text = ''
  const scrubber = openScrubber()
  scrubber.add(value)
  const log = openLogger({
    level: 'debug',
    format,
    color: false,
    stream: { write: (line) => (text += line) },
    scrub: scrubber.scrub,
    now: () => 0,
  })
  return { log, text: () => text }
}

const ways: Readonly<Record<string, (value: string) => object>> = {
  field: (value) => ({ password: value }),
  nested: (value) => ({ a: { b: { C: value } } }),
  array: (value) => ({ list: ['x', [value]] }),
  key: (value) => ({ [value]: 1 }),
  error: (value) => ({ err: new Error(`bind with ${value} failed`) }),
  'nested error': (value) => ({ err: new Error('outer', { cause: new Error(value) }) }),
  'property of an error': (value) => ({ err: Object.assign(new Error('x'), { code: value, where: { secrets: [value] } }) }),
  'error in an array': (value) => ({ errors: [Object.assign(new Error('x'), { headers: { 'X-API-Key': value } })] }),
  'quoted body': (value) => ({ body: JSON.stringify({ key: value }) }),
  base64: (value) => ({ raw: Buffer.from(value).toString('base64') }),
  base64url: (value) => ({ raw: Buffer.from(value).toString('base64url') }),
  'basic authorization': (value) => ({ authorization: `Basic ${Buffer.from(`user:${value}`).toString('base64')}` }),
  'basic authorization, form-encoded': (value) => ({
    authorization: `Basic ${Buffer.from(`client:${encodeURIComponent(value)}`).toString('base64')}`,
  }),
  url: (value) => ({ url: `https://x/?key=${encodeURIComponent(value)}&a=1` }),
  'url, lower case': (value) => ({ url: `https://x/?key=${encodeURIComponent(value).replace(/%../g, (hex) => hex.toLowerCase())}` }),
  form: (value) => ({ body: new URLSearchParams({ key: value }).toString() }),
}

/** Whether a person who decodes the text finds the secret in it. */
function leaks(text: string, value: string): boolean {
  const decoded = [...text.matchAll(/[\w+/=-]{4,}/g)].flatMap(([word]) =>
    [0, 1, 2, 3].map((cut) => Buffer.from(word.slice(cut), 'base64').toString()),
  )
  const unescaped = text.replace(/%[0-9a-f]{2}(%[0-9a-f]{2})*/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
  const texts = [text, text.replaceAll('\\\\', '\\').replaceAll('\\"', '"'), unescaped, unescaped.replaceAll('+', ' '), ...decoded]
  return texts.some((one) => one.includes(value) || one.includes(encodeURIComponent(value)))
}

describe.each(['json', 'pretty'] as const)('no secret in a line of %s', (format) => {
  test.each(Object.entries(ways))('%s', (_name, make) => {
    const { log, text } = logging(format)
    log.info(make(secret), 'hello')
    expect(text()).toContain('hello')
    expect(leaks(text(), secret), text()).toBe(false)
  })

  test('message', () => {
    const { log, text } = logging(format)
    log.warn(`the key ${secret} is refused`)
    expect(text()).toContain(`the key ${replacement} is refused`)
  })
})

describe('forms that a page of a server or a rendering gives a secret', () => {
  const decimal = (text: string) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join('')
  const forms: Readonly<Record<string, (value: string) => string>> = {
    'decimal entities': decimal,
    'hexadecimal entities': (value) => Array.from(value, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
    'named entities': (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    'entities of a base64 form': (value) => decimal(Buffer.from(value).toString('base64')),
    'entities of a URL form': (value) => decimal(encodeURIComponent(value)),
    'as a name in Markdown': code,
    'as a sentence in Markdown': prose,
    'URL-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
    hex: (value) => Buffer.from(value).toString('hex'),
    'upper-case hex': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  }
  test.each(Object.entries(forms))('%s', (_name, form) => {
    for (const value of [secret, 'p@ss#word&<b>', 'plane_api_0123', 'a|b`c*d_e', 'www.x.example']) {
      const { add, scrub } = openScrubber()
      add(value)
      const shown = scrub(`before ${form(value)} after &amp; more`)
      expect(shown.replaceAll(/`|<\/?code>/g, '')).toBe(`before ${replacement} after &amp; more`)
    }
  })

  test('a text without a secret keeps its entities', () => {
    const { add, scrub } = openScrubber()
    add(secret)
    const text = '&#64;&#8203;acme &lt;b&gt; &#x110000; &#9999999; &unknown; &'
    expect(scrub(text)).toBe(text)
  })
})

test('the test would see a leak', () => {
  for (const make of Object.values(ways).filter((_make, index) => index < 1 || index > 8)) {
    expect(leaks(JSON.stringify(make(secret)), secret)).toBe(true)
  }
})

test('for any secret, in any surroundings', () => {
  const printable = string({ minLength: 4, maxLength: 40, unit: 'grapheme' }).filter((text) => text.isWellFormed())
  assert(
    property(printable, string({ maxLength: 5 }), constantFrom(...Object.values(ways).slice(9)), (value, around, make) => {
      const { scrub, add } = openScrubber()
      add(value)
      const [text] = Object.values(make(`${around}${value}`)) as [string]
      return value === replacement || !leaks(scrub(text), value) || scrub(text) === replacement
    }),
    { numRuns: runs(500) },
  )
})

test('a secret that contains another is replaced whole', () => {
  const { add, scrub } = openScrubber()
  add('hunter')
  add('hunter-and-gatherer')
  expect(scrub('password hunter-and-gatherer, old hunter')).toBe(`password ${replacement}, old ${replacement}`)
})

test('a rotated secret stays unknown to the log, up to a bound', () => {
  const { add, scrub } = openScrubber(2)
  for (const value of ['first-key', 'second-key', 'first-key', 'third-key']) add(value)
  expect(scrub('first-key second-key third-key')).toBe(`${replacement} second-key ${replacement}`)
})

longTest('of ten thousand credentials none is forgotten', () => {
  const { add, scrub } = openScrubber()
  const keys = Array.from({ length: 10_000 }, (_, n) => `plane_api_${String(n).padStart(5, '0')}f00d`)
  for (const key of keys) add(key)
  expect(keys.filter((key) => scrub(`the key ${key} is refused`) !== `the key ${replacement} is refused`)).toEqual([])
})

test('secrets that overlap are one place, and those side by side two', () => {
  const { add, scrub } = openScrubber()
  for (const value of ['first-half', 'half-second', 'another']) add(value)
  expect(scrub('a first-half-second b')).toBe(`a ${replacement} b`)
  expect(scrub('half-secondanother')).toBe(`${replacement}${replacement}`)
})

test('what two secrets have in common stays unknown when one of them is forgotten', () => {
  const { add, scrub } = openScrubber(2)
  // The first secret in hex equals the second secret.
  for (const value of ['abcd', '61626364', 'third-key']) add(value)
  expect(scrub('61626364')).toBe(replacement)
  expect(scrub('abcd')).toBe('abcd')
})

test('a value that is shorter without its blanks is taken out too', () => {
  const { add, scrub } = openScrubber()
  for (const value of ['ab  ', ' é ']) add(value)
  expect(scrub('xaby é')).toBe(`x${replacement}y ${replacement}`)
})

test('blanks at the edges of a value are no part of it: whoever sends it may trim it', () => {
  const { add, scrub } = openScrubber()
  add('trimmed-key\n')
  expect(scrub('X-API-Key: trimmed-key')).toBe(`X-API-Key: ${replacement}`)
})

test('an empty value replaces nothing', () => {
  const { add, scrub } = openScrubber()
  add('')
  expect(scrub('as it was')).toBe('as it was')
})
