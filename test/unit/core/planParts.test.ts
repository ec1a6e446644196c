import { expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { Finding } from '../../../src/core/finding.ts'
import type { GroupFacts } from '../../../src/core/group.ts'
import { type Hold, holdFor } from '../../../src/core/hold.ts'
import { isKeptUnread } from '../../../src/core/holdEffects.ts'
import { gateHold } from '../../../src/core/judge/gate.ts'
import { judge, withFindings, withHeldMeanwhile, withHolds, withWaivers } from '../../../src/core/judge/guards.ts'
import type { ProjectIdentifier, Role } from '../../../src/core/mapping.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { addFindings, peopleIn, planOf, restrict, withGroupFacts, withoutFindings, withPeople } from '../../../src/core/plan.ts'
import { targetCount } from '../../../src/core/resolve/produce.ts'
import { atLeast, counted, members, people } from '../bounds.ts'
import { changeOf, complete, judging, planIn, projectsOf, roles, rule, type SmallWorld, seenOf, settingsOf } from './smallWorld.ts'

const world: SmallWorld = {
  rules: [rule('a', 'OPS', 'guest'), rule('b', 'ENG', 'guest'), rule('c', 'ENG', 'member'), rule('d', 'ENG', 'member')],
  directories: { corp: ['a', 'b', 'c', 'd'] },
  existing: ['OPS a guest', 'ENG b guest'],
}
const plan = planIn(seenOf(world), [], { listsUnchanged: true })
const finding = (place: string): Finding => ({ code: 'group-renamed', severity: 'info', place, sentence: 'x' })
const [c, d] = plan.changes.map(({ id }) => id) as [ChangeId, ChangeId]

test('the mappings that stay are in the order of their keys', () => {
  expect(plan.unchangedMappings?.map(({ group }) => group)).toEqual(['b', 'a'])
  const { unchangedMappings = [] } = plan
  const naming = { origin: 'o', hash: (text: string) => text, projects: undefined, factsOf: () => ({}) }
  expect(planOf({ ...plan, unchangedMappings: unchangedMappings.toReversed() }, naming).unchangedMappings).toEqual(unchangedMappings)
  expect(planIn(seenOf(world))).not.toHaveProperty('unchangedMappings')
})

test('a plan gets the labels of its groups, and keeps its fingerprint', () => {
  const labelled = withGroupFacts(
    plan,
    (group) => ({ a: { label: 'Auditors', groupId: '1' }, c: { label: 'Crew', groupId: '3' } })[group as string] ?? {},
  )
  expect(labelled.changes.map((one) => ('label' in one ? one.label : undefined))).toEqual(['Crew', undefined])
  // A role is taken away from whichever group has the name.
  expect(labelled.changes.map((one) => ('groupId' in one ? one.groupId : undefined))).toEqual(['3', undefined])
  expect(labelled.unchangedMappings?.map(({ group, label }) => [group, label])).toEqual([
    ['b', undefined],
    ['a', 'Auditors'],
  ])
  expect(labelled.fingerprint).toBe(plan.fingerprint)
  const [change] = plan.changes as [Change]
  const waiting = withGroupFacts({ ...plan, changes: [], holds: [holdFor(change, { kind: 'policy', policy: 'observe' })] }, () => ({
    label: 'Crew',
  }))
  expect(waiting.holds).toMatchObject([{ label: 'Crew', change: { label: 'Crew' } }])
})

test('only a mapping gets a label, and only a grant the id of its group', () => {
  const settings = settingsOf({}, { autoRemove: true })
  const removal = changeOf('delete ENG a = guest')
  const ofSettings = { key: 'acme/groupSync', reason: { kind: 'clocksDiffer' } } as never as Hold
  const bare = { ...plan, changes: [settings, removal], holds: [ofSettings] }
  const told = withGroupFacts(bare, () => ({ label: 'Crew', groupId: '7' }))
  expect(told.changes).toStrictEqual([settings, { ...removal, label: 'Crew' }])
  expect(told.holds).toStrictEqual([ofSettings])
  expect(withGroupFacts(plan, () => ({}))).toStrictEqual(plan)
})

test('of what dates will change, only a grant gets the id of its group', () => {
  const { group, target, key } = plan.changes[0] as Exclude<Change, { action: 'settings' }>
  const row = { key, group, target, because: rule('c', 'ENG', 'member').because, atMs: 9, why: 'ends' } as const
  const [grant, end] = [
    { ...row, write: { action: 'create', role: 'member' as Role } },
    { ...row, write: { action: 'delete', before: null } },
  ] as const
  expect(withGroupFacts({ ...plan, later: [grant, end] }, () => ({ groupId: '7' })).later).toStrictEqual([{ ...grant, groupId: '7' }, end])
})

test('a change has the people that were counted for it, also in the place of an earlier size, and settings have none', () => {
  const effect = { effect: counted({ newly: atLeast(1), why: 'x' }), size: people(3) }
  const settings = settingsOf({}, { autoRemove: true })
  const [grant, other] = plan.changes as [Change, Change]
  const effects = new Map([
    [settings.id, effect],
    [grant.id, effect],
  ])
  const told = withPeople({ ...plan, changes: [settings, { ...grant, size: members(2) } as Change, other] }, effects)
  expect(told.changes).toStrictEqual([settings, { ...grant, ...effect }, other])
  expect([...peopleIn(told)]).toStrictEqual([[grant.id, effect]])
  expect(told.fingerprint).toBe(plan.fingerprint)
})

test('a plan can lose changes and findings, and get findings, each once', () => {
  const some = addFindings(plan, [finding('a'), finding('b'), finding('a')])
  expect(some.findings).toEqual([finding('a'), finding('b')])
  expect(some.changes).toEqual(plan.changes)
  const one = withoutFindings(some, ({ place }) => place === 'a')
  expect(one.findings).toEqual([finding('b')])
  expect(one.changes).toEqual(plan.changes)
  const less = restrict(some, ({ id }) => id === c)
  expect(less.changes.map(({ id }) => id)).toEqual([c])
  expect(less.findings).toEqual(some.findings)
})

test('a judged plan gets findings and loses changes, and nothing else', () => {
  const judged = judge(plan, judging)
  const found = withFindings(judged, [finding('a')])
  expect(found).toMatchObject({ waived: [], plan: { findings: [finding('a')] } })
  expect(found.plan.unchangedMappings).toEqual(plan.unchangedMappings)
  const change = plan.changes[0] as Change
  const held = withHolds(judged, new Map([[change.id, holdFor(change, { kind: 'suspended', what: 'all' })]]))
  expect(held.plan.changes.map(({ id }) => id)).toEqual([d])
  expect(held.plan.holds.map(({ change: waits }) => waits?.id)).toContain(change.id)
})

test('holds that came up while a plan was written are among its others, in the order of their keys', () => {
  const hold = (key: string) => ({ key, reason: { kind: 'clocksDiffer' } }) as never as Hold
  const judged = withHeldMeanwhile(judge(plan, judging), [hold('d'), hold('b')])
  const { plan: after } = withHeldMeanwhile(judged, [hold('e'), hold('c'), hold('a')])
  expect(after.holds).toEqual([...plan.holds, ...['a', 'b', 'c', 'd', 'e'].map(hold)])
  expect([after.changes, after.fingerprint]).toEqual([judged.plan.changes, judged.plan.fingerprint])
  expect(withHeldMeanwhile(judged, [])).toBe(judged)
})

test('a waiver that was used outside the guards is reported once', () => {
  const waiver = (by: string, ...ids: readonly string[]) => ({ ids, by, untilMs: 1, source: '--allow' })
  const judged = { ...judge(plan, judging), waived: [waiver('ann', '1', '2'), waiver('eve', '9')] }
  const told = withWaivers(judged, [
    waiver('ann', '1'),
    waiver('ann', '2', '3'),
    waiver('bob', '1'),
    waiver('bob', '1'),
    waiver('eve', '9'),
  ])
  expect(told.waived).toEqual([waiver('ann', '1', '2'), waiver('eve', '9'), waiver('ann', '2', '3'), waiver('bob', '1')])
})

test('a rule has one target for a name, or as many as its map has for the captured text', () => {
  const map = new Map([
    ['pay', ['PAY', 'PAYX'] as readonly string[] as readonly ProjectIdentifier[]],
    ['', ['A', 'B', 'C'] as readonly string[] as readonly ProjectIdentifier[]],
  ])
  const captured = { target: { kind: 'captured', capture: 'app', map } } as const
  expect(targetCount(rule('a', 'ENG', 'guest'), {})).toBe(1)
  expect([{ app: 'pay' }, { app: 'web' }, {}].map((captures) => targetCount(captured, captures))).toEqual([2, 1, 3])
})

test('a hold with a change, or without a write that would be made, keeps nothing', () => {
  const reason = { kind: 'readingIncomplete', of: 'corp', why: '' } as const
  const would = { action: 'keep', before: 'guest' as Role } as const
  expect(isKeptUnread({ reason })).toBe(false)
  expect(isKeptUnread({ reason, would })).toBe(true)
  expect(isKeptUnread({ reason, would, change: plan.changes[0] as never })).toBe(false)
})

test('the fingerprint covers the ids of the projects of changes, and of nothing else', () => {
  const settings = { ...changeOf('create workspace a = guest'), action: 'settings', before: {}, after: {} } as unknown as Change
  const { target: _, ...noTarget } = settings as unknown as { target: unknown }
  const idsOf = (...changes: readonly Change[]): unknown => {
    const naming = { origin: 'o', hash: (text: string) => text, projects: complete(projectsOf('ENG=7')), factsOf: () => ({}) }
    return (JSON.parse(planOf({ ...plan, changes }, naming).fingerprint) as readonly unknown[])[4]
  }
  expect(idsOf(changeOf('create workspace a = guest'), noTarget as Change)).toEqual([])
  expect(idsOf(changeOf('create OPS a = guest'), changeOf('create ENG a = guest'))).toEqual([
    ['ENG', '7'],
    ['OPS', null],
  ])
})

test('the fingerprint covers the ids of the groups that changes give a role', () => {
  const idsOf = (...changes: readonly Change[]): unknown => {
    const facts: Readonly<Record<string, GroupFacts>> = { a: { groupId: '1' }, b: { groupId: '2', label: 'Builders' } }
    const naming = { origin: 'o', hash: (text: string) => text, projects: undefined, factsOf: (group: string) => facts[group] ?? {} }
    return (JSON.parse(planOf({ ...plan, changes }, naming).fingerprint) as readonly unknown[])[5]
  }
  expect(idsOf(settingsOf({}, { autoRemove: true }))).toEqual([])
  expect(idsOf(changeOf('delete ENG a = guest'))).toEqual([])
  expect(
    idsOf(
      changeOf('create workspace c = guest'),
      changeOf('patch ENG b: guest → member'),
      changeOf('create ENG a = guest'),
      changeOf('create OPS a = guest'),
    ),
  ).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['c', null],
  ])
})

test('of the holds of one key, those about no mapping come first', () => {
  const hold = { key: 'acme/project/ENG/a', reason: { kind: 'clocksDiffer' } } as never as Hold
  const would = (role: string) => ({ ...hold, would: { action: 'delete', before: role as Role } }) as const
  const naming = { origin: 'o', hash: (text: string) => text, projects: undefined, factsOf: () => ({}) }
  const holds = [would('member'), would('guest'), hold]
  expect(planOf({ ...plan, holds }, naming).holds).toEqual([hold, would('guest'), would('member')])
})

test('another writer holds creates, and no rename; a patch of a mapping without a role is a grant', () => {
  const state = {
    memory: emptyMemory,
    roles,
    declaration: 'd',
    readAtMs: 0,
    flapping: { rounds: 3, span: 1 },
    required: new Set<ChangeId>(),
  }
  const answer = (line: string, more: object = {}, change: object = {}) =>
    gateHold({ ...changeOf(line), ...change }, { ...state, suspend: false, twins: 0, ...more })?.reason.kind
  expect(answer('create ENG a = guest', { twins: 1 })).toBe('anotherWriter')
  expect(answer('rename ENG b → a: guest → guest', { twins: 1 })).toBeUndefined()
  expect(answer('patch ENG a: admin → guest', { suspend: 'grants' })).toBeUndefined()
  expect(answer('patch ENG a: admin → guest', { suspend: 'grants' }, { before: null })).toBe('suspended')
})
