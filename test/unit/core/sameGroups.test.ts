import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { withSameGroups } from '../../../src/core/diff/renames.ts'
import { amountsOf } from '../../../src/core/judge/limits.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { changeOf, judging, planOf } from './smallWorld.ts'

const because = { at: { file: 'a.yaml', line: 1, column: 1 }, directory: 'corp' }
const rename = (n: number, groupId: string | undefined = `id-${n}`, role = 'guest'): Change => ({
  ...changeOf(`rename ENG old${n} → new${n}: guest → ${role}`),
  because,
  ...(groupId === undefined ? {} : { groupId }),
})
const known: Readonly<Record<string, string>> = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`corp/old${n}`, `id-${n}`]))
const marked = (changes: readonly Change[], count = 9): readonly boolean[] => {
  const plan: Plan = { ...planOf({}), changes }
  const { changes: after } = withSameGroups(plan, { idOf: (directory, group) => known[`${directory}/${group}`], countOf: () => count })
  return after.map((change) => change.action === 'rename' && change.sameGroup === true)
}

describe('a rename is of one group', () => {
  test('if the directory knows the new name by the id that was known for the former one', () => {
    expect(marked([rename(1), rename(2, 'id-7'), rename(3, 'other')])).toEqual([true, false, false])
  })
  test('not without an id, of a directory that is not known, or of a name that was never seen', () => {
    const { because: _, ...unplaced } = rename(1)
    const unseen = { ...rename(1), fromGroup: 'x' as GroupName } as Change
    expect(marked([{ ...rename(1), groupId: undefined } as never, unplaced as Change, unseen])).toEqual([false, false, false])
  })
  test('and not if more than half of the known groups of the directory would be', () => {
    expect(marked([rename(1), rename(2)], 4)).toEqual([true, true])
    expect(marked([rename(1), rename(2)], 3)).toEqual([false, false])
  })
})

test('such a rename counts by its role only', () => {
  const kinds = (change: Change) => amountsOf(change, judging.roles)
  const same = (role: string): Change => ({ ...rename(1, 'id-1', role), sameGroup: true }) as Change
  expect([kinds(rename(1)), kinds(same('guest')), kinds(same('member'))]).toEqual([['raises', 'lowers'], [], ['raises']])
  expect(kinds({ ...changeOf('rename ENG a → b: member → guest'), sameGroup: true } as Change)).toEqual(['lowers'])
})
