import { describe, expect, test } from 'vitest'
import { exactly } from '../../../src/core/bounds.ts'
import type { Change } from '../../../src/core/change.ts'
import { guardsOf, type OwnLimits } from '../../../src/core/judge/guardSettings.ts'
import { approvedChanges, type JudgeInput, judge } from '../../../src/core/judge/guards.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { PeopleLimits } from '../../../src/core/peopleEffect.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { boundsWord } from '../../../src/core/quantity.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { atLeast, between, counted, type Numbers } from '../bounds.ts'
import { guards, judging, lines, pattern, planOf, rule, type SmallWorld } from './smallWorld.ts'

const numbered = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, index) => text(index))
const judgedIn = (world: SmallWorld, more: Partial<JudgeInput> = {}) => judge(planOf(world), { ...judging, ...more })

const written = (plan: Plan) => lines({ ...plan, holds: [] })

describe('changes that wait for somebody', () => {
  const directories = { corp: ['it', 'devs'] }
  const leads = { ...judging.roles, ordinary: { project: ['member', 'admin'], workspace: ['member'] } }
  test('the role is ordinary or protected on its own target; all projects count as a project', () => {
    const rules = ['ENG', '*', 'workspace'].map((where) => rule('it', where, 'admin'))
    expect(written(judgedIn({ rules, directories }, { roles: leads }).plan)).toEqual([
      'create all projects it = admin',
      'create ENG it = admin',
    ])
    expect(judgedIn({ rules, directories }, { roles: leads }).plan.holds.map(({ key }) => key)).toEqual(['acme/workspace/it'])
  })

  test.each<[string, SmallWorld, Partial<JudgeInput>, readonly string[]]>([
    ['a protected role', { rules: [rule('it', 'ENG', 'admin')], directories }, {}, ['approval']],
    ['a role that nobody knows is protected', { rules: [rule('it', 'ENG', 'auditor')], directories }, {}, ['approval']],
    ['a protected role that an exact rule allows', { rules: [rule('it', 'ENG', 'admin', { allowProtected: true })], directories }, {}, []],
    [
      'a protected role that a pattern allows',
      { rules: [pattern('it', 'ENG', 'admin', { allowProtected: true })], directories },
      {},
      ['approval'],
    ],
    [
      'a protected role in all projects, whatever the rule says',
      { rules: [rule('it', '*', 'admin', { allowProtected: true })], directories },
      {},
      ['approval'],
    ],
    [
      'taking a protected role away',
      { rules: [rule('it', 'ENG', 'member')], directories, existing: ['ENG it admin', 'ENG devs admin'] },
      {},
      ['undeclared'],
    ],
    [
      'a protected group',
      { rules: [rule('it', 'ENG', 'guest')], directories },
      { guards: { ...guards, protectedGroups: ['it'] } },
      ['approval'],
    ],
    [
      'a rename away from a protected group',
      { rules: [rule('devs', 'ENG', 'guest', { previously: 'it' as GroupName })], directories, existing: ['ENG it guest'] },
      { guards: { ...guards, protectedGroups: ['it'] } },
      ['approval'],
    ],
  ])('%s', (_name, world, more, expected) => {
    expect(judgedIn(world, more).plan.holds.map(({ reason }) => reason.kind)).toEqual(expected)
  })

  test.each<[string, SmallWorld, readonly string[]]>([
    ['a protected role', { rules: [rule('it', 'ENG', 'admin')], directories }, ['protectedRole']],
    ['one in all projects', { rules: [rule('it', '*', 'admin', { allowProtected: true })], directories }, ['allProjectsProtected']],
    ['an ordinary role in all projects', { rules: [rule('it', '*', 'member')], directories }, []],
    ['a protected group', { rules: [rule('boss', 'ENG', 'guest')], directories: { corp: ['boss'] } }, ['protectedGroup']],
    [
      "the workspace's own settings",
      {
        groupSync: { wanted: { autoRemove: true }, because: { at: { file: 'g', line: 1, column: 1 } } },
        existingSync: { autoRemove: false },
      },
      ['groupSync'],
    ],
  ])('say why: %s', (_name, world, expected) => {
    const { holds } = judgedIn(world, { guards: { ...guards, protectedGroups: ['boss'] } }).plan
    expect(holds.flatMap(({ reason }) => (reason.kind === 'approval' ? [reason.why] : []))).toEqual(expected)
  })
  test('taking a role away never waits, whatever roles are called', () => {
    const aliases = { guest: 'visitor', commenter: 'critic', contributor: 'maker', member: 'mate' }
    const world: SmallWorld = { removed: ['ENG x'], existing: ['ENG x admin', 'ENG y mate'], roles: { aliases } }
    expect(written(judgedIn(world, { roles: { ...judging.roles, aliases } }).plan)).toEqual(['delete ENG x = admin (removed)'])
  })

  test('a lowering never waits, also from one protected role to another; a raise and a role that is not in the order wait', () => {
    const from = (before: string, role: string, where = 'ENG') =>
      written(judgedIn({ rules: [rule('it', where, role)], directories, existing: [`${where} it ${before}`, 'ENG x guest'] }).plan)
    expect(from('owner', 'admin')).toEqual(['patch ENG it: owner → admin'])
    expect(from('owner', 'admin', '*')).toEqual(['patch all projects it: owner → admin'])
    expect(from('admin', 'owner')).toEqual([])
    expect(from('owner', 'auditor')).toEqual([])
    expect(from('-', 'admin')).toEqual([])
    const group = { guards: { ...guards, protectedGroups: ['it'] } }
    expect(written(judgedIn({ rules: [rule('it', 'ENG', 'admin')], directories, existing: ['ENG it owner'] }, group).plan)).toEqual([])
    const renaming = [rule('it', 'ENG', 'admin', { previously: 'old' as GroupName })]
    expect(written(judgedIn({ rules: renaming, directories, existing: ['ENG old owner'] }).plan)).toEqual([])
  })

  test('what requires a change that waits, waits with it', () => {
    const world: SmallWorld = {
      rules: [rule('it', 'ENG', 'admin')],
      removed: ['* it'],
      directories,
      existing: ['* it guest', 'OPS x guest'],
    }
    const { changes, holds } = judgedIn(world).plan
    expect(changes).toEqual([])
    expect(holds.map(({ key, reason }) => [key, reason.kind])).toEqual([
      ['acme/allProjects/it', 'requires'],
      ['acme/project/ENG/it', 'approval'],
      ['acme/project/OPS/x', 'undeclared'],
    ])
    expect(holds[0]?.reason).toEqual({ kind: 'requires', key: 'acme/project/ENG/it' })
  })
  test('one held grant does not stop a revocation', () => {
    const judged = judgedIn({
      rules: [rule('it', 'ENG', 'admin')],
      removed: ['ENG x'],
      directories,
      existing: ['ENG x guest', 'ENG y guest'],
    })
    expect(lines({ changes: judged.plan.changes, holds: [] })).toEqual(['delete ENG x = guest (removed)'])
  })
})

describe('a waiver passes exactly what it names', () => {
  const waiver = (ids: readonly string[], untilMs = 10): Waiver => ({ ids, by: 'ann', untilMs, source: '--allow' })
  const waiting = planOf({
    rules: [rule('it', 'ENG', 'admin'), rule('it', 'OPS', 'admin'), rule('it', 'workspace', 'guest')],
    directories: { corp: ['it'] },
  })
  const [first, second] = waiting.changes.filter(({ key }) => !key.includes('workspace'))
  const passing = (ids: readonly string[], dateMs = 0) =>
    judge(waiting, { ...judging, dateMs, waivers: [waiver(ids)] }).plan.changes.map(({ key }) => key.replace(/^acme\/(?:project\/)?/, ''))
  test.each<[string, readonly string[], readonly string[]]>([
    ['nothing', [], ['workspace/it']],
    ['one change', [first?.id ?? ''], ['ENG/it', 'workspace/it']],
    ['both', [first?.id ?? '', second?.id ?? ''], ['ENG/it', 'OPS/it', 'workspace/it']],
    ['the plan', [waiting.fingerprint.slice(0, 32)], ['ENG/it', 'OPS/it', 'workspace/it']],
    ['part of an id: it could be made to fit another', [(first?.id ?? '').slice(0, 31)], ['workspace/it']],
    ['another plan', ['0'.repeat(32)], ['workspace/it']],
  ])('%s', (_name, ids, expected) => expect(passing(ids)).toEqual(expected))
  test('until its time', () => {
    expect([9, 10].map((dateMs) => passing([waiting.fingerprint], dateMs).length)).toEqual([3, 1])
  })
  test('and is reported with what it used, if it was used', () => {
    const { waived } = judge(waiting, { ...judging, waivers: [waiver([first?.id ?? '', 'x']), waiver(['0'.repeat(32)])] })
    expect(waived).toEqual([{ ...waiver([first?.id ?? '']), used: [first?.id] }])
  })
  test('a change with two reasons to wait passes by its one ID', () => {
    const protectedGroup = { ...guards, protectedGroups: ['it'] }
    expect(judge(waiting, { ...judging, guards: protectedGroup, waivers: [waiver([first?.id ?? ''])] }).plan.changes).toHaveLength(1)
  })
})

test('a helper that TypeScript cannot see through makes no plan that can be written', () => {
  const withChanges = <P extends Plan>(plan: P, changes: readonly Change[]) => ({ ...plan, changes })
  const { plan } = judge(planOf({}), judging)
  const { changes } = planOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } })
  expect(() => approvedChanges(withChanges(plan, changes))).toThrow(TypeError)
  expect(approvedChanges(plan)).toBe(plan.changes)
})

describe('limits on people', () => {
  /** The plan of the world, whose changes concern these people; undefined: it is not known how many. */
  const held = (world: SmallWorld, people: Numbers | undefined, limits: PeopleLimits, ids: readonly string[] = [], own?: OwnLimits) => {
    const plan = planOf({ directories: {}, ...world })
    const changes = plan.changes.map((change) =>
      change.action === 'settings' || people === undefined ? change : { ...change, effect: counted(people) },
    )
    const waivers = ids.map((id) => ({
      ids: [id.replace('ID', changes[0]?.id ?? '')],
      by: 'me',
      untilMs: Number.POSITIVE_INFINITY,
      source: '--allow',
    }))
    const judged = judge({ ...plan, changes }, { ...judging, waivers, guards: guardsOf({ ...guards, people: limits }, own) })
    return judged.plan.holds.flatMap(({ reason }) => (reason.kind === 'approval' && reason.why === 'people' ? [reason] : []))
  }
  const create: SmallWorld = { rules: [rule('devs', 'ENG', 'member')] }
  const patch = (before: string): SmallWorld => ({ ...create, existing: [`ENG devs ${before}`] })
  const undeclared: SmallWorld = {
    existing: ['ENG devs member', 'ENG others guest'],
    rules: [rule('others', 'ENG', 'guest')],
    policy: 'exclusive',
  }

  test.each<[string, SmallWorld, Numbers, PeopleLimits, string | undefined]>([
    ['as many as allowed', create, { newly: 3, raised: 2 }, { raise: 5 }, undefined],
    ['one more', create, { newly: 4, raised: 2 }, { raise: 5 }, 'guards.people.raise: 6 of 5'],
    ['a raise', patch('guest'), { raised: 6 }, { raise: 5 }, 'guards.people.raise: 6 of 5'],
    ['a protected role', create, { newly: 9, gainProtected: 2 }, { raise: 10, gainProtected: 1 }, 'guards.people.gainProtected: 2 of 1'],
    ['a lowering is never held', patch('admin'), { lowered: 900, raised: 9 }, { lose: 0, raise: 0, gainProtected: 0 }, undefined],
    [
      'a delete that the file asks for is never held',
      { removed: ['ENG devs'], existing: ['ENG devs member', 'ENG x guest'] },
      { lost: 900 },
      { lose: 0 },
      undefined,
    ],
    ['the delete of an undeclared mapping', undeclared, { lost: 4, lowered: 1, lose: 7 }, { lose: 6 }, 'guards.people.lose: 7 of 6'],
    [
      'a rename to a lower role, for the people of the new group',
      { rules: [rule('new', 'ENG', 'guest', { previously: 'old' as GroupName })], existing: ['ENG old member'] },
      { newly: 6, lowered: 2 },
      { raise: 5 },
      'guards.people.raise: 6 of 5',
    ],
    [
      'settings concern no people',
      {
        groupSync: { wanted: { autoRemove: true }, because: { at: { file: 'groups.yaml', line: 1, column: 1 } } },
        existingSync: { autoRemove: false },
      },
      {},
      { lose: 0, raise: 0, gainProtected: 0 },
      undefined,
    ],
    ['no limit', create, { newly: 9_999 }, {}, undefined],
  ])('%s', (_name, world, people, limits, expected) => {
    const [hold] = held(world, people, limits)
    expect(hold && `${hold.setting}: ${boundsWord(hold.people)} of ${hold.limit}`).toBe(expected)
  })

  test('a limit of the workspace stands in the place of that for all, and is named as what it is', () => {
    const settings = (own: OwnLimits) =>
      held(create, { newly: 6, gainProtected: 4 }, { raise: 5, gainProtected: 3 }, [], own).map(({ setting }) => setting)
    expect(settings({ people: { raise: 6, gainProtected: undefined } })).toEqual(['guards.people.gainProtected'])
    expect(settings({ people: { raise: 2, gainProtected: undefined } })).toEqual(['workspaces.acme.guards.people.raise'])
    expect(settings({ people: { gainProtected: 9 } })).toEqual(['guards.people.raise'])
    expect(settings({ people: { raise: 2, gainProtected: 9 } })).toEqual(['workspaces.acme.guards.people.raise'])
    expect(settings({ people: { raise: 6, gainProtected: 4 } })).toEqual([])
  })

  test('an unknown number is above every limit', () => {
    expect(held(create, undefined, { raise: 1_000_000 })).toMatchObject([{ over: 'raise', pass: expect.stringMatching(/:any$/) as string }])
    expect(held(create, undefined, { lose: 0 })).toEqual([])
  })

  test.each([
    ['ID:6', 0],
    ['ID:7', 0],
    ['ID:any', 0],
    ['ID:5', 1],
    ['ID', 1],
    ['another:6', 1],
    ['another:any', 1],
  ])('the waiver %s leaves %i held of a change for 6 people', (id, left) => {
    expect(held(create, { newly: 6 }, { raise: 1 }, [id])).toHaveLength(left)
  })

  test('a number that nothing bounds from above is above every limit, and passes only for any number', () => {
    const some = { newly: atLeast(2), raised: 1 } as const
    expect(held(create, some, { raise: 900 })).toMatchObject([
      { limit: 900, people: atLeast(3), pass: expect.stringMatching(/:any$/) as string },
    ])
    expect(held(create, some, { raise: 900 })[0]?.people).not.toHaveProperty('most')
    expect(held(create, some, { raise: 900 }, ['ID:900'])).toHaveLength(1)
    expect(held(create, some, { raise: 900 }, ['ID:any'])).toHaveLength(0)
    expect(held(undeclared, { lose: atLeast(1) }, { lose: 900 })).toMatchObject([{ over: 'lose', people: atLeast(1) }])
  })

  test('a number between bounds is within a limit that it cannot exceed, and passes for the most that it may be', () => {
    const some = { newly: between(2, 5), raised: 1 } as const
    expect(held(create, some, { raise: 6 })).toEqual([])
    expect(held(create, some, { raise: 5 })).toMatchObject([
      { limit: 5, people: between(3, 6), pass: expect.stringMatching(/:6$/) as string },
    ])
    expect(held(create, some, { raise: 2 })).toMatchObject([{ limit: 2, people: between(3, 6) }])
    expect(held(create, some, { raise: 5 }, ['ID:6'])).toHaveLength(0)
    expect(held(create, some, { raise: 5 }, ['ID:5'])).toHaveLength(1)
    expect(held(create, { newly: between(0, 1) }, { raise: 0 })).toMatchObject([{ people: between(0, 1) }])
    expect(held(create, { newly: between(0, 1) }, { raise: 1 })).toEqual([])
  })

  test('of several limits that a change perhaps exceeds, the one with the most people holds it', () => {
    const some = { newly: between(1, 9), gainProtected: between(2, 7) } as const
    const admins: SmallWorld = { rules: [rule('devs', 'ENG', 'admin', { allowProtected: true })] }
    expect(held(admins, some, { raise: 5, gainProtected: 5 })).toMatchObject([{ over: 'raise', people: between(1, 9) }])
    expect(held(admins, some, { raise: 9, gainProtected: 5 })).toMatchObject([{ over: 'gainProtected', people: between(2, 7) }])
  })

  test('an ordinary role gives no protected role to people of the group who are not known', () => {
    expect(held(create, { newly: atLeast(2) }, { gainProtected: 0 })).toEqual([])
    expect(held(create, undefined, { gainProtected: 0 })).toEqual([])
    expect(held(create, { newly: atLeast(2), gainProtected: 1 }, { gainProtected: 0 })).toMatchObject([{ people: exactly(1) }])
    const admins: SmallWorld = { rules: [rule('devs', 'ENG', 'admin')] }
    expect(held(admins, undefined, { gainProtected: 0 })).toMatchObject([{ over: 'gainProtected' }])
    const unlisted = { newly: atLeast(2), gainProtected: atLeast(0) } as const
    expect(held(admins, unlisted, { gainProtected: 9 })).toMatchObject([{ over: 'gainProtected', people: atLeast(0) }])
  })

  test('one of the IDs of a waiver suffices, and the judged names those that were used', () => {
    const { changes, ...plan } = planOf({ directories: {}, ...create })
    const crowded = { ...plan, changes: changes.map((change) => ({ ...change, effect: counted({ raise: 6 }) }) as Change) }
    const pass = `${changes[0]?.id}:6`
    const waiver: Waiver = { ids: ['another:6', pass], by: 'jo', untilMs: 1, source: '--allow' }
    const { plan: judged, waived } = judge(crowded, { ...judging, waivers: [waiver], guards: { ...guards, people: { raise: 1 } } })
    expect(judged.changes).toHaveLength(1)
    expect(waived).toEqual([{ ...waiver, ids: [pass], used: [pass] }])
  })

  test('a create that was approved for its people does not count towards too many creates', () => {
    const names = numbered(201, (n) => `g${n}`)
    const { changes, ...plan } = planOf({ rules: names.map((name) => rule(name, 'ENG', 'guest')), directories: { corp: names } })
    const crowded = {
      ...plan,
      changes: changes.map((change, n) => ({ ...change, effect: counted({ raise: n === 0 ? 6 : 0 }) }) as Change),
    }
    const waivers: readonly Waiver[] = [{ ids: [`${changes[0]?.id}:6`], by: 'jo', untilMs: 1, source: '--allow' }]
    expect(judge(crowded, { ...judging, waivers, guards: { ...guards, people: { raise: 5 } } }).plan.changes).toHaveLength(201)
  })

  test('a hold tells the waiver with the number of people', () => {
    const [{ id } = { id: '' }] = planOf({ directories: {}, ...create }).changes
    expect(held(create, { newly: 6 }, { raise: 1 }).map(({ pass }) => pass)).toEqual([`${id}:6`])
  })

  test('an unknown number passes only for any number', () => {
    expect(held(create, undefined, { raise: 1 }, ['ID:900'])).toHaveLength(1)
    expect(held(create, undefined, { raise: 1 }, ['ID:any'])).toHaveLength(0)
  })
})
