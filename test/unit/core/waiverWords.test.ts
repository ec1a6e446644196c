import { describe, expect, test } from 'vitest'
import { judge } from '../../../src/core/judge/guards.ts'
import type { GroupName, Key, ProjectIdentifier, Role } from '../../../src/core/mapping.ts'
import { withGroupFacts } from '../../../src/core/plan.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import type { DescribedChange, WaiverWords } from '../../../src/core/waiverWords.ts'
import { acme, guards, judging, planOf, rule, type SmallWorld } from './smallWorld.ts'

const waiver = (words: WaiverWords, more: Partial<Waiver> = {}): Waiver => ({
  ids: [],
  words,
  by: 'ann',
  untilMs: 10,
  source: 'platform/acme.yaml:9:5',
  ...more,
})
const key = (place: string) => `acme/${place}` as Key
const role = (name: string) => name as Role

/** The places of the changes that may be written. */
function passing(world: SmallWorld, waivers: readonly Waiver[], more: Partial<typeof judging> = {}): readonly string[] {
  const plan = withGroupFacts(planOf(world), (group) => (group === 'leads' ? { groupId: 'id-7' } : {}))
  const judged = judge(plan, { ...judging, waivers, ...more })
  return judged.plan.changes.map((change) => change.key)
}

const grant: SmallWorld = { rules: [rule('leads', 'ENG', 'admin')], directories: { corp: ['leads#id-7'] } }
const described: DescribedChange = { key: key('project/ENG/leads'), after: role('admin') }

describe('a protected grant', () => {
  test('passes by the words of a waiver until its end', () => {
    expect(passing(grant, [])).toEqual([])
    expect(passing(grant, [waiver({ changes: [described] })])).toEqual(['acme/project/ENG/leads'])
    expect(passing(grant, [waiver({ changes: [described] })], { dateMs: 9 })).toEqual(['acme/project/ENG/leads'])
    expect(passing(grant, [waiver({ changes: [described] })], { dateMs: 10 })).toEqual([])
  })

  const other: readonly (readonly [string, Partial<DescribedChange>])[] = [
    ['role', { after: role('owner') }],
    ['project', { key: key('project/OPS/leads') }],
    ['group', { key: key('project/ENG/leader') }],
    ['role before', { before: role('guest') }],
    ['missing role before', { before: null }],
    ['former group', { fromGroup: 'chiefs' as GroupName }],
    ['id of the group', { groupId: 'id-8' }],
  ]
  test.each(other)('does not pass by a waiver with another %s', (_, more) => {
    expect(passing(grant, [waiver({ changes: [{ ...described, ...more } as DescribedChange] })])).toEqual([])
  })

  test('passes by a waiver with the id of its group', () => {
    expect(passing(grant, [waiver({ changes: [{ ...described, groupId: 'id-7' }] })])).toHaveLength(1)
  })

  test('does not pass by the words for a delete', () => {
    expect(passing(grant, [waiver({ changes: [{ key: described.key }] })])).toEqual([])
  })

  test('passes the limit on people only with the number of people', () => {
    const crowded = { guards: { ...guards, people: { raise: 3 } } }
    const withPeople = (people?: number | 'any') =>
      passing(grant, [waiver({ changes: [described], ...(people === undefined ? {} : { people }) })], crowded)
    expect(withPeople()).toEqual([])
    expect(withPeople(5)).toEqual([])
    expect(withPeople('any')).toHaveLength(1)
  })
})

test('a raise passes only by the role that it has before', () => {
  const world: SmallWorld = { ...grant, existing: ['ENG leads member'] }
  expect(passing(world, [waiver({ changes: [described] })])).toEqual([])
  expect(passing(world, [waiver({ changes: [{ ...described, before: role('guest') }] })])).toEqual([])
  expect(passing(world, [waiver({ changes: [{ ...described, before: role('member') }] })])).toHaveLength(1)
})

test('a changed setting passes only by both of its values', () => {
  const at = { file: 'groups.yaml', line: 2, column: 3 }
  const world: SmallWorld = { groupSync: { wanted: { autoRemove: false }, because: { at } }, existingSync: { autoRemove: true } }
  const words = (before: boolean, after: boolean): WaiverWords => ({
    changes: [{ before: { autoRemove: before }, after: { autoRemove: after } }],
  })
  expect(passing(world, [waiver(words(true, false))])).toEqual(['acme/groupSync'])
  expect(passing(world, [waiver(words(false, true))])).toEqual([])
  expect(passing(world, [waiver({ changes: [{ before: {}, after: { autoRemove: false } }] })])).toEqual([])
})

describe('a limit on sets of changes', () => {
  const names = ['a', 'b', 'c']
  const deletes: SmallWorld = { removed: names.map((name) => `ENG ${name}`), existing: [...names, 'd'].map((name) => `ENG ${name} guest`) }
  const tight = { guards: { ...guards, deletes: { count: 1, share: 1, minExisting: 1 } } }
  const words = (named: readonly string[]): WaiverWords => ({
    changes: named.map((name) => ({ key: key(`project/ENG/${name}`), before: role('guest') })),
  })

  test('is passed by the changes that the words describe; the others have to fit into it', () => {
    expect(passing(deletes, [], tight)).toEqual([])
    expect(passing(deletes, [waiver(words(names))], tight)).toHaveLength(3)
    expect(passing(deletes, [waiver(words([...names, 'd', 'e']))], tight)).toHaveLength(3)
    expect(passing(deletes, [waiver(words(['a', 'b']))], tight)).toHaveLength(3)
    expect(passing(deletes, [waiver(words(['a']))], tight)).toEqual(['acme/project/ENG/a'])
  })

  test('is not passed by the words of a file inside a fence, which let single changes pass', () => {
    const fenced = { fenced: true } as const
    expect(passing(deletes, [waiver(words(names), fenced)], tight)).toEqual([])
    expect(passing(deletes, [waiver(words(names), fenced), waiver(words(names))], tight)).toHaveLength(3)
    expect(passing(grant, [waiver({ changes: [described] }, fenced)])).toEqual(['acme/project/ENG/leads'])
  })

  test('the words of a file inside a fence are used only for what passes by them', () => {
    const used = (world: SmallWorld, one: Waiver, more: Partial<typeof judging> = {}) =>
      judge(planOf(world), { ...judging, waivers: [one], ...more }).waived.map(({ ids }) => ids.length)
    const fenced = { fenced: true } as const
    expect(used(grant, waiver({ changes: [described] }, fenced))).toEqual([1])
    // These deletes wait for the limit, or need no approval at all.
    expect(used(deletes, waiver(words(names), fenced), tight)).toEqual([])
    expect(used(deletes, waiver(words(names), fenced))).toEqual([])
    // They pass the guard of protected groups, and wait for the limit.
    const guarded = { guards: { ...tight.guards, protectedGroups: names as GroupName[] } }
    expect(used(deletes, waiver(words(names), fenced), guarded)).toEqual([])
    expect(used(deletes, waiver(words(['a']), fenced), guarded)).toEqual([1])
    expect(used(deletes, waiver(words(names)), guarded)).toEqual([3])
  })

  test('on creates, too', () => {
    const projects = ['ENG', 'OPS'] as ProjectIdentifier[]
    const world: SmallWorld = { rules: projects.map((one) => rule('devs', one, 'member')), directories: { corp: ['devs'] } }
    const flood = { guards: { ...guards, creates: { count: 1 } } }
    const changes = projects.map((one) => ({ key: key(`project/${one}/devs`), after: role('member') }))
    expect(passing(world, [], flood)).toEqual([])
    expect(passing(world, [waiver({ changes })], flood)).toHaveLength(2)
  })
})

test('a waiver that was used has the ids of its changes', () => {
  const plan = planOf(grant)
  const judged = judge(plan, { ...judging, waivers: [waiver({ changes: [described] })] })
  expect(judged.waived).toMatchObject([{ by: 'ann', ids: plan.changes.map(({ id }) => id) }])
  expect(acme).toBe(plan.workspace)
})
