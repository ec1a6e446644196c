import { describe, expect, test } from 'vitest'
import { severalNamesFindings } from '../../../src/core/findings/planFindings.ts'
import { renamedGroups } from '../../../src/core/findings/renamedGroups.ts'
import { type Group, type GroupIndex, groupCount, indexGroups, indexSize, ownId } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { lastGroupIds } from '../../../src/core/resolve/lastGroupIds.ts'
import { people } from '../bounds.ts'
import {
  complete,
  desiredIn,
  failed,
  groups,
  lines,
  mapping,
  partial,
  pattern,
  planOf,
  rule,
  type SmallWorld,
  seenOf,
} from './smallWorld.ts'

/** Entries as a directory has them: each with one name or several. The place is made of the first name. */
const entries = (...named: readonly (readonly string[])[]): GroupIndex =>
  indexGroups(
    named.flatMap((names): Group[] => {
      const place = `cn=${names[0]}`
      const all = names.length === 1 ? {} : { names }
      return names.map((name) => ({ name: name as GroupName, id: place, place, size: people(3), ...all }))
    }),
  )
const corp = (...named: readonly (readonly string[])[]) => ({ corp: complete(entries(...named)) })

const devs = rule('devs', 'ENG', 'member')
const admins = rule('admins', 'ENG', 'guest')

describe('a group with several names', () => {
  test('is held under each of them, and nothing else is', () => {
    const world = { rules: [devs, admins, rule('ops', 'ENG', 'guest')], directories: corp(['devs', 'admins'], ['ops']) }
    expect(lines(planOf(world))).toEqual([
      'create ENG ops = guest',
      'hold acme/project/ENG/admins: ambiguous',
      'hold acme/project/ENG/devs: ambiguous',
    ])
    expect(planOf(world).holds[0]?.reason).toEqual({ kind: 'ambiguous', places: ['corp: cn=devs'], names: ['devs', 'admins'] })
  })
  test('does not hold lowerings and deletes of others', () => {
    const world: SmallWorld = {
      rules: [devs, rule('ops', 'ENG', 'guest')],
      removed: ['ENG gone'],
      existing: ['ENG devs guest', 'ENG ops member', 'ENG gone member'],
      directories: corp(['devs', 'other'], ['ops']),
    }
    expect(lines(planOf(world))).toEqual([
      'delete ENG gone = member (removed)',
      'patch ENG ops: member → guest',
      'hold acme/project/ENG/devs: ambiguous',
    ])
  })
  test('holds a name that is also the only name of another group, as any name in two places', () => {
    const [hold] = planOf({ rules: [admins], directories: corp(['mine', 'admins'], ['admins']) }).holds
    expect(hold?.reason).toEqual({ kind: 'ambiguous', places: ['corp: cn=admins', 'corp: cn=mine'] })
  })
  test('is held where a pattern matches one of its names, and where the rule would send an unknown group', () => {
    const directories = corp(['mine', 'eng-x'])
    expect(lines(planOf({ rules: [pattern('eng-.*', 'ENG', 'member')], directories }))).toEqual(['hold acme/project/ENG/eng-x: ambiguous'])
    expect(lines(planOf({ rules: [rule('mine', 'ENG', 'member', { unknownGroups: 'send' })], directories }))).toEqual([
      'hold acme/project/ENG/mine: ambiguous',
    ])
  })
  test('does not hold a rule that asks another directory', () => {
    const directories = { ...corp(['mine', 'devs']), lab: ['devs'] }
    expect(lines(planOf({ rules: [rule('devs', 'ENG', 'member', { from: ['lab'] })], directories }))).toEqual(['create ENG devs = member'])
  })
  test('is neither remembered by its id, nor taken for the new name of a group', () => {
    const { declared } = seenOf({ rules: [devs, admins] })
    const readings = new Map(Object.entries(corp(['devs', 'mine'], ['admins'])))
    expect(lastGroupIds(declared, readings)).toEqual({ 'corp/admins': 'cn=admins' })
    const renamed = (...named: readonly (readonly string[])[]) =>
      renamedGroups(declared, new Map(Object.entries(corp(['admins'], ...named))), (name) =>
        name === 'corp/devs' ? 'cn=dev-team' : undefined,
      ).map(({ now }) => now)
    expect(renamed(['dev-team'])).toEqual(['dev-team'])
    expect(renamed(['dev-team', 'developers'])).toEqual([])
  })
})

test('a group with several names has no id of its own, with which a rule could be compared', () => {
  const [group] = entries(['devs']).get('devs' as GroupName) ?? []
  if (group === undefined) throw new Error('no group')
  expect(ownId({ ...group, id: 'g1' })).toBe('g1')
  expect(ownId({ ...group, id: 'g1', names: ['devs', 'mine'] })).toBeUndefined()
})

describe('the finding of several names', () => {
  const found = (world: SmallWorld) => {
    const seen = seenOf(world)
    return severalNamesFindings(desiredIn(seen), (world.existing ?? []).map(mapping), seen.directories)
  }
  test('names the entry, all its names, and those in use', () => {
    expect(found({ rules: [devs, admins], directories: corp(['mine', 'admins', 'devs'], ['ops', 'night']) })).toEqual([
      {
        code: 'group-several-names',
        severity: 'warning',
        place: 'corp: cn=mine',
        sentence:
          'the group has several names (mine, admins, devs), and rules or mappings use admins and devs: its members may get the roles of a group that is not theirs',
        cure: 'find out who added the name; remove all names but one from the entry, or exclude the entry with groups.filter',
      },
    ])
  })
  test('comes for each entry, sorted by place', () => {
    const directories = { lab: complete(entries(['night', 'ops'])), ...corp(['mine', 'devs'], ['a', 'admins']) }
    const rules = [devs, admins, rule('ops', 'ENG', 'guest')]
    expect(found({ rules, directories }).map(({ place }) => place)).toEqual(['corp: cn=a', 'corp: cn=mine', 'lab: cn=night'])
  })
  test.each<[string, SmallWorld]>([
    ['a rule with an exact name', { rules: [devs] }],
    ['a rule with a pattern', { rules: [pattern('de.*', 'ENG', 'member')] }],
    ['a rule that asks another directory', { rules: [rule('devs', 'ENG', 'member', { from: ['lab'] })] }],
    ['a mapping that no rule declares', { existing: ['ENG devs member'] }],
    ['a removed mapping', { removed: ['ENG devs'] }],
  ])('comes for %s', (_, world) => {
    const directories = { ...corp(['mine', 'devs']), lab: ['devs'] }
    expect(found({ ...world, directories }).map(({ place }) => place)).toEqual(['corp: cn=mine'])
  })
  test.each<[string, Readonly<Record<string, Reading<GroupIndex>>>, number]>([
    ['in a partial reading', { corp: partial(entries(['mine', 'devs'])) }, 1],
    ['in no reading', { corp: failed }, 0],
    ['of names that are not in use', corp(['mine', 'ours']), 0],
    ['of one name', corp(['devs']), 0],
  ])('%s: %#', (_, directories, count) => expect(found({ rules: [devs], directories })).toHaveLength(count))
  test('stays short if thousands of names are in use', () => {
    const names = Array.from({ length: 5_000 }, (_, n) => `eng-${n}`)
    const named = complete(
      indexGroups(names.map((name) => ({ name: name as GroupName, id: 'x', place: 'x', names: ['eng-0', '4,999 more'] }))),
    )
    const [one, ...others] = found({ rules: [pattern('eng-.*', 'ENG', 'member')], directories: { corp: named } })
    expect(others).toEqual([])
    expect(one?.sentence).toContain('and 4,990 more')
    expect(one?.sentence.length).toBeLessThan(400)
  })
})

describe('the size of an index', () => {
  test('is the number of names', () => expect(indexSize(groups('a', 'b@x', 'b@y'))).toBe(2))
  test('is not the number of groups, of which several may share a name', () => {
    expect(groupCount(groups('a', 'b@x', 'b@y'))).toBe(3)
    expect(groupCount(entries(['devs'], ['ops', 'sre'], ['a']))).toBe(3)
  })
  test.each([[['a', 'b']], [['a', 'b', 'c', 'd']], [['devs', 'b']]])('has an entry once, whatever names it gets: %j', (names) => {
    expect(indexSize(entries(['devs'], ['ops'], ['a']))).toBe(3)
    expect(indexSize(entries(['devs'], ['ops'], names))).toBe(3)
  })
})
