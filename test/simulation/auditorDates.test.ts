import { describe, expect, test } from 'vitest'
import type { DeclaredRule, Place } from './declared.ts'
import { knowing, type Scene, scene, second } from './scene.ts'

const member: DeclaredRule = { group: 'devs', at: 'ENG', role: 'member' }
const atEng: Place = { group: 'devs', at: 'ENG' }
const hourMs = 3_600_000

/** The declared wrongs of a grant that is sent so many ms after the scene has begun, in a cycle that began at its second 1. */
function granted(
  rules: readonly DeclaredRule[],
  atMs: number,
  { skewMs = 0, drift = 0, dates = false, setMs = 0 } = {},
): readonly string[] {
  const one = scene({ versions: [[0, rules]], rows: [], dates })
  one.start(0, { skewMs, drift })
  one.pass(1_000)
  one.look(0)
  if (setMs !== 0) one.hear({ is: 'clockSet', byMs: setMs })
  return sentAt(one, atMs, () => one.grant(0, { ...atEng, role: 'member' }))
}

function sentAt(one: Scene, atMs: number, write: () => void): readonly string[] {
  one.pass(atMs - one.passedMs() - 1)
  write()
  return one.wrongs('declared')
}

test('a delete fills no limit if its rule ended because a clock was set forward by days', () => {
  const removed = (setMs: number, rules: readonly DeclaredRule[]) => {
    const rows = ['devs', 'guests'].map((group) => ({ group, at: 'ENG', role: 'member' }))
    const one = scene({ versions: [[0, rules]], rows, guards: { creates: 0, raises: 0, lowers: 0, deletes: 0, day: 0 } })
    one.start(0)
    one.pass(1_000)
    one.hear({ is: 'clockSet', byMs: setMs })
    one.look(0)
    one.remove(0, atEng)
    return one.wrongs('guards')
  }
  const counted = ['deletes 1 of at most 0']
  expect(removed(96 * hourMs, [{ ...member, expires: second(60) }])).toEqual([])
  expect(removed(24 * hourMs, [{ ...member, expires: second(60) }])).toEqual(counted)
  expect(removed(96 * hourMs, [])).toEqual(counted)
})

describe('a write goes by the dates of the moment at which it is sent', () => {
  const window: DeclaredRule = { ...member, starts: second(60), expires: second(63) }

  test.each([
    ['before the start', 59_990, ['its key is unknown']],
    ['in a window of three seconds', 60_010, []],
    ['at the end of this window', 62_990, []],
    ['after the end', 63_010, ['its key is absent']],
  ])('%s', (_when, atMs, wrongs) => expect(granted([window], atMs)).toEqual(wrongs))

  test('a rule that ended after the cycle began gives nothing any more', () => {
    expect(granted([{ ...member, expires: second(60) }], 59_990)).toEqual([])
    expect(granted([{ ...member, expires: second(60) }], 60_010)).toEqual(['its key is absent'])
  })

  test('a rule that has started keeps a mapping that another one let go before', () => {
    const removedAt = (atMs: number) => {
      const rules: DeclaredRule[] = [
        { ...member, expires: second(10) },
        { glob: 'dev*', at: 'ENG', role: 'guest', starts: second(60) },
      ]
      const one = knowing({ versions: [[0, rules]] })
      one.pass(20_000)
      one.look(0)
      return sentAt(one, atMs, () => one.remove(0, atEng))
    }
    expect(removedAt(59_990)).toEqual([])
    expect(removedAt(60_010)).toEqual(['its key is role'])
  })

  test('by the clock of the process, however wrong it is', () => {
    expect(granted([window], 160_010, { skewMs: -100_000 })).toEqual([])
    expect(granted([window], 60_010, { skewMs: -100_000 })).toEqual(['its key is unknown'])
    expect(granted([window], 59_500, { drift: 0.01 })).toEqual([])
    expect(granted([window], 60_010, { setMs: -1_000 })).toEqual(['its key is unknown'])
  })

  test('if the clocks differ by more than an hour, both must allow it', () => {
    const late = { skewMs: -2 * hourMs }
    const past: DeclaredRule = { ...member, expires: second(60) }
    expect(granted([past], 200_000, late)).toEqual([])
    expect(granted([past], 200_000, { ...late, dates: true })).toEqual(['its key is absent'])
    expect(granted([{ ...member, starts: second(60) }], 10_000, { skewMs: 2 * hourMs, dates: true })).toEqual(['its key is unknown'])
  })

  test('the date of an answer is up to 70 s old', () => {
    const both: DeclaredRule = { ...member, starts: second(50), expires: second(53) }
    const early: DeclaredRule = { ...both, starts: second(50 - 3 * 3_600) }
    expect(granted([early], 100_000, { skewMs: -2 * hourMs, dates: true })).toEqual([])
    expect(granted([early], 130_000, { skewMs: -2 * hourMs, dates: true })).toEqual(['its key is absent'])
  })
})

describe('an exact rule that is in force says which group is meant, and otherwise a pattern', () => {
  const pattern: DeclaredRule = { glob: 'dev*', at: 'ENG', role: 'member' }
  const wrongs = (exact: Partial<DeclaredRule>, atMs: number) => {
    const one = knowing({ versions: [[0, [{ ...member, ...exact }, pattern]]], rows: [] })
    one.makeAgain()
    one.look(0)
    one.pass(atMs - one.passedMs() - 1)
    one.grant(0, { ...atEng, role: 'member' })
    return [one.wrongs('declared'), one.wrongs('groups')].flat()
  }
  const wrong = ['devs was another group when the rule was written']

  test.each([
    ['a rule that has not started', { starts: second(60) }, 59_990, wrong],
    ['one that has started', { starts: second(60) }, 60_010, wrong],
    ['one that has not ended', { expires: second(60) }, 59_990, wrong],
    ['one that has ended', { expires: second(60) }, 60_010, wrong],
  ])('%s', (_what, exact, atMs, expected) => expect(wrongs(exact, atMs)).toEqual(expected))
})
