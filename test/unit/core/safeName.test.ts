import { describe, expect, test } from 'vitest'
import { unsafeName, visible } from '../../../src/core/safeName.ts'

describe('names that can be sent', () => {
  test.each(['engineering', 'Ops/Berlin', 'd\'Or, \\ "x"', '中文', 'Ελλάδα', 'עברית', 'हिन्दी', 'é', '👩', 'a b'])('%s', (name) =>
    expect(unsafeName(name)).toBeUndefined(),
  )
})

describe('names that look like others, or that the service would change', () => {
  test.each([
    ['empty', ''],
    ['a blank before', ' a'],
    ['a blank after', 'a '],
    ['a line break', 'a\nb'],
    ['right to left override', 'a\u202eb'],
    ['zero width space', 'a\u200bb'],
    ['variation selector', 'leadership\ufe0f'],
    ['combining grapheme joiner', 'leader\u034fship'],
    ['Hangul filler', 'a\u3164b'],
    ['blank Braille', 'a\u2800b'],
    ['no-break space', 'a\u00a0b'],
    ['private use', 'a\ue000b'],
    ['half of a pair', 'a\ud800b'],
    ['a tag character', 'a\u{e0041}b'],
    ['decomposed letters', 'e\u0301quipe'],
    ['256 characters', 'a'.repeat(256)],
  ])('%s', (_name, name) => expect(unsafeName(name)).toBeDefined())
  test('255 are taken, counted as characters', () => expect(unsafeName('😀'.repeat(255))).toBeUndefined())
})

describe('says why', () => {
  test.each([
    ['', 'it is empty'],
    ['a'.repeat(256), 'it has 256 characters, the service takes 255'],
    ['😀'.repeat(256), 'it has 256 characters, the service takes 255'],
    ['a\t', 'it begins or ends with a blank, which the service would cut off'],
    ['a\u202eb', 'it contains U+202E, which cannot be seen'],
    ['a\u0007b', 'it contains U+0007, which cannot be seen'],
    ['a\u{e0041}b', 'it contains U+E0041, which cannot be seen'],
    ['e\u0301quipe', 'its letters are composed in an unusual way (not Unicode NFC), so that two names look alike'],
  ])('%j: %s', (name, why) => expect(unsafeName(name)).toBe(why))
})

test('what cannot be seen is shown', () => {
  expect(visible('leadership\ufe0f\u202e\u00a0 x')).toBe('leadership\\u{fe0f}\\u{202e}\\u{a0} x')
})
