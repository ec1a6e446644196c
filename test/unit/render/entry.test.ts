import { expect, test } from 'vitest'
import type { Bounds } from '../../../src/core/bounds.ts'
import type { Change } from '../../../src/core/change.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { GroupName, Key, MappingId, Role } from '../../../src/core/mapping.ts'
import { changeParts } from '../../../src/render/change.ts'
import { changeEntry, holdEntries, type PlanEntry, unchangedEntry } from '../../../src/render/entry.ts'
import { heldMark } from '../../../src/render/marks.ts'
import { atLeast, counted, forPeople, people } from '../bounds.ts'
import { about, at, corp, create, held, inSet, nowMs, remove, rename, settings, sixDeletes, target, unsure, view } from './sample.ts'

const unread = { kind: 'readingIncomplete', of: 'corp', why: 'no' } as const
const ofChange = (change: Parameters<typeof changeEntry>[0]) => changeEntry(change, about.roles)
const ofHold = (hold: Hold) => holdEntries([hold], heldMark, view())[0] as PlanEntry

test.each<[string, PlanEntry, Pick<PlanEntry, 'target' | 'group' | 'size'>]>([
  ['a change', ofChange(create('ENG', 'devs', 'guest')), { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string }],
  [
    'a change of which it is known how many people its group has',
    ofChange(rename('ENG', 'old', 'devs', 'guest', 'guest', { size: people(3) })),
    { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string, size: people(3) },
  ],
  ['the settings', ofChange(settings), {}],
  [
    'a change that waits',
    ofHold(held(create('ENG', 'devs', 'guest', { size: people(3) }), unread)),
    { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string, size: people(3) },
  ],
  [
    'a key that cannot be judged',
    ofHold(unsure('ENG', 'devs', unread)),
    { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string },
  ],
  ['a key of which neither target nor group is known', ofHold({ key: 'acme/all' as Key, reason: unread }), {}],
])('%s has its target, its group and its size, as far as they are known', (_which, entry, expected) => {
  const names = ['target', 'group', 'size'] as const
  expect(Object.fromEntries(names.flatMap((name) => (name in entry ? [[name, entry[name]]] : [])))).toStrictEqual(expected)
})

test('a change that is written has no cure', () => {
  expect(ofChange(create('ENG', 'devs', 'guest'))).toMatchObject({ why: '', label: '', cure: '', sharedCure: '' })
})

test('a mapping that stays has no cure, no rank, and is no grant of a protected role', () => {
  const group = 'devs' as GroupName
  const mapping = {
    key: 'acme/workspace/devs' as Key,
    id: 'm1' as MappingId,
    group,
    target: target('workspace'),
    role: 'owner' as Role,
    size: people(3),
    ...at('a.yaml:3'),
  }
  expect(unchangedEntry(mapping)).toMatchObject({
    ...{ isProtected: false, target: target('workspace'), group, size: people(3), rank: -1 },
    ...{ why: '', label: '', cure: '', sharedCure: '' },
  })
})

test('changes for too many people need an ID each, also in one row', () => {
  const crowd = forPeople({ over: 'raise', people: 4, limit: 2, setting: 'guards.people.raise', pass: 'id:4' })
  const entry = ofHold(held(create('ENG', 'devs', 'guest', { size: people(4) }), crowd))
  expect(entry).toMatchObject({
    cure: 'to approve it for up to 4 people: --allow id:4',
    sharedCure: 'each of them needs an ID of its own (--all shows it)',
  })
})

test('changes for too many people share a label, whatever their numbers and reasons', () => {
  const over = { over: 'raise', limit: 2, setting: 'guards.people.raise', pass: 'id:any' } as const
  const label = (more: object, people: number | Bounds) =>
    ofHold(held({ ...create('ENG', 'devs', 'guest'), ...more }, forPeople({ ...over, people }))).label
  expect([label({ size: people(4) }, 4), label({ size: people(5) }, 5)]).toEqual(Array(2).fill('above guards.people.raise'))
  const unsure = (least: number, why: string) => label({ effect: counted({ newly: atLeast(least), why }) }, atLeast(least))
  expect([unsure(4, 'devs'), unsure(5, 'ops')]).toEqual(Array(2).fill('above guards.people.raise'))
  expect([unsure(0, 'devs'), unsure(2, 'ops')]).toEqual(Array(2).fill('perhaps above guards.people.raise'))
})

test('a change of a set has the sentence of its limit, the ID of the set, and a label in a few words', () => {
  const holds = [
    ...inSet([create('ENG', 'a', 'guest')], sixDeletes),
    held(create('ENG', 'b', 'admin'), { kind: 'approval', why: 'protectedRole' }),
  ]
  const [inOne, admin] = holdEntries(holds, heldMark, view({ holds })) as [PlanEntry, PlanEntry]
  const [pass] = holds.flatMap(({ reason }) => ('pass' in reason ? reason.pass : []))
  expect(inOne).toMatchObject({ why: sixDeletes.sentence, label: 'above a limit', cure: inOne.sharedCure })
  expect(inOne.cure).toMatch(new RegExp(`^if lines or a file are gone .* · to approve exactly the changes of this set: --allow ${pass}$`))
  expect(admin.label).toBe(admin.why)
  expect(admin.cure).not.toBe(admin.sharedCure)
})

test('the rank is that of the role; a role outside the order is above all others', () => {
  const noRole = { ...remove('ENG', 'a', 'guest', 'removed'), before: null } as Parameters<typeof changeEntry>[0]
  const changes = [create('ENG', 'a', 'guest'), create('ENG', 'a', 'admin'), create('ENG', 'a', 'custom-role'), noRole, settings]
  expect(changes.map((change) => ofChange(change).rank)).toEqual([0, 4, 6, 0, -1])
  const would = { action: 'create', role: 'member' as Role } as const
  const holds = [held(create('ENG', 'a', 'admin'), unread), { ...unsure('ENG', 'a', unread), would }, unsure('ENG', 'a', unread)]
  expect(holds.map((hold) => ofHold(hold).rank)).toEqual([4, 3, -1])
})

test('a hold that waits for a directory with a warning above the plan has no cure of its own', () => {
  const hold = unsure('ENG', 'devs', unread)
  const [entry] = holdEntries([hold], heldMark, view({}, { directories: [{ ...corp, status: 'failed', groups: 0 }] }))
  expect(entry).toMatchObject({ why: 'waits for corp', label: '', cure: '', sharedCure: '' })
  expect(entry).not.toHaveProperty('because')
})

test('a hold says until when, also after its time has passed', () => {
  const quarantined = { kind: 'quarantined', since: 'unknownOutcome' } as const
  const ends = [nowMs + 90_000, nowMs, nowMs - 5_000].map(
    (untilMs) => ofHold(held(create('ENG', 'devs', 'guest'), quarantined, untilMs)).times,
  )
  expect(ends).toEqual(['held until 02:16:00 UTC (in 1 min 30 s)', 'held until the next read', 'held until the next read'])
})

test('a directory makes a group new, or gives it another name', () => {
  const cause = { kind: 'directory' } as const
  expect(changeParts({ ...create('ENG', 'devs', 'guest'), cause } as Change).remark).toBe('new in the directory')
  expect(changeParts({ ...rename('ENG', 'old', 'devs', 'guest', 'guest'), cause } as Change).remark).toBe('renamed in the directory')
})
