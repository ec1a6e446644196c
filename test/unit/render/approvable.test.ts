import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Change, waiverId } from '../../../src/core/change.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { type Approvable, approvablesOf, idsIn, isIdOfSeveral, type WaitingPlan, wordsOf } from '../../../src/render/approvable.ts'
import { workspaceOf } from '../../../src/render/json.ts'
import { isSayable, waiverYaml } from '../../../src/render/waiverYaml.ts'
import { atLeast, forPeople } from '../bounds.ts'
import { judging, planOf, rule, type SmallWorld } from '../core/smallWorld.ts'
import { about, create, held, inSet, patch, remove, rename, settings, unsure, view } from './sample.ts'

type Words = Extract<Approvable, { kind: 'words' }>

const documentOf = (of: Parameters<typeof workspaceOf>[0]): WaitingPlan => {
  const one = workspaceOf(of)
  if (one.standing === 'failed') throw new Error('no plan')
  return one
}
const wordsFor = (plan: WaitingPlan, id: string): readonly Words[] => {
  const found = approvablesOf(plan, id)
  if (found === 'incomplete') throw new Error('incomplete')
  return found.flatMap((one) => (one.kind === 'words' ? [one] : []))
}
const untilMs = Date.UTC(2026, 10, 23, 11, 59, 1)
const entriesIn = (all: readonly Words[]) => {
  const text = waiverYaml(new Map([['acme', all]]), { untilMs, reason: 'INC-99: on call' })
  return { text, waivers: parse(text).workspaces.acme.waivers as readonly Record<string, unknown>[] }
}
const end = { until: '2026-11-23T12:00Z', reason: 'INC-99: on call' }

const single = (of: Change): WaitingPlan => documentOf(view({ holds: [held(of, { kind: 'approval', why: 'protectedRole' })] }))

describe('the words of one change', () => {
  test.each<readonly [string, Change, object]>([
    ['a create', create('PAY', 'contractors', 'admin'), { project: 'PAY', group: 'contractors', from: 'none', to: 'admin' }],
    [
      'a create with an id',
      { ...create('PAY', 'c', 'admin'), groupId: '0815' } as Change,
      { project: 'PAY', group: 'c', id: '0815', from: 'none', to: 'admin' },
    ],
    ['a patch', patch('workspace', 'leads', 'member', 'admin'), { workspace: true, group: 'leads', from: 'member', to: 'admin' }],
    [
      'a patch of a mapping without a role',
      patch('*', 'leads', null as never, 'admin'),
      { allProjects: true, group: 'leads', from: null, to: 'admin' },
    ],
    [
      'a rename',
      rename('PAY', 'old', 'new', 'admin', 'admin'),
      { project: 'PAY', group: 'new', previously: 'old', from: 'admin', to: 'admin' },
    ],
    [
      'a delete',
      { ...remove('PAY', 'a', 'owner', 'removed'), groupId: 'x' } as Change,
      { project: 'PAY', group: 'a', from: 'owner', to: 'none' },
    ],
    [
      'the settings',
      settings,
      { groupSync: { autoRemove: { from: false, to: true }, groupAttribute: { from: 'groups', to: 'ad_groups' } } },
    ],
    [
      'hostile names',
      create('NO', 'on: "call" #1\u200b', 'null'),
      { project: 'NO', group: 'on: "call" #1\u200b', from: 'none', to: 'null' },
    ],
  ])('of %s', (_, of, entry) => {
    const words = wordsFor(single(of), of.id)
    expect(entriesIn(words).waivers).toEqual([{ ...entry, ...end }])
    expect(entriesIn(words).text).not.toContain('\u200b')
    // What is printed is what the guards compare.
    const [first] = words
    expect(first === undefined ? undefined : wordsOf(first)).toMatchSnapshot()
  })

  test('a number of people is that of the hold, or the one behind the ID', () => {
    const of = create('PAY', 'c', 'admin')
    const over = { over: 'raise', limit: 5, setting: 'guards.people.raise', pass: `${of.id}:160` } as const
    const reason = forPeople({ ...over, people: 160 })
    const plan = documentOf(view({ holds: [held(of, reason)] }))
    expect(wordsFor(plan, of.id)[0]).toMatchObject({ people: 160 })
    expect(wordsFor(plan, `${of.id}:12`)[0]).toMatchObject({ people: 12 })
    expect(entriesIn(wordsFor(plan, of.id)).waivers[0]).toMatchObject({ people: 160 })
    const unknown = forPeople({ ...over, people: atLeast(0) })
    expect(approvablesOf(documentOf(view({ holds: [held(of, unknown)] })), of.id)).toMatchObject([{ kind: 'uncounted' }])
    expect(wordsFor(documentOf(view({ holds: [held(of, unknown)] })), `${of.id}:any`)[0]).toMatchObject({ people: 'any' })
    expect(wordsFor(documentOf(view({ holds: [held(of, unknown)] })), `${of.id}:40`)[0]).toMatchObject({ people: 40 })
    expect(wordsFor(plan, `${of.id}:any`)[0]).toMatchObject({ people: 'any' })
  })

  test('a role that is called none has no words', () => {
    const of = create('PAY', 'c', 'none')
    const [words] = wordsFor(single(of), of.id)
    expect(words === undefined ? undefined : isSayable(words)).toBe(false)
  })
})

describe('the words of a set', () => {
  const gone = ['B', 'A'].flatMap((project) => ['y', 'x'].map((group) => remove(project, group, 'guest', 'removed')))
  const other = remove('A', 'z', 'guest', 'removed')
  const tooMany = { name: 'deletes', count: 5, limit: 1, setting: 'guards.deletes.count', sentence: 'too many' } as const

  test('have one entry with all its changes; the keys are folded by group and project', () => {
    const plan = documentOf(view({ holds: inSet([...gone, other], tooMany) }))
    const [set] = plan.sets
    const id = set?.id ?? ''
    expect(idsIn(plan)).toEqual([{ id, sentence: 'too many' }])
    expect(entriesIn(wordsFor(plan, id)).waivers).toEqual([
      {
        changes: [
          { project: ['A', 'B'], group: ['x', 'y'], from: 'guest', to: 'none' },
          { project: 'A', group: 'z', from: 'guest', to: 'none' },
        ],
        ...end,
      },
    ])
    expect(approvablesOf(plan, id.slice(1))).toEqual([])
    for (const name of [id, waiverId(plan.fingerprint)]) {
      expect(isIdOfSeveral(name, plan)).toBe(true)
      expect(approvablesOf({ ...plan, holds: plan.holds.slice(1) }, name)).toBe('incomplete')
    }
    // One of its changes can be approved alone.
    expect(isIdOfSeveral(other.id, plan)).toBe(false)
    expect(entriesIn(wordsFor(plan, other.id)).waivers).toEqual([{ project: 'A', group: 'z', from: 'guest', to: 'none', ...end }])
  })

  test('of several renames have an entry for each, with its old group', () => {
    const renames = ['a', 'b'].map((group) => rename('PAY', `old-${group}`, group, 'guest', 'guest'))
    const plan = documentOf(view({ holds: inSet(renames, { ...tooMany, name: 'raises' }) }))
    expect(entriesIn(wordsFor(plan, plan.sets[0]?.id ?? '')).waivers).toEqual([
      {
        changes: ['a', 'b'].map((group) => ({ project: 'PAY', group, previously: `old-${group}`, from: 'guest', to: 'guest' })),
        ...end,
      },
    ])
  })

  test('of too many creates have the ids of groups, and each group its own entry then', () => {
    const creates = ['A', 'B'].flatMap((project) =>
      ['x', 'y'].map((group) => ({ ...create(project, group, 'guest'), groupId: `id-${group}` }) as Change),
    )
    const admin = create('A', 'z', 'admin')
    const plan = documentOf(
      view({ holds: [...inSet(creates, { ...tooMany, name: 'creates' }), held(admin, { kind: 'approval', why: 'protectedRole' })] }),
    )
    const id = plan.sets[0]?.id ?? ''
    expect(idsIn(plan).map((one) => one.id)).toEqual([id, admin.id])
    expect(entriesIn(wordsFor(plan, id)).waivers).toEqual([
      {
        changes: [
          { project: ['A', 'B'], group: 'x', id: 'id-x', from: 'none', to: 'guest' },
          { project: ['A', 'B'], group: 'y', id: 'id-y', from: 'none', to: 'guest' },
        ],
        ...end,
      },
    ])
    const [first] = creates
    expect(entriesIn(wordsFor(plan, first?.id ?? '')).waivers).toMatchObject([{ project: 'A', group: 'x' }])
  })

  test('let the plan pass the guards', () => {
    const strict = { ...judging.guards, deletes: { count: 0, share: 0, minExisting: 0 } }
    const world: SmallWorld = {
      directories: { corp: ['a', 'b', 'c'] },
      existing: ['ENG a guest', 'ENG b guest', 'OPS a guest', 'OPS c guest'],
      removed: ['ENG a', 'OPS a', 'ENG b'],
      rules: [rule('c', 'OPS', 'guest'), rule('c', 'ENG', 'admin')],
    }
    const plan = planOf(world)
    const asked = { ...judging, guards: strict }
    const judged = judge(plan, asked)
    const document = documentOf({ ...view(), about, judged })
    expect(document.sets.map(({ limit, changes }) => [limit, changes.length])).toEqual([['deletes', 3]])
    const ids = idsIn(document).map(({ id }) => id)
    const waivers: readonly Waiver[] = ids.flatMap((id) =>
      wordsFor(document, id).map((words) => ({ ids: [], words: wordsOf(words), by: 'ann', untilMs: 9e15, source: 'a.yaml:1:1' })),
    )
    const after = judge(plan, { ...asked, waivers })
    expect([after.plan.holds, after.plan.changes.length]).toEqual([[], plan.changes.length])
    // Without one of them the plan does not pass as a whole.
    for (const left of waivers) {
      const less = judge(plan, { ...asked, waivers: waivers.filter((one) => one !== left) })
      expect(less.plan.holds.length).toBeGreaterThan(0)
    }
  })
})

test('a changed group has no words, but a name that an order can accept', () => {
  const reason = { kind: 'groupChanged', group: 'devs' as never, directory: 'corp', pass: 'a'.repeat(32) } as const
  const plan = documentOf(view({ holds: [unsure('ENG', 'devs', reason)] }))
  expect(approvablesOf(plan, 'a'.repeat(32))).toMatchObject([
    { kind: 'pass', pass: 'a'.repeat(32), cure: expect.stringContaining('edit the rule') },
  ])
  expect(idsIn(plan)).toHaveLength(1)
})

describe('the IDs of a plan', () => {
  const tooMany = { name: 'creates', count: 2, limit: 1, setting: 'guards.creates.count', sentence: '2 creates' } as const
  const changed = { kind: 'groupChanged', group: 'devs' as never, directory: 'corp', pass: 'a'.repeat(32) } as const
  const moved = { kind: 'projectChanged', project: 'ENG', pass: 'b'.repeat(32) } as never
  const approval = { kind: 'approval', why: 'protectedRole' } as const
  const [x, y, admin] = [create('PAY', 'x', 'guest'), create('PAY', 'y', 'guest'), create('PAY', 'z', 'admin')]
  const gone = remove('WEB', 'g', 'guest', 'removed')
  const whole = documentOf(
    view({
      holds: [
        ...inSet([gone], { ...tooMany, name: 'deletes', sentence: '1 delete' }),
        ...inSet([x, y], tooMany),
        held(admin, approval),
        held(create('WEB', 'h', 'guest'), { kind: 'suspended', what: 'all' }),
        unsure('ENG', 'd', changed),
        unsure('OPS', 'e', moved),
      ],
    }),
  )
  const id = waiverId(whole.fingerprint)

  test('are those of the sets, then those of what waits alone', () => {
    const [creates, deletes] = whole.sets
    expect([creates?.limit, deletes?.limit]).toEqual(['creates', 'deletes'])
    expect(idsIn(whole)).toMatchObject([
      { id: creates?.id, sentence: '2 creates' },
      { id: deletes?.id, sentence: '1 delete' },
      ...['a'.repeat(32), 'b'.repeat(32), admin.id].map((one) => ({ id: one })),
    ])
    expect(idsIn(documentOf(view({ holds: [unsure('ENG', 'd', { kind: 'groupUnknown', directories: [], mapped: false })] })))).toEqual([])
  })

  test('that of the plan approves its sets and what waits alone, but not what waits for a number of people', () => {
    expect(wordsFor(whole, id).map(({ sentence, changes }) => [sentence, changes.map((one) => one.id)])).toEqual([
      ['2 creates', [x.id, y.id]],
      ['1 delete', [gone.id]],
      ['protected role', [admin.id]],
    ])
    const crowd = forPeople({ over: 'raise', people: 160, limit: 5, setting: 'guards.people.raise', pass: `${admin.id}:160` })
    const people = documentOf(view({ holds: [held(admin, crowd)] }))
    expect(approvablesOf(people, waiverId(people.fingerprint))).toEqual([])
    expect(approvablesOf(documentOf(view()), waiverId(documentOf(view()).fingerprint))).toEqual([])
  })

  test('approve what waits alone, and nothing else', () => {
    expect(approvablesOf(whole, 'b'.repeat(32))).toMatchObject([{ kind: 'pass', pass: 'b'.repeat(32) }])
    expect(approvablesOf(whole, admin.id)).toMatchObject([{ kind: 'words', changes: [{ id: admin.id }] }])
    expect(approvablesOf(whole, '')).toEqual([])
    expect(approvablesOf(whole, id.slice(0, -1))).toEqual([])
    expect(approvablesOf(documentOf(view({ holds: [held(x, { kind: 'suspended', what: 'all' })] })), x.id)).toEqual([])
    expect(approvablesOf(documentOf(view({ holds: [unsure('ENG', 'x', approval)] })), 'undefined')).toEqual([])
  })

  test('for a number of people that is not known say how to give it', () => {
    const people = forPeople({ over: 'raise', people: atLeast(0), limit: 5, setting: 'guards.people.raise', pass: `${admin.id}:any` })
    const plan = documentOf(view({ holds: [held(admin, people)] }))
    expect(approvablesOf(plan, admin.id)).toMatchObject([
      { kind: 'uncounted', cure: `the number is not known, so only an approval for every number lets it pass: ${admin.id}:any` },
    ])
    expect(wordsFor(plan, `${admin.id}:7`).map(wordsOf)).toMatchObject([{ people: 7 }])
    const over = { name: 'people', count: 144, limit: 100, setting: 'guards.people.raise', sentence: 's', pass: 'c'.repeat(32) } as const
    const ofSet = documentOf(view({ holds: inSet([admin, x], over) }))
    expect(approvablesOf(ofSet, admin.id)).toMatchObject([{ kind: 'uncounted', cure: expect.stringContaining(`${admin.id}:any`) }])
    expect(wordsFor(ofSet, `${admin.id}:18`).map(wordsOf)).toMatchObject([{ people: 18 }])
    expect(wordsFor(single(admin), admin.id).map(wordsOf)).toStrictEqual([{ changes: [{ key: admin.key, after: 'admin' }] }])
  })
})
