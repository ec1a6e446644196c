import { expect, test } from 'vitest'
import type { Bounds, GroupSize } from '../../../src/core/bounds.ts'
import { defined } from '../../../src/core/optionalFields.ts'
import type { PeopleOver } from '../../../src/core/peopleEffect.ts'
import { approvablesOf, idsIn } from '../../../src/render/approvable.ts'
import { explainPeople } from '../../../src/render/holdApproval.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { planText } from '../../../src/render/planText.ts'
import { waiverYaml } from '../../../src/render/waiverYaml.ts'
import { atLeast, between, counted, forPeople, type Numbers, people } from '../bounds.ts'
import { at, create, held, inSet, nowMs, remove, view } from './sample.ts'

/** The reason in the row of a held change, as the text of a plan shows it. */
function rowOf(over: PeopleOver['over'], concerned: number | Bounds, size: number | GroupSize | undefined, effect?: Numbers): string {
  const change = over === 'lose' ? remove('ENG', 'devs', 'guest', 'undeclared') : create('ENG', 'devs', 'member', at('a.yaml:3'))
  const more = defined({ size: typeof size === 'number' ? people(size) : size, effect: effect && counted(effect) })
  const reason = forPeople({ over, people: concerned, limit: 2, setting: `guards.people.${over}`, pass: 'id:4' })
  const one = view({ holds: [held({ ...change, ...more }, reason)] })
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

test('a number of which only bounds are known says them, and why it perhaps exceeds the limit', () => {
  const why = 'nobody knows ops'
  const perhaps = (over: string) => `perhaps more than the 2 that guards.people.${over} allows: ${why}`
  expect(rowOf('raise', between(2, 5), 63, { newly: between(2, 5), why })).toBe(
    `2 to 5 of 63 people would newly get it, ${perhaps('raise')}`,
  )
  expect(rowOf('raise', between(0, 5), 63, { newly: between(0, 5), raised: between(0, 5), raise: between(0, 5), why })).toBe(
    `at most 5 of 63 people would newly get it (at most 5) or get a higher role (at most 5), ${perhaps('raise')}`,
  )
  const more: GroupSize = { of: 'people', least: 63, why }
  expect(rowOf('raise', atLeast(2), more, { newly: atLeast(2), why })).toBe(`at least 2 people would newly get it, ${perhaps('raise')}`)
  expect(rowOf('gainProtected', atLeast(1), undefined, { newly: atLeast(12), gainProtected: atLeast(1), why })).toBe(
    `at least 1 person would newly get a protected role, ${perhaps('gainProtected')}`,
  )
  expect(rowOf('raise', atLeast(0), more, { newly: atLeast(0), why })).toBe(
    `an unknown number of people would newly get it, ${perhaps('raise')}`,
  )
})

test('a number that is certainly above the limit needs no reason', () => {
  const why = 'nobody knows ops'
  expect(rowOf('raise', atLeast(12), { of: 'people', least: 63, why }, { newly: atLeast(12), why })).toBe(
    'at least 12 people would newly get it; guards.people.raise allows 2',
  )
  expect(rowOf('raise', between(3, 5), 63, { newly: between(3, 5), why })).toBe(
    '3 to 5 of 63 people would newly get it; guards.people.raise allows 2',
  )
})

test('a number of which nothing is known says why', () => {
  const change = { ...create('ENG', 'devs', 'member'), effect: counted({ newly: atLeast(0), why: 'nobody knows ops' }) } as const
  const over = { limit: 1_000, setting: 'guards.people.x', pass: 'id:any', people: atLeast(0) } as const
  const text = (name: PeopleOver['over']) => explainPeople({ ...over, over: name }, change, 'any')
  expect(text('raise')).toEqual({
    sentence: 'an unknown number of people would newly get it, perhaps more than the 1,000 that guards.people.x allows: nobody knows ops',
    cure: 'to approve it for any number of people: --allow id:any · or remove this reason',
  })
  // The role of the row may be an ordinary one.
  expect(text('gainProtected').sentence).toMatch(/^an unknown number of people, perhaps more/)
})

test('one person is a person', () => {
  expect(rowOf('raise', 1, 1, { newly: 1 })).toBe('1 person would newly get it; guards.people.raise allows 2')
  expect(rowOf('raise', 0, 1, { newly: 0, raised: 1 })).toBe('0 of 1 person would get a higher role; guards.people.raise allows 2')
})

test.each([
  [4, 'to approve it for up to 4 people: --allow id:4'],
  [1, 'to approve it for up to 1 person: --allow id:4'],
  [between(1, 3), 'to approve it for up to 3 people: --allow id:4 · or remove this reason'],
  [atLeast(3), 'to approve it for any number of people: --allow id:4'],
  [atLeast(0), 'to approve it for any number of people: --allow id:4 · or remove this reason'],
])('the cure says for how many people (%j)', (people, cure) => {
  const over = { over: 'raise', limit: 2, setting: 'guards.people.raise', pass: 'id:4' } as const
  expect(explainPeople(forPeople({ ...over, people }), undefined, 'any').cure).toBe(cure)
})

test('numbers that are not known are left out', () => {
  expect(rowOf('raise', 4, undefined)).toBe('4 people would newly get it or get a higher role; guards.people.raise allows 2')
  const unknown = (verb: string, setting: string) =>
    `an unknown number of people would ${verb}, perhaps more than the 2 that ${setting} allows: no directory said who is in the group`
  expect(rowOf('raise', atLeast(0), undefined)).toBe(unknown('newly get it or get a higher role', 'guards.people.raise'))
  expect(rowOf('lose', atLeast(0), 7)).toBe(`undeclared, ${unknown('lose it or keep a lower role', 'guards.people.lose')}`)
})

test('a set that exceeds a limit on people shows its ID with their number, in every output, and approve takes it', () => {
  const changes = ['a', 'b'].map((group) => create('ENG', group, 'member', { size: people(60) }))
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
