import { describe, expect, test } from 'vitest'
import { type Bounds, exactly } from '../../../src/core/bounds.ts'
import type { Change } from '../../../src/core/change.ts'
import { limitsPeople, openPeopleOf, peopleOver, peopleSetOver } from '../../../src/core/judge/people.ts'
import type { PeopleLimits } from '../../../src/core/peopleEffect.ts'
import { atLeast, between, counted } from '../bounds.ts'
import { about, create, hash, patch, remove, settings } from '../render/sample.ts'

const { roles } = about
const limits = (of: PeopleLimits) => (name: keyof PeopleLimits) => {
  const limit = of[name]
  return limit === undefined ? undefined : { limit, setting: `guards.people.${name}` }
}
/** The same change, with this number of people in each of the limits. */
const withPeople = (change: Change, people: Partial<Record<keyof PeopleLimits, number | Bounds>>): Change =>
  ({ ...change, effect: counted(people) }) as Change
const all = { raise: 200, gainProtected: 200, lose: 200 }
const over = (change: Change, of: PeopleLimits = { raise: 100, gainProtected: 100, lose: 100 }) => peopleOver(change, limits(of), roles)

describe('which limit counts a change alone', () => {
  test.each<[string, Change, string | undefined]>([
    ['a grant', create('ENG', 'a', 'member'), 'gainProtected'],
    ['a raise', patch('ENG', 'a', 'guest', 'member'), 'gainProtected'],
    ['a lowering', patch('ENG', 'a', 'member', 'guest'), undefined],
    ['a delete that a file asks for', remove('ENG', 'a', 'member', 'removed'), undefined],
    ['the end of a rule', remove('ENG', 'a', 'member', 'expired'), undefined],
    ['a duplicate', remove('ENG', 'a', 'member', 'duplicate'), undefined],
    ['what is undeclared', remove('ENG', 'a', 'member', 'undeclared'), 'lose'],
    ['the settings of the workspace', settings, undefined],
  ])('%s', (_what, change, name) => expect(over(withPeople(change, all))?.over).toBe(name))
  test('is the one with most people, so that an approval for them is enough for each', () => {
    const grant = create('ENG', 'a', 'admin')
    expect(over(withPeople(grant, { raise: 150, gainProtected: 140 }))).toMatchObject({ over: 'raise', people: exactly(150) })
    expect(over(withPeople(grant, { raise: 140, gainProtected: 150 }))).toMatchObject({ over: 'gainProtected', people: exactly(150) })
    expect(over(grant)).toMatchObject({ over: 'gainProtected', pass: `${grant.id}:any` })
  })
})

describe('the limits on changes together', () => {
  const never = () => false
  const setOf = (changes: readonly Change[], beside: readonly Change[], of: PeopleLimits, passes: (change: Change) => boolean = never) =>
    peopleSetOver(changes, beside, (_, change) => passes(change), limits(of), openPeopleOf([...changes, ...beside], roles), { roles, hash })
  const lost = (group: string, lose: number) => withPeople(remove('ENG', group, 'member', 'undeclared'), { lose })
  const gained = (group: string, gainProtected: number) => withPeople(create('ENG', group, 'admin'), { gainProtected })
  test('say what would happen to how many people', () => {
    expect(setOf([lost('a', 60), lost('b', 61)], [], { lose: 100 })?.over.sentence).toBe(
      '121 people would lose a role, or keep a lower one, by 2 changes; guards.people.lose allows 100',
    )
    expect(setOf([gained('a', 1)], [], { gainProtected: 0 })?.over.sentence).toBe(
      '1 person would newly get a protected role, by 1 change; guards.people.gainProtected allows 0',
    )
  })
  test('above which the changes perhaps are: only those without an exact number wait, each by itself', () => {
    const granted = (group: string, raise: number | Bounds) => withPeople(create('ENG', group, 'member'), { raise })
    const [known, unsure, wide] = [granted('a', 60), granted('b', between(10, 30)), granted('c', between(10, 50))]
    const set = setOf([known, unsure, wide], [], { raise: 100 })
    expect(set).toMatchObject({ isUnsure: true, total: between(80, 140), changes: [unsure, wide] })
    expect(setOf([granted('a', 95), unsure], [], { raise: 100 })).toMatchObject({ isUnsure: false, over: { count: 125 } })
    expect(setOf([known, unsure], [], { raise: 100 })).toBeUndefined()
  })
  test('do not count what was approved for any number of people beside them', () => {
    const open = withPeople(create('ENG', 'x', 'member'), { raise: atLeast(5) })
    expect(setOf([withPeople(create('ENG', 'a', 'member'), { raise: 60 })], [open], { raise: 100 })).toBeUndefined()
  })
  test('count beside them only what counts in the same limit', () => {
    const removed = withPeople(remove('ENG', 'x', 'member', 'removed'), { lose: 90 })
    expect(setOf([lost('a', 60)], [removed, settings], { lose: 100 })).toBeUndefined()
    expect(setOf([lost('a', 60)], [lost('x', 90)], { lose: 100 })).toMatchObject({
      total: exactly(150),
      over: { count: 60, sentence: expect.stringContaining('by 1 change, on top of 90;') },
    })
  })
  test('count nothing that a person lets pass', () => {
    const [here, there] = [lost('a', 60), lost('x', 90)]
    expect(setOf([here], [there], { lose: 100 }, (change) => change === there)).toBeUndefined()
    expect(setOf([here, there], [], { lose: 80 }, (change) => change === here)).toMatchObject({ total: exactly(90), changes: [there] })
  })
  test('hold no change without people, nor the settings of the workspace', () => {
    const set = setOf([settings, create('OPS', 'unknown', 'member'), lost('a', 60), lost('b', 61), lost('c', 0)], [], { lose: 100 })
    expect(set?.changes.map((change) => 'group' in change && change.group)).toEqual(['a', 'b'])
  })
})

test('people are counted if a limit is set', () => {
  const guards = { people: { lose: 0 } } as Parameters<typeof limitsPeople>[0]
  expect([limitsPeople(guards), limitsPeople({ ...guards, people: {} })]).toEqual([true, false])
})
