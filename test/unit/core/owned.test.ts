import { describe, expect, test } from 'vitest'
import type { Owned, OwnStanding } from '../../../src/core/diff/draft.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { changeLine, desiredIn, judging, lines, pattern, planOf, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const day = 86_400_000
/** The journal of these worlds: mappings by group, and the ends that it has recorded. */
const owned = (standing: (group: string) => OwnStanding, recorded: readonly number[] = []): Owned => ({
  standingOf: ({ group }) => standing(group),
  givenOf: () => undefined,
  hasRecordedEnd: (_mapping, ended) => ended.some((atMs) => recorded.includes(atMs)),
  willRecordEnd: () => false,
  givingFiles: () => 0,
})
const ours = owned((group) => (group.startsWith('our') ? 'ours' : 'others'))
const corp = { corp: ['devs', 'ours', 'theirs'] }

describe('under sync', () => {
  const existing = ['ENG ours member', 'ENG theirs guest']
  test('an undeclared mapping is deleted if it is ours, and kept if it is not', () => {
    expect(lines(planOf({ existing, policy: 'sync', owned: ours }))).toEqual([
      'delete ENG ours = member (undeclared)',
      'hold acme/project/ENG/theirs: undeclared (delete ENG theirs = guest (undeclared))',
    ])
  })
  test('without a journal nothing is ours, and a finding says so', () => {
    const plan = planOf({ existing, policy: 'sync' })
    expect(lines(plan)).toEqual([
      'hold acme/project/ENG/ours: undeclared (delete ENG ours = member (undeclared))',
      'hold acme/project/ENG/theirs: undeclared (delete ENG theirs = guest (undeclared))',
    ])
    expect(plan.findings.map(({ code }) => code)).toContain('sync-without-journal')
    for (const world of [{ policy: 'sync', owned: ours }, { policy: 'exclusive' }, { policy: 'upsert-only' }] as const)
      expect(planOf({ existing, ...world }).findings.map(({ code }) => code)).not.toContain('sync-without-journal')
  })
  test('a mapping that a slow list shows with its former role waits until the list shows the last write', () => {
    const unsettled = owned(() => ({ untilMs: 50 }))
    expect(planOf({ existing: ['ENG ours member'], policy: 'sync', owned: unsettled }).holds).toMatchObject([
      { reason: { kind: 'quarantined', since: 'justWritten' }, untilMs: 50 },
    ])
  })
  test('an extra duplicate is deleted if it is ours, else it gets the role like the one that is kept', () => {
    const rules = [rule('ours', 'ENG', 'member'), rule('theirs', 'ENG', 'member')]
    const twice = ['ENG ours member', 'ENG ours guest', 'ENG theirs member', 'ENG theirs guest']
    const plan = planOf({ rules, directories: corp, existing: twice, policy: 'sync', owned: ours })
    expect(lines(plan)).toEqual(['delete ENG ours = guest (duplicate)', 'patch ENG theirs: guest → member'])
    expect(plan.findings.filter(({ code }) => code === 'duplicate-mapping').map(({ cure }) => cure)).toEqual([
      undefined,
      expect.stringContaining('delete the extra ones in Plane'),
    ])
  })
  test('removed and expired mappings are deleted, whoever made them', () => {
    const rules = [rule('theirs', 'ENG', 'guest', { expiresMs: 1 })]
    expect(
      lines(
        planOf({ rules, removed: ['ENG old'], existing: ['ENG old guest', 'ENG theirs guest'], nowMs: 2, policy: 'sync', owned: ours }),
      ),
    ).toEqual(['delete ENG old = guest (removed)', 'delete ENG theirs = guest (expired)'])
  })
})
test('no other policy asks what is ours', () => {
  const existing = ['ENG ours member', 'ENG theirs guest']
  const written = (policy: SmallWorld['policy'] & string) => planOf({ existing, policy, owned: ours }).changes.map(changeLine)
  expect(written('upsert-only')).toEqual([])
  expect(written('exclusive')).toEqual(['delete ENG ours = member (undeclared)', 'delete ENG theirs = guest (undeclared)'])
})

describe('an end of a rule that the journal has recorded', () => {
  const recorded = owned(() => 'ours', [5 * day])
  const ending = (more: Partial<Rule> = {}) => rule('devs', 'ENG', 'admin', { expiresMs: 5 * day, allowProtected: true, ...more })
  const world: SmallWorld = { directories: corp, existing: ['ENG devs admin'], nowMs: 6 * day, owned: recorded }
  const marks = (more: SmallWorld) =>
    planOf({ ...world, ...more }).changes.map((change) => `${changeLine(change)}: ${change.uncounted ?? 'counts'}`)
  test.each<[string, SmallWorld, readonly string[]]>([
    ['deletes: does not count', { rules: [ending()] }, ['delete ENG devs = admin (expired): ended']],
    [
      'leaves the role of a pattern: does not count',
      { rules: [ending(), pattern('d.*', 'ENG', 'guest')] },
      ['patch ENG devs: admin → guest: ended'],
    ],
    [
      'leaves a higher role of a pattern: counts, since it takes nothing away',
      {
        rules: [ending({ role: { kind: 'fixed', role: 'guest' as never } }), pattern('d.*', 'ENG', 'member')],
        existing: ['ENG devs guest'],
      },
      ['patch ENG devs: guest → member: counts'],
    ],
    [
      'of another date than the recorded one: counts',
      { rules: [ending({ expiresMs: 4 * day })] },
      ['delete ENG devs = admin (expired): counts'],
    ],
    ['of a line that is gone: counts', { rules: [], policy: 'exclusive' }, ['delete ENG devs = admin (undeclared): counts']],
    ['of a line that became "removed": counts', { removed: ['ENG devs'] }, ['delete ENG devs = admin (removed): counts']],
    [
      'while another rule starts at the same time: counts',
      { rules: [ending(), rule('devs', 'ENG', 'guest', { startsMs: 5 * day })] },
      ['patch ENG devs: admin → guest: counts'],
    ],
    [
      'while another rule starts later: counts',
      { rules: [ending(), rule('devs', 'ENG', 'guest', { startsMs: 5 * day + 1 })] },
      ['patch ENG devs: admin → guest: counts'],
    ],
    [
      'and a pattern that started before takes over: does not count',
      { rules: [ending(), pattern('d.*', 'ENG', 'guest', { startsMs: 4 * day })] },
      ['patch ENG devs: admin → guest: ended'],
    ],
    [
      'a create counts, whatever ended before',
      { rules: [ending(), rule('ours', 'ENG', 'guest')], existing: [] },
      ['create ENG ours = guest: counts'],
    ],
    ['without a journal: counts', { rules: [ending()], owned: undefined as never }, ['delete ENG devs = admin (expired): counts']],
  ])('%s', (_what, more, expected) => expect(marks(more)).toEqual(expected))

  const many = Array.from({ length: 13 }, (_, n) => `c${n}`)
  const contracts = (of: Owned): SmallWorld => ({
    directories: { corp: many },
    rules: many.map((name) => rule(name, 'ENG', 'guest', { expiresMs: 5 * day })),
    existing: [...many.map((name) => `ENG ${name} guest`), ...Array.from({ length: 20 }, (_, n) => `OPS o${n} guest`)],
    nowMs: 6 * day,
    owned: of,
  })
  test('13 contracts that end on one day are written, and fill no limit of it', () => {
    const { plan } = judge(planOf(contracts(recorded)), judging)
    expect(plan.changes).toHaveLength(13)
    const full = {
      ...judging,
      tally: { ...judging.tally, run: { ...judging.tally.run, deletes: 20 }, day: { ...judging.tally.day, deletes: 40 } },
    }
    expect(judge(planOf(contracts(recorded)), full).plan.changes).toHaveLength(13)
  })
  test('13 ends of which the journal knows nothing wait', () => {
    const { plan } = judge(planOf(contracts(owned(() => 'ours'))), judging)
    expect(plan.changes).toHaveLength(0)
    expect(plan.holds[0]?.reason).toMatchObject({
      name: 'deletes',
      sentence: expect.stringContaining(
        '; all of them by ends of rules that were known for less than 72 hours: if a date is wrong, correct it',
      ),
    })
  })
  test('of 14 deletes that wait it says how many are ends', () => {
    const mixed = { ...contracts(owned(() => 'ours')), removed: ['OPS o0'] }
    expect(judge(planOf(mixed), judging).plan.holds[0]?.reason).toMatchObject({
      count: 14,
      sentence: expect.stringContaining('; 13 of them by ends of rules that were known for less than 72 hours'),
    })
  })
  test('beside deletes that count, only these wait for the limits', () => {
    const mixed: SmallWorld = { ...contracts(recorded), policy: 'exclusive' }
    const { plan } = judge(planOf(mixed), judging)
    expect([plan.changes.length, plan.holds.filter(({ reason }) => reason.kind === 'approval').length]).toEqual([13, 20])
  })
  test('a list that gets empty by ends alone is emptied; another delete that empties it waits', () => {
    const only = { ...contracts(recorded), existing: many.map((name) => `ENG ${name} guest`) }
    expect(judge(planOf(only), judging).plan.changes).toHaveLength(13)
    const more: SmallWorld = { ...only, existing: [...(only.existing ?? []), 'ENG x guest'], policy: 'exclusive' }
    const { plan } = judge(planOf(more), judging)
    expect(plan.changes).toHaveLength(13)
    expect(plan.holds.map(({ reason }) => reason)).toMatchObject([{ why: 'limit', name: 'emptiesList' }])
  })
  test('the last administrator stays, whatever has ended', () => {
    const rules = [rule('devs', 'workspace', 'admin', { expiresMs: 5 * day, allowProtected: true })]
    const { plan } = judge(planOf({ ...world, rules, existing: ['workspace devs admin', 'workspace ours guest'] }), judging)
    expect(plan.holds.map(({ reason }) => reason)).toMatchObject([{ why: 'limit', name: 'lastAdministrator' }, { kind: 'undeclared' }])
  })
  test('a rename counts also if the rule of the former name has ended', () => {
    const rules = [rule('theirs', 'ENG', 'guest', { previously: 'devs' as never })]
    expect(marks({ rules, existing: ['ENG devs guest'] })).toEqual(['rename ENG devs → theirs: guest → guest: counts'])
  })
})

describe('the dates of a key', () => {
  const datesOf = (rules: readonly Rule[]) =>
    desiredIn(seenOf({ rules, directories: corp, nowMs: 6 })).datesOf('acme/project/ENG/devs' as never)
  test.each<[string, readonly Rule[], object]>([
    ['no rule', [], { naming: 'pattern', ended: [] }],
    ['an exact rule', [rule('devs', 'ENG', 'guest')], { naming: 'adopting', ended: [] }],
    ['a pattern', [pattern('d.*', 'ENG', 'guest')], { naming: 'pattern', ended: [] }],
    ['a file inside a fence', [rule('devs', 'ENG', 'guest', { fenced: true })], { naming: 'exact', ended: [] }],
    [
      'a file inside a fence that allows removed',
      [rule('devs', 'ENG', 'guest', { fenced: true, mayRemove: true })],
      { naming: 'adopting', ended: [] },
    ],
    ['an end', [rule('devs', 'ENG', 'guest', { expiresMs: 9 })], { naming: 'adopting', endMs: 9, ended: [] }],
    [
      'the last of several ends',
      [rule('devs', 'ENG', 'guest', { expiresMs: 9 }), rule('devs', 'ENG', 'guest', { expiresMs: 8 })],
      { naming: 'adopting', endMs: 9, ended: [] },
    ],
    [
      'one rule without an end',
      [rule('devs', 'ENG', 'guest', { expiresMs: 9 }), rule('devs', 'ENG', 'guest')],
      { naming: 'adopting', ended: [] },
    ],
    [
      'an end that is over',
      [rule('devs', 'ENG', 'guest', { expiresMs: 5 }), pattern('d.*', 'ENG', 'guest')],
      { naming: 'pattern', ended: [5] },
    ],
    [
      'an end of an exact rule over a pattern',
      [rule('devs', 'ENG', 'guest', { expiresMs: 9 }), pattern('d.*', 'ENG', 'guest')],
      { naming: 'adopting', endMs: 9, ended: [] },
    ],
  ])('%s', (_what, rules, expected) => {
    const { startedMs: _, ...dates } = datesOf(rules)
    expect(dates).toEqual(expected)
  })
})
