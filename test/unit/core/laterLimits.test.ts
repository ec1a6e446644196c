import { describe, expect, test } from 'vitest'
import type { Owned } from '../../../src/core/diff/draft.ts'
import type { HoldReason } from '../../../src/core/hold.ts'
import { type JudgeInput, judge } from '../../../src/core/judge/guards.ts'
import { type GroupName, keyOf, type Role } from '../../../src/core/mapping.ts'
import { laterEntries } from '../../../src/render/later.ts'
import { acme, guards, judging, planOf, roles, rule, type SmallWorld, target } from './smallWorld.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `g${String(index).padStart(2, '0')}`)
/** Contracts that end, beside mappings that stay. */
const ending = (count: number, expiresMs = 5, stay = 31): SmallWorld => ({
  directories: { corp: [...names(count), ...names(stay).map((name) => `stay-${name}`)] },
  existing: [...names(count).map((name) => `ENG ${name} member`), ...names(stay).map((name) => `ENG stay-${name} guest`)],
  rules: [
    ...names(count).map((name) => rule(name, 'ENG', 'member', { expiresMs })),
    ...names(stay).map((name) => rule(`stay-${name}`, 'ENG', 'guest')),
  ],
})
const at = (world: SmallWorld, nowMs: number, more: Partial<JudgeInput> = {}) =>
  judge(planOf({ nowMs, ...world }), { ...judging, dateMs: nowMs, ...more }).plan
const waitOf = (reason: HoldReason | undefined) => (reason?.kind === 'approval' && reason.why === 'limit' ? reason.name : reason?.kind)
/** What waits, by group: as the plan of the day before says it, and as the plan of the day does. */
const before = (world: SmallWorld, more?: Partial<JudgeInput>) =>
  at(world, 4, more).later.flatMap(({ group, waits }) => (waits === undefined ? [] : [`${group} ${waitOf(waits)}`]))
const onTheDay = (world: SmallWorld, more?: Partial<JudgeInput>) =>
  at(world, 5, more).holds.map(({ group, reason }) => `${group} ${waitOf(reason)}`)
const known: Owned = {
  standingOf: () => 'ours',
  givenOf: () => undefined,
  hasRecordedEnd: () => true,
  willRecordEnd: () => true,
  givingFiles: () => 0,
}
const admins = { owns: ['workspaceRoles'], directories: { corp: ['a', 'b', 'c'] } } as const
const starting = { startsMs: 5, allowProtected: true }

describe('the plan of the day before says what will wait as the plan of the day does', () => {
  test.each<[string, SmallWorld, number]>([
    ['ends beyond a limit', ending(13), 13],
    ['ends within it', ending(7), 0],
    ['ends that the journal will have known for long', { ...ending(13), owned: known }, 0],
    ['ends that leave a list empty', ending(3, 5, 0), 3],
    ['lowerings', { ...ending(13), rules: [...(ending(13).rules ?? []), ...names(13).map((name) => rule(name, 'ENG', 'guest'))] }, 0],
    [
      'starts, also of roles whose former rule ends then',
      {
        directories: { corp: names(12) },
        rules: names(12).flatMap((name) => [rule(name, 'ENG', 'member', { startsMs: 5 }), rule(name, 'ENG', 'guest', { expiresMs: 5 })]),
        existing: names(12).map((name) => `ENG ${name} guest`),
        owned: known,
      },
      12,
    ],
    [
      'the last administrator',
      { ...admins, rules: [rule('a', 'workspace', 'admin', { expiresMs: 5 })], existing: ['workspace a admin', 'workspace b guest'] },
      1,
    ],
    [
      'a new administrator in the place of the last one',
      {
        ...admins,
        rules: [rule('a', 'workspace', 'admin', { expiresMs: 5 }), rule('b', 'workspace', 'admin', starting)],
        existing: ['workspace a admin'],
      },
      0,
    ],
    [
      'a new administrator who waits, and what requires it',
      {
        ...admins,
        rules: [
          rule('a', 'workspace', 'admin', { expiresMs: 5 }),
          rule('b', 'workspace', 'admin', { startsMs: 5 }),
          rule('c', 'workspace', 'admin', { allowProtected: true }),
        ],
        existing: ['workspace a admin', 'workspace c admin'],
      },
      2,
    ],
    ['a start that a hold keeps: it says the hold', { rules: [rule('ghost', 'ENG', 'admin', { startsMs: 5 })] }, 1],
  ])('%s', (_what, world, waiting) => {
    expect(before(world)).toHaveLength(waiting)
    expect(before(world).toSorted()).toEqual(
      onTheDay(world)
        .flatMap((line) => (line.endsWith('undeclared') ? [] : [line]))
        .toSorted(),
    )
  })

  test('a limit of the run, for this workspace alone', () => {
    const more = { guards: { ...guards, run: { ...guards.run, deletes: 3 } } }
    expect(before(ending(5), more)).toEqual(['g03 run', 'g04 run'])
    expect(before(ending(5), more)).toEqual(onTheDay(ending(5), more))
    const others = { ...judging.tally, run: { ...judging.tally.run, deletes: 3 } }
    expect(before(ending(3), { ...more, tally: others })).toEqual([])
  })

  test('each date alone', () => {
    const [first, second] = [ending(8), ending(13, 6)]
    const rules = [...(first.rules ?? []).slice(0, 8), ...(second.rules ?? []).slice(8)]
    expect(before({ ...second, rules })).toEqual([])
  })

  test('waivers in words let pass what will wait, and what does not count lets the rest pass', () => {
    const key = (name: string) => keyOf(acme, target('ENG'), name as GroupName)
    const words = (some: readonly string[], untilMs = 9) => ({
      waivers: [
        {
          ids: [],
          words: { changes: some.map((name) => ({ key: key(name), before: 'member' as Role })) },
          by: 'a',
          untilMs,
          source: 'w:1:1',
        },
      ],
    })
    const waivedIn = (world: SmallWorld, more: Partial<JudgeInput>) => at(world, 4, more).later.flatMap(({ waivedBy }) => waivedBy ?? [])
    expect(before(ending(13), words(names(13)))).toEqual([])
    expect(waivedIn(ending(13), words(names(13)))).toEqual(names(13).map(() => 'w:1:1'))
    expect(before(ending(9), words(['g00']))).toEqual([])
    expect(waivedIn(ending(9), words(['g00']))).toEqual(['w:1:1'])
    expect(before(ending(13), words(names(13), 5))).toHaveLength(13)
    expect(waivedIn(ending(3), words(names(3)))).toEqual([])
    const beside = { ...ending(3), rules: [...(ending(3).rules ?? []), rule('stay-g00', 'OPS', 'admin', { startsMs: 5 })] }
    expect([before(beside, words(names(3))), waivedIn(beside, words(names(3)))]).toEqual([['stay-g00 approval'], []])
  })

  test('words inside a fence let a grant pass, but not the limit that it exceeds with others', () => {
    const words = { changes: [{ key: keyOf(acme, target('ENG'), 'g00' as GroupName), after: 'admin' as Role }] }
    const fenced = { waivers: [{ ids: [], words, by: 'a', untilMs: 9, source: 'w:1:1', fenced: true as const }] }
    const world = (count: number) => ({
      directories: { corp: names(count) },
      rules: names(count).map((name, n) => rule(name, 'ENG', n === 0 ? 'admin' : 'member', { startsMs: 5 })),
    })
    const more = { ...fenced, guards: { ...guards, creates: { count: 2 } } }
    const rows = (count: number) => at(world(count), 4, more).later.map(({ waits, waivedBy }) => [waitOf(waits), waivedBy])
    expect(rows(2)).toEqual([
      [undefined, 'w:1:1'],
      [undefined, undefined],
    ])
    expect(rows(3)).toEqual(names(3).map(() => ['creates', undefined]))
  })

  test('the ID of the plan lets pass what waits today, and nothing that a date brings', () => {
    const world = {
      ...ending(13),
      groupSync: { wanted: { autoRemove: false }, because: rule('', 'ENG', '').because },
      existingSync: { autoRemove: true },
    }
    const { fingerprint } = planOf({ nowMs: 4, ...world })
    const more = { waivers: [{ ids: [fingerprint], by: 'a', untilMs: 9, source: '--allow' }] }
    expect(at(world, 4, more)).toMatchObject({ changes: [{ action: 'settings' }], holds: [] })
    expect(before(world, more)).toEqual(before(ending(13)))
  })

  test('limits on people and earlier slices take no part', () => {
    expect(before(ending(3), { guards: { ...guards, people: { raise: 0, gainProtected: 0, lose: 0 } } })).toEqual([])
    expect(before(ending(7), { before: planOf({ nowMs: 5, ...ending(7) }).changes })).toEqual([])
  })
})

test('the row says the number, the limit and its setting, and names no ID', () => {
  const plan = at(ending(13), 4)
  expect(plan.later.map(({ waits }) => waits)).toEqual(plan.later.map(() => expect.objectContaining({ name: 'deletes', pass: '' })))
  const whys = (world: SmallWorld, more?: Partial<JudgeInput>) =>
    laterEntries(at(world, 4, more), { workspace: 'acme', roles, doors: 'any' }).map(({ why }) => why)
  expect(whys(ending(13))[0]).toBe('will wait for approval: 13 deletes on that day, and guards.deletes.share allows 8')
  expect(whys(ending(5), { guards: { ...guards, run: { ...guards.run, deletes: 3 } } })[4]).toBe(
    'will wait for approval: 5 deletes on that day, and guards.run.deletes allows 3',
  )
  expect(whys(ending(3, 5, 0))[0]).toBe('will wait for approval: all 3 project mappings would be deleted, and none would be left')
})

test('the end of a grant that waits today is a share of no mappings', () => {
  const world = { directories: { corp: ['a'] }, rules: [rule('a', 'ENG', 'admin', { expiresMs: 5 })] }
  const { later } = at(world, 4, { guards: { ...guards, deletes: { count: 10, share: 0.2, minExisting: 0 } } })
  expect(later).toMatchObject([
    { waits: { sentence: expect.stringContaining('1 delete; guards.deletes.share allows 20 % of 0 owned mappings') } },
  ])
})

test('the plan that introduces the dates counts what it writes itself: creates and deletes of today', () => {
  const waits = (world: SmallWorld) => at(world, 4).later.filter((row) => row.waits !== undefined).length
  const { rules = [], existing = [], directories, ...rest } = ending(6, 5, 34)
  expect(waits({ ...rest, ...(directories && { directories }), rules })).toBe(0)
  expect(waits({ ...rest, ...(directories && { directories }), rules, existing })).toBe(0)
  const going = Array.from({ length: 10 }, (_, n) => `ENG gone-${n} member`)
  const removed = going.map((line) => line.replace(' member', ''))
  const few = ending(10, 5, 30)
  expect(waits({ ...few, existing: [...(few.existing ?? []), ...going], removed })).toBe(10)
  expect(waits({ ...few, existing: [...(few.existing ?? []), ...going] })).toBe(0)
})

const endsA = rule('a', 'workspace', 'admin', { expiresMs: 5 })
const adminB = (where: string, allowProtected = true) => rule('b', where, 'admin', { allowProtected })
test.each<[string, SmallWorld, readonly string[]]>([
  [
    'an administrator of today takes the place of one who ends',
    { rules: [endsA, adminB('workspace')], existing: ['workspace a admin'] },
    [],
  ],
  [
    'not if the grant waits',
    { rules: [endsA, adminB('workspace', false)], existing: ['workspace a admin', 'workspace c guest'] },
    ['a lastAdministrator'],
  ],
  [
    'nor if it is one of a project',
    { rules: [endsA, adminB('ENG')], existing: ['workspace a admin', 'workspace c guest'] },
    ['a lastAdministrator'],
  ],
  [
    'one who goes today is none on the day',
    { rules: [endsA], removed: ['workspace b'], existing: ['workspace a admin', 'workspace b admin', 'workspace c guest'] },
    ['a lastAdministrator'],
  ],
  [
    'nor one who gets another role today',
    { rules: [endsA, rule('b', 'workspace', 'guest')], existing: ['workspace a admin', 'workspace b admin'] },
    ['a lastAdministrator'],
  ],
  [
    'a mapping of today fills its own list',
    { rules: [rule('a', 'workspace', 'guest', { expiresMs: 5 }), rule('b', 'workspace', 'guest')], existing: ['workspace a guest'] },
    [],
  ],
  [
    'and no other',
    { rules: [rule('a', 'workspace', 'guest', { expiresMs: 5 }), rule('b', 'ENG', 'guest')], existing: ['workspace a guest'] },
    ['a emptiesList'],
  ],
])('dates are judged by what this plan leaves: %s', (_what, world, waiting) =>
  expect(before({ directories: { corp: ['a', 'b', 'c'] }, ...world })).toEqual(waiting),
)
