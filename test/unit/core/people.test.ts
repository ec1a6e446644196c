import { expect, test } from 'vitest'
import { indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { people } from '../bounds.ts'
import { complete, mapping, partial, planIn, planOf, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const group = (name: string, n?: number) => ({
  name: name as GroupName,
  id: name,
  place: name,
  ...(n === undefined ? {} : { size: people(n) }),
})
const corp = complete(indexGroups([group('devs', 63), group('old', 14), group('uncounted')]))

/** Group → size, of each change. */
const peopleOf = (world: SmallWorld) =>
  planOf({ policy: 'exclusive', ...world }).changes.map((change) => [
    change.action,
    'group' in change && change.group,
    'size' in change ? change.size : undefined,
  ])

test('each change says how many people the group has, a delete as well', () => {
  const rules = [rule('devs', 'ENG', 'member')]
  const existing = ['ENG devs admin', 'OPS old member', 'OPS uncounted member', 'OPS nowhere member']
  expect(peopleOf({ rules, existing, directories: { corp } })).toEqual([
    ['patch', 'devs', people(63)],
    ['delete', 'nowhere', undefined],
    ['delete', 'old', people(14)],
    ['delete', 'uncounted', undefined],
  ])
})

test('a delete says no number if two directories have a group of the name', () => {
  const other = complete(indexGroups([group('old', 3)]))
  expect(peopleOf({ existing: ['OPS old member'], directories: { corp, other } })).toEqual([['delete', 'old', undefined]])
  expect(peopleOf({ existing: ['OPS old member'], directories: { corp, lab: partial(indexGroups([group('x', 3)])) } })).toEqual([
    ['delete', 'old', people(14)],
  ])
})

test('a plan lists the mappings that are as declared, if it is asked for', () => {
  const rules = [rule('devs', 'ENG', 'member', { expiresMs: 9 }), rule('old', 'OPS', 'guest'), rule('devs', 'workspace', 'guest')]
  const existing = ['workspace devs guest', 'OPS old member', 'ENG devs member', 'ENG legacy guest']
  const seen = seenOf({ rules, existing, directories: { corp } })
  expect(planIn(seen).unchangedMappings).toBeUndefined()
  const { unchanged, unchangedMappings } = planIn(seen, [], { listsUnchanged: true })
  expect(unchanged).toBe(2)
  expect(unchangedMappings).toEqual([
    { ...mapping('ENG devs member', 2), size: people(63), because: { ...rules[0]?.because, directory: 'corp', expiresMs: 9 } },
    { ...mapping('workspace devs guest', 0), size: people(63), because: { ...rules[2]?.because, directory: 'corp' } },
  ])
})

/** Group → size and the directories that do not know the group, of each undeclared mapping. */
const undeclaredIn = (directories: NonNullable<SmallWorld['directories']>) =>
  planOf({ existing: ['OPS old member', 'OPS nowhere member'], directories }).holds.map(({ change, group, unknownTo }) => [
    group,
    change?.action === 'delete' ? change.size : undefined,
    unknownTo,
  ])

test('an undeclared mapping says how many people its group has, or which directories do not know it', () => {
  const empty = complete(indexGroups([group('x')]))
  expect(undeclaredIn({ lab: empty, corp })).toEqual([
    ['nowhere', undefined, ['corp', 'lab']],
    ['old', people(14), undefined],
  ])
})

test('only complete readings prove that no directory knows the group of an undeclared mapping', () => {
  const half = partial(indexGroups([group('x')]))
  expect(undeclaredIn({ corp, lab: half })).toEqual([
    ['nowhere', undefined, undefined],
    ['old', people(14), undefined],
  ])
  expect(undeclaredIn({}).map(([, , unknownTo]) => unknownTo)).toEqual([undefined, undefined])
})

test('no number is taken from a directory that the rule does not ask', () => {
  const lab = complete(indexGroups([group('other')]))
  const rules = [rule('devs', 'ENG', 'member', { from: ['lab'], unknownGroups: 'send' })]
  const [change] = planOf({ rules, directories: { corp, lab } }).changes
  expect(change).toMatchObject({ action: 'create', group: 'devs' })
  expect(change).not.toHaveProperty('size')
})

test('a mapping that stays has no number if no directory counts its group', () => {
  const seen = seenOf({ rules: [rule('uncounted', 'ENG', 'member')], existing: ['ENG uncounted member'], directories: { corp } })
  const { unchangedMappings } = planIn(seen, [], { listsUnchanged: true })
  expect(unchangedMappings).toHaveLength(1)
  expect(unchangedMappings?.[0]).not.toHaveProperty('size')
})

test('a rule that waits for a directory says no number if two groups have the name', () => {
  const twice = partial(indexGroups([group('devs', 3), { ...group('devs', 4), place: 'elsewhere' }]))
  const holdIn = (corp: typeof twice) => planOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp } }).holds[0]
  expect(holdIn(twice)).not.toHaveProperty('size')
  expect(holdIn(partial(indexGroups([group('devs', 3)])))).toHaveProperty('size', people(3))
  expect(holdIn(partial(indexGroups([group('other', 3)])))).not.toHaveProperty('size')
})
