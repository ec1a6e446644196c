import { expect, test } from 'vitest'
import { type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { emptyMemory, remember } from '../../../src/core/memory/memory.ts'
import { checkDirectory } from '../../../src/cycle/shrink.ts'
import { complete, failed } from '../core/smallWorld.ts'

/** Ten groups. The first has `more` names in addition to its own. */
function groups(more: number): GroupIndex {
  const own = Array.from({ length: 10 }, (_, n) => `g${n}`)
  const names = ['g0', ...Array.from({ length: more }, (_, n) => `other${n}`)]
  const several = more === 0 ? {} : { names }
  const first = names.map((name) => ({ name: name as GroupName, id: 'g0', place: 'g0', ...several }))
  return indexGroups([...first, ...own.slice(1).map((name) => ({ name: name as GroupName, id: name, place: name }))])
}
const limit = { share: 0.2, minExisting: 1 }
const accepted = (size: number) => remember(emptyMemory, { kind: 'reading', atMs: 0, run: 'r', of: 'corp', size }, 1_000)
const check = (index: GroupIndex, before: number) => checkDirectory('corp', complete(index), limit, accepted(before))

test('the names of one entry come and go without making a directory grow or shrink', () => {
  for (const more of [0, 1, 1_000]) expect(check(groups(more), 10)).toEqual(complete(groups(more)))
})

test('a reading is compared with the last accepted one of this directory', () => {
  expect(check(groups(0), 13)).toMatchObject({ status: 'partial', missing: expect.stringContaining('10 now, 13 before') })
  expect(check(groups(0), 13)).toMatchObject({ missing: expect.stringContaining('directories.corp.shrink.share') })
  expect(checkDirectory('lab', complete(groups(0)), limit, accepted(13)).status).toBe('complete')
  expect(check(indexGroups([]), 0).status).toBe('partial')
  expect(checkDirectory('corp', failed, limit, accepted(13))).toEqual(failed)
})
