import { expect, test } from 'vitest'
import { openScrubber } from '../../../src/core/scrub.ts'

const { add, scrub } = openScrubber()
for (const secret of ['plane_api_0123456789abcdef', 'p@ss"word\\with/all', '"\\"%25&amp;=3D%%==&&\\n']) add(secret)

/** Processor time in ms. The shorter of three runs, so that other work of the machine counts little. */
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

test.each(['%25', '\\', '&amp;', '&amp;amp;', '%', '=', '=3D', '=\r\n', '%5C', '\\%5C', '\\u005c', '\\x5c', '&#92;', 'plane_api_', '\\"'])(
  'a text of many %j takes time in proportion to its length',
  (piece) => {
    spentMs(piece, 10_000)
    spentMs(piece, 10_000)
    expect(spentMs(piece, 20_000) / Math.max(spentMs(piece, 10_000), 2)).toBeLessThan(5)
  },
)
