import { describe, expect, test } from 'vitest'
import { nextDateMs } from '../../../src/core/dates.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { desiredIn, lines, pattern, planOf, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const directories = { corp: ['devs', 'ops'] }
const hour = 3_600_000
const from5 = { startsMs: 5 }
const planned = (world: SmallWorld) => lines(planOf({ directories, nowMs: 4, policy: 'exclusive', ...world }))
const held = (key: string) => `hold acme/project/${key}: notStarted`

describe('a rule that starts later', () => {
  test.each<[string, SmallWorld, readonly string[]]>([
    ['grants nothing', { rules: [rule('devs', 'ENG', 'member', from5)] }, []],
    ['grants from its first moment', { rules: [rule('devs', 'ENG', 'member', from5)], nowMs: 5 }, ['create ENG devs = member']],
    [
      'holds the mapping that exists, whatever its role',
      { rules: [rule('devs', 'ENG', 'member', from5)], existing: ['ENG devs admin', 'ENG ops guest'] },
      ['delete ENG ops = guest (undeclared)', held('ENG/devs')],
    ],
    [
      'holds what exists for a pattern, and for a captured project',
      { rules: [pattern('d.*', 'ENG', 'member', from5)], existing: ['ENG devs guest'] },
      [held('ENG/devs')],
    ],
    [
      'yields to a pattern that applies now',
      { rules: [rule('devs', 'ENG', 'member', from5), pattern('d.*', 'ENG', 'guest')] },
      ['create ENG devs = guest'],
    ],
    [
      'yields to an exact rule that applies now, and takes over from it',
      { rules: [rule('devs', 'ENG', 'guest', { expiresMs: 5 }), rule('devs', 'ENG', 'member', from5)], existing: ['ENG devs guest'] },
      [],
    ],
    [
      'takes over without a delete',
      {
        rules: [rule('devs', 'ENG', 'guest', { expiresMs: 5 }), rule('devs', 'ENG', 'member', from5)],
        existing: ['ENG devs guest'],
        nowMs: 5,
      },
      ['patch ENG devs: guest → member'],
    ],
    [
      'does not keep what another rule ended before',
      { rules: [rule('devs', 'ENG', 'guest', { expiresMs: 3 }), rule('devs', 'ENG', 'member', from5)], existing: ['ENG devs guest'] },
      ['delete ENG devs = guest (expired)'],
    ],
    [
      'keeps the mapping under the former name of its group',
      { rules: [rule('devs', 'ENG', 'member', { ...from5, previously: 'old' as GroupName })], existing: ['ENG old guest'] },
      ['hold acme/project/ENG/old: notStarted'],
    ],
    [
      'keeps it also beside a rule that applies to the same group and has ended',
      {
        rules: [
          pattern('d.*', 'ENG', 'guest', { expiresMs: 3 }),
          rule('devs', 'ENG', 'member', { ...from5, previously: 'old' as GroupName }),
        ],
        existing: ['ENG old guest'],
      },
      ['hold acme/project/ENG/old: notStarted'],
    ],
    [
      'keeps it also if the first rule for the group has no former name',
      {
        rules: [rule('devs', 'ENG', 'member', from5), rule('devs', 'ENG', 'member', { ...from5, previously: 'old' as GroupName })],
        existing: ['ENG old guest'],
      },
      ['hold acme/project/ENG/old: notStarted'],
    ],
    [
      'keeps no mapping under the former name beside a rule that grants now',
      {
        rules: [rule('devs', 'ENG', 'member'), rule('devs', 'ENG', 'member', { ...from5, previously: 'old' as GroupName })],
        existing: ['ENG old guest'],
      },
      ['delete ENG old = guest (undeclared)', 'create ENG devs = member'],
    ],
    [
      'renames it when it starts',
      { rules: [rule('devs', 'ENG', 'guest', { ...from5, previously: 'old' as GroupName })], existing: ['ENG old guest'], nowMs: 5 },
      ['rename ENG old → devs: guest → guest'],
    ],
    [
      'ends as any other',
      { rules: [rule('devs', 'ENG', 'member', { ...from5, expiresMs: 9 })], existing: ['ENG devs member'], nowMs: 9 },
      ['delete ENG devs = member (expired)'],
    ],
    [
      'is undecided if only one of two clocks has passed its start',
      { rules: [rule('devs', 'ENG', 'member', from5)], nowMs: 5, thereMs: -hour },
      ['hold acme/project/ENG/devs: clocksDiffer'],
    ],
    [
      'is undecided in the same way by the clock of Plane',
      { rules: [rule('devs', 'ENG', 'member', from5)], nowMs: 4 - hour, thereMs: 5, existing: ['ENG devs guest'] },
      ['hold acme/project/ENG/devs: clocksDiffer'],
    ],
    [
      'starts by the clock of this machine if the clocks differ by less',
      { rules: [rule('devs', 'ENG', 'member', from5)], nowMs: 5, thereMs: 6 - hour },
      ['create ENG devs = member'],
    ],
  ])('%s', (_what, world, expected) => expect(planned(world)).toEqual(expected))

  test('leaves no trace if no mapping is there', () => {
    expect([...desiredIn(seenOf({ directories, nowMs: 4, rules: [rule('devs', 'ENG', 'member', from5)] })).mappings]).toEqual([])
  })
  test('is shown with its start; of several, the first start', () => {
    const rules = [
      rule('devs', 'ENG', 'member', { startsMs: 9, expiresMs: 12 }),
      rule('devs', 'ENG', 'guest', { startsMs: 5, expiresMs: 7 }),
    ]
    const { holds } = planOf({ rules, directories, nowMs: 4, existing: ['ENG devs guest'] })
    expect(holds.map(({ reason, because }) => [reason, because?.at.line])).toEqual([
      [{ kind: 'notStarted', startsMs: 5 }, rules[1]?.because.at.line],
    ])
  })
  test('the grant of a rule that ends carries the end', () => {
    const { changes } = planOf({
      rules: [rule('devs', 'ENG', 'member', { expiresMs: 9 }), rule('ops', 'ENG', 'member')],
      directories,
      nowMs: 4,
    })
    expect(changes.map(({ because }) => because?.expiresMs)).toEqual([9, undefined])
  })
})

test('the next date is the first start or end that is still to come', () => {
  const rules = [{ startsMs: 3, expiresMs: 8 }, { startsMs: 6 }, { expiresMs: 5 }, {}]
  expect([0, 3, 5, 6, 8].map((hereMs) => nextDateMs(rules, { hereMs }))).toEqual([3, 5, 6, 8, undefined])
})
