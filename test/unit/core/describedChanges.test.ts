import { describe, expect, test } from 'vitest'
import { type Bounds, exactly } from '../../../src/core/bounds.ts'
import type { Change } from '../../../src/core/change.ts'
import { openWaivers } from '../../../src/core/judge/waivers.ts'
import type { GroupName, Key, Role } from '../../../src/core/mapping.ts'
import type { PeopleOver } from '../../../src/core/peopleEffect.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import type { DescribedChange, WaiverWords } from '../../../src/core/waiverWords.ts'
import { atLeast, between, forPeople } from '../bounds.ts'
import { changeOf, planOf, settingsOf } from './smallWorld.ts'

const plan = planOf({})
const waiverOf = (words: WaiverWords): Waiver => ({ ids: [], words, by: 'ann', untilMs: 10, source: 'a.yaml:9:5' })
const passes = (change: Change, words: WaiverWords): boolean =>
  openWaivers([waiverOf(words)], plan, () => exactly(0)).ofChange(change) !== undefined

const key = 'acme/project/ENG/devs' as Key
const [admin, member, old] = ['admin' as Role, 'member' as Role, 'old' as GroupName]
const kinds = {
  create: { change: changeOf('create ENG devs = admin'), words: { key, after: admin } },
  patch: { change: changeOf('patch ENG devs: member → admin'), words: { key, before: member, after: admin } },
  rename: { change: changeOf('rename ENG old → devs: member → admin'), words: { key, fromGroup: old, before: member, after: admin } },
  delete: { change: changeOf('delete ENG devs = member (removed)'), words: { key, before: member } },
  settings: {
    change: settingsOf({ autoRemove: true, enabled: false }, { autoRemove: false, enabled: true }),
    words: { before: { autoRemove: true, enabled: false }, after: { autoRemove: false, enabled: true } },
  },
} satisfies Readonly<Record<string, { readonly change: Change; readonly words: DescribedChange }>>

test.each(Object.entries(kinds))(
  'the words of a waiver for a %s let this change pass, and no change of another kind',
  (kind, { words }) => {
    const passing = Object.entries(kinds).filter(([, { change }]) => passes(change, { changes: [words] }))
    expect(passing.map(([name]) => name)).toEqual([kind])
  },
)

test('the words for a change of settings need each of its values, before and after', () => {
  const { change } = kinds.settings
  const near: readonly DescribedChange[] = [
    { before: { autoRemove: true }, after: { autoRemove: false, enabled: true } },
    { before: { autoRemove: true, enabled: true }, after: { autoRemove: false, enabled: true } },
    { before: { autoRemove: true, enabled: false }, after: { autoRemove: false, enabled: false } },
    { before: { autoRemove: true, enabled: false }, after: { autoRemove: false, enabled: true, syncOnLogin: true } },
  ]
  for (const one of near) expect(passes(change, { changes: [one] })).toBe(false)
})

test('an id of a group holds for a grant, not for a delete', () => {
  const { words } = kinds.create
  const change = { ...changeOf('create ENG devs = admin'), groupId: '7' } as Change
  const { change: removal, words: removed } = kinds.delete
  expect(passes(change, { changes: [{ ...words, groupId: '7' }] })).toBe(true)
  expect(passes(change, { changes: [{ ...words, groupId: '8' }] })).toBe(false)
  expect(passes(removal, { changes: [{ ...removed, groupId: '8' }] })).toBe(true)
})

test('several words about one mapping let each of their changes pass', () => {
  const changes = Object.values(kinds).map(({ words }) => words)
  for (const { change } of Object.values(kinds)) expect(passes(change, { changes })).toBe(true)
})

describe('a limit on people', () => {
  const { change, words } = kinds.create
  const over: Omit<PeopleOver, 'people'> = { over: 'raise', limit: 3, setting: 'guards.people.raise', pass: 'id:5' }
  const lets = (more: Partial<WaiverWords>, people: number | Bounds) =>
    openWaivers([waiverOf({ changes: [words], ...more })], plan, () => forPeople({ ...over, people }).people).ofPeople(
      change,
      forPeople({ ...over, people }),
    ) !== undefined
  test('is passed by words with at least as many people', () => {
    expect([lets({ people: 4 }, 5), lets({ people: 5 }, 5), lets({ people: 6 }, 5)]).toEqual([false, true, true])
    expect(lets({ people: 'any' }, 5)).toBe(true)
    expect(lets({}, 5)).toBe(false)
  })
  test('is passed only by `any` if nothing bounds the number of people from above', () => {
    expect([lets({ people: 1_000 }, atLeast(5)), lets({ people: 'any' }, atLeast(5)), lets({}, atLeast(5))]).toEqual([false, true, false])
  })
  test('is passed by words with as many people as it may concern', () => {
    expect([lets({ people: 5 }, between(2, 6)), lets({ people: 6 }, between(2, 6))]).toEqual([false, true])
  })
  test('is not passed by words for another change', () => {
    expect(lets({ people: 'any', changes: [{ key, after: member }] }, 5)).toBe(false)
  })
})
