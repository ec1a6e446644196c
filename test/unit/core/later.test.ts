import { describe, expect, test } from 'vitest'
import type { DatedMapping } from '../../../src/core/desired.ts'
import { indexGroups } from '../../../src/core/group.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import type { Later } from '../../../src/core/later.ts'
import { type GroupName, type Key, keyOf, type Role, targetText } from '../../../src/core/mapping.ts'
import { ruleHash } from '../../../src/core/resolve/textName.ts'
import { acme, complete, desiredIn, hash, judging, partial, pattern, planOf, rule, type SmallWorld, seenOf, target } from './smallWorld.ts'

const from5 = { startsMs: 5 }
const to5 = { expiresMs: 5 }
const directories = { corp: ['devs', 'ops'] }
const rows = (world: SmallWorld) => planOf({ directories, nowMs: 4, policy: 'exclusive', ...world }).later.map(lineOf)

const labelled = complete(indexGroups([{ name: '3f1c' as GroupName, id: '3f1c', place: '/groups/3f1c', label: 'Sales EMEA' }]))
const moved = rule('devs', 'ENG', 'member')
const endingGuest = rule('devs', 'ENG', 'guest', to5)
const laterGuest = rule('devs', 'ENG', 'guest', { startsMs: 7 })

function lineOf({ atMs, why, write, target: on, group, waits }: Later): string {
  const change = {
    create: () => `create ${'role' in write ? write.role : ''}`,
    patch: () => `${'before' in write ? write.before : ''} → ${'role' in write ? write.role : ''}`,
    rename: () => `rename ${'fromGroup' in write ? write.fromGroup : ''}, ${'role' in write ? write.role : ''}`,
    delete: () => `delete ${'before' in write ? write.before : ''}`,
    unknown: () => 'unknown',
  }[write.action]()
  return `${atMs} ${why}: ${targetText(on)} ${group} ${change}${waits === undefined ? '' : ` (${waits.kind})`}`
}

describe('what dates will change', () => {
  test.each<[string, SmallWorld, readonly string[]]>([
    ['a start', { rules: [rule('devs', 'ENG', 'admin', from5)] }, ['5 starts: ENG devs create admin']],
    [
      'a start of another role',
      { rules: [rule('devs', 'ENG', 'admin', from5)], existing: ['ENG devs guest'] },
      ['5 starts: ENG devs guest → admin'],
    ],
    ['no row for the role that the mapping has', { rules: [rule('devs', 'ENG', 'admin', from5)], existing: ['ENG devs admin'] }, []],
    ['an end', { rules: [rule('devs', 'ENG', 'member', to5)] }, ['5 ends: ENG devs delete member']],
    [
      'a start and an end',
      { rules: [rule('devs', '*', 'member', { ...from5, expiresMs: 9 })] },
      ['5 starts: all projects devs create member', '9 ends: all projects devs delete member'],
    ],
    [
      'what takes over at an end',
      { rules: [rule('devs', 'ENG', 'member', to5), pattern('d.*', 'ENG', 'admin')] },
      ['5 ends: ENG devs member → admin'],
    ],
    [
      'a protected grant that waits until a rule allows it',
      { rules: [rule('devs', 'ENG', 'admin', to5), rule('devs', 'ENG', 'admin', { ...from5, allowProtected: true })] },
      ['5 starts: ENG devs create admin'],
    ],
    [
      'the same for a raise by a pattern, and only once',
      {
        rules: [
          pattern('d.*', 'ENG', 'admin'),
          rule('devs', 'ENG', 'admin', { ...from5, allowProtected: true, expiresMs: 7 }),
          rule('devs', 'ENG', 'admin', { startsMs: 7, allowProtected: true }),
        ],
        existing: ['ENG devs guest'],
      },
      ['5 starts: ENG devs guest → admin'],
    ],
    [
      'a later grant that waits, until a rule allows it',
      {
        rules: [
          rule('devs', 'ENG', 'admin', { ...from5, expiresMs: 7 }),
          rule('devs', 'ENG', 'admin', { startsMs: 7, allowProtected: true }),
        ],
      },
      ['5 starts: ENG devs create admin', '7 starts: ENG devs create admin'],
    ],
    [
      'no row for a rule that allows what exists, or an ordinary role',
      {
        rules: [
          pattern('.*', 'ENG', 'admin'),
          rule('devs', 'ENG', 'admin', { ...from5, allowProtected: true }),
          pattern('.*', 'OPS', 'member'),
          rule('ops', 'OPS', 'member', { ...from5, allowProtected: true }),
          rule('ops', 'ENG', 'guest'),
        ],
        existing: ['ENG devs admin'],
      },
      [],
    ],
    [
      'the next rule, without a gap and with one',
      {
        rules: [
          rule('devs', 'ENG', 'member', to5),
          rule('devs', 'ENG', 'guest', { startsMs: 5, expiresMs: 7 }),
          rule('devs', 'ENG', 'guest', { startsMs: 8 }),
        ],
      },
      ['5 starts: ENG devs member → guest', '7 ends: ENG devs delete guest', '8 starts: ENG devs create guest'],
    ],
    [
      'the rules one after the other, in whatever order the file has them',
      {
        rules: [
          rule('devs', 'ENG', 'guest', { startsMs: 8 }),
          rule('devs', 'ENG', 'guest', { startsMs: 5, expiresMs: 7 }),
          rule('devs', 'ENG', 'member', to5),
        ],
      },
      ['5 starts: ENG devs member → guest', '7 ends: ENG devs delete guest', '8 starts: ENG devs create guest'],
    ],
    [
      'nothing for a name of a pattern that no directory has, and that has no mapping on the target',
      { rules: [pattern('g.*', 'ENG', 'admin', from5)], existing: ['OPS gone guest'] },
      [],
    ],
    [
      'a start with a reason that may end without an edit, beside one that needs an edit',
      {
        rules: [rule('devz', 'ENG', 'admin', { ...from5, from: ['corp'] }), rule('devz', 'ENG', 'admin', { ...from5, from: ['lab'] })],
        directories: { corp: ['devs'], lab: partial(new Map()) },
      },
      ['5 starts: ENG devz create admin (readingIncomplete)'],
    ],
    [
      'a start at once by a rule whose group is as the rule means it, beside one whose group has another label',
      {
        rules: [rule('3f1c', 'ENG', 'guest', { ...from5, label: 'Sales' }), rule('3f1c', 'ENG', 'guest', from5)],
        directories: { corp: labelled },
      },
      ['5 starts: ENG 3f1c create guest'],
    ],
    [
      'an end in a project that is another one now',
      {
        rules: [{ ...moved, ...to5 }],
        existing: ['ENG devs member'],
        known: { ENG: { 'id-ENG': [ruleHash({ ...moved, ...to5 }, hash)] } },
        projects: ['OPS'],
      },
      ['5 ends: ENG devs delete member (projectChanged)'],
    ],
    [
      'no row for the end of a rule without a mapping, whose project is another one now',
      {
        rules: [{ ...moved, ...to5 }, laterGuest],
        known: { ENG: { 'id-ENG': [{ ...moved, ...to5 }, laterGuest].map((one) => ruleHash(one, hash)) } },
        projects: ['OPS'],
      },
      ['7 starts: ENG devs create guest (projectChanged)'],
    ],
    [
      'an end by two rules, of which one means the project that has the identifier now',
      {
        rules: [{ ...moved, ...to5 }, endingGuest],
        existing: ['ENG devs guest'],
        known: { ENG: { old: [ruleHash({ ...moved, ...to5 }, hash)], 'id-ENG': [ruleHash(endingGuest, hash)] } },
      },
      ['5 ends: ENG devs delete guest'],
    ],
    [
      'no row for an end in a project to which another rule follows its project: its mapping is held already',
      {
        rules: [moved, rule('devs', 'NEW', 'guest', to5)],
        existing: ['NEW devs guest'],
        known: { ENG: { 'id-NEW': [ruleHash(moved, hash)] } },
        projects: ['NEW'],
      },
      [],
    ],
    [
      'a start in a project that only a mapping shows',
      { rules: [rule('devs', 'NEW', 'guest', from5)], existing: ['NEW ops guest'] },
      ['5 starts: NEW devs create guest'],
    ],
    [
      'no row for an end beside a rule with the same role',
      { rules: [rule('devs', 'ENG', 'member', to5), rule('devs', 'ENG', 'member')] },
      [],
    ],
    [
      'each group of a pattern',
      { rules: [pattern('.*', 'ENG', 'member', from5)] },
      ['5 starts: ENG devs create member', '5 starts: ENG ops create member'],
    ],
    ['nothing beside a removal', { rules: [pattern('.*', 'ENG', 'member', from5)], removed: ['ENG devs', 'ENG ops'] }, []],
    [
      'a start for a group that no directory has',
      { rules: [rule('devz', 'ENG', 'admin', from5)] },
      ['5 starts: ENG devz create admin (groupUnknown)'],
    ],
    [
      'a start in a project that nobody sees',
      { rules: [rule('devs', 'NEW', 'admin', from5)] },
      ['5 starts: NEW devs create admin (projectUnknown)'],
    ],
    [
      'a start while its directory is not read whole',
      { rules: [rule('devs', 'ENG', 'admin', from5)], directories: { corp: partial(new Map()) } },
      ['5 starts: ENG devs create admin (readingIncomplete)'],
    ],
    [
      'a start of another role for a group that no directory has',
      { rules: [rule('devz', 'ENG', 'admin', from5)], existing: ['ENG devz guest'] },
      ['5 starts: ENG devz guest → admin (groupUnknown)'],
    ],
    [
      'the end of a mapping whose group is gone',
      { rules: [rule('gone', 'ENG', 'guest', to5)], existing: ['ENG gone guest'] },
      ['5 ends: ENG gone delete guest'],
    ],
    ['no row for the end of a rule that never got a mapping', { rules: [rule('gone', 'ENG', 'guest', to5)] }, []],
    [
      'a rename',
      { rules: [rule('devs', 'ENG', 'member', { ...from5, previously: 'old' as GroupName })], existing: ['ENG old guest'] },
      ['5 starts: ENG devs rename old, member'],
    ],
    [
      'two patterns that differ from a date on',
      { rules: [pattern('d.*', 'ENG', 'guest'), pattern('de.*', 'ENG', 'admin', from5)] },
      ['5 starts: ENG devs unknown (conflict)'],
    ],
    [
      'what a policy will not write',
      { policy: 'create-only', rules: [rule('devs', 'ENG', 'admin', from5)], existing: ['ENG devs guest'] },
      ['5 starts: ENG devs guest → admin (policy)'],
    ],
    [
      'after the horizon only grants of protected roles, also those that an end brings',
      {
        laterUntilMs: 6,
        rules: [
          rule('devs', 'ENG', 'guest', { startsMs: 6 }),
          rule('ops', 'ENG', 'guest', { startsMs: 7, expiresMs: 9 }),
          rule('ops', 'OPS', 'admin', { startsMs: 7 }),
          rule('devs', 'OPS', 'guest', { expiresMs: 8 }),
          pattern('de.*', 'OPS', 'admin'),
        ],
      },
      ['6 starts: ENG devs create guest', '7 starts: OPS ops create admin', '8 ends: OPS devs guest → admin'],
    ],
    ['nothing at a date about which the clocks disagree', { thereMs: 10_000_000, rules: [rule('devs', 'ENG', 'admin', from5)] }, []],
  ])('%s', (_, world, expected) => expect(rows(world)).toEqual(expected))

  test('a row has the place of the first rule that still applies, of those that agree', () => {
    const at = (line: number) => ({ because: { at: { file: 'g', line, column: 1 } } })
    const rules = [
      pattern('.*', 'ENG', 'guest', { ...to5, ...at(1) }),
      pattern('d.*', 'ENG', 'guest', at(2)),
      pattern('de.*', 'ENG', 'guest', at(3)),
      rule('devs', 'ENG', 'member', { ...to5, ...at(4) }),
    ]
    const { later } = planOf({ directories, nowMs: 4, rules })
    expect(later.filter(({ group }) => group === 'devs')).toMatchObject([{ atMs: 5, because: { at: { line: 2 } } }])
  })

  const known = { ENG: { 'id-ENG': [ruleHash({ ...moved, ...to5 }, hash)] } }
  test.each<[string, SmallWorld, object]>([
    [
      'rules that start after it keep no mapping whose rule ends',
      { rules: [rule('devs', 'ENG', 'member', to5), laterGuest], existing: ['ENG devs member'] },
      { kind: 'absent', why: 'expired' },
    ],
    [
      'the end of a mapping in a project that is another one now is held and reported',
      { rules: [{ ...moved, ...to5 }], known, projects: ['OPS'], existing: ['ENG devs member'] },
      { kind: 'unknown', reason: { kind: 'projectChanged' } },
    ],
    [
      'without a mapping it is held, and not reported',
      { rules: [{ ...moved, ...to5 }], known, projects: ['OPS'] },
      { kind: 'unknown', reason: { kind: 'projectChanged' }, hidden: true },
    ],
  ])('at a date a key is resolved as it will be then: %s', (_, world, expected) => {
    const seen = seenOf({ directories, nowMs: 4, ...world })
    const [turns] = [...desiredIn(seen).turns()]
    const [key, [turn]] = turns as unknown as [Key, readonly [DatedMapping]]
    expect(turn).toMatchObject({ atMs: 5, wanted: expected })
    expect(turn.wanted).toEqual(desiredIn({ ...seen, nowMs: 5 }).mappings.get(key))
  })

  test('of rules that end together the first by its place is named, in whatever order they come', () => {
    const ending = [rule('devs', 'ENG', 'member', to5), rule('devs', 'ENG', 'member', to5)]
    const because = (rules: readonly (typeof ending)[number][]) =>
      planOf({ directories, nowMs: 4, rules, existing: ['ENG devs member'] }).later.map((row) => row.because)
    expect([because(ending), because(ending.toReversed())]).toEqual([[ending[0]?.because], [ending[0]?.because]])
  })

  const judged = (world: SmallWorld, more: Partial<typeof judging> = {}) =>
    judge(planOf({ directories, nowMs: 4, ...world }), { ...judging, ...more }).plan.later.map(({ waits, waivedBy }) => waivedBy ?? waits)

  test('a protected role waits at its date, unless its rule or words that last until then approve it', () => {
    const words = { changes: [{ key: keyOf(acme, target('ENG'), 'devs' as GroupName), after: 'admin' as Role }] }
    const waiver = (untilMs: number) => ({ waivers: [{ ids: [], words, by: 'ann', untilMs, source: 'w:1:1' }] })
    const admin = { rules: [rule('devs', 'ENG', 'admin', from5)] }
    const wait = { kind: 'approval', why: 'protectedRole' }
    expect(judged(admin)).toEqual([wait])
    expect(judged({ rules: [rule('devs', 'ENG', 'admin', { ...from5, allowProtected: true })] })).toEqual([undefined])
    expect(judged({ rules: [rule('devs', '*', 'admin', { ...from5, allowProtected: true })] })).toEqual([
      { ...wait, why: 'allProjectsProtected' },
    ])
    expect(judged(admin, waiver(6))).toEqual(['w:1:1'])
    expect(judged({ ...admin, policy: 'observe' })).toEqual([{ kind: 'policy', policy: 'observe' }])
    const conflict = [pattern('d.*', 'ENG', 'admin', from5), pattern('de.*', 'ENG', 'guest', from5)]
    expect(judged({ rules: conflict })).toEqual([expect.objectContaining({ kind: 'conflict' })])
    expect(judged(admin, waiver(5))).toEqual([wait])
    const any = { ids: [], by: 'x', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }
    expect(judged(admin, { waivers: [{ ...any, ids: ['0'.repeat(32)] }] })).toEqual([wait])
  })

  test('the fingerprint covers key, role and date, and not how many people or which place', () => {
    const print = (more: object, role = 'admin', group = 'devs', nowMs = 4) =>
      planOf({ directories, rules: [rule(group, 'ENG', role, { startsMs: 50, ...more })], nowMs }).fingerprint
    const all = [
      print({}),
      print({}, 'member'),
      print({}, 'admin', 'ops'),
      print({ startsMs: 51 }),
      print({ startsMs: 50, expiresMs: 60 }),
      print({ startsMs: 1e12 }),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(print({}, 'admin', 'devs', 40)).toBe(print({}))
    expect(print({ because: { at: { file: 'z', line: 9, column: 1 } } })).toBe(print({}))
  })
})
