import { describe, expect, test } from 'vitest'
import type { Owned } from '../../../src/core/diff/draft.ts'
import { type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { complete, failed, lines, mapping, partial, pattern, planOf, rule, type SmallWorld } from './smallWorld.ts'

const devs = [rule('devs', 'ENG', 'member')]
const corp = { corp: ['devs', 'ops'] }

describe('the truth table of desired and existing', () => {
  const table: readonly [string, SmallWorld, readonly string[]][] = [
    ['role, none: create', { rules: devs, directories: corp }, ['create ENG devs = member']],
    ['role, same: nothing', { rules: devs, directories: corp, existing: ['ENG devs member'] }, []],
    ['role, other: patch', { rules: devs, directories: corp, existing: ['ENG devs guest'] }, ['patch ENG devs: guest → member']],
    [
      'role, several: patch those that differ, keep the extras',
      { rules: devs, directories: corp, existing: ['ENG devs guest', 'ENG devs member'] },
      ['patch ENG devs: guest → member'],
    ],
    [
      'role, several, sync: the extras go',
      { rules: devs, directories: corp, existing: ['ENG devs admin', 'ENG devs member'], policy: 'exclusive' },
      ['delete ENG devs = admin (duplicate)'],
    ],
    ['absent, yes: delete', { removed: ['ENG old'], existing: ['ENG old admin'] }, ['delete ENG old = admin (removed)']],
    ['absent, none: nothing', { removed: ['ENG old'] }, []],
    [
      'undeclared: reported',
      { existing: ['ENG old admin'] },
      ['hold acme/project/ENG/old: undeclared (delete ENG old = admin (undeclared))'],
    ],
    ['undeclared, sync: delete', { existing: ['ENG old admin'], policy: 'exclusive' }, ['delete ENG old = admin (undeclared)']],
    ['unknown group: held', { rules: devs, directories: { corp: ['ops'] } }, ['hold acme/project/ENG/devs: groupUnknown']],
    [
      'unknown group that is mapped (dangling): kept, also under sync',
      { rules: devs, directories: { corp: ['ops'] }, existing: ['ENG devs admin'], policy: 'exclusive' },
      ['hold acme/project/ENG/devs: groupUnknown'],
    ],
    ['a list that is not named is not owned', { existing: ['workspace it admin'], owns: ['projectRoles'], policy: 'exclusive' }, []],
    [
      'unmanaged: never touched, never reported',
      {
        existing: ['ENG legacy-a admin'],
        policy: 'exclusive',
        unmanaged: [{ groups: { kind: 'exact', name: 'legacy-a' as GroupName }, because: { at: { file: 'g', line: 1, column: 1 } } }],
      },
      [],
    ],
    [
      'a rename that the rule names is one patch',
      {
        rules: [rule('developers', 'ENG', 'member', { previously: 'devs' as GroupName })],
        directories: { corp: ['developers'] },
        existing: ['ENG devs guest'],
      },
      ['rename ENG devs → developers: guest → member'],
    ],
    [
      'a rename whose old name is still wanted is a create',
      {
        rules: [rule('developers', 'ENG', 'member', { previously: 'devs' as GroupName }), ...devs],
        directories: { corp: ['developers', 'devs'] },
        existing: ['ENG devs member'],
      },
      ['create ENG developers = member'],
    ],
    [
      'an alias is the same role',
      { rules: devs, directories: corp, existing: ['ENG devs contributor'], roles: { aliases: { member: 'contributor' } } },
      [],
    ],
    [
      'a learned echo is the same role',
      { rules: devs, directories: corp, existing: ['ENG devs contributor'], echoes: { member: 'contributor' } },
      [],
    ],
    [
      'a third role is drift',
      { rules: devs, directories: corp, existing: ['ENG devs admin'], echoes: { member: 'contributor' } },
      ['patch ENG devs: admin → member'],
    ],
    [
      'a name that is expired for one rule and alive for another stays',
      {
        rules: [rule('eng-a', 'ENG', 'admin', { expiresMs: 5 }), pattern('eng-.*', 'ENG', 'member')],
        nowMs: 5,
        directories: { corp: ['eng-a'] },
        existing: ['ENG eng-a admin'],
      },
      ['patch ENG eng-a: admin → member'],
    ],
    [
      'a learned echo that is more than what was asked for waits for a person',
      { rules: devs, directories: corp, existing: ['ENG devs admin'], echoes: { member: 'admin' } },
      ['hold acme/project/ENG/devs: roleEchoed'],
    ],
    [
      'removed goes from a list that is not owned, too, and nothing else does',
      { removed: ['ENG old'], existing: ['ENG old guest', 'ENG other guest'], owns: ['workspaceRoles'], policy: 'exclusive' },
      ['delete ENG old = guest (removed)'],
    ],
    [
      'two rules that name one old name: one rename',
      {
        rules: [
          rule('a', 'ENG', 'guest', { previously: 'old' as GroupName }),
          rule('b', 'ENG', 'guest', { previously: 'old' as GroupName }),
        ],
        directories: { corp: ['a', 'b'] },
        existing: ['ENG old guest'],
      },
      ['rename ENG old → a: guest → guest', 'create ENG b = guest'],
    ],
    [
      'an old name with duplicates is not renamed: they stay in sight',
      {
        rules: [rule('a', 'ENG', 'member', { previously: 'old' as GroupName })],
        directories: { corp: ['a'] },
        existing: ['ENG old guest', 'ENG old admin'],
      },
      [
        'create ENG a = member',
        'hold acme/project/ENG/old: undeclared (delete ENG old = guest (undeclared))',
        'hold acme/project/ENG/old: undeclared (delete ENG old = admin (undeclared))',
      ],
    ],
    [
      'expired: delete',
      { rules: [rule('devs', 'ENG', 'member', { expiresMs: 5 })], nowMs: 5, directories: corp, existing: ['ENG devs member'] },
      ['delete ENG devs = member (expired)'],
    ],
    [
      'not yet expired',
      { rules: [rule('devs', 'ENG', 'member', { expiresMs: 5 })], nowMs: 4, directories: corp, existing: ['ENG devs member'] },
      [],
    ],
    [
      'expired by one of two clocks that differ by more than an hour: held',
      {
        rules: [rule('devs', 'ENG', 'member', { expiresMs: 5 }), rule('ops', 'ENG', 'member', { expiresMs: 5 })],
        nowMs: 5,
        thereMs: -3_600_000,
        directories: corp,
        existing: ['ENG devs member'],
      },
      ['hold acme/project/ENG/devs: clocksDiffer', 'hold acme/project/ENG/ops: clocksDiffer'],
    ],
    [
      'only the settings that differ',
      {
        groupSync: { wanted: { autoRemove: false, enabled: true }, because: { at: { file: 'g', line: 1, column: 1 } } },
        existingSync: { autoRemove: true, enabled: true },
      },
      ['settings {"autoRemove":true} → {"autoRemove":false}'],
    ],
  ]
  test.each(table)('%s', (_name, world, expected) => expect(lines(planOf(world))).toEqual(expected))
})

describe('the id of a change', () => {
  const idOf = (world: SmallWorld) => planOf({ rules: devs, ...world }).changes.map(({ id }) => id)
  const groups = (id: string) => ({ corp: complete(indexGroups([{ name: 'devs' as GroupName, id, place: 'cn=devs' }])) })
  const first = idOf({ directories: groups('g1') })
  test.each<[string, SmallWorld]>([
    ['another group of this name', { directories: groups('g2') }],
    [
      'another project of this name',
      { directories: groups('g1'), projects: complete(new Map([['ENG' as never, { id: 'P9' as never, archived: false }]])) },
    ],
  ])('is another one for %s', (_what, world) => {
    expect(first).toHaveLength(1)
    expect(idOf(world)).toHaveLength(1)
    expect(idOf(world)).not.toEqual(first)
  })
})

describe('half a reading proves no absence', () => {
  const existing = [mapping('ENG old admin', 1)]
  test('of the service: nothing is created and nothing deleted, but what was seen is patched', () => {
    const lists = new Map([['projectRoles', partial([...existing, mapping('ENG ops guest', 2)])]] as const)
    const rules = [...devs, rule('ops', 'ENG', 'member')]
    expect(lines(planOf({ rules, removed: ['ENG old'], directories: corp, lists, owns: ['projectRoles'] }))).toEqual([
      'patch ENG ops: guest → member',
      'hold acme/project/ENG/devs: readingIncomplete',
      'hold acme/project/ENG/old: readingIncomplete',
    ])
  })
  test('of the service: undeclared is not deleted either, under sync', () => {
    const lists = new Map([['projectRoles', partial(existing)]] as const)
    expect(planOf({ lists, owns: ['projectRoles'], policy: 'exclusive' }).changes).toEqual([])
  })
  test('of the service: under sync a mapping that is not ours is undeclared all the same, since it would not be deleted anyway', () => {
    const lists = new Map([['projectRoles', partial(existing)]] as const)
    expect(lines(planOf({ lists, owns: ['projectRoles'], policy: 'sync' }))).toEqual([
      'hold acme/project/ENG/old: undeclared (delete ENG old = admin (undeclared))',
    ])
    const owned: Owned = {
      standingOf: () => 'ours',
      hasRecordedEnd: () => false,
      willRecordEnd: () => false,
      givenOf: () => undefined,
      givingFiles: () => 1,
    }
    expect(lines(planOf({ lists, owns: ['projectRoles'], policy: 'sync', owned }))).toEqual([
      'hold acme/project/ENG/old: readingIncomplete',
    ])
  })
  test.each([
    ['failed', failed],
    ['partial without the group', partial(new Map())],
  ])('of a directory (%s): rules are held, what exists stays', (_name, reading) => {
    const world = { rules: devs, directories: { corp: reading }, existing: ['ENG devs guest'], policy: 'exclusive' } as const
    expect(lines(planOf(world))).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
  })
  test('of another directory: the name may be there too, so it is held unless the rule says from', () => {
    const directories = { corp: complete(new Map(planGroups('devs'))), other: failed }
    expect(lines(planOf({ rules: devs, directories }))).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
    expect(lines(planOf({ rules: [rule('devs', 'ENG', 'member', { from: ['corp'] })], directories }))).toEqual(['create ENG devs = member'])
  })
  test('of a directory, for a group that may be unknown: it may also be in two places', () => {
    const send = [rule('devs', 'ENG', 'member', { unknownGroups: 'send' })]
    expect(lines(planOf({ rules: send, directories: { corp: ['ops'] } }))).toEqual(['create ENG devs = member'])
    for (const reading of [failed, partial(new Map(planGroups('devs')))])
      expect(lines(planOf({ rules: send, directories: { corp: reading } }))).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
  })
  test('a pattern that cannot be read might want another role than one that can', () => {
    const rules = [pattern('eng-.*', 'ENG', 'member', { from: ['corp'] }), pattern('eng-.*', 'ENG', 'guest', { from: ['other'] })]
    const directories = { corp: complete(new Map([...planGroups('eng-x'), ...planGroups('ops-x')])), other: failed }
    expect(lines(planOf({ rules, directories }))).toEqual(['hold acme/project/ENG/eng-x: readingIncomplete'])
    expect(lines(planOf({ rules: rules.slice(1), directories }))).toEqual([])
  })
  test('of the service: no rename either, the new name may be on the missing page', () => {
    const lists = new Map([['projectRoles', partial([mapping('ENG old guest', 1)])]] as const)
    const world = {
      rules: [rule('devs', 'ENG', 'guest', { previously: 'old' as GroupName })],
      directories: corp,
      lists,
      owns: ['projectRoles'],
    } as const
    expect(planOf(world).changes).toEqual([])
  })
  test('a pattern whose directory failed keeps what it may have made', () => {
    const world = {
      rules: [pattern('eng-.*', 'ENG', 'member')],
      directories: { corp: failed },
      existing: ['ENG eng-a guest', 'ENG it admin'],
      policy: 'exclusive',
    } as const
    expect(lines(planOf(world))).toEqual(['delete ENG it = admin (undeclared)', 'hold acme/project/ENG/eng-a: readingIncomplete'])
  })
})

const groupsNamed = (...names: readonly string[]): GroupIndex => new Map(names.flatMap((name) => planGroups(name)))
const planGroups = (name: string) =>
  [[name as GroupName, [{ name: name as GroupName, id: name, place: name }]]] as const satisfies readonly unknown[]

describe('what is to be replaced stays while what replaces it cannot be made', () => {
  const failing: SmallWorld = { directories: { corp: failed }, existing: ['* devs guest', 'OPS it guest'] }
  const kept = (world: SmallWorld) =>
    planOf({ ...failing, ...world }).holds.flatMap(({ reason, change }) => (change?.action === 'delete' ? [reason.kind] : []))
  test('for half a reading: a rule', () => {
    const world: SmallWorld = { rules: devs, removed: ['* devs'] }
    expect(planOf({ ...failing, ...world }).changes).toEqual([])
    expect(kept(world)).toContain('readingIncomplete')
    expect(lines(planOf({ ...failing, ...world, directories: corp })).slice(0, 2)).toEqual([
      'create ENG devs = member',
      'delete all projects devs = guest (removed)',
    ])
  })
  test('for half a reading: a pattern, of which nothing else is told', () => {
    const world: SmallWorld = { rules: [pattern('d.*', 'ENG', 'member')], policy: 'exclusive' }
    expect(lines(planOf({ ...failing, ...world }))).toEqual([
      'delete OPS it = guest (undeclared)',
      'hold acme/allProjects/devs: readingIncomplete (delete all projects devs = guest (undeclared))',
    ])
  })
  test('while the clocks differ about the end of its rule', () => {
    const hour = 60 * 60_000
    const world: SmallWorld = { rules: [rule('devs', '*', 'member', { expiresMs: hour })], directories: corp, existing: ['ENG devs guest'] }
    expect(lines(planOf({ ...world, policy: 'exclusive', nowMs: 2 * hour, thereMs: 0 }))).toEqual([
      'hold acme/allProjects/devs: clocksDiffer',
      'hold acme/project/ENG/devs: clocksDiffer (delete ENG devs = guest (undeclared))',
    ])
  })
  test.each<[string, SmallWorld]>([
    ['starts', { rules: [pattern('d.*', '*', 'member', { startsMs: 60 * 60_000 })] }],
    ['ends', { rules: [pattern('d.*', '*', 'member', { expiresMs: 60 * 60_000 })] }],
  ])('while the clocks differ about a pattern that %s, and its directory was not read whole', (_what, world) => {
    const seen: SmallWorld = { ...world, existing: ['ENG devs guest'], policy: 'exclusive', nowMs: 2 * 60 * 60_000, thereMs: 0 }
    for (const corp of [complete(groupsNamed('devs')), partial(groupsNamed('devs')), partial(groupsNamed()), failed])
      expect(planOf({ ...seen, directories: { corp } }).changes).toEqual([])
  })
  test('for the reason that ends without an edit, of two, in whatever order the rules come', () => {
    const rules = [pattern('d.*', '*', 'member', { from: ['lab'] }), pattern('de.*', '*', 'member', { from: ['corp'] })]
    const world: SmallWorld = {
      removed: ['ENG devs'],
      existing: ['ENG devs guest'],
      directories: { corp: failed, lab: ['devs@x', 'devs@y'] },
    }
    for (const said of [rules, rules.toReversed()])
      expect(lines(planOf({ ...world, rules: said }))).toEqual([
        'hold acme/allProjects/devs: readingIncomplete',
        'hold acme/project/ENG/devs: readingIncomplete (delete ENG devs = guest (removed))',
      ])
  })
  describe('but what is there already', () => {
    const rules = [rule('devs', '*', 'member', { from: ['lab'] }), rule('devs', 'ENG', 'guest', { from: ['corp'] })]
    const directories = { lab: ['devs'], corp: failed }
    test('is patched', () => {
      expect(planOf({ ...failing, rules, directories }).changes).toMatchObject([{ action: 'patch', group: 'devs', role: 'member' }])
    })
    test.each<[string, string, string, SmallWorld, boolean]>([
      ['gives less than what goes', '* devs member', 'ENG devs guest', {}, true],
      ['gives as much as what goes', '* devs guest', 'ENG devs guest', {}, false],
      ['gives what its rule says', '* devs owner', 'ENG devs member', {}, false],
      ['has more than its rule says', '* devs owner', 'ENG devs admin', {}, false],
      ['has no role', '* devs guest', 'ENG devs -', {}, true],
      ['gives less, and what goes has no role', '* devs -', 'ENG devs guest', {}, false],
      ['has a role, and the rules may differ', '* devs owner', 'ENG devs member', { rules: [pattern('d.*', 'ENG', 'admin')] }, true],
    ])('%s: what it replaces waits for its raise, or goes', (_what, gone, there, more, waits) => {
      const all = more.rules === undefined ? devs : [pattern('devs', 'ENG', 'member'), ...more.rules]
      expect(kept({ rules: all, removed: ['* devs'], existing: [gone, there] })).toEqual(waits ? ['readingIncomplete'] : [])
    })
    test('is there twice, and one of the two gives less: what it replaces waits for its raise', () => {
      const there = ['* devs guest', 'ENG devs guest', 'ENG devs -']
      expect(kept({ rules: devs, removed: ['* devs'], existing: there })).toEqual(['readingIncomplete'])
    })
    test('loses its duplicate', () => {
      const existing = ['* devs admin', '* devs member']
      expect(planOf({ rules, directories, existing, policy: 'exclusive' }).changes).toMatchObject([{ action: 'delete', why: 'duplicate' }])
    })
  })
  test('but not where that is there already, and only nobody can say how it should be', () => {
    const existing = ['* devs guest', 'ENG devs guest']
    expect(planOf({ ...failing, existing, rules: devs, removed: ['* devs'] }).changes).toMatchObject([{ action: 'delete' }])
  })
  test('but not for what no directory knows, and not elsewhere', () => {
    expect(planOf({ ...failing, rules: devs, removed: ['* devs'], directories: { corp: ['ops'] } }).changes).toHaveLength(1)
    expect(planOf({ ...failing, rules: devs, removed: ['OPS it'] }).changes).toHaveLength(1)
  })
})

describe('the mapping of an old name', () => {
  const rules = [rule('developers', 'ENG', 'member', { previously: 'devs' as GroupName })]
  const world: SmallWorld = { rules, existing: ['ENG devs member'], policy: 'exclusive' }
  test.each<[string, SmallWorld['directories'] & object]>([
    ['its directory failed', { corp: failed }],
    ['the directory has not followed yet', { corp: ['devs'] }],
    ['the new name is in two places', { corp: ['developers@x', 'developers@y'] }],
  ])('stays under sync while nobody can say whether its rule takes it: %s', (_name, directories) => {
    const { changes, holds } = planOf({ ...world, directories })
    expect(changes).toEqual([])
    expect(holds.find(({ key }) => key.endsWith('/devs'))?.reason).toEqual({ kind: 'requires', key: 'acme/project/ENG/developers' })
  })
  test('stays while its rule starts later, and another rule of the key is held', () => {
    const later = rule('developers', 'ENG', 'member', { previously: 'devs' as GroupName, startsMs: 9 })
    const { changes, holds } = planOf({ ...world, rules: [later, rule('developers', 'ENG', 'member')], directories: { corp: ['devs'] } })
    expect(changes).toEqual([])
    expect(holds.find(({ key }) => key.endsWith('/devs'))?.reason).toEqual({ kind: 'requires', key: 'acme/project/ENG/developers' })
  })
  test('stays while its rule starts later, and another rule of the key has expired', () => {
    const later = rule('developers', 'ENG', 'member', { previously: 'devs' as GroupName, startsMs: 9 })
    const expired = rule('developers', 'ENG', 'member', { expiresMs: -1 })
    const { changes, holds } = planOf({ ...world, rules: [later, expired], directories: { corp: ['devs'] } })
    expect(changes).toEqual([])
    expect(holds.find(({ key }) => key.endsWith('/devs'))?.reason).toEqual({ kind: 'requires', key: 'acme/project/ENG/developers' })
  })
  test('stays while its rule starts later, beside an expired pattern and another such rule, in whatever order', () => {
    const later = ['devs', 'coders'].map((name) => rule('developers', 'ENG', 'member', { previously: name as GroupName, startsMs: 9 }))
    const old: SmallWorld = {
      existing: ['ENG devs member', 'ENG coders member'],
      policy: 'exclusive',
      directories: { corp: ['developers'] },
    }
    for (const two of [later, later.toReversed()])
      expect(planOf({ ...old, rules: [pattern('developers', 'ENG', 'guest', { expiresMs: -1 }), ...two] }).changes).toEqual([])
  })
  test('is deleted under sync when its rule has expired', () => {
    const expired = rule('developers', 'ENG', 'member', { previously: 'devs' as GroupName, expiresMs: -1 })
    const plan = planOf({ ...world, rules: [expired], directories: { corp: ['devs'] } })
    expect(plan.changes.map(({ action, key }) => [action, key])).toEqual([['delete', 'acme/project/ENG/devs']])
  })
  test('is taken by no other rule meanwhile', () => {
    const two = [...rules, rule('everybody', 'ENG', 'guest', { previously: 'devs' as GroupName })]
    expect(lines(planOf({ ...world, rules: two, directories: { corp: ['everybody'] } }))).toEqual([
      'hold acme/project/ENG/developers: groupUnknown',
      'hold acme/project/ENG/devs: requires',
      'hold acme/project/ENG/everybody: requires',
    ])
  })
  test('is one of two that a rule names which waits for another: the second stays as well, and what the rule replaces', () => {
    const everybody = ['devs', 'staff'].map((name) => rule('everybody', 'ENG', 'guest', { previously: name as GroupName }))
    const existing = ['ENG devs member', 'ENG staff guest', '* everybody guest']
    const plan = planOf({
      ...world,
      rules: [...rules, ...everybody],
      existing,
      removed: ['* everybody'],
      directories: { corp: ['everybody'] },
    })
    expect(plan.changes).toEqual([])
    expect(plan.holds.flatMap(({ key, reason }) => (reason.kind === 'requires' ? [`${key} for ${reason.key}`] : []))).toEqual([
      'acme/allProjects/everybody for acme/project/ENG/developers',
      'acme/project/ENG/devs for acme/project/ENG/developers',
      'acme/project/ENG/everybody for acme/project/ENG/developers',
      'acme/project/ENG/staff for acme/project/ENG/everybody',
    ])
  })
  test('is known from any of several rules that agree, whichever can be followed', () => {
    const two = [
      rule('developers', 'ENG', 'member', { from: ['lab'] }),
      rule('developers', 'ENG', 'member', { from: ['corp'], previously: 'devs' as GroupName }),
    ]
    const directories = { lab: ['developers'], corp: failed }
    expect(lines(planOf({ ...world, rules: two, directories }))).toEqual(['rename ENG devs → developers: member → member'])
  })
  test('goes once the new one is there', () => {
    const settled: SmallWorld = { ...world, existing: ['ENG devs member', 'ENG developers member'], directories: { corp: ['developers'] } }
    expect(lines(planOf(settled))).toEqual(['delete ENG devs = member (undeclared)'])
  })
})

describe('order', () => {
  test('what takes away goes first, what gives after it, what is replaced last', () => {
    const plan = planOf({
      rules: [rule('a', 'ENG', 'guest'), rule('b', 'ENG', 'admin'), rule('c', 'ENG', 'member'), rule('d', 'OPS', 'guest')],
      removed: ['OPS gone', '* c'],
      directories: { corp: ['a', 'b', 'c', 'd'] },
      existing: ['ENG a member', 'ENG b member', 'OPS gone member', '* c guest'],
    })
    expect(lines(plan)).toEqual([
      'patch ENG a: member → guest',
      'delete OPS gone = member (removed)',
      'patch ENG b: member → admin',
      'create ENG c = member',
      'create OPS d = guest',
      'delete all projects c = guest (removed)',
    ])
    const [create, gone] = [plan.changes[3], plan.changes[5]]
    expect(gone?.requires).toEqual([create?.id])
  })
  test('the one group that takes the place of another is there before the other goes', () => {
    const plan = planOf({
      rules: [rule('new', 'ENG', 'member')],
      removed: ['ENG old'],
      directories: { corp: ['new'] },
      existing: ['ENG old member'],
    })
    expect(lines(plan)).toEqual(['create ENG new = member', 'delete ENG old = member (removed)'])
  })
  test('a mapping to all projects that is renamed is there before what it makes superfluous goes', () => {
    const world: SmallWorld = {
      rules: [rule('devs', '*', 'guest', { previously: 'old' as GroupName })],
      removed: ['ENG devs'],
      directories: corp,
      existing: ['* old guest', 'ENG devs guest'],
    }
    expect(lines(planOf(world))).toEqual(['rename all projects old → devs: guest → guest', 'delete ENG devs = guest (removed)'])
    expect(planOf({ ...world, policy: 'create-only' }).holds.map(({ key, reason }) => [key, reason.kind])).toEqual([
      ['acme/allProjects/devs', 'policy'],
      ['acme/project/ENG/devs', 'requires'],
    ])
  })
  test('a revocation does not wait for strangers', () => {
    const plan = planOf({
      rules: [rule('x', 'ENG', 'member'), rule('y', 'ENG', 'member')],
      removed: ['ENG old'],
      directories: { corp: ['x', 'y'] },
      existing: ['ENG old member'],
    })
    expect(lines(plan)[0]).toBe('delete ENG old = member (removed)')
  })
})

describe('what is the same in another order', () => {
  const renaming = ['a', 'b'].map((name) => rule(name, 'ENG', 'guest', { previously: 'old' as GroupName }))
  test('which of two rules takes the mapping that both say was theirs', () => {
    const world: SmallWorld = { rules: renaming, directories: { corp: ['a', 'b'] }, existing: ['ENG old guest'] }
    expect(lines(planOf({ ...world, rules: renaming.toReversed() }))).toEqual(lines(planOf(world)))
  })
  test('which of two rules that cannot be followed yet an old name waits for', () => {
    const world: SmallWorld = { directories: { corp: ['old'] }, existing: ['ENG old guest'], policy: 'exclusive' }
    for (const said of [renaming, renaming.toReversed()])
      expect(planOf({ ...world, rules: said }).holds.at(-1)?.reason).toEqual({ kind: 'requires', key: 'acme/project/ENG/a' })
  })
  test('which of two mappings that cannot be made yet a delete waits for', () => {
    const rules = [rule('devs', 'ENG', 'member', { from: ['corp'] }), rule('devs', 'OPS', 'member', { from: ['lab'] })]
    const world: SmallWorld = { removed: ['* devs'], existing: ['* devs guest'], directories: { corp: failed, lab: failed } }
    for (const said of [rules, rules.toReversed()])
      expect(planOf({ ...world, rules: said }).holds[0]).toMatchObject({ change: { action: 'delete' }, reason: { of: 'corp' } })
  })
  test('the places of an ambiguous name, as directories hardly ever answer in one order', () => {
    const places = ['devs@cn=x', 'devs@cn=y']
    const [one, two] = [places, places.toReversed()].map((of) => planOf({ rules: devs, directories: { corp: of, lab: of } }).holds)
    expect(one).toEqual(two)
  })
  test('who is told what was probably meant: the first twenty by key, and no pattern uses them up', () => {
    const rules = [pattern('.*', 'ENG', 'guest', { from: ['lab'] }), rule('dev', 'OPS', 'guest')]
    const teams = Array.from({ length: 30 }, (_, index) => `team-${index}`)
    for (const existing of [[], teams.map((name) => `workspace ${name} guest`)]) {
      const { holds } = planOf({ rules, existing, directories: { corp: ['devs', ...teams], lab: ['else'] } })
      expect(holds.find(({ reason }) => reason.kind === 'groupUnknown')).toMatchObject({ reason: { near: 'devs' } })
    }
  })
})

describe('labels, where names are ids', () => {
  test('a label that the directory does not confirm holds what gives more rights, and nothing else', () => {
    const entra = complete(indexGroups([{ name: '3f1c' as GroupName, id: '3f1c', place: '/groups/3f1c', label: 'Sales EMEA' }]))
    const plan = (label: string, existing: readonly string[] = []) =>
      lines(planOf({ rules: [rule('3f1c', 'ENG', 'member', { label })], directories: { entra }, existing }))
    expect(plan('Sales EMEA')).toEqual(['create ENG 3f1c = member'])
    expect(plan('Interns')).toEqual(['hold acme/project/ENG/3f1c: labelDiffers'])
    expect(plan('Interns', ['ENG 3f1c guest'])).toEqual(['hold acme/project/ENG/3f1c: labelDiffers'])
    expect(plan('Interns', ['ENG 3f1c admin'])).toEqual(['patch ENG 3f1c: admin → member'])
    expect(plan('Interns', ['ENG 3f1c member'])).toEqual([])
    const group = (id: string) => ({ name: id as GroupName, id, place: `/groups/${id}`, label: 'Sales EMEA' })
    const twins = complete(indexGroups([group('3f1c'), group('9ab2')]))
    const ruleOf = (more: object) => [rule('3f1c', 'ENG', 'member', { label: 'Sales EMEA', ...more })]
    expect(lines(planOf({ rules: ruleOf({}), directories: { entra: twins } }))).toEqual(['hold acme/project/ENG/3f1c: labelDiffers'])
    const reasonIn = (rules: readonly Rule[], entra: Reading<GroupIndex>) => planOf({ rules, directories: { entra } }).holds[0]?.reason
    const differs = { kind: 'labelDiffers', directory: 'entra', called: 'Sales EMEA' }
    expect(reasonIn(ruleOf({}), twins)).toEqual({ ...differs, label: 'Sales EMEA', shared: 2 })
    expect(reasonIn(ruleOf({ label: 'Interns' }), entra)).toEqual({ ...differs, label: 'Interns' })
    const absent = complete(indexGroups([group('9ab2')]))
    expect(lines(planOf({ rules: ruleOf({ unknownGroups: 'send' }), directories: { entra: absent } }))).toEqual([
      'hold acme/project/ENG/3f1c: groupUnknown',
    ])
    const again = { kind: 'groupUnknown', directories: ['entra'], hasLabel: true, near: '9ab2', nearLabel: 'Sales EMEA' }
    expect(reasonIn(ruleOf({}), absent)).toEqual({ ...again, mapped: false })
    expect(planOf({ rules: ruleOf({}), directories: { entra: absent }, existing: ['ENG 3f1c member'] }).holds[0]?.reason).toEqual({
      ...again,
      mapped: true,
    })
    const others = complete(indexGroups([group('9ab2'), group('77aa')]))
    expect(reasonIn(ruleOf({}), others)).toEqual({ kind: 'groupUnknown', directories: ['entra'], hasLabel: true, mapped: false })
    const named = planOf({ rules: [rule('devs', 'ENG', 'member', { label: 'devs' })], directories: corp })
    expect(lines(named)).toEqual(['create ENG devs = member'])
  })
  test('a group that no directory knows: the hold names the one group with the label of the rule, in whichever directory', () => {
    const called = (...groups: readonly (readonly [string, string])[]) =>
      complete(indexGroups(groups.map(([id, label]) => ({ name: id as GroupName, id, place: `/groups/${id}`, label }))))
    const sales = [rule('sales-a', 'ENG', 'member', { label: 'Sales' })]
    const nearIn = (directories: Readonly<Record<string, Reading<GroupIndex>>>) => planOf({ rules: sales, directories }).holds[0]?.reason
    const [one, other] = [called(['9ab2', 'Sales']), called(['77aa', 'Ops'])]
    for (const directories of [
      { corp: one, lab: other },
      { corp: other, lab: one },
    ])
      expect(nearIn(directories)).toMatchObject({ kind: 'groupUnknown', near: '9ab2', nearLabel: 'Sales' })
    expect(nearIn({ corp: one, lab: called(['77aa', 'Sales']) })).not.toHaveProperty('near')
    // A similar name is no better suggestion.
    expect(nearIn({ corp: called(['9ab2', 'Sales'], ['sales-b', 'Ops']) })).toMatchObject({ near: '9ab2', nearLabel: 'Sales' })
    expect(nearIn({ corp: called(['sales-b', 'Ops']) })).toMatchObject({ near: 'sales-b' })
  })
  test('a label in the place of an id gets the id as a suggestion, if one group is called so', () => {
    const called = (...groups: readonly (readonly [string, string])[]) =>
      complete(indexGroups(groups.map(([id, label]) => ({ name: id as GroupName, id, place: `/groups/${id}`, label }))))
    const nearIn = (corp: Reading<GroupIndex>) => planOf({ rules: devs, directories: { corp } }).holds[0]?.reason
    expect(nearIn(called(['3f1c', 'devs'], ['9ab2', 'ops']))).toMatchObject({ near: '3f1c', nearLabel: 'devs' })
    expect(nearIn(called(['3f1c', 'devs'], ['9ab2', 'devs']))).not.toHaveProperty('near')
  })
  test('an id in the place of a name gets the name as a suggestion', () => {
    const group = (name: string, id: string) => ({ name: name as GroupName, id, place: id })
    const reasonOf = (written: string, ...groups: readonly (readonly [string, string])[]) =>
      planOf({
        rules: [rule(written, 'ENG', 'member'), rule('taken', 'ENG', 'member')],
        directories: { corp: complete(indexGroups(groups.map(([name, id]) => group(name, id)))) },
      }).holds.find(({ group }) => group === written)?.reason
    const taken = ['taken', '00gtaken'] as const
    expect(reasonOf('00g1f00d', ['devs', '00g1f00d'], taken)).toMatchObject({ kind: 'groupUnknown', near: 'devs' })
    // Entra writes ids in lower case, its portal and scripts also in upper case.
    expect(reasonOf('3F1C0D2E', ['devs', '3f1c0d2e'], taken)).toMatchObject({ near: 'devs' })
    expect(reasonOf('00g1f00d', ['devs', '00g1f00d'], ['ops', '00g1f00d'], taken)).not.toHaveProperty('near')
    expect(reasonOf('00gtaken', taken)).not.toHaveProperty('near')
  })
})

describe('the fingerprint', () => {
  const world: SmallWorld = { rules: devs, directories: corp, existing: ['ENG old admin'] }
  test('does not depend on the order of what was read', () => {
    const turned = { ...world, directories: { corp: ['ops', 'devs'] } }
    expect(planOf(turned).fingerprint).toBe(planOf(world).fingerprint)
  })
  test('covers roles and ids', () => {
    expect(planOf({ ...world, rules: [rule('devs', 'ENG', 'guest')] }).fingerprint).not.toBe(planOf(world).fingerprint)
    const sync = { ...world, policy: 'exclusive' } as const
    expect(planOf({ ...sync, existing: ['ENG x member', 'ENG old admin'] }).fingerprint).not.toBe(planOf(sync).fingerprint)
  })
  test.each([
    ['covers the id of a project that is written to', 'ENG=7', false],
    ['leaves out the other projects', 'OPS=7', true],
  ])('%s', (_, other, isSame) => {
    const [before, after] = [['ENG', 'OPS'], ['ENG', 'OPS'].filter((name) => !other.startsWith(name)).concat(other)]
    expect(planOf({ ...world, projects: after }).fingerprint === planOf({ ...world, projects: before }).fingerprint).toBe(isSame)
  })
  test.each([
    ['covers the id of a group that gets a role', 'devs#7', 'devs#8', false],
    ['covers whether such a group has an id', 'devs#7', 'devs', false],
    ['leaves out a group that loses its role', 'old#7', 'old#8', true],
    ['leaves out the other groups', 'ops#7', 'ops#8', true],
  ])('%s', (_, before, after, isSame) => {
    const printOf = (group: string) =>
      planOf({ ...world, policy: 'exclusive', directories: { corp: group.startsWith('devs') ? [group] : ['devs', group] } }).fingerprint
    expect(printOf(after) === printOf(before)).toBe(isSame)
  })
})
