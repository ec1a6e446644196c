import { expect, test } from 'vitest'
import { type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { emptyMemory, remember } from '../../../src/core/memory/memory.ts'
import { checkDirectory } from '../../../src/cycle/checkDirectory.ts'
import { complete, failed } from '../core/smallWorld.ts'

/** Ten groups. The first has `more` names in addition to its own. */
function groups(more: number): GroupIndex {
  const own = Array.from({ length: 10 }, (_, n) => `g${n}`)
  const names = ['g0', ...Array.from({ length: more }, (_, n) => `other${n}`)]
  const several = more === 0 ? {} : { names }
  const first = names.map((name) => ({ name: name as GroupName, id: 'g0', place: 'g0', ...several }))
  return indexGroups([...first, ...own.slice(1).map((name) => ({ name: name as GroupName, id: name, place: name }))])
}
const shrink = { share: 0.2, minExisting: 1 }
const accepted = (size: number) => remember(emptyMemory, { kind: 'reading', atMs: 0, run: 'r', of: 'corp', size }, 1_000)
const check = (index: GroupIndex, before: number) => checkDirectory('corp', complete(index), { shrink }, accepted(before))

test('the names of one entry come and go without making a directory grow or shrink', () => {
  for (const more of [0, 1, 1_000]) expect(check(groups(more), 10)).toEqual(complete(groups(more)))
})

test('a reading is compared with the last accepted one of this directory', () => {
  expect(check(groups(0), 13)).toMatchObject({ status: 'partial', missing: expect.stringContaining('10 now, 13 before') })
  expect(check(groups(0), 13)).toMatchObject({ missing: expect.stringContaining('directories.corp.shrink.share') })
  expect(checkDirectory('lab', complete(groups(0)), { shrink }, accepted(13)).status).toBe('complete')
  expect(check(indexGroups([]), 0).status).toBe('partial')
  expect(checkDirectory('corp', failed, { shrink }, accepted(13))).toEqual(failed)
})

test.each<[string, object, string | undefined]>([
  ['all that is expected', { atLeast: 10, names: ['g0', 'g9'] }, undefined],
  ['too few groups', { atLeast: 11 }, 'it has 10 groups, and directories.corp.expect.atLeast is 11; check'],
  ['an absent group', { names: ['g0', 'ops'] }, 'it lacks ops, and directories.corp.expect.names requires this group; check'],
  [
    'both',
    { atLeast: 1_200, names: ['a\u0007', 'b', 'c', 'd', 'e', 'f'] },
    'it has 10 groups, and directories.corp.expect.atLeast is 1200; it lacks a\\u{7}, b, c, d, e and 1 more, and directories.corp.expect.names requires these groups; check',
  ],
])('a reading is compared with the expectation of the settings: %s', (_, expected, missing) => {
  const reading = checkDirectory('corp', complete(groups(0)), { shrink, expect: expected }, accepted(10))
  expect(reading).toMatchObject(
    missing === undefined ? { status: 'complete' } : { status: 'partial', missing: expect.stringContaining(missing) },
  )
  expect(checkDirectory('corp', failed, { shrink, expect: expected }, accepted(10))).toEqual(failed)
})

test('the names of one entry count once, so they cannot meet an expectation of numbers', () => {
  expect(checkDirectory('corp', complete(groups(1_000)), { shrink, expect: { atLeast: 11 } }, accepted(10)).status).toBe('partial')
})
