import { describe, expect, test } from 'vitest'
import type { Amounts } from '../../../src/core/amounts.ts'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { LimitOver } from '../../../src/core/hold.ts'
import { guardsOf } from '../../../src/core/judge/guardSettings.ts'
import { type Judged, type JudgeInput, judge } from '../../../src/core/judge/guards.ts'
import { amountsOf } from '../../../src/core/judge/limits.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { changeOf, guards, judging, planOf, rule, type SmallWorld } from './smallWorld.ts'

const none: Amounts = { creates: 0, raises: 0, lowers: 0, deletes: 0 }
const numbered = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, index) => text(index))
const lineOf = ({ action, key }: Change) => `${action} ${key.slice(5).replace('project/', '')}`

/** Each set as its limit, its sentence and its changes. */
function setsIn({ plan }: Judged) {
  const held = plan.holds.flatMap(({ change, reason }) =>
    reason.kind === 'approval' && reason.why === 'limit' && change !== undefined ? [{ change, reason }] : [],
  )
  return [...Map.groupBy(held, ({ reason }) => reason.pass).values()].map((set) => ({
    over: (set[0] as (typeof set)[number]).reason as LimitOver,
    changes: set.map(({ change }) => lineOf(change)),
  }))
}
const judgeIn = (world: SmallWorld, more: Partial<JudgeInput> = {}) => judge(planOf(world), { ...judging, ...more })
const writtenIn = ({ plan }: Judged) => plan.changes.map(lineOf)
const sentences = (judged: Judged) => setsIn(judged).map(({ over }) => over.sentence)
const by = (ids: readonly string[]): Waiver => ({ ids, by: 'ann', untilMs: 1, source: '--allow' })

/** A world with `owned` mappings of which `gone` are removed, `raised` get a higher role, `lowered` a lower one, and `made` are new. */
function world({ owned = 0, gone = 0, raised = 0, lowered = 0, made = 0 }): SmallWorld {
  const names = numbered(owned, (n) => `g${n}`)
  const fresh = numbered(made, (n) => `new${n}`)
  const roleOf = (n: number) => (n < gone + raised ? 'contributor' : n < gone + raised + lowered ? 'guest' : 'commenter')
  return {
    existing: names.map((name) => `ENG ${name} commenter`),
    removed: names.slice(0, gone).map((name) => `ENG ${name}`),
    rules: [
      ...names.flatMap((name, n) => (n < gone ? [] : [rule(name, 'ENG', roleOf(n))])),
      ...fresh.map((name) => rule(name, 'ENG', 'guest')),
    ],
    directories: { corp: [...names, ...fresh] },
  }
}

describe('limits of one workspace', () => {
  const own = guardsOf(guards, { deletes: { count: 3 }, creates: { count: undefined }, lowers: { share: 0.5, minExisting: 0 } })
  test.each<[string, Parameters<typeof world>[0], readonly string[]]>([
    ['a limit of its own that is not exceeded', { owned: 12, gone: 3 }, []],
    ['a limit of its own, by its name in the settings', { owned: 40, gone: 4 }, ['workspaces.acme.guards.deletes.count']],
    ['the other settings of the same limit', { owned: 12, gone: 4 }, ['workspaces.acme.guards.deletes.count']],
    ['a limit that has no value of its own', { owned: 1, made: 201 }, ['guards.creates.count']],
    ['a limit of all workspaces', { owned: 200, raised: 51 }, ['guards.raises.count']],
    ['a lower limit on lowerings', { owned: 4, lowered: 3 }, ['workspaces.acme.guards.lowers.share']],
  ])('%s', (_, amounts, settings) => {
    expect(setsIn(judgeIn(world(amounts), { guards: own })).map(({ over }) => over.setting)).toEqual(settings)
  })
})

describe('amounts of one plan: what exceeds a limit waits, the rest is written', () => {
  test.each<[string, Parameters<typeof world>[0], string | undefined]>([
    ['deletes: the number that always passes', { owned: 12, gone: 5 }, undefined],
    [
      'one more',
      { owned: 12, gone: 6 },
      '6 deletes (50 % of 12 owned mappings); guards.deletes.minExisting allows 5, which is more than 20 % of 12 owned mappings',
    ],
    ['deletes: the share', { owned: 40, gone: 8 }, undefined],
    [
      'one more',
      { owned: 40, gone: 9 },
      '9 deletes (23 % of 40 owned mappings); guards.deletes.share allows 20 % of 40 owned mappings, which is 8',
    ],
    ['deletes: the count', { owned: 400, gone: 10 }, undefined],
    ['one more', { owned: 400, gone: 11 }, '11 deletes (3 % of 400 owned mappings); guards.deletes.count allows 10'],
    ['share and count are equal', { owned: 50, gone: 11 }, '11 deletes (22 % of 50 owned mappings); guards.deletes.count allows 10'],
    [
      'share and smallest number are equal',
      { owned: 25, gone: 6 },
      '6 deletes (24 % of 25 owned mappings); guards.deletes.share allows 20 % of 25 owned mappings, which is 5',
    ],
    ['raises: the number that always passes', { owned: 12, raised: 10 }, undefined],
    [
      'one more',
      { owned: 12, raised: 11 },
      '11 raises (92 % of 12 owned mappings); guards.raises.minExisting allows 10, which is more than 30 % of 12 owned mappings',
    ],
    ['raises: the count', { owned: 400, raised: 50 }, undefined],
    ['one more', { owned: 400, raised: 51 }, '51 raises (13 % of 400 owned mappings); guards.raises.count allows 50'],
    ['lowers: the number that always passes', { owned: 12, lowered: 10 }, undefined],
    [
      'one more',
      { owned: 12, lowered: 11 },
      '11 lowerings (92 % of 12 owned mappings); guards.lowers.minExisting allows 10, which is more than 30 % of 12 owned mappings',
    ],
    ['creates: the count', { made: 200 }, undefined],
    ['one more', { made: 201 }, '201 creates; guards.creates.count allows 200'],
  ])('%s', (_name, how, sentence) => {
    const judged = judgeIn(world(how))
    expect(sentences(judged)).toEqual(sentence === undefined ? [] : [sentence])
  })

  test.each([
    [0.29, 100, 29],
    [0.58, 50, 29],
    [0.35, 180, 63],
    [0.075, 40, 3],
    [0.075, 39, 2],
  ])('a share of %s of %i mappings is exact', (share, owned, limit) => {
    const many: Amounts = { creates: 99, raises: 99, lowers: 99, deletes: 99 }
    const strict = { ...guards, deletes: { count: 99, share, minExisting: 0 }, run: many, day: many }
    const setsOf = (gone: number) =>
      setsIn(judgeIn(world({ owned, gone }), { guards: strict })).map(({ over }) => [over.limit, over.setting])
    expect(setsOf(limit)).toEqual([])
    expect(setsOf(limit + 1)).toEqual([[limit, 'guards.deletes.share']])
  })

  test('all changes of the kind wait as one set, and nothing else', () => {
    const judged = judgeIn(world({ owned: 20, gone: 6, raised: 2, lowered: 2, made: 3 }))
    expect(setsIn(judged)).toMatchObject([
      {
        over: { name: 'deletes', count: 6, limit: 5, owned: 20, setting: 'guards.deletes.minExisting' },
        changes: numbered(6, (n) => `delete ENG/g${n}`),
      },
    ])
    expect(writtenIn(judged)).toHaveLength(7)
    expect(judged.plan.changes.length + judged.plan.holds.length).toBe(13)
  })
  test('sets of several kinds have several IDs', () => {
    const judged = judgeIn(world({ owned: 30, gone: 7, lowered: 11 }))
    expect(setsIn(judged).map(({ over }) => over.name)).toEqual(['deletes', 'lowers'])
    expect(new Set(setsIn(judged).map(({ over }) => over.pass)).size).toBe(2)
  })
  test('a set of other changes has another ID, the same set has the same', () => {
    const idOf = (gone: number) => setsIn(judgeIn(world({ owned: 20, gone })))[0]?.over.pass
    expect([idOf(6) === idOf(6), idOf(6) === idOf(7)]).toEqual([true, false])
  })
})

describe('the kinds in which a change counts', () => {
  test.each<[string, readonly string[]]>([
    ['create ENG a = member', ['creates']],
    ['delete ENG a = member', ['deletes']],
    ['patch ENG a: guest → member', ['raises']],
    ['patch ENG a: member → guest', ['lowers']],
    ['patch ENG a: auditor → member', ['raises', 'lowers']],
    ['patch ENG a: - → member', ['raises', 'lowers']],
    ['rename ENG a → b: guest → guest', ['raises', 'lowers']],
  ])('%s', (line, kinds) => expect(amountsOf(changeOf(line), judging.roles)).toEqual(kinds))
  test('the settings of the workspace count in none', () => {
    const groupSync = { wanted: { autoRemove: true }, because: { at: { file: 'g', line: 1, column: 1 } } }
    const [change] = planOf({ groupSync, existingSync: { autoRemove: false } }).changes
    expect(amountsOf(change as Change, judging.roles)).toEqual([])
  })
})

describe('sums of a run and of a day: what comes on top waits', () => {
  const rows: readonly (readonly ['run' | 'day', keyof Amounts, number, string, Parameters<typeof world>[0]])[] = [
    ['run', 'deletes', 20, '2 deletes on top of 19 in this run; guards.run.deletes allows 20', { owned: 12, gone: 2 }],
    ['day', 'deletes', 40, '2 deletes on top of 39 in the last 24 hours; guards.day.deletes allows 40', { owned: 12, gone: 2 }],
    ['run', 'raises', 100, '2 raises on top of 99 in this run; guards.run.raises allows 100', { owned: 12, raised: 2 }],
    ['day', 'lowers', 200, '2 lowerings on top of 199 in the last 24 hours; guards.day.lowers allows 200', { owned: 12, lowered: 2 }],
    ['run', 'creates', 400, '2 creates on top of 399 in this run; guards.run.creates allows 400', { owned: 12, made: 2 }],
    ['day', 'creates', 800, '2 creates on top of 799 in the last 24 hours; guards.day.creates allows 800', { owned: 12, made: 2 }],
  ]
  test.each(rows)('%s, %s', (span, name, limit, sentence, how) => {
    const after = (before: number) => judgeIn(world(how), { tally: { ...judging.tally, [span]: { ...none, [name]: before } } })
    expect(setsIn(after(limit - 2))).toEqual([])
    const judged = after(limit - 1)
    expect([sentences(judged), judged.plan.changes.length]).toEqual([[sentence], 1])
    expect(after(limit).plan.changes).toEqual([])
  })
  test('of this plan alone', () => {
    const judged = judgeIn(world({ owned: 12, lowered: 3 }), { guards: { ...guards, run: { ...guards.run, lowers: 2 } } })
    expect(sentences(judged)).toEqual(['3 lowerings; guards.run.lowers allows 2'])
  })
  test('a plan without changes of the kind adds nothing to it', () => {
    const tally = { run: { ...none, deletes: 500, raises: 500 }, day: { ...none, deletes: 500 } }
    expect(judgeIn(world({ owned: 3, made: 1 }), { tally }).plan.changes).toHaveLength(1)
  })
})

describe('beside an accident', () => {
  test('more than ten grants wait as a second set, fewer are written', () => {
    expect(writtenIn(judgeIn(world({ owned: 12, gone: 6, made: 10 })))).toHaveLength(10)
    const judged = judgeIn(world({ owned: 12, gone: 6, made: 11 }))
    expect(writtenIn(judged)).toEqual([])
    expect(setsIn(judged).map(({ over }) => [over.name, over.count, over.limit])).toEqual([
      ['deletes', 6, 5],
      ['beside', 11, 10],
    ])
  })
  test('grants that wait for another limit are grants of the plan, too', () => {
    const tally = { ...judging.tally, run: { ...none, creates: 392 } }
    const judged = judgeIn(world({ owned: 12, gone: 6, made: 12 }), { tally })
    expect(writtenIn(judged)).toEqual([])
    expect(
      setsIn(judged)
        .map(({ over, changes }) => `${over.name} ${changes.length}`)
        .toSorted(),
    ).toEqual(['beside 8', 'deletes 6', 'run 4'])
    expect(sentences(judged)).toContain('12 grants (4 of them wait already) beside deletes that wait: they may belong together')
  })
  test('raises are grants, revocations are none', () => {
    expect(setsIn(judgeIn(world({ owned: 60, gone: 15, raised: 11 }))).map(({ over }) => over.name)).toEqual(['deletes', 'beside'])
    expect(setsIn(judgeIn(world({ owned: 60, gone: 15, lowered: 11 }))).map(({ over }) => over.name)).toEqual(['deletes'])
    expect(sentences(judgeIn(world({ owned: 60, raised: 11, lowered: 19, made: 1 })))).toContain(
      '12 grants beside lowers that wait: they may belong together',
    )
    const both = judgeIn(world({ owned: 60, gone: 15, lowered: 2, made: 11 }))
    expect(writtenIn(both)).toEqual(['patch ENG/g15', 'patch ENG/g16'])
  })
  test('deletes that empty a list are an accident, also because a file is gone: two files that were swapped wait whole', () => {
    for (const existing of [
      { owned: 3, gone: 3, made: 11 },
      { owned: 20, gone: 20, made: 20 },
    ]) {
      const swapped = judgeIn(world(existing))
      expect(writtenIn(swapped)).toEqual([])
      expect(setsIn(swapped).map(({ over }) => over.name)).toEqual(['emptiesList', 'beside'])
    }
    expect(sentences(judgeIn(world({ owned: 3, gone: 3, made: 11 })))[1]).toBe(
      '11 grants beside deletes that wait: they may belong together',
    )
    expect(writtenIn(judgeIn(world({ owned: 3, gone: 3, made: 10 })))).toHaveLength(10)
  })
  test('grants that wait are no accident', () =>
    expect(setsIn(judgeIn(world({ owned: 60, made: 201, lowered: 11 }))).map(({ over }) => over.name)).toEqual(['creates']))
  test('grants that somebody approved are written', () => {
    const accident = world({ owned: 12, gone: 6, made: 12 })
    const creates = planOf(accident).changes.flatMap(({ action, id }) => (action === 'create' ? [id] : []))
    expect(writtenIn(judgeIn(accident, { waivers: [by(creates.slice(0, 2))] }))).toHaveLength(12)
    expect(writtenIn(judgeIn(accident, { waivers: [by(creates.slice(0, 1))] }))).toHaveLength(1)
  })
})

describe('deletes because files are gone', () => {
  /** `files` gave the first mappings, in turn, and are gone; of the others `more` are removed in a file that is there. */
  const gone = (files: readonly string[], { owned = 0, lost = 0, more = 0, made = 0 }, how: Partial<JudgeInput> = {}) => {
    const small = world({ owned, gone: lost + more, made })
    const plan = planOf({ ...small, removed: small.removed?.slice(lost) ?? [], policy: 'exclusive' })
    const given = new Map(numbered(lost, (n) => `ENG/g${n}`).map((key, n) => [`delete ${key}`, files[n % files.length]]))
    const of = (change: Change) => given.get(lineOf(change))
    return judge(plan, { ...judging, gone: { of, giving: () => 41 }, ...how })
  }
  const shown = (judged: Judged) => setsIn(judged).map(({ over, changes }) => [over.name, changes.length, over.sentence])
  const web = ['teams/web.yaml']
  test('are written within the limits, as those of a dissolved team', () => {
    const judged = gone(web, { owned: 40, lost: 8 })
    expect([shown(judged), writtenIn(judged)]).toEqual([[], numbered(8, (n) => `delete ENG/g${n}`)])
  })
  test('wait as one set that names the file, and the others are written', () => {
    const judged = gone(web, { owned: 40, lost: 9, more: 2, made: 3 })
    expect(setsIn(judged)).toMatchObject([
      {
        over: { name: 'fileGone', count: 9, limit: 8, owned: 40, setting: 'guards.deletes.share' },
        changes: numbered(9, (n) => `delete ENG/g${n}`),
      },
    ])
    expect(sentences(judged)).toEqual([
      'teams/web.yaml is gone, so 9 mappings are undeclared; 9 deletes (23 % of 40 owned mappings); guards.deletes.share allows 20 % of 40 owned mappings, which is 8',
    ])
    expect(writtenIn(judged)).toHaveLength(5)
  })
  test('of several files say how many of how many are gone', () => {
    const files = numbered(27, (n) => `teams/t${n}.yaml`)
    expect(sentences(gone(files, { owned: 60, lost: 31 }))).toEqual([
      '27 of 41 files are gone, so 31 mappings are undeclared; 31 deletes (52 % of 60 owned mappings); guards.deletes.count allows 10',
    ])
  })
  test('wait, and the others too, if only all together exceed the limit: no later cycle writes them unseen', () => {
    const judged = gone(web, { owned: 40, lost: 6, more: 5 })
    const over = '11 deletes (28 % of 40 owned mappings); guards.deletes.share allows 20 % of 40 owned mappings, which is 8'
    expect(shown(judged)).toEqual([
      ['fileGone', 6, `teams/web.yaml is gone, so 6 mappings are undeclared; ${over}`],
      ['deletes', 5, over],
    ])
    expect(writtenIn(judged)).toEqual([])
    for (const { over: set } of setsIn(judged))
      expect(shown(gone(web, { owned: 40, lost: 6, more: 5 }, { waivers: [by([set.pass])] }))).toEqual([])
  })
  test('wait beside others that exceed the limit alone', () =>
    expect(shown(gone(web, { owned: 60, lost: 12, more: 11 })).map(([name, count]) => [name, count])).toEqual([
      ['fileGone', 12],
      ['deletes', 11],
    ]))
  test('pass with the ID of their set, and the others are judged without them', () => {
    const flood = { owned: 60, lost: 12, more: 11 }
    const [ofGone, others] = setsIn(gone(web, flood)).map(({ over }) => over.pass)
    const after = (id = '') => shown(gone(web, flood, { waivers: [by([id])] })).map(([name, count]) => [name, count])
    expect(after(ofGone)).toEqual([['deletes', 11]])
    expect(after(others)).toEqual([['fileGone', 12]])
  })
  test('that empty a list, or come on top of a run or a day, say so', () => {
    expect(sentences(gone(web, { owned: 3, lost: 3 }))).toEqual([
      'teams/web.yaml is gone, so 3 mappings are undeclared; all 3 project mappings would be deleted, and none would be left',
    ])
    const tally = { ...judging.tally, day: { ...none, deletes: 39 } }
    expect(shown(gone(web, { owned: 12, lost: 3 }, { tally }))).toEqual([
      [
        'fileGone',
        2,
        'teams/web.yaml is gone, so 2 mappings are undeclared; 3 deletes on top of 39 in the last 24 hours; guards.day.deletes allows 40',
      ],
    ])
    expect(sentences(gone(web, { owned: 2, lost: 1, more: 1 }))[0]).toContain('so 1 mapping is undeclared')
  })
  test('more than ten grants wait beside them, as beside any flood of deletes', () =>
    expect(setsIn(gone(web, { owned: 12, lost: 6, made: 11 })).map(({ over }) => over.name)).toEqual(['fileGone', 'beside']))
  test('take the last administrator only together with all that take one', () => {
    const small: SmallWorld = {
      existing: ['workspace it admin', 'workspace devs member'],
      policy: 'exclusive',
      removed: ['workspace devs'],
    }
    const judged = judge(planOf({ ...small, owns: ['workspaceRoles'] }), { ...judging, gone: { of: () => web[0], giving: () => 1 } })
    expect(setsIn(judged).map(({ over }) => over.name)).toEqual(['lastAdministrator'])
  })
})

describe('a list that would be emptied', () => {
  const noSetting = 'no setting: only an approval lets them pass'
  test('keeps its mappings', () => {
    const judged = judgeIn({ existing: ['workspace a guest', 'workspace b guest', 'ENG c guest'], removed: ['workspace a', 'workspace b'] })
    expect(setsIn(judged)).toMatchObject([
      {
        over: {
          name: 'emptiesList',
          count: 2,
          limit: 1,
          owned: 2,
          setting: noSetting,
          sentence: 'all 2 workspace mappings would be deleted, and none would be left',
        },
        changes: ['delete workspace/a', 'delete workspace/b'],
      },
    ])
  })
  test('also between two writes, since a run may end anywhere', () => {
    const swapped: SmallWorld = {
      existing: ['ENG a guest', 'OPS b guest'],
      removed: ['ENG a', 'OPS b'],
      rules: [rule('c', 'ENG', 'member')],
      directories: { corp: ['c'] },
    }
    const judged = judgeIn(swapped)
    expect(sentences(judged)).toEqual(['all 2 project mappings would be deleted before the first new one exists'])
    expect(writtenIn(judged)).toEqual(['create ENG/c'])
    const deletes = planOf(swapped).changes.filter(({ action }) => action === 'delete')
    expect(judgeIn(swapped, { waivers: [by(deletes.map(({ id }) => id))] }).plan.holds).toEqual([])
    expect(writtenIn(judgeIn(swapped, { waivers: [by([deletes[0]?.id ?? ''])] }))).toEqual(['delete ENG/a', 'create ENG/c'])
  })
  test('also where the creates that would fill it wait', () => {
    const names = numbered(201, (n) => `g${n}`)
    const judged = judgeIn({
      rules: names.map((name) => rule(name, 'ENG', 'guest')),
      directories: { corp: names },
      existing: ['ENG old guest'],
      removed: ['ENG old'],
    })
    expect(
      setsIn(judged)
        .map(({ over }) => over.name)
        .toSorted(),
    ).toEqual(['creates', 'emptiesList'])
  })
  test.each<[string, SmallWorld]>([
    ['one stays', { existing: ['ENG a guest', 'ENG b guest'], removed: ['ENG a'] }],
    ['one is there before the last one goes', { existing: ['ENG a guest'], rules: [rule('b', 'ENG', 'guest')], removed: ['ENG a'] }],
    ['it was empty', { rules: [rule('a', 'ENG', 'guest')] }],
  ])('is not one where %s', (_name, more) => expect(setsIn(judgeIn({ directories: { corp: ['a', 'b'] }, ...more }))).toEqual([]))

  // `deletes` is out of the way, so that this limit alone is seen.
  const loose = guardsOf(guards, { deletes: { count: 100, share: 1, minExisting: 100 } })
  test.each<[owned: number, gone: number, ends: number, said: readonly string[]]>([
    [10, 10, 0, ['all 10 project mappings would be deleted, and none would be left']],
    [10, 10, 10, []],
    [10, 10, 9, ['the only project mapping, but 9 that end now, would be deleted, and none would be left']],
    [10, 10, 1, ['all 9 project mappings, but 1 that ends now, would be deleted, and none would be left']],
    [10, 9, 8, []],
  ])('of %i mappings, %i are deleted, of which %i are recorded ends', (owned, gone, ends, said) => {
    const plan = planOf(world({ owned, gone }))
    const ended = plan.changes.map((change, n): Change => (n < ends ? { ...change, uncounted: 'ended' } : change))
    const judged = judge({ ...plan, changes: ended }, { ...judging, guards: loose })
    expect(sentences(judged)).toEqual(said)
    expect(judged.plan.changes).toHaveLength(said.length === 0 ? gone : ends)
  })
  test('a recorded end that only lowers a role leaves its mapping in the list', () => {
    const plan = planOf(world({ owned: 2, gone: 1, lowered: 1 }))
    const changes = plan.changes.map((change): Change => (change.action === 'patch' ? { ...change, uncounted: 'ended' } : change))
    expect(judge({ ...plan, changes }, judging).plan.changes).toHaveLength(2)
  })
})

describe('the last administrator of the workspace', () => {
  const directories = { corp: ['it', 'boss', 'a', 'b', 'c'] }
  const admins = (more: SmallWorld, how: Partial<JudgeInput> = {}) =>
    setsIn(judgeIn({ directories, ...more }, how)).filter(({ over }) => over.name === 'lastAdministrator')
  test('stays, and so does each one that may turn out to be the last', () => {
    expect(
      admins({ existing: ['workspace a admin', 'workspace b admin', 'workspace devs member'], removed: ['workspace a', 'workspace b'] }),
    ).toMatchObject([
      {
        over: {
          count: 2,
          limit: 1,
          sentence: 'a and b have the last mappings to a workspace administrator role; without them no group gives that role',
        },
        changes: ['delete workspace/a', 'delete workspace/b'],
      },
    ])
  })
  test.each([
    [['a'], 'a has the last mapping to a workspace administrator role; without it'],
    [['a', 'b', 'c'], 'a, b and c have the last mappings to a workspace administrator role; without them'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more have the last mappings to a workspace administrator role; without them'],
  ])('is each group that goes: %j', (groups, sentence) => {
    const existing = [...groups.map((group) => `workspace ${group} admin`), 'workspace devs member']
    const [set] = admins({ existing, removed: groups.map((group) => `workspace ${group}`) })
    expect(set?.over.sentence).toBe(`${sentence} no group gives that role`)
  })
  test('goes if a person approves all who go; one of two who are approved may go', () => {
    const world = { existing: ['workspace a admin', 'workspace b admin', 'workspace devs member'], removed: ['workspace a', 'workspace b'] }
    const ids = planOf(world).changes.map(({ id }) => id)
    expect(writtenIn(judgeIn(world, { waivers: [by(ids)] }))).toHaveLength(2)
    expect(writtenIn(judgeIn(world, { waivers: [by(ids.slice(0, 1))] }))).toEqual(['delete workspace/a'])
  })
  test.each<[string, SmallWorld, Partial<JudgeInput>, boolean]>([
    ['one of two goes', { existing: ['workspace it admin', 'workspace boss owner'], removed: ['workspace it'] }, {}, false],
    ['nobody was one', { existing: ['workspace devs member', 'workspace ops member'], removed: ['workspace ops'] }, {}, false],
    ['one of a project goes', { existing: ['workspace a admin', 'ENG c admin', 'ENG b guest'], removed: ['ENG c'] }, {}, false],
    [
      'the lowering comes before the grant',
      {
        existing: ['workspace it admin', 'workspace devs member'],
        rules: [rule('it', 'workspace', 'member'), rule('boss', 'workspace', 'admin', { allowProtected: true })],
      },
      {},
      true,
    ],
    [
      'the grant before it may fail',
      {
        existing: ['workspace boss guest', 'workspace it admin'],
        rules: [rule('boss', 'workspace', 'admin', { allowProtected: true }), rule('it', 'workspace', 'auditor', { allowProtected: true })],
      },
      {},
      true,
    ],
    [
      'the delete requires the grant that takes its place',
      {
        existing: ['workspace it admin', 'workspace devs member'],
        rules: [rule('boss', 'workspace', 'admin', { allowProtected: true })],
        removed: ['workspace it'],
      },
      {},
      false,
    ],
    [
      'an alias of admin',
      {
        existing: ['workspace it administrator', 'workspace devs member'],
        removed: ['workspace it'],
        roles: { aliases: { admin: 'administrator' } },
      },
      { roles: { ...judging.roles, aliases: { admin: 'administrator' } } },
      true,
    ],
    [
      'a name that the service was seen to give',
      { existing: ['workspace it none', 'workspace devs member'], removed: ['workspace it'], echoes: { admin: 'none' } },
      { echoes: { admin: 'none' } },
      true,
    ],
    [
      'such a name does not make up for one who goes',
      {
        existing: ['workspace it admin', 'workspace boss none', 'workspace devs member'],
        removed: ['workspace it'],
        echoes: { admin: 'none' },
      },
      { echoes: { admin: 'none' } },
      true,
    ],
    [
      'a certain administrator is left',
      {
        existing: ['workspace it admin', 'workspace ops admin', 'workspace boss none'],
        removed: ['workspace it', 'workspace boss'],
        echoes: { admin: 'none' },
      },
      { echoes: { admin: 'none' } },
      false,
    ],
  ])('%s', (_name, more, how, waits) => expect(admins(more, how).length).toBe(Number(waits)))
  test('the grant that takes the place waits: so does the delete that requires it', () => {
    const world = {
      existing: ['workspace it admin', 'workspace devs member'],
      rules: [rule('boss', 'workspace', 'admin')],
      removed: ['workspace it'],
    }
    const { plan } = judgeIn({ directories, ...world })
    expect(plan.changes).toEqual([])
    expect(plan.holds.map(({ reason }) => reason.kind)).toContain('requires')
  })
  test('where the one who comes was one before, or is none, the last still goes', () => {
    const plan = planOf({ existing: ['workspace a admin', 'workspace b guest'], removed: ['workspace a'] })
    const after = (before: Change): Plan => ({ ...plan, changes: [before, { ...(plan.changes[0] as Change), requires: [before.id] }] })
    const waiver = (change: Change) => [by([change.id])]
    const waits = (line: string) => {
      const before = changeOf(line)
      return setsIn(judge(after(before), { ...judging, waivers: waiver(before) })).length
    }
    expect(['create workspace c = admin', 'create workspace c = member', 'rename workspace c → d: admin → owner'].map(waits)).toEqual([
      0, 1, 1,
    ])
  })
})

describe('approvals', () => {
  const gone = world({ owned: 12, gone: 6 })
  const planned = planOf(gone)
  const [set] = setsIn(judgeIn(gone))
  test.each<[string, readonly string[], number]>([
    ['the ID of the set lets exactly it pass', [set?.over.pass ?? ''], 6],
    ['the ID of the plan', [planned.fingerprint], 6],
    ['its first 32 digits', [planned.fingerprint.slice(0, 32)], 6],
    ['31 digits name nothing', [planned.fingerprint.slice(0, 31)], 0],
    ['one change passes by its own ID, and the five others fit into the limit', planned.changes.slice(0, 1).map(({ id }) => id), 6],
    ['another set', ['0'.repeat(32)], 0],
    ['nothing', [''], 0],
  ])('%s', (_name, ids, written) => expect(judgeIn(gone, { waivers: [by(ids)] }).plan.changes).toHaveLength(written))
  test('of some changes leave the others, if they are still too many', () => {
    const more = world({ owned: 12, gone: 8 })
    const [id = ''] = planOf(more).changes.map((change) => change.id)
    const judged = judgeIn(more, { waivers: [by([id])] })
    expect([judged.plan.changes.length, setsIn(judged)[0]?.over.count]).toEqual([1, 7])
  })
  test('what they let pass is marked, and fills no limit', () => {
    const judged = judgeIn(gone, { waivers: [by([set?.over.pass ?? ''])] })
    expect(judged.plan.changes.map(({ uncounted }) => uncounted)).toEqual(Array.from({ length: 6 }, () => 'approved'))
    expect(judgeIn(world({ owned: 12, gone: 5 })).plan.changes.some(({ uncounted }) => uncounted !== undefined)).toBe(false)
  })
  test('of one set let no other set pass', () => {
    const both = world({ owned: 30, gone: 7, lowered: 11 })
    const [first] = setsIn(judgeIn(both))
    const judged = judgeIn(both, { waivers: [by([first?.over.pass ?? ''])] })
    expect(setsIn(judged).map(({ over }) => over.name)).toEqual(['lowers'])
  })
  test('are reported with the changes that passed', () => {
    const { waived } = judgeIn(gone, { waivers: [by([set?.over.pass ?? '', '0'.repeat(32)])] })
    expect(waived.map(({ ids, used }) => [ids.toSorted(), used])).toEqual([
      [planned.changes.map(({ id }) => id).toSorted(), [set?.over.pass]],
    ])
  })
  test('so reported, they cover what is left of a plan that was written in part', () => {
    const { waived } = judgeIn(gone, { waivers: [by([planned.fingerprint])] })
    const left: Plan = { ...planned, fingerprint: 'f'.repeat(64), owned: { projectRoles: 8 } }
    expect(judge(left, { ...judging, waivers: [by([planned.fingerprint])] }).plan.changes).toEqual([])
    expect(judge(left, { ...judging, waivers: waived }).plan.changes).toHaveLength(6)
  })
})

test('what a first slice has approved is not counted again in a later one, but may not take the last administrator', () => {
  const gone = world({ owned: 12, gone: 6 })
  expect(judgeIn(gone, { before: planOf(gone).changes }).plan.changes).toHaveLength(6)
  const last: SmallWorld = { existing: ['workspace it admin', 'workspace devs member'], removed: ['workspace it'] }
  expect(judgeIn(last, { before: planOf(last).changes }).plan.changes).toEqual([])
})

test('a change whose approval has ended since the first slice counts together with what that slice has counted', () => {
  const gone = world({ owned: 40, gone: 6 })
  const [ended, ...others] = planOf(gone).changes as readonly [Change, ...Change[]]
  /** The first slice has written as many other deletes. */
  const heldWith = (written: number, more: Partial<Change> = {}) => {
    const before = [
      ...others,
      ...Array.from({ length: written }, (_, index) => ({ ...ended, id: `w${index}` as ChangeId, ...more }) as Change),
    ]
    return judgeIn(gone, { before }).plan.holds.flatMap(({ change }) => change?.id ?? [])
  }
  expect([heldWith(2), heldWith(3), heldWith(3, { uncounted: 'approved' })]).toEqual([[], [ended.id], []])
  // Five that the first slice has counted are still to be written.
  const heldOfDay = (deletes: number) =>
    judgeIn(gone, { before: others, guards: { ...guards, day: { ...guards.day, deletes } } }).plan.holds.length
  expect([heldOfDay(6), heldOfDay(5)]).toEqual([0, 1])
})

test('a set has the same ID before and after a change is approved that one of the other deletes requires', () => {
  const gone = world({ owned: 12, gone: 6 })
  const more: SmallWorld = {
    ...gone,
    existing: [...(gone.existing ?? []), 'LAB old admin'],
    rules: [...(gone.rules ?? []), rule('new', 'LAB', 'admin')],
    removed: [...(gone.removed ?? []), 'LAB old'],
    directories: { corp: [...numbered(12, (n) => `g${n}`), 'new', 'old'] },
  }
  const shown = judgeIn(more)
  const [set] = setsIn(shown)
  expect(set?.changes).toHaveLength(6)
  const boss = shown.plan.holds.flatMap(({ change, reason }) =>
    reason.kind === 'approval' && reason.why === 'protectedRole' ? (change?.id ?? []) : [],
  )
  expect(judgeIn(more, { waivers: [by([...boss, set?.over.pass ?? ''])] }).plan.holds).toEqual([])
  expect(setsIn(judgeIn(more, { waivers: [by(boss)] })).map(({ over }) => over.pass)).toEqual([set?.over.pass])
})

test('nor where it requires a change of another set', () => {
  const gone = world({ owned: 12, gone: 6, made: 201 })
  const more: SmallWorld = {
    ...gone,
    existing: [...(gone.existing ?? []), 'LAB old member'],
    rules: [...(gone.rules ?? []), rule('new', 'LAB', 'member')],
    removed: [...(gone.removed ?? []), 'LAB old'],
    directories: { corp: [...numbered(12, (n) => `g${n}`), ...numbered(201, (n) => `new${n}`), 'new', 'old'] },
  }
  const sets = setsIn(judgeIn(more))
  expect(Object.fromEntries(sets.map(({ over, changes }) => [over.name, changes.length]))).toEqual({ creates: 202, deletes: 6 })
  expect(judgeIn(more, { waivers: [by(sets.map(({ over }) => over.pass))] }).plan.holds).toEqual([])
})

test('a held change leaves nothing half made: what requires it waits, too, and is in no set', () => {
  const more: SmallWorld = {
    existing: ['ENG old guest', 'ENG x guest', 'ENG y guest'],
    rules: [rule('new', 'ENG', 'admin', { previously: 'gone' as GroupName }), rule('old', '*', 'admin')],
    removed: ['ENG old'],
    directories: { corp: ['new', 'old'] },
  }
  const { plan } = judgeIn(more)
  const held = new Set(plan.holds.flatMap(({ change }) => change?.id ?? []))
  for (const change of plan.changes) expect(change.requires.some((id) => held.has(id))).toBe(false)
})
