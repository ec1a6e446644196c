import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { GroupName, MappingId } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { adoptedAfterMs, type Ownership, ownedListOf } from '../../../src/core/memory/ownership.ts'
import { recordOf } from '../../../src/core/memory/shardedMap.ts'
import { declaredIn, goneFilesIn, ownedFrom, ownershipChanges } from '../../../src/cycle/ownership.ts'
import { acme, changeOf, desiredIn, mapping, partial, pattern, planIn, roles, rule, type SmallWorld, seenOf } from '../core/smallWorld.ts'

const day = 86_400_000
const waitMs = 100
const at = (atMs: number) => ({ steadyMs: atMs, wallMs: atMs })
const done = (change: Change, atMs = 0): Entry => ({
  ...{ kind: 'result', atMs, run: 'r', workspace: acme, declaration: 'd', change },
  outcome: { kind: 'done', ...(change.action === 'create' && { mapping: 'm0' }) },
})
const made = changeOf('create ENG devs = member')
const past = (change: Change, atMs = 0): Memory => remember(emptyMemory, done(change, atMs), waitMs)
const contextAt = (atMs: number, echoes: Readonly<Record<string, string>> = {}) => ({
  workspace: acme,
  options: { policy: 'sync', roles, echoes: { projectRoles: echoes } } as const,
  dates: () => ({ hereMs: atMs, thereMs: undefined }),
  readAt: at(atMs),
})

/** The memory after a cycle of this world that may write. */
function cycle(memory: Memory, world: SmallWorld, atMs: number): Memory {
  const seen = seenOf({ directories: { corp: ['devs'] }, policy: 'sync', nowMs: atMs, ...world })
  const context = contextAt(atMs, world.echoes)
  const declaredOf = declaredIn(desiredIn(seen), planIn(seen), context)
  return ownershipChanges(memory, seen.declared, seen.existing, declaredOf, true, context).reduce(
    (before, change) => remember(before, { kind: 'ownership', atMs, run: 'r', ...change }, waitMs),
    memory,
  )
}
const knownIn = (memory: Memory): Readonly<Record<string, Ownership>> => recordOf(ownedListOf(memory, acme, 'projectRoles').keys)
const devs: SmallWorld = { rules: [rule('devs', 'ENG', 'member')], existing: ['ENG devs member'] }
const begun = cycle(remember(emptyMemory, done(made), waitMs), devs, 1_000)

describe('what a plan asks', () => {
  const isPresent = () => true
  const owned = (memory: Memory, atMs: number) => ownedFrom(memory, contextAt(atMs), isPresent)
  const standing = (memory: Memory, text: string, atMs = 1_000) => owned(memory, atMs).standingOf(mapping(text, 0))
  test('a mapping that this program made is ours, with the role that it wrote', () => {
    expect([standing(begun, 'ENG devs member'), standing(begun, 'ENG devs admin'), standing(begun, 'ENG ops member')]).toEqual([
      'ours',
      'others',
      'others',
    ])
  })
  test('another role is no edit while the list may not show the last write', () => {
    const lowered = remember(begun, done(changeOf('patch ENG devs: member → guest'), 2_000), waitMs)
    expect(standing(lowered, 'ENG devs member', 2_050)).toEqual({ untilMs: 2_100 })
    expect(standing(lowered, 'ENG devs member', 2_100)).toBe('others')
    expect(standing(lowered, 'ENG devs admin', 2_050)).toBe('others')
    const doubtful: Memory = { ...begun, quarantine: { ['m0' as MappingId]: 3_000 } }
    expect(standing(doubtful, 'ENG devs guest', 2_999)).toEqual({ untilMs: 3_000 })
  })
  test("the service's own name of a role is no edit", () => {
    const visiting = ownedFrom(begun, contextAt(1_000, { member: 'visitor' }), isPresent)
    expect(visiting.standingOf(mapping('ENG devs visitor', 0))).toBe('ours')
  })
  test('what this program made is known before ownership begins', () => {
    const memory = remember(emptyMemory, done(made), waitMs)
    const { givenOf, standingOf } = owned(memory, 1_000)
    expect(givenOf(mapping('ENG devs member', 0))).toMatchObject({ isMade: true })
    expect(standingOf(mapping('ENG devs member', 0))).toBe('others')
    const theirs = cycle(emptyMemory, devs, 1_000)
    expect(owned(theirs, 1_000).givenOf(mapping('ENG devs member', 0))).toMatchObject({ isMade: false })
    const adopted = cycle(theirs, devs, 1_000 + adoptedAfterMs)
    expect(owned(adopted, 8 * day).givenOf(mapping('ENG devs member', 0))).toMatchObject({ isMade: true })
  })
  test('an end is recorded 72 hours after the first cycle that believed it', () => {
    const ending = { ...devs, rules: [rule('devs', 'ENG', 'member', { expiresMs: 9 * day })] }
    const memory = cycle(begun, ending, 2 * day)
    expect(knownIn(memory)['acme/project/ENG/devs']?.end).toEqual({ atMs: 9 * day, knownFromMs: 2 * day })
    const recorded = (atMs: number, text = 'ENG devs member') => owned(memory, atMs).hasRecordedEnd(mapping(text, 0), [9 * day])
    expect([recorded(5 * day - 1), recorded(5 * day), recorded(9 * day, 'ENG devs guest')]).toEqual([false, true, false])
    const over = cycle(memory, ending, 9 * day)
    expect(knownIn(over)).toEqual(knownIn(memory))
    expect(owned(over, 9 * day).hasRecordedEnd(mapping('ENG devs member', 0), [9 * day])).toBe(true)
  })
})

describe('a plan says of an end to come whether it will count, as the plan of its day does', () => {
  const until = (atMs: number) => rule('devs', 'ENG', 'member', { expiresMs: atMs })
  const said = (memory: Memory, world: SmallWorld, nowMs: number) =>
    planIn(
      seenOf({ directories: { corp: ['devs'] }, policy: 'sync', ...world, nowMs, owned: ownedFrom(memory, contextAt(nowMs), () => true) }),
    )
  test.each<[string, Memory, SmallWorld, number, number, 'ended' | undefined]>([
    ['said 72 hours before', begun, { ...devs, rules: [until(9 * day)] }, 6 * day, 9 * day, 'ended'],
    ['said later', begun, { ...devs, rules: [until(9 * day)] }, 6 * day + 1, 9 * day, undefined],
    [
      'known for long',
      cycle(begun, { ...devs, rules: [until(9 * day)] }, 2 * day),
      { ...devs, rules: [until(9 * day)] },
      8 * day,
      9 * day,
      'ended',
    ],
    [
      'moved lately',
      cycle(begun, { ...devs, rules: [until(8 * day)] }, 2 * day),
      { ...devs, rules: [until(9 * day)] },
      7 * day,
      9 * day,
      undefined,
    ],
    [
      'of a pattern, of a mapping that others have made',
      emptyMemory,
      { ...devs, rules: [pattern('d.*', 'ENG', 'member', { expiresMs: 9 * day })] },
      day,
      9 * day,
      undefined,
    ],
    [
      'of a pattern, of our mapping',
      begun,
      { ...devs, rules: [pattern('d.*', 'ENG', 'member', { expiresMs: 9 * day })] },
      day,
      9 * day,
      'ended',
    ],
    ['of an exact rule, of a mapping that others have made', emptyMemory, { ...devs, rules: [until(9 * day)] }, day, 9 * day, 'ended'],
    ['of two rules with one role, the last end', begun, { ...devs, rules: [until(8 * day), until(9 * day)] }, day, 9 * day, 'ended'],
    ['a lowering', begun, { ...devs, rules: [until(9 * day), pattern('d.*', 'ENG', 'guest')] }, day, 9 * day, 'ended'],
    [
      'a lowering when a lower role starts',
      begun,
      { ...devs, rules: [until(9 * day), rule('devs', 'ENG', 'guest', { startsMs: 9 * day })] },
      day,
      9 * day,
      undefined,
    ],
    ['a raise', begun, { ...devs, rules: [until(9 * day), pattern('d.*', 'ENG', 'admin')] }, day, 9 * day, undefined],
  ])('%s', (_what, memory, world, nowMs, dateMs, expected) => {
    expect(said(memory, world, nowMs).later.find(({ atMs }) => atMs === dateMs)?.uncounted).toBe(expected)
    const remembered = cycle(memory, world, nowMs)
    expect(said(remembered, world, dateMs).changes.map((change) => change.action !== 'settings' && change.uncounted)).toEqual([expected])
  })
  test('an end that follows another one is known from that one on', () => {
    const rules = (gapMs: number) => [until(9 * day), pattern('d.*', 'ENG', 'guest', { expiresMs: 9 * day + gapMs })]
    const marks = (gapMs: number) => said(begun, { ...devs, rules: rules(gapMs) }, day).later.map(({ uncounted }) => uncounted)
    expect([marks(3 * day), marks(3 * day - 1)]).toEqual([
      ['ended', 'ended'],
      ['ended', undefined],
    ])
  })
  test('of a mapping that is made today', () => {
    const world = { rules: [until(9 * day)] }
    expect(said(emptyMemory, world, 6 * day).later.map(({ uncounted }) => uncounted)).toEqual(['ended'])
    expect(said(emptyMemory, world, 7 * day).later.map(({ uncounted }) => uncounted)).toEqual([undefined])
    const globbed = { rules: [pattern('d.*', 'ENG', 'member', { expiresMs: 9 * day })] }
    expect(said(emptyMemory, globbed, 6 * day).later.map(({ uncounted }) => uncounted)).toEqual(['ended'])
  })
  test('without a journal each counts', () => {
    const plan = planIn(seenOf({ directories: { corp: ['devs'] }, ...devs, rules: [until(9 * day)], nowMs: day }))
    expect(plan.later.map(({ uncounted }) => uncounted)).toEqual([undefined])
  })
})

test('which file is gone is known of a mapping that no rule names any more, and how many files gave mappings', () => {
  const [devsRule, opsRule] = [rule('devs', 'ENG', 'member'), rule('ops', 'ENG', 'member')]
  const inFile = (file: string) => ({ ...opsRule, because: { at: { file, line: 1, column: 1 } } })
  const two: SmallWorld = { directories: { corp: ['devs', 'ops'] }, existing: ['ENG devs member', 'ENG ops member'] }
  const memory = cycle(begun, { ...two, rules: [devsRule, inFile('teams/ops.yaml')] }, 2_000)
  const of = (line: string, isPresent: (file: string) => boolean, more: object = {}) =>
    goneFilesIn(ownedFrom(memory, contextAt(3_000), isPresent)).of({ ...changeOf(line), mapping: 'm1' as MappingId, ...more } as Change)
  const isGone = (file: string) => file !== 'teams/ops.yaml'
  expect(goneFilesIn(ownedFrom(memory, contextAt(3_000), () => true)).giving()).toBe(2)
  expect(of('delete ENG ops = member (undeclared)', isGone)).toBe('teams/ops.yaml')
  expect(of('delete ENG ops = member (undeclared)', () => true)).toBeUndefined()
  expect(of('delete ENG ops = member (removed)', isGone)).toBeUndefined()
  expect(of('delete ENG ops = member (undeclared)', isGone, { mapping: 'm7' })).toBeUndefined()
  expect(of('patch ENG ops: member → guest', isGone)).toBeUndefined()
})
test('a mapping of which no file is known has none that is gone', () => {
  const made = ownedFrom(begun, contextAt(1_000), () => false)
  expect(made.givenOf(mapping('ENG devs member', 0))).toMatchObject({ file: 'groups.yaml', isGone: true })
  const old = ownedFrom(remember(emptyMemory, done(changeOf('create ENG devs = member')), waitMs), contextAt(1_000), () => false)
  expect(old.givenOf(mapping('ENG devs member', 0))).toMatchObject({ file: '', isGone: false })
})

describe('what a cycle learns', () => {
  const existing = ['ENG devs member']
  const howIn = (memory: Memory) => Object.values(knownIn(memory)).map(({ how }) => how)
  const after = (world: SmallWorld) => howIn(cycle(begun, { existing, ...world }, 2_000))
  test.each<[string, SmallWorld, Ownership['how'] | undefined]>([
    ['a rule that is held: the same', { ...devs, directories: { corp: [] } }, 'made'],
    ['no rule: the same', {}, 'made'],
    ['a list that was not read whole: the same', { lists: new Map([['projectRoles', partial([mapping('ENG devs admin', 0)])]]) }, 'made'],
    [
      'an unmanaged entry: nothing',
      { unmanaged: [{ groups: { kind: 'exact', name: 'devs' as never }, because: made.because as never }] },
      undefined,
    ],
    ['another role: nothing', { existing: ['ENG devs admin'] }, undefined],
    ['another role, and a rule: named', { ...devs, existing: ['ENG devs admin'] }, 'named'],
    ['a list that only "removed" names: the same', { owns: [], removed: ['ENG devs'] }, 'made'],
  ])('%s', (_what, world, how) => expect(after(world)).toEqual(how === undefined ? [] : [how]))

  const old: SmallWorld = { rules: [rule('old', 'ENG', 'member')], directories: { corp: ['old'] }, existing: ['ENG old member'] }
  const renaming: SmallWorld = {
    ...old,
    rules: [rule('devs', 'ENG', 'member', { previously: 'old' as GroupName })],
    directories: { corp: ['devs'] },
  }
  const theirs = cycle(emptyMemory, devs, 1_000)
  const week = 1_000 + adoptedAfterMs
  const gone = { [made.key]: [] }
  const forgotten = remember(begun, { kind: 'mappings', atMs: 1_500, run: 'r', workspace: acme, list: 'projectRoles', ids: gone }, waitMs)
  test.each<[string, Memory, SmallWorld, number, readonly Ownership['how'][]]>([
    ['named, and still so after a week: adopted', theirs, devs, week, ['adopted']],
    ['named, and held after a week: the same', theirs, { ...devs, directories: { corp: [] } }, week, ['named']],
    ['named, and to be removed after a week: the same', theirs, { existing, removed: ['ENG devs'] }, week, ['named']],
    ['named, and no rule any more: nothing', theirs, { existing }, 2_000, []],
    ['named, and about to get another name: the same', cycle(emptyMemory, old, 1_000), renaming, 2_000, ['named']],
    [
      'made before the first cycle, in which its rule is held: the same',
      past(made),
      { ...devs, directories: { corp: [] } },
      2_000,
      ['made'],
    ],
    [
      'made before the first cycle, in which it is not known what rules want: nothing',
      past(made),
      { existing, rules: [pattern('d.*', 'ENG', 'member'), pattern('de.*', 'ENG', 'guest')] },
      2_000,
      [],
    ],
    [
      'made before the first cycle, in which it is about to get another name: nothing',
      past(changeOf('create ENG old = member')),
      renaming,
      2_000,
      [],
    ],
    ['made, and a list that does not show it yet: the same', past(made, 1_950), { ...devs, existing: [] }, 2_000, ['made']],
    ['made, and a list that does not show what Plane may still have: the same', begun, { ...devs, existing: [] }, 2_000, ['made']],
    ['made, and is not in Plane any more: nothing', forgotten, { ...devs, existing: [] }, 2_000, []],
  ])('of what was %s', (_what, memory, world, atMs, how) => expect(howIn(cycle(memory, world, atMs))).toEqual(how))
  test('nothing new of a mapping without a role that still has none', () => {
    const none: SmallWorld = { ...devs, existing: ['ENG devs -'] }
    const first = cycle(emptyMemory, none, 1_000)
    expect(knownIn(cycle(first, none, 2_000))).toEqual(knownIn(first))
  })
  test('that an end is over, once the lower role of another rule is written, under whatever name', () => {
    const ending = (role: string): SmallWorld => ({
      rules: [rule('devs', 'ENG', 'member', { expiresMs: 9 * day }), rule('devs', 'ENG', 'guest', { startsMs: 9 * day })],
      existing: [`ENG devs ${role}`],
    })
    const known = cycle(begun, ending('member'), 2 * day)
    const endAfter = (memory: Memory, world: SmallWorld) => knownIn(cycle(memory, world, 10 * day))['acme/project/ENG/devs']?.end
    expect(endAfter(known, ending('member'))).toEqual({ atMs: 9 * day, knownFromMs: 2 * day })
    const written = remember(known, done(changeOf('patch ENG devs: member → guest'), 9 * day), waitMs)
    expect(endAfter(written, ending('guest'))).toBeUndefined()
    expect(endAfter(written, { ...ending('visitor'), echoes: { guest: 'visitor' } })).toBeUndefined()
  })
  test('an edit in Plane ends ownership also if each process begins its waits anew', () => {
    const start = (memory: Memory, atMs: number): Memory =>
      remember(
        memory,
        { kind: 'start', version: '1', command: 'run', atMs, run: 'r', waits: 'no', service: { host: 'h', slugs: {} } },
        waitMs,
      )
    const end = (memory: Memory, atMs: number): Memory => remember(memory, { kind: 'end', atMs, run: 'r' }, waitMs)
    const daily = (memory: Memory, world: SmallWorld, atMs: number): Memory => end(cycle(start(memory, atMs), world, atMs + 1), atMs + 2)
    const first = end(cycle(remember(emptyMemory, done(made, 950), waitMs), devs, 1_000), 1_001)
    const edited: SmallWorld = { ...devs, existing: ['ENG devs guest'] }
    expect(knownIn(daily(first, edited, day))['acme/project/ENG/devs']?.how).toBe('named')
    expect(knownIn(daily(first, devs, day))['acme/project/ENG/devs']?.how).toBe('made')
    const patched = end(remember(start(first, day), done(changeOf('patch ENG devs: member → guest'), day + 1), waitMs), day + 2)
    expect(knownIn(daily(patched, devs, 2 * day))['acme/project/ENG/devs']).toMatchObject({ how: 'made', role: 'guest' })
    const renamed = end(remember(start(first, day), done(changeOf('rename ENG devs → ops: member → guest'), day + 1), waitMs), day + 2)
    const ops: SmallWorld = { ...devs, directories: { corp: ['devs', 'ops'] }, rules: [rule('ops', 'ENG', 'guest')] }
    expect(Object.keys(knownIn(daily(renamed, ops, 2 * day)))).toEqual(['acme/project/ENG/ops'])
    expect(knownIn(daily(renamed, { ...ops, existing: ['ENG devs admin'] }, 2 * day))).toEqual({})
  })
  test('only an exact rule names a mapping that others made', () => {
    const of = (world: SmallWorld) => Object.keys(knownIn(cycle(emptyMemory, { existing: ['ENG devs member'], ...world }, 2_000)))
    expect([
      of(devs),
      of({ rules: [pattern('d.*', 'ENG', 'member')] }),
      of({ rules: [rule('devs', 'ENG', 'member', { fenced: true })] }),
    ]).toEqual([['acme/project/ENG/devs'], [], []])
  })
})
