import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { flood, type GuardInput, type GuardResult, guardResults } from '../../../src/core/judge/limits.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { changeOf, guards, judging, planOf, rule, type SmallWorld } from './smallWorld.ts'

const none = { changes: 0, deletes: 0, creates: 0 }
const directories = { corp: ['a', 'b', 'c'] }
const found = (world: SmallWorld, more: Partial<GuardInput> = {}) =>
  guardResults(planOf({ directories, ...world }), { ...judging, ...more })
const refusals = (all: readonly GuardResult[]) => all.map(({ refusal }) => refusal)
const culprits = (all: readonly GuardResult[]) => all.map((one) => one.affected.map(({ action, key }) => `${action} ${key.slice(5)}`))

describe('what a plan guard says', () => {
  const existing = ['ENG a guest', 'ENG b guest', 'ENG x guest']
  test('of too many deletes: the numbers, and the setting that is wrong if they are right', () => {
    const strict = { ...guards, deletes: { count: 9, share: 0.34, minExisting: 0 } }
    expect(refusals(found({ existing, removed: ['ENG a', 'ENG b'] }, { guards: strict }))).toEqual([
      {
        guard: 'deletes',
        count: 2,
        limit: 1,
        owned: 3,
        setting: 'guards.deletes.share',
        sentence: '2 deletes (67 % of 3 owned mappings); guards.deletes.share allows 34 % of 3 owned mappings, which is 1',
      },
    ])
  })
  test.each([
    [0.29, 100, 29],
    [0.58, 50, 29],
    [0.35, 180, 63],
    [0.075, 40, 3],
    [0.075, 39, 2],
  ])('allows a share of %s of %i mappings exactly', (share, owned, limit) => {
    const rows = Array.from({ length: owned }, (_, index) => `ENG g${index} guest`)
    const removed = (count: number) => rows.slice(0, count).map((row) => row.replace(' guest', ''))
    const many = { changes: 99, deletes: 99, creates: 99 }
    const strict = { ...guards, changes: { count: 99, share: 1, minExisting: 0 }, deletes: { count: 99, share, minExisting: 0 } }
    const refused = (count: number) =>
      refusals(found({ existing: rows, removed: removed(count) }, { guards: { ...strict, run: many, day: many } }))
    expect(refused(limit)).toEqual([])
    expect(refused(limit + 1)).toMatchObject([{ guard: 'deletes', limit, setting: 'guards.deletes.share' }])
  })
  test('names minExisting where it allows more than the share', () => {
    const strict = { ...guards, deletes: { count: 9, share: 0.34, minExisting: 2 } }
    const removed = ['ENG a', 'ENG b', 'ENG x']
    expect(refusals(found({ existing, removed }, { guards: strict }))).toContainEqual(
      expect.objectContaining({
        limit: 2,
        setting: 'guards.deletes.minExisting',
        sentence: '3 deletes (100 % of 3 owned mappings); guards.deletes.minExisting allows 2, which is more than 34 % of 3 owned mappings',
      }),
    )
    const equal = { ...guards, deletes: { count: 9, share: 0.34, minExisting: 1 } }
    expect(refusals(found({ existing, removed }, { guards: equal }))).toContainEqual(
      expect.objectContaining({ limit: 1, setting: 'guards.deletes.share' }),
    )
  })
  test('names the count where both say the same', () => {
    const strict = { ...guards, changes: { count: 1, share: 0.34, minExisting: 0 } }
    expect(refusals(found({ existing, removed: ['ENG a', 'ENG b'] }, { guards: strict }))).toMatchObject([
      { guard: 'changes', limit: 1, setting: 'guards.changes.count' },
    ])
  })
  test('of what is not owned has no share', () => {
    const strict = { ...guards, changes: { count: 0, share: 1, minExisting: 0 } }
    const groupSync = { wanted: { autoRemove: true }, because: { at: { file: 'g', line: 1, column: 1 } } }
    expect(refusals(found({ groupSync, existingSync: { autoRemove: false } }, { guards: strict }))).toMatchObject([
      { owned: 0, sentence: '1 patch or delete; guards.changes.count allows 0' },
    ])
  })
  test('names whom a waiver would have to name', () => {
    const strict = { ...guards, changes: { count: 0, share: 0, minExisting: 0 }, deletes: { count: 0, share: 0, minExisting: 0 } }
    const world = { existing, rules: [rule('a', 'ENG', 'member'), rule('c', 'ENG', 'guest')], removed: ['ENG b'] }
    expect(culprits(found(world, { guards: strict }))).toEqual([['delete project/ENG/b', 'patch project/ENG/a'], ['delete project/ENG/b']])
  })
})

describe('sums over what was written before', () => {
  const patched: SmallWorld = { existing: ['ENG a guest'], rules: [rule('a', 'ENG', 'member')] }
  test.each([
    ['run', 'this run', 100],
    ['day', 'the last 24 hours', 200],
  ] as const)('%s', (span, during, limit) => {
    const tally = (changes: number) => ({ run: none, day: none, [span]: { ...none, changes } })
    expect(found(patched, { tally: tally(limit - 1) })).toEqual([])
    expect(refusals(found(patched, { tally: tally(limit) }))).toEqual([
      {
        guard: span,
        count: limit + 1,
        limit,
        setting: `guards.${span}.changes`,
        sentence: `1 patch or delete on top of ${limit} in ${during}; guards.${span}.changes allows ${limit}`,
      },
    ])
  })
  test('a plan without patches and deletes adds nothing to them', () => {
    const tally = { run: { ...none, changes: 500, deletes: 500 }, day: { ...none, changes: 500, deletes: 500 } }
    expect(found({ existing: ['ENG a guest'], rules: [rule('b', 'ENG', 'guest')] }, { tally })).toEqual([])
  })
  test('deletes count as both', () => {
    const tally = { run: { ...none, changes: 100, deletes: 20 }, day: none }
    expect(
      refusals(found({ existing: ['ENG a guest', 'ENG b guest'], removed: ['ENG a'] }, { tally })).map(({ setting }) => setting),
    ).toEqual(['guards.run.changes', 'guards.run.deletes'])
  })
})

test('the rest of a plan has the share of the mappings that existed before the first write', () => {
  const existing = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => `ENG ${name} guest`)
  const strict = { ...guards, changes: { count: 9, share: 0.3, minExisting: 2 } }
  const rest = (owned: number) => {
    const tally = { run: none, day: none, plan: { changes: 2, deletes: 0, creates: 7, owned } }
    return refusals(found({ existing, rules: [rule('a', 'ENG', 'member')] }, { guards: strict, tally }))
  }
  expect(rest(10)).toEqual([])
  expect(rest(3)).toMatchObject([{ guard: 'changes', count: 3, limit: 2, owned: 3 }])
})
test('a rest without patches and deletes is not refused for those that were written', () => {
  const plan = { changes: 9, deletes: 9, creates: 0, owned: 3 }
  const world = { existing: ['ENG a guest'], rules: [rule('a', 'OPS', 'member')] }
  const strict = { ...guards, changes: { count: 2, share: 1, minExisting: 2 }, deletes: { count: 2, share: 1, minExisting: 2 } }
  expect(found(world, { guards: strict, tally: { run: none, day: none, plan } })).toEqual([])
})

describe('a list that would be emptied', () => {
  const emptied = (world: SmallWorld) => found(world).filter(({ refusal }) => refusal.guard === 'emptiesList')
  test('of workspace mappings', () => {
    const world = { existing: ['workspace a guest', 'workspace b guest', 'ENG c guest'], removed: ['workspace a', 'workspace b'] }
    expect(refusals(emptied(world))).toEqual([
      {
        guard: 'emptiesList',
        count: 2,
        limit: 1,
        owned: 2,
        setting: 'no setting: only a waiver lets this plan pass',
        sentence: 'all 2 workspace mappings would be deleted, and none would be left',
      },
    ])
    expect(culprits(emptied(world))).toEqual([['delete workspace/a', 'delete workspace/b']])
  })
  test.each<[string, SmallWorld]>([
    ['one stays', { existing: ['ENG a guest', 'ENG b guest'], removed: ['ENG a'] }],
    ['one is there before the last one goes', { existing: ['ENG a guest'], rules: [rule('b', 'ENG', 'guest')], removed: ['ENG a'] }],
    ['it was empty', { rules: [rule('a', 'ENG', 'guest')] }],
    [
      'only the settings change',
      {
        existing: ['ENG a guest'],
        groupSync: { wanted: { autoRemove: true }, because: { at: { file: 'g', line: 1, column: 1 } } },
        existingSync: { autoRemove: false },
      },
    ],
  ])('not where %s', (_name, world) => expect(emptied(world)).toEqual([]))
})

test.each<[string, readonly [number, number, number], number, string, string | undefined]>([
  ['as many as one plan may', [200, 0, 0], 200, 'guards.creates.count', undefined],
  ['one more', [201, 0, 0], 200, 'guards.creates.count', '201 creates; guards.creates.count allows 200'],
  ['as many as one run may', [1, 399, 0], 400, 'guards.run.creates', undefined],
  ['one more', [1, 400, 0], 400, 'guards.run.creates', '1 create on top of 400 in this run; guards.run.creates allows 400'],
  ['as many as a day may', [1, 0, 799], 800, 'guards.day.creates', undefined],
  ['one more', [1, 0, 800], 800, 'guards.day.creates', '1 create on top of 800 in the last 24 hours; guards.day.creates allows 800'],
])('a flood of creates: %s', (_name, [creates, run, day], limit, setting, sentence) => {
  const found = flood(creates, { ...judging, tally: { run: { ...none, creates: run }, day: { ...none, creates: day } } })
  expect(found).toEqual(sentence === undefined ? undefined : { count: limit + 1, limit, setting, sentence })
})

test('the last administrator: the numbers and whom it is about', () => {
  const world = { existing: ['workspace a admin', 'workspace b member'], removed: ['workspace a'] }
  expect(refusals(found(world))).toEqual([
    {
      guard: 'lastAdministrator',
      count: 1,
      limit: 0,
      setting: 'no setting: only a waiver lets this plan pass',
      sentence: 'a has the last mapping to a workspace administrator role; without it no group gives that role',
    },
  ])
  expect(culprits(found(world))).toEqual([['delete workspace/a']])
})

describe('not the last administrator', () => {
  const administrators = (plan: Plan) => guardResults(plan, judging).filter(({ refusal }) => refusal.guard === 'lastAdministrator')
  test.each<[string, SmallWorld]>([
    ['where others come and go', { rules: [rule('b', 'workspace', 'member')], removed: ['workspace c'] }],
    ['where one of a project goes', { removed: ['ENG c'] }],
  ])('%s', (_name, world) => {
    const existing = ['workspace a admin', 'workspace c member', 'ENG c admin', 'ENG b guest']
    expect(administrators(planOf({ directories, existing, ...world }))).toEqual([])
  })
  test('where the one who comes was one before, or is none, the last still goes', () => {
    const plan = planOf({ existing: ['workspace a admin', 'workspace b guest'], removed: ['workspace a'] })
    const after = (before: Change): Plan => {
      const gone = { ...(plan.changes[0] as Change), requires: [before.id] }
      return { ...plan, changes: [before, gone] }
    }
    const lines = ['create workspace c = admin', 'create workspace c = member', 'rename workspace c → d: admin → owner']
    expect(lines.map((line) => administrators(after(changeOf(line))).length)).toEqual([0, 1, 1])
  })
})
