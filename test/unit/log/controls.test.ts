import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutControls } from '../../../src/log/liveLine.ts'
import { paintOf } from '../../../src/render/paint.ts'
import { holds } from '../properties/runs.ts'

describe('a text for a stream', () => {
  const painted = paintOf(true)('red', 'refused')

  test('keeps colours on a terminal only', () => {
    expect(withoutControls(`${painted}\n\tx`, true)).toBe(`${painted}\n\tx`)
    expect(withoutControls('\u001b[31mx', false)).toBe('\\u001b[31mx')
  })

  test.each([
    '\u001b]0;title\u0007',
    '\u001b[2J',
    '\u001b[K',
    '\r',
    '\u001b[1;1H',
    '\u001bc',
    '\u009b2J',
    '\u0090q\u009c',
    '\0',
    '\b\b',
    '\u007f',
    '\u001b[?25l',
  ])('gives no order to the terminal: %j', (order) => {
    const shown = withoutControls(`a${order}b`, true)
    expect(shown).not.toMatch(/(?![\n\t])\p{Cc}/u)
  })

  holds(
    'stays the same JSON document',
    500,
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      expect(JSON.parse(withoutControls(text, false))).toEqual(JSON.parse(text))
    }),
  )
})
