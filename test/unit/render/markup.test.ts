import * as fc from 'fast-check'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { visible } from '../../../src/core/safeName.ts'
import { code, line, prose, table } from '../../../src/render/markup.ts'

/** Markdown as GitHub shows it, by a parser of the same specification. */
const htmlOf = (markdown: string) => micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
const textOf = (html: string) =>
  html.replaceAll('\u200B', '').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
/** The content of the only row's cells, as HTML. */
const cellsOf = (cells: readonly string[]) =>
  [
    ...htmlOf(
      table(
        cells.map(() => 'title'),
        [line(cells)],
      ),
    ).matchAll(/<td>(.*?)<\/td>/gs),
  ].map(([, cell = '']) => cell)

const signs = fc.constantFrom(...Array.from('`|\\<>&*_[]()~$#@:!-+=.1/ "\''), 'www.', 'https://', ':tada:', 'a', 'é', '‮')
const hostile = fc.string({ unit: signs, minLength: 1, maxLength: 12 })

test('a name in a cell is shown exactly as it is, and only as code', () => {
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      const cells = cellsOf([code(one), code(other)])
      expect(cells).toHaveLength(2)
      expect(cells.map((cell) => /^<code>([^]*)<\/code>$/.exec(cell)?.[1] ?? cell).map(textOf)).toEqual([one, other].map(visible))
      for (const cell of cells) expect(cell.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>]/)
    }),
    { numRuns: 300 },
  )
})

test('a sentence in a cell or a line is shown exactly as it is, without markup', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const [cell = ''] = cellsOf([prose(text), 'next'])
      expect(cell).not.toMatch(/[<>]/)
      expect(textOf(cell)).toBe(visible(text).trim())
      const paragraph = /^<p>([^]*)<\/p>$/.exec(htmlOf(prose(text)))?.[1]
      if (visible(text).trim() !== '') expect(textOf(paragraph ?? 'no paragraph')).toBe(visible(text).trim())
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['teams/eng.yaml:14 · team-eng', '`teams/eng.yaml:14 · team-eng`'],
  ['→ member', '`→ member`'],
  ['@acme/owners', '`@acme/owners`'],
  ['a|b', '<code>a&#124;b</code>'],
  ['`a`', '<code>&#96;a&#96;</code>'],
  ['', ''],
])('a plain name stays readable in the source: %j', (name, markdown) => expect(code(name)).toBe(markdown))

test.each([
  ['Auto-remove is off: "people" keep it (for 2 h).', 'Auto-remove is off: "people" keep it (for 2 h).'],
  ['ask @acme/owners about #12', 'ask &#64;&#8203;acme/owners about &#35;&#8203;12'],
  ['see https://x or www.x', 'see https&#58;//x or www&#46;x'],
  [':tada: 1. a', '&#58;tada: 1. a'],
  ['- a', '&#45; a'],
])('a sentence stays readable in the source: %j', (sentence, markdown) => expect(prose(sentence)).toBe(markdown))
