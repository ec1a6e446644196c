import { describe, expect, test } from 'vitest'
import { checkExpected, type Expected } from '../../../src/core/expected.ts'
import { complete, failed, groups, partial } from './smallWorld.ts'

const has = (...names: readonly string[]) => complete(groups(...names))
const missing = (reading: ReturnType<typeof has>, expected: Expected) => {
  const checked = checkExpected(reading, expected, 'directories.corp.expect')
  return checked.status === 'partial' ? checked.missing : checked.status
}
const cure = 'check that the account may read all groups, or correct directories.corp.expect'

describe('a complete reading', () => {
  test.each<[string, readonly string[], Expected, string]>([
    ['with what is expected', ['a', 'b'], { atLeast: 2, names: ['a', 'b'] }, 'complete'],
    ['without expectations', [], {}, 'complete'],
    ['with one name of two groups', ['a@x', 'a@y'], { atLeast: 1 }, 'complete'],
    ['with too few groups', ['a'], { atLeast: 2 }, `it has 1 group, and directories.corp.expect.atLeast is 2; ${cure}`],
    ['without one group', ['a'], { names: ['a', 'b'] }, `it lacks b, and directories.corp.expect.names requires this group; ${cure}`],
    ['without two groups', [], { names: ['a', 'b'] }, `it lacks a and b, and directories.corp.expect.names requires these groups; ${cure}`],
    [
      'without six groups and the number',
      [],
      { atLeast: 6, names: ['a', 'b', 'c', 'd', 'e', 'f'] },
      `it has 0 groups, and directories.corp.expect.atLeast is 6; it lacks a, b, c, d, e and 1 more, and directories.corp.expect.names requires these groups; ${cure}`,
    ],
    ['without a group with a hidden character', [], { names: ['a\u200b'] }, expect.stringContaining('it lacks a\\u{200b},') as string],
  ])('%s', (_what, names, expected, said) => expect(missing(has(...names), expected)).toEqual(said))

  test('keeps its groups and times when it becomes partial', () => {
    const reading = has('a')
    expect(checkExpected(reading, { atLeast: 2 }, 'x')).toMatchObject({ ...reading, status: 'partial' })
  })
})

test.each([
  ['partial', partial(groups())],
  ['failed', failed],
])('a %s reading stays as it is', (_status, reading) => {
  expect(checkExpected(reading, { atLeast: 1, names: ['a'] }, 'x')).toBe(reading)
})
