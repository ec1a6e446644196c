import { describe, expect, test } from 'vitest'
import type { FileId } from '../../../src/journal/fileId.ts'
import { addLook, type Heartbeat, isSilent } from '../../../src/orders/look.ts'

const file = (inode: bigint): FileId => ({ device: 1n, inode })

/** Looks at one order at the given seconds. Each look finds the time of the last touch, in any unit, and maybe another file. */
function looks(...all: readonly (readonly [second: number, mtime: bigint, inode?: bigint])[]) {
  let touches: Heartbeat | undefined
  for (const [second, mtimeNs, inode = 1n] of all) touches = addLook(touches, { id: file(inode), mtimeNs }, second * 1000)
  const last = (all.at(-1)?.[0] ?? 0) * 1000
  return { isTouched: touches?.isTouched, isSilent: touches && isSilent(touches, last) }
}

describe('an order counts as touched', () => {
  test.each([
    ['if two looks find different times', looks([0, 5n], [1, 6n]), true],
    ['if the later time is the earlier one: clocks are not compared', looks([0, 5n], [1, 4n]), true],
    ['still when the asker pauses', looks([0, 5n], [1, 6n], [2, 6n], [9, 6n]), true],
    ['not after one look, however young its time is', looks([0, 5n]), false],
    ['not if its time never changes', looks([0, 5n], [1, 5n], [2, 5n]), false],
    ['not if another file has the name', looks([0, 5n], [1, 6n, 2n]), false],
    ['not if this process stood still between the looks', looks([0, 5n], [11, 6n]), false],
    ['not by a touch before this process stood still', looks([0, 5n], [1, 6n], [20, 7n]), false],
    ['again by the next look after that', looks([0, 5n], [11, 6n], [12, 7n]), true],
  ])('%s', (_when, { isTouched }, expected) => expect(isTouched).toBe(expected))
})

describe('an order is silent', () => {
  test.each([
    ['after more than 10 s without a touch', looks([0, 5n], [1, 6n], [11.001, 6n]), true],
    ['also if it was never touched', looks([0, 5n], [5, 5n], [10.001, 5n]), true],
    ['not after 10 s', looks([0, 5n], [1, 6n], [11, 6n]), false],
    ['not if it was touched while this process stood still', looks([0, 5n], [60, 6n]), false],
  ])('%s', (_when, found, expected) => expect(found.isSilent).toBe(expected))
})
