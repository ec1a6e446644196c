import { expect, test } from 'vitest'
import { openScrubber } from '../../../src/core/scrub.ts'

const { add, scrub } = openScrubber()
for (const secret of ['plane_api_0123456789abcdef', 'p@ss"word\\with/all', '"\\"%25&amp;=3D%%==&&\\n']) add(secret)

/** Processor time in ms. The shortest of three runs, so that other work of the machine counts little. */
function spentMs(piece: string, length: number): number {
  const text = piece.repeat(length / piece.length)
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      scrub(text)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}

test.each([
  ...[
    '%25',
    '%3',
    '%',
    '%C3',
    '=',
    '=3D',
    '=\r\n',
    '=\\n',
    '=\\',
    '%5C',
    '\\%5C',
    '\\',
    '\\"',
    '\\n',
    '\\u005c',
    '\\x5c',
    'x5c',
    '\\u{',
    '\\\\\\u0037',
    '}',
    '5',
  ],
  ...['&', '&amp;', '&amp;amp;', '&#92;', 'a;', '\u200B', 'plane_api_', 'plane_api_0123456789abcdef'],
])('a text of many %j takes time in proportion to its length', (piece) => {
  spentMs(piece, 8_192)
  const [quarter, whole] = [spentMs(piece, 65_536), spentMs(piece, 262_144)]
  // Four times the text: 4 if the time is in proportion, 16 if it grows with the square.
  expect(whole / Math.max(quarter, 2)).toBeLessThan(10)
})

test.each([
  ['chained', `${'%3'.repeat(60_000)}5`, `${'%3'.repeat(120_000)}5`],
  ['nested', `%${'25'.repeat(60_000)}`, `%${'25'.repeat(120_000)}`],
  ['vanishing', '\\'.repeat(60_000) + String.raw`\u200b`.repeat(10_000), '\\'.repeat(120_000) + String.raw`\u200b`.repeat(20_000)],
  [
    'entities of',
    '&amp;'.repeat(12_000) + 'a'.repeat(60_000) + ';'.repeat(60_000),
    '&amp;'.repeat(24_000) + 'a'.repeat(120_000) + ';'.repeat(120_000),
  ],
])('%s encodings take time in proportion to their number', (_name, half, whole) => {
  const timeOf = (text: string) => spentMs(text, text.length)
  timeOf(half)
  expect(timeOf(whole) / Math.max(timeOf(half), 2)).toBeLessThan(5)
})
