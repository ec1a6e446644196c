import { describe, expect, test } from 'vitest'
import { rolesAsked } from '../../../src/core/desired.ts'
import type { GroupName, Role } from '../../../src/core/mapping.ts'
import { groups, lines, partial, pattern, planOf, rule, type SmallWorld, target } from './smallWorld.ts'

/** The journal knows that the access ends at 50. What is in the files now gives it no longer. */
const mapped: SmallWorld = {
  existing: ['PAY pay-a member'],
  projects: ['PAY'],
  directories: { corp: ['pay-a', 'pay-b'] },
  policy: 'exclusive',
}
const recorded = { given: { 'PAY pay-a': { file: 'pay.yaml', endMs: 50 } } }
const later = { startsMs: 9_000 }
const place = { group: 'pay-a' as GroupName, target: target('PAY'), because: { at: { file: 'pay.yaml', line: 1, column: 1 } } }
const from = (file: string) => ({ because: { at: { file, line: 1, column: 1 } } })
const fenced = { fenced: true } as const
const previously = { previously: 'pay-a' as GroupName }
const planAt = (nowMs: number, world: SmallWorld) => lines(planOf({ ...mapped, ...recorded, ...world, nowMs }))

describe('a recorded end comes, whatever an edit makes of the key', () => {
  const edits: readonly [string, SmallWorld][] = [
    ['a rule that starts later', { rules: [rule('pay-a', 'PAY', 'guest', later)] }],
    ['a rule of the same role that starts later', { rules: [rule('pay-a', 'PAY', 'member', later)] }],
    ['patterns that differ', { rules: [pattern('pay-a.*', 'PAY', 'guest'), pattern('.*-a', 'PAY', 'commenter')] }],
    [
      'files that contradict each other',
      { rules: [rule('pay-a', 'PAY', 'guest', from('a.yaml')), rule('pay-a', 'PAY', 'commenter', from('b.yaml'))] },
    ],
    ['a group that its directory lacks', { rules: [rule('pay-a', 'PAY', 'guest', { from: ['corp'] })], directories: { corp: ['pay-b'] } }],
  ]
  test.each(edits)('%s', (_, world) => {
    expect(planAt(40, world)).toEqual([expect.stringMatching(/^hold acme\/project\/PAY\/pay-a: /)])
    expect(planAt(60, world)).toEqual(['delete PAY pay-a = member (expired)'])
  })

  const undeclared: readonly [string, SmallWorld, string][] = [
    ['a successor that starts later', { rules: [rule('pay-b', 'PAY', 'guest', { ...later, ...previously })] }, 'notStarted'],
    ['a successor that is held', { rules: [rule('pay-ghost', 'PAY', 'guest', previously)] }, 'requires'],
    ['a project that does not exist', { rules: [rule('pay-a', 'PAY-NOPE', 'guest')] }, 'perhapsRenamed'],
  ]
  test.each(undeclared)('%s', (_, world, reason) => {
    expect(planAt(40, world)).toContain(`hold acme/project/PAY/pay-a: ${reason}`)
    expect(planAt(60, world)).toContain('delete PAY pay-a = member (undeclared)')
  })
})

describe('a rule that asks for the same role keeps it', () => {
  const asking: readonly [string, SmallWorld][] = [
    ['beside a pattern that differs', { rules: [pattern('pay-a.*', 'PAY', 'member'), pattern('.*-a', 'PAY', 'commenter')] }],
    [
      'beside a file that contradicts it',
      { rules: [rule('pay-a', 'PAY', 'member', from('a.yaml')), rule('pay-a', 'PAY', 'guest', from('b.yaml'))] },
    ],
    ['while its directory lacks the group', { rules: [rule('pay-a', 'PAY', 'member')], directories: { corp: ['pay-b'] } }],
    ['as a successor that is held', { rules: [rule('pay-ghost', 'PAY', 'member', previously)] }],
    ['for a project that does not exist', { rules: [rule('pay-a', 'PAY-NOPE', 'member')] }],
  ]
  test.each(asking)('%s', (_, world) =>
    expect(planAt(60, world)).toContainEqual(expect.stringMatching(/^hold acme\/project\/PAY\/pay-a: /)),
  )

  test('for another role, if its project is another one now, or its directory was not read whole', () => {
    const world = { rules: [rule('pay-a', 'PAY', 'member', { expiresMs: 50 }), pattern('pay-.*', 'PAY', 'admin')] }
    expect(planAt(60, { ...world, directories: { corp: partial(groups('pay-b')) } })).toContain(
      'hold acme/project/PAY/pay-a: readingIncomplete',
    )
    const unread = { kind: 'readingIncomplete', of: 'corp', why: 'page 3' } as const
    const moved = { kind: 'projectChanged', project: 'PAY', called: 'PAY2' } as never
    for (const reason of [unread, moved])
      expect(rolesAsked({ ...place, kind: 'unknown', reason, would: { kind: 'role', role: 'guest' as Role } })).toEqual([undefined])
  })

  test('as the journal knows it, if the service shows another one', () => {
    const world = { rules: [pattern('pay-a.*', 'PAY', 'contributor'), pattern('.*-a', 'PAY', 'guest')] }
    const given = { 'PAY pay-a': { file: 'pay.yaml', endMs: 50, role: 'contributor' as never } }
    expect(planAt(60, { ...world, given })).toEqual(['hold acme/project/PAY/pay-a: conflict'])
  })
})

test('the end of a held key is said before it comes', () => {
  const world = { ...mapped, ...recorded, rules: [rule('pay-a', 'PAY', 'guest', later)], nowMs: 40 }
  expect(planOf(world).later.map(({ atMs }) => atMs)).toEqual([50, 9_000])
})

describe('a rule inside a fence as the successor of a protected mapping', () => {
  const admin = { existing: ['PAY pay-a admin'], given: {} }
  test.each([
    ['does not keep it', rule('pay-ghost', 'PAY', 'guest', { ...previously, ...fenced }), 'delete PAY pay-a = admin (undeclared)'],
    [
      'keeps it if it asks for that role',
      rule('pay-ghost', 'PAY', 'admin', { ...previously, ...fenced }),
      'hold acme/project/PAY/pay-a: requires',
    ],
    ['keeps it in a file without limits', rule('pay-ghost', 'PAY', 'guest', previously), 'hold acme/project/PAY/pay-a: requires'],
  ])('%s', (_, successor, expected) => expect(planAt(40, { ...admin, rules: [successor] })).toContain(expected))
})
