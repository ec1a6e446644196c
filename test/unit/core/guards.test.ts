import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Hold } from '../../../src/core/hold.ts'
import { approvedChanges, type JudgeInput, judge, type Verdict } from '../../../src/core/judge/guards.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { CountedEffect, PeopleLimits } from '../../../src/core/peopleEffect.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Guard, Waiver } from '../../../src/core/waiver.ts'
import { explainHold } from '../../../src/render/hold.ts'
import { guards, judging, lines, pattern, planOf, rule, type SmallWorld } from './smallWorld.ts'

const numbered = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, index) => text(index))
const say = (verdict: Verdict): readonly string[] => (verdict.approved ? ['approved'] : verdict.refusals.map(({ sentence }) => sentence))
const judged = (world: SmallWorld, more: Partial<JudgeInput> = {}) => judge(planOf(world), { ...judging, ...more })

/** A world with `owned` mappings. `removed` names `gone` of them; at least one stays, so that the list does not become empty. */
const deleting = (owned: number, gone: number): SmallWorld => ({
  existing: numbered(owned, (n) => `ENG g${n} guest`),
  removed: numbered(gone, (n) => `ENG g${n}`),
})
const patching = (owned: number, patched: number): SmallWorld => ({
  existing: numbered(owned, (n) => `ENG g${n} guest`),
  rules: numbered(owned, (n) => `g${n}`).map((name, n) => rule(name, 'ENG', n < patched ? 'member' : 'guest')),
  directories: { corp: numbered(owned, (n) => `g${n}`) },
})

const written = (plan: Plan) => lines({ ...plan, holds: [] })

describe('how much may change at once, each at its edge', () => {
  test.each<[string, SmallWorld, readonly string[]]>([
    ['deletes: the small number that always passes', deleting(12, 5), ['approved']],
    [
      'deletes: one more',
      deleting(12, 6),
      ['6 deletes (50 % of 12 owned mappings); guards.deletes.minExisting allows 5, which is more than 20 % of 12 owned mappings'],
    ],
    ['deletes: the share', deleting(40, 8), ['approved']],
    [
      'deletes: the share and one',
      deleting(40, 9),
      ['9 deletes (23 % of 40 owned mappings); guards.deletes.share allows 20 % of 40 owned mappings, which is 8'],
    ],
    ['deletes: the count, however many there are', deleting(400, 10), ['approved']],
    ['deletes: the count and one', deleting(400, 11), ['11 deletes (3 % of 400 owned mappings); guards.deletes.count allows 10']],
    [
      'deletes: one more, where the share and the small number are the same',
      deleting(25, 6),
      ['6 deletes (24 % of 25 owned mappings); guards.deletes.share allows 20 % of 25 owned mappings, which is 5'],
    ],
    ['changes: the small number that always passes', patching(12, 10), ['approved']],
    [
      'changes: one more',
      patching(12, 11),
      [
        '11 patches and deletes (92 % of 12 owned mappings); guards.changes.minExisting allows 10, which is more than 30 % of 12 owned mappings',
      ],
    ],
    ['changes: the count', patching(400, 50), ['approved']],
    [
      'changes: the count and one',
      patching(400, 51),
      ['51 patches and deletes (13 % of 400 owned mappings); guards.changes.count allows 50'],
    ],
  ])('%s', (_name, world, expected) => expect(say(judged(world))).toEqual(expected))

  test.each([
    ['run', 19, 'approved'],
    ['run', 20, '1 delete on top of 20 in this run; guards.run.deletes allows 20'],
    ['day', 39, 'approved'],
    ['day', 40, '1 delete on top of 40 in the last 24 hours; guards.day.deletes allows 40'],
  ] as const)('a plan counts with what was written before it (%s, %i)', (span, deletes, expected) => {
    const tally = { ...judging.tally, [span]: { changes: deletes, deletes, creates: 0 } }
    expect(say(judged(deleting(12, 1), { tally }))).toEqual([expected])
  })
})

describe('a flood of creates', () => {
  const flooding = (count: number, more: SmallWorld = {}): SmallWorld => {
    const names = numbered(count, (n) => `g${n}`)
    return { rules: names.map((name) => rule(name, 'ENG', 'guest')), directories: { corp: names }, ...more }
  }
  const tallied = (span: 'run' | 'day', creates: number) => ({ tally: { ...judging.tally, [span]: { changes: 0, deletes: 0, creates } } })
  const waiting = ({ plan }: Verdict) => [
    ...new Set(plan.holds.map((hold) => (hold.reason.kind === 'approval' ? explainHold(hold).sentence : hold.reason.kind))),
  ]

  test.each<[string, SmallWorld, Partial<JudgeInput>, readonly string[]]>([
    ['as many as one plan may have', flooding(200), {}, []],
    ['one more', flooding(201), {}, ['201 creates; guards.creates.count allows 200']],
    ['the last of a run', flooding(100), tallied('run', 300), []],
    ['one more in a run', flooding(101), tallied('run', 300), ['101 creates on top of 300 in this run; guards.run.creates allows 400']],
    ['the last of a day', flooding(1), tallied('day', 799), []],
    ['one more in a day', flooding(1), tallied('day', 800), ['1 create on top of 800 in the last 24 hours; guards.day.creates allows 800']],
    ['none, whatever was before', flooding(0), tallied('day', 900), []],
  ])('%s', (_name, world, more, expected) => {
    const verdict = judged(world, more)
    expect([verdict.approved, waiting(verdict)]).toEqual([true, expected])
  })

  const mixed = flooding(201, { existing: ['OPS x guest', 'OPS keep guest', '* g1 guest'], removed: ['OPS x', '* g1'] })
  test('holds all of them and what comes after one, and no revocation', () => {
    const { plan } = judged(mixed)
    expect(written(plan)).toEqual(['delete OPS x = guest (removed)'])
    const kinds = Map.groupBy(plan.holds, ({ reason }) => reason.kind)
    expect([kinds.get('approval')?.length, kinds.get('requires')?.length]).toEqual([201, 1])
  })
  test('passes with the name of the plan, which each of them tells', () => {
    const held = judged(mixed).plan.holds.find(({ reason }) => reason.kind === 'approval') as Hold
    const [, pass = ''] =
      /--allow ([0-9a-f]{32}) · or, if the limit is wrong, change guards\.creates\.count$/.exec(explainHold(held).cure) ?? []
    const waiver: Waiver = { ids: [pass], by: 'jo', untilMs: 1, source: '--allow' }
    const verdict = judged(mixed, { waivers: [waiver] })
    expect([verdict.plan.changes.length, verdict.waived]).toMatchObject([203, [waiver]])
  })
  test('and what is left of that plan passes, too', () => {
    const plan = planOf(mixed)
    const named: Waiver = { ids: [plan.fingerprint], by: 'jo', untilMs: 1, source: '--allow' }
    const left: Plan = { ...plan, fingerprint: 'f'.repeat(64), changes: plan.changes.slice(1) }
    const passing = (waivers: readonly Waiver[]) => judge(left, { ...judging, waivers }).plan.changes.length
    expect([passing([named]), passing(judged(mixed, { waivers: [named] }).waived)]).toEqual([0, 202])
  })
  test('or one of them with its own', () => {
    const one = planOf(mixed).changes.find(({ action }) => action === 'create')
    const waivers: Waiver[] = [{ ids: [one?.id ?? ''], by: 'jo', untilMs: 1, source: '--allow' }]
    expect(judged(mixed, { waivers }).plan.changes.filter(({ action }) => action === 'create')).toEqual([one])
  })
  test('is not made by the word for one more', () => {
    const directories = { corp: [...numbered(200, (n) => `g${n}`), 'it'] }
    const world = flooding(200, { rules: [...(flooding(200).rules ?? []), rule('it', 'ENG', 'admin')], directories })
    const [admin] = judged(world).plan.holds.flatMap(({ change }) => change ?? [])
    const waivers: readonly Waiver[] = [{ ids: [admin?.id ?? ''], by: 'jo', untilMs: 1, source: '--allow' }]
    expect(judged(world, { waivers }).plan.changes).toHaveLength(201)
  })
  test('does not hide that a list would be emptied', () => {
    const swapped = flooding(201, { existing: ['ENG old guest'], removed: ['ENG old'] })
    expect(say(judged(swapped))).toEqual(['the only project mapping would be deleted, and none would be left'])
  })
})

describe('what no number allows', () => {
  test('a list that had mappings is not emptied', () => {
    expect(say(judged({ existing: ['ENG a guest'], removed: ['ENG a'] }))).toEqual([
      'the only project mapping would be deleted, and none would be left',
    ])
  })
  test('a list is not emptied between two writes either, since the gate may stop what should come after', () => {
    const world: SmallWorld = {
      existing: ['ENG a guest', 'OPS b guest'],
      removed: ['ENG a', 'OPS b'],
      rules: [rule('c', 'ENG', 'member')],
      directories: { corp: ['c'] },
    }
    expect(say(judged(world))).toEqual(['all 2 project mappings would be deleted before the first new one exists'])
    // The approval must name the deletes, not the create.
    const deletes = planOf(world).changes.filter(({ action }) => action === 'delete')
    const waivers: readonly Waiver[] = [{ ids: deletes.map(({ id }) => id), by: 'ann', untilMs: 1, source: '--allow' }]
    expect(deletes).toHaveLength(2)
    expect(judged(world, { waivers }).approved).toBe(true)
  })
  test('an alias of admin is an administrator', () => {
    const aliases = { admin: 'administrator' }
    const world: SmallWorld = {
      existing: ['workspace it administrator', 'workspace devs member'],
      removed: ['workspace it'],
      roles: { aliases },
    }
    expect(judged(world, { roles: { ...judging.roles, aliases } }).approved).toBe(false)
  })
  test('so is one whom the service was seen to call otherwise', () => {
    const echoes = { admin: 'workspace-admin' }
    const world: SmallWorld = { existing: ['workspace it workspace-admin', 'workspace devs member'], removed: ['workspace it'], echoes }
    expect(judged(world, { echoes }).approved).toBe(false)
    expect(judged({ ...world, echoes: { member: 'workspace-admin' } }, { echoes: { member: 'workspace-admin' } }).approved).toBe(true)
  })
  test('the refusal names the change that takes the last one away', () => {
    const world: SmallWorld = {
      existing: ['workspace a admin', 'workspace b admin', 'workspace devs member'],
      removed: ['workspace a', 'workspace b'],
    }
    const [refusal] = (judged(world) as Extract<ReturnType<typeof judged>, { approved: false }>).refusals
    expect(refusal).toMatchObject({ guard: 'lastAdministrator', count: 2, limit: 1, sentence: expect.stringMatching(/^b has the last/) })
  })
  test('a role that may be an administrator goes while a certain administrator is left', () => {
    const echoes = { admin: 'none' }
    const existing = ['workspace it admin', 'workspace ops admin', 'workspace boss none', 'workspace devs member']
    expect(judged({ existing, removed: ['workspace it', 'workspace boss'], echoes }, { echoes }).approved).toBe(true)
    expect(judged({ existing, removed: ['workspace it', 'workspace ops'], echoes }, { echoes }).approved).toBe(false)
  })
  test('one whose role the service answered instead of admin does not make up for one who goes', () => {
    const echoes = { admin: 'none' }
    const existing = ['workspace it admin', 'workspace boss none', 'workspace devs member']
    expect(judged({ existing, removed: ['workspace it'], echoes }, { echoes }).approved).toBe(false)
    expect(judged({ existing: [...existing, 'workspace ops admin'], removed: ['workspace it'], echoes }, { echoes }).approved).toBe(true)
  })
  test('the last mapping to an administrator role stays', () => {
    const world: SmallWorld = { existing: ['workspace it admin', 'workspace devs member'], removed: ['workspace it'] }
    expect(say(judged(world))).toEqual(['it has the last mapping to a workspace administrator role; without it no group gives that role'])
  })
  test('also not between two writes, since a run may end anywhere', () => {
    const world: SmallWorld = {
      existing: ['workspace it admin', 'workspace devs member'],
      rules: [rule('it', 'workspace', 'member'), rule('boss', 'workspace', 'admin', { allowProtected: true })],
      directories: { corp: ['it', 'boss'] },
    }
    expect(lines(planOf(world)).slice(0, 2)).toEqual(['patch workspace it: admin → member', 'create workspace boss = admin'])
    expect(judged(world).approved).toBe(false)
  })
  test('nor where the grant that comes before may fail', () => {
    const world: SmallWorld = {
      existing: ['workspace boss guest', 'workspace it admin'],
      rules: [rule('boss', 'workspace', 'admin', { allowProtected: true }), rule('it', 'workspace', 'auditor', { allowProtected: true })],
      directories: { corp: ['it', 'boss'] },
    }
    expect(lines(planOf(world))).toEqual(['patch workspace boss: guest → admin', 'patch workspace it: admin → auditor'])
    expect(judged(world).approved).toBe(false)
  })
  test('but it may go where it requires the grant that takes its place', () => {
    const world: SmallWorld = {
      existing: ['workspace it admin', 'workspace devs member'],
      rules: [rule('boss', 'workspace', 'admin', { allowProtected: true })],
      removed: ['workspace it'],
      directories: { corp: ['boss'] },
    }
    expect(judged(world).approved).toBe(true)
  })
  test('where nobody was an administrator, nobody can be the last', () => {
    const world: SmallWorld = { existing: ['workspace devs member', 'workspace ops member'], removed: ['workspace ops'] }
    expect(judged(world).approved).toBe(true)
  })
  test('one of two may go', () => {
    expect(judged({ existing: ['workspace it admin', 'workspace boss owner'], removed: ['workspace it'] }).approved).toBe(true)
  })
})

describe('changes that wait for somebody', () => {
  const directories = { corp: ['it', 'devs'] }
  const leads = { ...judging.roles, ordinary: { project: ['member', 'admin'], workspace: ['member'] } }
  test('the role is ordinary or protected on its own target; all projects count as a project', () => {
    const rules = ['ENG', '*', 'workspace'].map((where) => rule('it', where, 'admin'))
    expect(written(judged({ rules, directories }, { roles: leads }).plan)).toEqual([
      'create all projects it = admin',
      'create ENG it = admin',
    ])
    expect(judged({ rules, directories }, { roles: leads }).plan.holds.map(({ key }) => key)).toEqual(['acme/workspace/it'])
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
    const verdict = judged(world, more)
    expect(verdict.approved).toBe(true)
    expect(verdict.plan.holds.map(({ reason }) => reason.kind)).toEqual(expected)
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
    const { holds } = judged(world, { guards: { ...guards, protectedGroups: ['boss'] } }).plan
    expect(holds.flatMap(({ reason }) => (reason.kind === 'approval' ? [reason.why] : []))).toEqual(expected)
  })
  test('taking a role away never waits, whatever roles are called', () => {
    const aliases = { guest: 'visitor', commenter: 'critic', contributor: 'maker', member: 'mate' }
    const world: SmallWorld = { removed: ['ENG x'], existing: ['ENG x admin', 'ENG y mate'], roles: { aliases } }
    expect(written(judged(world, { roles: { ...judging.roles, aliases } }).plan)).toEqual(['delete ENG x = admin (removed)'])
  })

  test('a lowering never waits, also from one protected role to another; a raise and a role that is not in the order wait', () => {
    const from = (before: string, role: string, where = 'ENG') =>
      written(judged({ rules: [rule('it', where, role)], directories, existing: [`${where} it ${before}`, 'ENG x guest'] }).plan)
    expect(from('owner', 'admin')).toEqual(['patch ENG it: owner → admin'])
    expect(from('owner', 'admin', '*')).toEqual(['patch all projects it: owner → admin'])
    expect(from('admin', 'owner')).toEqual([])
    expect(from('owner', 'auditor')).toEqual([])
    expect(from('-', 'admin')).toEqual([])
    const group = { guards: { ...guards, protectedGroups: ['it'] } }
    expect(written(judged({ rules: [rule('it', 'ENG', 'admin')], directories, existing: ['ENG it owner'] }, group).plan)).toEqual([])
    const renaming = [rule('it', 'ENG', 'admin', { previously: 'old' as GroupName })]
    expect(written(judged({ rules: renaming, directories, existing: ['ENG old owner'] }).plan)).toEqual([])
  })

  test('what requires a change that waits, waits with it', () => {
    const world: SmallWorld = {
      rules: [rule('it', 'ENG', 'admin')],
      removed: ['* it'],
      directories,
      existing: ['* it guest', 'OPS x guest'],
    }
    const { changes, holds } = judged(world).plan
    expect(changes).toEqual([])
    expect(holds.map(({ key, reason }) => [key, reason.kind])).toEqual([
      ['acme/allProjects/it', 'requires'],
      ['acme/project/ENG/it', 'approval'],
      ['acme/project/OPS/x', 'undeclared'],
    ])
    expect(holds[0]?.reason).toEqual({ kind: 'requires', key: 'acme/project/ENG/it' })
  })
  test('one held grant does not stop a revocation', () => {
    const verdict = judged({
      rules: [rule('it', 'ENG', 'admin')],
      removed: ['ENG x'],
      directories,
      existing: ['ENG x guest', 'ENG y guest'],
    })
    expect(lines({ changes: verdict.plan.changes, holds: [] })).toEqual(['delete ENG x = guest (removed)'])
  })
})

describe('a waiver passes exactly what it names', () => {
  const world = deleting(12, 6)
  const planned = () => planOf(world)
  const waiver = (ids: readonly string[], untilMs = 10): Waiver => ({ ids, by: 'ann', untilMs, source: '--allow' })
  test.each<[string, (plan: Plan) => readonly string[], boolean]>([
    ['the whole fingerprint', ({ fingerprint }) => [fingerprint], true],
    ['its first 32 digits', ({ fingerprint }) => [fingerprint.slice(0, 32)], true],
    ['31 digits', ({ fingerprint }) => [fingerprint.slice(0, 31)], false],
    ['every change', ({ changes }) => changes.map(({ id }) => id), true],
    ['all but one', ({ changes }) => changes.slice(1).map(({ id }) => id), false],
    ['another plan', () => ['0'.repeat(32)], false],
    ['nothing', () => [''], false],
  ])('%s', (_name, passes, expected) => {
    const plan = planned()
    const verdict = judge(plan, { ...judging, waivers: [waiver(passes(plan))] })
    expect(verdict.approved).toBe(expected)
    expect(verdict.waived.length).toBe(Number(expected))
  })
  test('that waits for somebody, by its id or with its plan', () => {
    const waiting = planOf({
      rules: [rule('it', 'ENG', 'admin'), rule('it', 'OPS', 'admin')],
      directories: { corp: ['it'] },
    })
    const [first] = waiting.changes
    const one = judge(waiting, { ...judging, waivers: [waiver([first?.id ?? ''])] })
    expect(one.plan.changes).toEqual([first])
    expect(one.plan.holds.map(({ reason }) => reason.kind)).toEqual(['approval'])
    expect(one.waived).toEqual([waiver([first?.id ?? ''])])
    const whole = judge(waiting, { ...judging, waivers: [waiver([waiting.fingerprint])] })
    expect(whole.plan.changes).toHaveLength(2)
  })
  test('and is told as used, also where the plan is refused for another reason', () => {
    const mixed = planOf({ ...world, rules: [rule('it', 'OPS', 'admin')], directories: { corp: ['it'] } })
    const grant = mixed.changes.find(({ action }) => action === 'create')?.id ?? ''
    const verdict = judge(mixed, { ...judging, waivers: [waiver([grant]), waiver(['0'.repeat(32)])] })
    expect(verdict).toMatchObject({ approved: false, waived: [{ ids: [grant] }] })
    expect(verdict.waived).toHaveLength(1)
  })
  test('only at the guards for which it covers a change', () => {
    const mixed = planOf({ ...world, rules: [rule('it', 'OPS', 'admin')], directories: { corp: ['it'] } })
    const all = new Set(mixed.changes.map(({ id }) => id))
    const covering = (...names: readonly Guard[]) => {
      const rememberedScope = new Map(names.map((name) => [name, all]))
      const { approved, plan, waived } = judge(mixed, { ...judging, waivers: [{ ...waiver([]), rememberedScope }] })
      // The waiver names no id, so the verdict does not list it as used.
      expect(waived).toEqual([])
      return [approved, plan.changes.some(({ action }) => action === 'create')]
    }
    expect(covering('run')).toEqual([false, false])
    expect(covering('deletes')).toEqual([true, false])
    expect(covering('deletes', 'creates')).toEqual([true, false])
    expect(covering('deletes', 'protectedRole')).toEqual([true, true])
  })
  test('and a change that has two reasons to wait only for both', () => {
    const waiting = planOf({ rules: [rule('it', 'ENG', 'admin')], directories: { corp: ['it'] } })
    const all = new Set(waiting.changes.map(({ id }) => id))
    const covering = (...names: readonly Guard[]) => {
      const waivers = [{ ...waiver([]), rememberedScope: new Map(names.map((name) => [name, all])) }]
      return judge(waiting, { ...judging, guards: { ...guards, protectedGroups: ['it'] }, waivers }).plan.holds.map(({ reason }) => reason)
    }
    expect(covering('protectedGroup')).toEqual([{ kind: 'approval', why: 'protectedRole' }])
    expect(covering('protectedRole')).toEqual([{ kind: 'approval', why: 'protectedGroup' }])
    expect(covering('protectedGroup', 'protectedRole')).toEqual([])
  })
  test('also what is left of a plan that it named, at the guards that it passed then', () => {
    const mixed = planOf({ ...world, rules: [rule('it', 'OPS', 'admin')], directories: { corp: ['it'] } })
    const { waived } = judge(mixed, { ...judging, waivers: [waiver([mixed.fingerprint])] })
    const left: Plan = { ...mixed, fingerprint: 'f'.repeat(64), changes: mixed.changes.slice(1), owned: { projectRoles: 11 } }
    expect(judge(left, { ...judging, waivers: [waiver([mixed.fingerprint])] }).plan.changes).toHaveLength(5)
    expect(judge(left, { ...judging, waivers: waived }).plan.changes).toHaveLength(6)
    const few = { ...guards, deletes: { count: 1, share: 1, minExisting: 1 } }
    expect(judge(left, { ...judging, guards: few, waivers: waived }).approved).toBe(true)
    expect(judge({ ...left, owned: { projectRoles: 5 } }, { ...judging, guards: few, waivers: waived }).approved).toBe(false)
    const [more] = planOf(deleting(20, 7)).changes.slice(-1)
    const grown = { ...left, changes: [...left.changes, ...(more === undefined ? [] : [more])] }
    expect(judge(grown, { ...judging, guards: few, waivers: waived }).approved).toBe(false)
  })
  test('whatever else it names, and what it covers already stays', () => {
    const plan = planned()
    const two = judge(plan, { ...judging, waivers: [waiver(['0'.repeat(32), plan.fingerprint])] }).waived
    expect(two.map(({ rememberedScope }) => rememberedScope?.get('deletes')?.size)).toEqual([6])
    const [known] = judge(plan, { ...judging, waivers: [waiver([plan.fingerprint])] }).waived
    expect(judge(plan, { ...judging, waivers: known === undefined ? [] : [known] }).waived).toEqual([known])
  })
  test('a plan that is judged again only at the guards that it passed the first time, also under the same fingerprint', () => {
    const plan = planned()
    const { waived } = judge(plan, { ...judging, waivers: [waiver([plan.fingerprint])] })
    const more = { ...guards, run: { changes: 9, deletes: 0, creates: 0 } }
    expect(judge(plan, { ...judging, guards: more, waivers: [waiver([plan.fingerprint])] }).approved).toBe(true)
    expect(say(judge(plan, { ...judging, guards: more, waivers: waived }))).toEqual([expect.stringContaining('guards.run.deletes')])
  })
  test('a change by its whole id only: part of one could be made to fit another', () => {
    const plan = planned()
    const passes = plan.changes.map(({ id }) => id.slice(0, 31))
    expect(judge(plan, { ...judging, waivers: [waiver(passes)] }).approved).toBe(false)
  })
  test('until its time', () => {
    const plan = planned()
    const waivers = [waiver([plan.fingerprint], 10)]
    expect(judge(plan, { ...judging, waivers, dateMs: 9 }).approved).toBe(true)
    expect(judge(plan, { ...judging, waivers, dateMs: 10 }).approved).toBe(false)
  })
  test('it does not pass a second refusal that it does not name', () => {
    const admins: SmallWorld = { existing: ['workspace it admin', 'ENG a guest'], removed: ['workspace it', 'ENG a'] }
    const two = planOf(admins)
    const waivers = [waiver(two.changes.filter(({ key }) => key.includes('/ENG/')).map(({ id }) => id))]
    expect(say(judge(two, { ...judging, waivers }))).toHaveLength(2)
  })
})

test('a helper that TypeScript cannot see through makes no plan that can be written', () => {
  const withChanges = <P extends Plan>(plan: P, changes: readonly Change[]) => ({ ...plan, changes })
  const verdict = judge(planOf({}), judging)
  if (!verdict.approved) throw new Error('refused')
  const { changes } = planOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } })
  expect(() => approvedChanges(withChanges(verdict.plan, changes))).toThrow(TypeError)
  expect(approvedChanges(verdict.plan)).toBe(verdict.plan.changes)
})

describe('limits on people', () => {
  const effect = { kind: 'counted', newly: 0, raised: 0, lowered: 0, lost: 0, gainProtected: 0 } as const
  /** The plan of the world, whose changes concern these people; undefined: it is not known how many. */
  const held = (world: SmallWorld, people: Partial<CountedEffect> | undefined, limits: PeopleLimits, ids: readonly string[] = []) => {
    const plan = planOf({ directories: {}, ...world })
    const changes = plan.changes.map((change) =>
      change.action === 'settings' || people === undefined ? change : { ...change, effect: { ...effect, ...people } },
    )
    const waivers = ids.map((id) => ({
      ids: [id.replace('ID', changes[0]?.id ?? '')],
      by: 'me',
      untilMs: Number.POSITIVE_INFINITY,
      source: '--allow',
    }))
    const verdict = judge({ ...plan, changes }, { ...judging, waivers, guards: { ...guards, people: limits } })
    return verdict.plan.holds.flatMap(({ reason }) => (reason.kind === 'approval' && reason.why === 'people' ? [reason] : []))
  }
  const create: SmallWorld = { rules: [rule('devs', 'ENG', 'member')] }
  const patch = (before: string): SmallWorld => ({ ...create, existing: [`ENG devs ${before}`] })
  const undeclared: SmallWorld = {
    existing: ['ENG devs member', 'ENG others guest'],
    rules: [rule('others', 'ENG', 'guest')],
    policy: 'sync',
  }

  test.each<[string, SmallWorld, Partial<CountedEffect>, PeopleLimits, string | undefined]>([
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
    ['the delete of an undeclared mapping', undeclared, { lost: 4, lowered: 3 }, { lose: 6 }, 'guards.people.lose: 7 of 6'],
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
    expect(hold && `${hold.setting}: ${hold.people} of ${hold.limit}`).toBe(expected)
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

  test('a number that may be larger is above every limit, and passes only for any number', () => {
    const some = { newly: 2, raised: 1, atLeast: true } as const
    expect(held(create, some, { raise: 900 })).toMatchObject([{ limit: 900, atLeast: 3, pass: expect.stringMatching(/:any$/) as string }])
    expect(held(create, some, { raise: 900 })[0]).not.toHaveProperty('people')
    expect(held(create, some, { raise: 900 }, ['ID:900'])).toHaveLength(1)
    expect(held(create, some, { raise: 900 }, ['ID:any'])).toHaveLength(0)
    expect(held(undeclared, { lost: 1, atLeast: true }, { lose: 900 })).toMatchObject([{ over: 'lose', atLeast: 1 }])
  })

  test('an ordinary role gives no protected role to people of the group who are not known', () => {
    expect(held(create, { newly: 2, atLeast: true }, { gainProtected: 0 })).toEqual([])
    expect(held(create, undefined, { gainProtected: 0 })).toEqual([])
    expect(held(create, { newly: 2, gainProtected: 1, atLeast: true }, { gainProtected: 0 })).toMatchObject([{ people: 1 }])
    const admins: SmallWorld = { rules: [rule('devs', 'ENG', 'admin')] }
    expect(held(admins, undefined, { gainProtected: 0 })).toMatchObject([{ over: 'gainProtected' }])
    expect(held(admins, { newly: 2, atLeast: true }, { gainProtected: 9 })).toMatchObject([{ over: 'gainProtected', atLeast: 0 }])
  })

  test('one of the IDs of a waiver suffices, and the verdict names those that were used', () => {
    const { changes, ...plan } = planOf({ directories: {}, ...create })
    const crowded = { ...plan, changes: changes.map((change) => ({ ...change, effect: { ...effect, newly: 6 } }) as Change) }
    const pass = `${changes[0]?.id}:6`
    const waiver: Waiver = { ids: ['another:6', pass], by: 'jo', untilMs: 1, source: '--allow' }
    const { plan: judged, waived } = judge(crowded, { ...judging, waivers: [waiver], guards: { ...guards, people: { raise: 1 } } })
    expect(judged.changes).toHaveLength(1)
    expect(waived).toEqual([{ ...waiver, ids: [pass] }])
  })

  test('a create that was approved for its people does not count towards too many creates', () => {
    const names = numbered(201, (n) => `g${n}`)
    const { changes, ...plan } = planOf({ rules: names.map((name) => rule(name, 'ENG', 'guest')), directories: { corp: names } })
    const crowded = {
      ...plan,
      changes: changes.map((change, n) => ({ ...change, effect: { ...effect, newly: n === 0 ? 6 : 0 } }) as Change),
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
