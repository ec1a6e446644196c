import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from '../../../../src/render/html/html.ts'

test('a text in a hole is text: no sign of it begins an element, ends an attribute or is an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ';', '\u202e', '\n', '\0') }), (text) => {
      const shown = html`<p title="${text}">${text}</p>`.toString()
      expect(shown).toMatch(/^<p title="[^<>"'\p{C}]*">[^<>"'\p{C}]*<\/p>$/u)
      expect(shown.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
    }),
  )
})

test('every kind of value', () => {
  expect(html`<b>${'a & b'}</b>${3}${undefined}${html`<i>${'<'}</i>`}${[html`1`, html`2`]}`.toString()).toBe(
    '<b>a &amp; b</b>3<i>&lt;</i>12',
  )
})

test('what only looks like HTML of this program is escaped', () => {
  const forged = { toString: () => '<script>' } as unknown as string
  expect(() => html`${forged}`).toThrow()
})
