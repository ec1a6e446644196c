import { expect, test } from 'vitest'
import type { CountedEffect, PeopleOver } from '../../../src/core/peopleEffect.ts'
import { explainPeople } from '../../../src/render/holdApproval.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/text.ts'
import { at, create, held, remove, view } from './sample.ts'

const none: CountedEffect = { kind: 'counted', newly: 0, raised: 0, lowered: 0, lost: 0, gainProtected: 0 }

/** The reason in the row of a held change, as the text of a plan shows it. */
function rowOf(
  over: PeopleOver['over'],
  people: number | undefined,
  total: number | undefined,
  effect?: Partial<CountedEffect>,
  atLeast?: number,
): string {
  const change = over === 'lose' ? remove('ENG', 'devs', 'guest', 'undeclared') : create('ENG', 'devs', 'member', at('a.yaml:3'))
  const more = { ...(total === undefined ? {} : { people: total }), ...(effect === undefined ? {} : { effect: { ...none, ...effect } }) }
  const reason = { kind: 'approval', why: 'people', over, limit: 2, setting: `guards.people.${over}`, pass: 'id:4' } as const
  const numbers = { ...(people === undefined ? {} : { people }), ...(atLeast === undefined ? {} : { atLeast }) }
  const one = view({ holds: [held({ ...change, ...more }, { ...reason, ...numbers })] })
  const text = plansText([one], { colour: false, width: 200 })
  const row = /^ +! ENG {2}devs [→=] \w+\s+(.*?)(?: {2,}a\.yaml:3)?$/m.exec(text)?.[1] ?? text
  expect(planMarkdown([one])).toContain(row)
  return row
}

test('a row that people must approve has each number of people once', () => {
  expect(rowOf('raise', 4, 5, { newly: 1, raised: 3 })).toBe(
    '4 of 5 people would newly get it (1) or get a higher role (3); guards.people.raise allows 2',
  )
  expect(rowOf('raise', 5, 5, { newly: 5 })).toBe('5 people would newly get it; guards.people.raise allows 2')
  expect(rowOf('raise', 3, 1_600, { raised: 3 })).toBe('3 of 1,600 people would get a higher role; guards.people.raise allows 2')
  expect(rowOf('gainProtected', 3, 5, { newly: 5, gainProtected: 3 })).toBe(
    '3 of 5 people would newly get a protected role; guards.people.gainProtected allows 2',
  )
  expect(rowOf('lose', 3, 3, { lost: 1, lowered: 2 })).toBe(
    'undeclared, 3 people would lose it (1) or keep a lower role (2); guards.people.lose allows 2',
  )
  expect(rowOf('lose', 3, 9, { lowered: 3 })).toBe('undeclared, 3 of 9 people would keep a lower role; guards.people.lose allows 2')
})

test('a number that may be larger says so', () => {
  expect(rowOf('raise', undefined, 63, { newly: 12, atLeast: true }, 12)).toBe(
    'at least 12 of 63 people would newly get it; guards.people.raise allows 2',
  )
  expect(rowOf('gainProtected', undefined, undefined, { newly: 12, gainProtected: 1, atLeast: true }, 1)).toBe(
    'at least 1 person would newly get a protected role; guards.people.gainProtected allows 2',
  )
  expect(rowOf('raise', undefined, 12, { atLeast: true }, 0)).toBe(
    'an unknown number of its 12 people would newly get it or get a higher role; guards.people.raise allows 2',
  )
})

test('one person is a person', () => {
  expect(rowOf('raise', 1, 1, { newly: 1 })).toBe('1 person would newly get it; guards.people.raise allows 2')
  expect(rowOf('raise', 0, 1, { newly: 0, raised: 1 })).toBe('0 of 1 person would get a higher role; guards.people.raise allows 2')
  expect(rowOf('raise', undefined, 1)).toBe(
    'an unknown number of its 1 person would newly get it or get a higher role; guards.people.raise allows 2',
  )
})

test.each([
  [4, 'to approve it for up to 4 people: --allow id:4'],
  [1, 'to approve it for up to 1 person: --allow id:4'],
  [undefined, 'to approve it for any number of people: --allow id:4'],
])('the cure says for how many people (%s)', (people, cure) => {
  const over = { over: 'raise', limit: 2, setting: 'guards.people.raise', pass: 'id:4' } as const
  expect(explainPeople({ ...over, ...(people === undefined ? {} : { people }) }, undefined).cure).toBe(cure)
})

test('numbers that are not known are left out', () => {
  expect(rowOf('raise', 4, undefined)).toBe('4 people would newly get it or get a higher role; guards.people.raise allows 2')
  expect(rowOf('raise', undefined, undefined)).toBe(
    'an unknown number of people would newly get it or get a higher role; guards.people.raise allows 2',
  )
  expect(rowOf('lose', undefined, 7)).toBe(
    'undeclared, an unknown number of its 7 people would lose it or keep a lower role; guards.people.lose allows 2',
  )
})
