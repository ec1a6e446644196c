import { expect, test } from 'vitest'
import type { CountedEffect, PeopleOver } from '../../../src/core/peopleEffect.ts'
import { approvablesOf, idsIn } from '../../../src/render/approvable.ts'
import { explainPeople } from '../../../src/render/holdApproval.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { planText } from '../../../src/render/planText.ts'
import { waiverYaml } from '../../../src/render/waiverYaml.ts'
import { at, create, held, inSet, nowMs, remove, view } from './sample.ts'

const none: CountedEffect = { kind: 'counted', newly: 0, raised: 0, lowered: 0, lost: 0, raise: 0, gainProtected: 0, lose: 0 }

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
  const text = plansText([one], { colour: false, width: 300 })
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
  expect(rowOf('lose', 3, 3, { lost: 1, lowered: 2, lose: 3 })).toBe(
    'undeclared, 3 people would lose it (1) or keep a lower role (2); guards.people.lose allows 2',
  )
  expect(rowOf('lose', 3, 9, { lowered: 3, lose: 3 })).toBe(
    'undeclared, 3 of 9 people would keep a lower role; guards.people.lose allows 2',
  )
  expect(rowOf('lose', 3, 9, { lowered: 1, lose: 3 })).toBe(
    "undeclared, 3 of 9 people would lose it or keep a lower role, 2 of them only if the plan's grants are not written; guards.people.lose allows 2",
  )
})

test('a number that may be larger says so, and why it holds the change', () => {
  const mayBeMore = (over: string) =>
    `the directory does not show all members of the group, so there may be more than the 2 that guards.people.${over} allows`
  expect(rowOf('raise', undefined, 63, { newly: 2, atLeast: true }, 2)).toBe(
    `at least 2 of 63 people would newly get it; ${mayBeMore('raise')}`,
  )
  expect(rowOf('gainProtected', undefined, undefined, { newly: 12, gainProtected: 1, atLeast: true }, 1)).toBe(
    `at least 1 person would newly get a protected role; ${mayBeMore('gainProtected')}`,
  )
  expect(rowOf('raise', undefined, 12, { atLeast: true }, 0)).toBe(
    `none of the people who are known would newly get it or get a higher role; ${mayBeMore('raise')}`,
  )
  expect(rowOf('raise', undefined, 63, { newly: 12, atLeast: true }, 12)).toBe(
    'at least 12 of 63 people would newly get it; guards.people.raise allows 2',
  )
})

test('a number that is not known says why', () => {
  const change = { ...create('ENG', 'devs', 'member'), effect: { kind: 'unknown', why: 'nobody knows ops' } } as const
  const over = { limit: 1_000, setting: 'guards.people.x', pass: 'id:any' } as const
  const text = (name: PeopleOver['over']) => explainPeople({ ...over, over: name }, change, 'any')
  expect(text('raise')).toEqual({
    sentence:
      'an unknown number of people would newly get it or get a higher role, which counts as more than the 1,000 that guards.people.x allows: nobody knows ops',
    cure: 'to approve it for any number of people: --allow id:any · or remove this reason',
  })
  // The role of the row may be an ordinary one.
  expect(text('gainProtected').sentence).toMatch(/^an unknown number of people, which counts/)
  expect(explainPeople({ ...over, over: 'raise', atLeast: 3 }, change, 'any').cure).toBe(
    'to approve it for any number of people: --allow id:any · or do what the finding people-at-least says',
  )
})

test('one person is a person', () => {
  expect(rowOf('raise', 1, 1, { newly: 1 })).toBe('1 person would newly get it; guards.people.raise allows 2')
  expect(rowOf('raise', 0, 1, { newly: 0, raised: 1 })).toBe('0 of 1 person would get a higher role; guards.people.raise allows 2')
})

test.each([
  [4, 'to approve it for up to 4 people: --allow id:4'],
  [1, 'to approve it for up to 1 person: --allow id:4'],
  [undefined, 'to approve it for any number of people: --allow id:4 · or remove this reason'],
])('the cure says for how many people (%s)', (people, cure) => {
  const over = { over: 'raise', limit: 2, setting: 'guards.people.raise', pass: 'id:4' } as const
  expect(explainPeople({ ...over, ...(people === undefined ? {} : { people }) }, undefined, 'any').cure).toBe(cure)
})

test('numbers that are not known are left out', () => {
  expect(rowOf('raise', 4, undefined)).toBe('4 people would newly get it or get a higher role; guards.people.raise allows 2')
  const unknown = (verb: string, setting: string) =>
    `an unknown number of people would ${verb}, which counts as more than the 2 that ${setting} allows: no directory said who is in the group`
  expect(rowOf('raise', undefined, undefined)).toBe(unknown('newly get it or get a higher role', 'guards.people.raise'))
  expect(rowOf('lose', undefined, 7)).toBe(`undeclared, ${unknown('lose it or keep a lower role', 'guards.people.lose')}`)
})

test('a set that exceeds a limit on people shows its ID with their number, in every output, and approve takes it', () => {
  const changes = ['a', 'b'].map((group) => create('ENG', group, 'member', { people: 60 }))
  const over = {
    name: 'people',
    count: 120,
    limit: 100,
    setting: 'guards.people.raise',
    sentence: '120 people would newly get a role, or a higher one, by 2 changes; guards.people.raise allows 100',
  } as const
  const one = view({ holds: inSet(changes, over) })
  const [workspace] = JSON.parse(planJson([one])).workspaces
  const { id } = workspace.sets[0]
  const approve = `--allow ${id}:120`
  const text = planText(one, { colour: false, width: 400 })
  expect(text).toContain(`  limit people: ${over.sentence}\n`)
  expect(text).toContain(`to approve exactly these 2 changes (120 people): ${approve}`)
  expect(planMarkdown([one])).toContain(approve)
  expect(idsIn(workspace)).toEqual([{ id: `${id}:120`, sentence: over.sentence }])
  const numbers = [id, `${id}:130`, `${id}:any`].map((given) => approvablesOf(workspace, given))
  expect(numbers).toMatchObject([120, 130, 'any'].map((people) => [{ kind: 'words', changes: [{ group: 'a' }, { group: 'b' }], people }]))
  expect(approvablesOf(workspace, workspace.fingerprint)).toEqual([])
  const approvables = approvablesOf(workspace, `${id}:120`)
  const words = approvables === 'incomplete' ? undefined : approvables[0]
  if (words?.kind !== 'words') throw new Error('no words')
  const yaml = waiverYaml(new Map([['acme', [words]]]), { untilMs: nowMs, reason: 'INC-1' })
  expect(yaml).toContain('people: 120\n')
})
