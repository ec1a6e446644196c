import { checkExpected } from '../../../src/core/expected.ts'
import { type Group, type GroupIndex, indexGroups, indexSize } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { checkShrink, type Reading } from '../../../src/core/reading.ts'
import { seen } from './said.ts'

const named = (...names: readonly string[]): Reading<GroupIndex> => ({
  status: 'complete',
  value: indexGroups(names.map((name): Group => ({ name: name as GroupName, id: name, place: name }))),
  atMs: 0,
  tookMs: 0,
})
const shrunken = (reading: Reading<GroupIndex>, baseline: number | undefined) =>
  checkShrink(reading, indexSize, { baseline, limit: { share: 0.5, minExisting: 0 }, setting: 'directories.corp.shrink' })

export const readingDoubts = {
  'reading.empty': seen(/found no group, which proves nothing/, async () => shrunken(named(), undefined)),
  'reading.shrunken': seen(/1 now, 10 before: 90 % fewer/, async () => shrunken(named('a'), 10)),
  'reading.lacksExpected': seen(/it lacks b/, async () => checkExpected(named('a'), { names: ['b'] }, 'directories.corp.expect')),
}
