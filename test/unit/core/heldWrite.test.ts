import { describe, expect, test } from 'vitest'
import { indexGroups } from '../../../src/core/group.ts'
import { type HoldReason } from '../../../src/core/hold.ts'
import { isKeptUnread } from '../../../src/core/holdEffects.ts'
import type { GroupName, Role } from '../../../src/core/mapping.ts'
import { sizeText } from '../../../src/core/quantity.ts'
import { people } from '../bounds.ts'
import { desiredIn, failed, mapping, partial, pattern, planOf, rule, type SmallWorld, seenOf } from './smallWorld.ts'

/** The holds of a plan, each as `ENG devs: guest → member`. */
const held = (world: SmallWorld): readonly string[] =>
  planOf(world).holds.map((hold) => {
    const { key, would, size, change } = hold
    const [, , where = '', group = where] = key.split('/')
    if (would === undefined) return `${where} ${group}: ${change === undefined ? 'not known' : 'a change'}`
    const before = 'before' in would ? `${would.before ?? '-'} ` : ''
    const text = 'role' in would ? `${before}→ ${would.role}` : `${before}${would.action}`
    return `${where} ${group}: ${text}${size === undefined ? '' : `, ${sizeText(size)}`}${isKeptUnread(hold) ? ' (kept)' : ''}`
  })

const unread = { directories: { corp: failed } }

describe('a hold says what would be done without it', () => {
  test('because of a directory: creates, changes of the role, and mappings that stay', () => {
    const rules = [rule('new', 'ENG', 'admin'), rule('up', 'ENG', 'member'), rule('same', 'ENG', 'guest'), rule('none', 'ENG', 'guest')]
    const existing = ['ENG up guest', 'ENG same guest', 'ENG none -']
    expect(held({ ...unread, rules, existing })).toEqual([
      'ENG new: → admin',
      'ENG none: - → guest',
      'ENG same: guest keep (kept)',
      'ENG up: guest → member',
    ])
  })
  test('a role that the service answers with another name stays', () => {
    const world = { ...unread, rules: [rule('a', 'ENG', 'member')], existing: ['ENG a contributor'] }
    expect(held({ ...world, echoes: { member: 'contributor' } })).toEqual(['ENG a: contributor keep (kept)'])
    expect(held(world)).toEqual(['ENG a: contributor → member'])
  })
  test('of several mappings with the same key, one that is not as declared is decisive', () => {
    expect(held({ ...unread, rules: [rule('a', 'ENG', 'guest')], existing: ['ENG a guest', 'ENG a admin'] })).toEqual([
      'ENG a: admin → guest',
    ])
  })
  test('with the people of the group, if it is in one place', () => {
    const group = { name: 'a' as GroupName, id: '1', place: 'cn=a', size: people(7) }
    const directories = { corp: partial(indexGroups([group])) }
    expect(held({ directories, rules: [rule('a', 'ENG', 'guest')] })).toEqual(['ENG a: → guest, 7 people'])
    expect(held({ directories, rules: [rule('a', 'ENG', 'guest')], existing: ['ENG a guest'] })).toEqual(['ENG a: guest keep (kept)'])
  })
  test('with the people that a changed role concerns', () => {
    const directories = { corp: partial(indexGroups([{ name: 'a' as GroupName, id: '1', place: 'cn=a', size: people(7) }])) }
    expect(held({ directories, rules: [rule('a', 'ENG', 'guest')], existing: ['ENG a admin'] })).toEqual(['ENG a: admin → guest, 7 people'])
  })
  test('with its action', () => {
    const { holds } = planOf({ ...unread, rules: [rule('a', 'ENG', 'guest'), rule('b', 'ENG', 'guest')], existing: ['ENG b admin'] })
    expect(holds.map(({ would }) => would)).toEqual([
      { action: 'create', role: 'guest' },
      { action: 'patch', before: 'admin', role: 'guest' },
    ])
    for (const hold of holds) expect(hold).not.toHaveProperty('size')
  })
  test('a create that waits for a rename by another rule', () => {
    const old = { previously: 'old' as GroupName }
    const world = { rules: [rule('a', 'ENG', 'guest', old), rule('b', 'ENG', 'guest', old)], directories: { corp: ['a'] } }
    expect(planOf({ ...world, existing: ['ENG old guest'] }).holds.map(({ reason, would }) => [reason.kind, would])).toEqual([
      ['requires', { action: 'create', role: 'guest' }],
      ['groupUnknown', { action: 'create', role: 'guest' }],
      ['requires', { action: 'unknown', before: 'guest' }],
    ])
  })
  test('a patch that the service would answer with a higher role', () => {
    const world = { rules: [rule('a', 'ENG', 'guest')], directories: { corp: ['a'] }, existing: ['ENG a member'] }
    expect(held({ ...world, echoes: { guest: 'member' } })).toEqual(['ENG a: member → guest'])
  })
  test('an unknown group or project', () => {
    expect(held({ rules: [rule('a', 'ENG', 'guest'), rule('b', 'OPS', 'guest')], existing: ['OPS b admin'] })).toEqual([
      'ENG a: → guest',
      'OPS b: admin → guest',
    ])
    expect(held({ directories: { corp: ['a'] }, rules: [rule('a', 'EGN', 'admin')] })).toEqual(['EGN a: → admin'])
  })
  test('a rule that starts later', () => {
    const rules = [rule('a', 'ENG', 'member', { startsMs: 5 })]
    expect(held({ rules, directories: { corp: ['a'] }, existing: ['ENG a guest'] })).toEqual(['ENG a: guest → member'])
  })
  test('a delete whose list was not read whole', () => {
    const lists = new Map([['projectRoles', partial([mapping('ENG old guest', 0)])]] as const)
    expect(held({ owns: ['projectRoles'], removed: ['ENG old'], lists })).toEqual(['ENG old: guest delete'])
    expect(held({ owns: ['projectRoles'], policy: 'exclusive', lists })).toEqual(['ENG old: guest delete'])
  })
})

test('what is not known is absent, also as a property', () => {
  const role = { kind: 'captured', capture: 'level', map: new Map<string, Role>() } as const
  const wanted = (world: SmallWorld) => [...desiredIn(seenOf(world)).mappings.values()]
  const [unmapped] = wanted({ directories: { corp: ['a-ro'] }, rules: [pattern('a-(?<level>.*)', 'ENG', '', { role })] })
  expect(unmapped).not.toHaveProperty('would')
  const [unreadRule] = wanted({ ...unread, rules: [rule('a', 'ENG', 'guest')] })
  expect(unreadRule).toHaveProperty('would')
  expect(unreadRule).not.toHaveProperty('would.size')
})

describe('what would be done is not known', () => {
  test('if two patterns want different roles', () => {
    const rules = [pattern('a.*', 'ENG', 'guest'), pattern('.*a', 'ENG', 'member')]
    expect(held({ ...unread, rules, existing: ['ENG aa guest'] })).toEqual(['ENG aa: guest unknown (kept)'])
    expect(held({ ...unread, rules: [rules[0] ?? rule('', '', ''), pattern('.*a', 'ENG', 'guest')], existing: ['ENG aa guest'] })).toEqual([
      'ENG aa: guest keep (kept)',
    ])
  })
  test('if the pattern captures a role that its map does not have', () => {
    const role = { kind: 'captured', capture: 'level', map: new Map([['rw', 'member' as Role]]) } as const
    const rules = [pattern('a-(?<level>.*)', 'ENG', '', { role })]
    expect(held({ ...unread, rules, existing: ['ENG a-rw guest', 'ENG a-ro guest'] })).toEqual([
      'ENG a-ro: guest unknown (kept)',
      'ENG a-rw: guest → member',
    ])
  })
  test('if one of two patterns captures such a role', () => {
    const role = { kind: 'captured', capture: 'level', map: new Map([['rw', 'guest' as Role]]) } as const
    const rules = [pattern('a-(?<level>.*)', 'ENG', '', { role }), pattern('a.*', 'ENG', 'guest')]
    const existing = ['ENG a-rw guest', 'ENG a-ro guest']
    const all = ['ENG a-ro: guest unknown (kept)', 'ENG a-rw: guest keep (kept)']
    expect(held({ ...unread, rules, existing })).toEqual(all)
    expect(held({ ...unread, rules: rules.toReversed(), existing })).toEqual(all)
  })
  test('if the number of people is known, and the role is not', () => {
    const role = { kind: 'captured', capture: 'level', map: new Map<string, Role>() } as const
    const group = { name: 'a-ro' as GroupName, id: '1', place: 'cn=a', size: people(7) }
    const world = { directories: { corp: partial(indexGroups([group])) }, rules: [pattern('a-(?<level>.*)', 'ENG', '', { role })] }
    expect(held({ ...world, existing: ['ENG a-ro guest'] })).toEqual(['ENG a-ro: guest unknown (kept)'])
  })
  test('if the clocks disagree whether the rule has ended', () => {
    const rules = [rule('a', 'ENG', 'member', { expiresMs: 1e9 })]
    expect(held({ rules, directories: { corp: ['a'] }, existing: ['ENG a guest'], nowMs: 0, thereMs: 2e9 })).toEqual([
      'ENG a: guest unknown',
    ])
  })
})

test('only a mapping that stays because of an incomplete reading is kept', () => {
  const of = (kind: HoldReason['kind'], action: 'keep' | 'unknown' | 'delete') =>
    isKeptUnread({ reason: { kind } as HoldReason, would: { action, before: null } })
  expect([of('readingIncomplete', 'keep'), of('patternsUnmatched', 'unknown')]).toEqual([true, true])
  expect([of('readingIncomplete', 'delete'), of('notStarted', 'keep'), of('ambiguous', 'unknown')]).toEqual([false, false, false])
  expect(isKeptUnread({ reason: { kind: 'readingIncomplete', of: 'corp', why: '' }, would: { action: 'create', role: 'a' as Role } })).toBe(
    false,
  )
})

test('a held project that a pattern captures is named so', () => {
  const target = { kind: 'captured', capture: 'p', map: new Map() } as const
  const reasons = (world: SmallWorld) => planOf(world).holds.map(({ reason }) => reason)
  const directories = { corp: ['t-nowhere', 'a'] }
  expect(reasons({ directories, rules: [pattern('t-(?<p>.*)', '', 'guest', { target })] })).toEqual([
    { kind: 'projectUnknown', project: 'NOWHERE', captured: true },
  ])
  expect(reasons({ directories, rules: [rule('a', 'NOWHERE', 'guest')] })).toEqual([{ kind: 'projectUnknown', project: 'NOWHERE' }])
})

test('several mappings with one key are held in the same order, in whatever order the list has them', () => {
  const lists = (...rows: readonly string[]) => new Map([['projectRoles', partial(rows.map(mapping))]] as const)
  const of = (...rows: readonly string[]) => held({ owns: ['projectRoles'], policy: 'exclusive', lists: lists(...rows) })
  expect(of('ENG old member', 'ENG old guest')).toEqual(['ENG old: guest delete', 'ENG old: member delete'])
  expect(of('ENG old guest', 'ENG old member')).toEqual(['ENG old: guest delete', 'ENG old: member delete'])
})
