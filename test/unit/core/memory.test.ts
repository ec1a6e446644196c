import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Key, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Approval } from '../../../src/core/memory/approvals.ts'
import type { Entry, Service } from '../../../src/core/memory/entry.ts'
import { forget } from '../../../src/core/memory/forget.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { at, recordOf } from '../../../src/core/memory/shardedMap.ts'
import { defined } from '../../../src/core/optionalFields.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { DescribedChange } from '../../../src/core/waiverWords.ts'
import { acme, changeOf, executedOf } from './smallWorld.ts'

const create = changeOf('create ENG a = member')
const patch = changeOf('patch ENG c: member → guest')

const projects = 'acme/projectRoles'

const past = (...entries: readonly Entry[]): Memory => entries.reduce((memory, entry) => remember(memory, entry, 100), emptyMemory)
const about = { atMs: 10, run: 'r', workspace: acme, declaration: 'd1' }
const result = (change: Change, outcome: Outcome = { kind: 'done' }): Entry => ({ ...about, kind: 'result', change, outcome })
const start = (slug: Readonly<Record<string, string>>): Entry => ({
  ...{ kind: 'start', atMs: 0, run: 'r', version: '1', command: 'run', waits: 'no' },
  service: { host: 'plane.example.com', slugs: slug },
})

describe('what entries leave', () => {
  test('ids of groups, the later ones over the earlier', () => {
    const memory = past(
      { kind: 'groups', atMs: 0, run: 'r', ids: { 'corp/a': '1', 'corp/b': '2' } },
      { kind: 'groups', atMs: 1, run: 'r', ids: { 'corp/b': '3' } },
    )
    expect(recordOf(memory.groupIds)).toEqual({ 'corp/a': '1', 'corp/b': '3' })
  })
  test('nothing of a waiver: that is for people to read', () => {
    const memory = past(start({}))
    const waiver: Entry = { ...about, kind: 'waiver', fingerprint: 'f', passes: ['p'], by: 'ann', source: '--allow' }
    expect(remember(memory, waiver, 100)).toEqual(memory)
  })
  test('which service a journal is about, with every workspace of which an answer was accepted', () => {
    const read = { atMs: 0, run: 'r', kind: 'mappings', workspace: 'old' as WorkspaceName, list: 'projectRoles', ids: {} } as const
    expect(past(start({ acme: 'acme', old: 'old-1' }), read, start({ acme: 'acme-2' })).service).toEqual({
      host: 'plane.example.com',
      slugs: { acme: 'acme-2', old: 'old-1' },
    })
  })
  describe('an approval, as long as the settings name the same service and slug', () => {
    const approval = { name: 'a1', workspace: acme, passes: ['p'], by: 'ann', account: 'uid 7', reason: 'r', fromMs: 0, untilMs: 100 }
    const given: Entry = { kind: 'approval', atMs: 1, run: 'r', approval }
    const before = start({ acme: 'acme', labs: 'labs' })
    const edited = (service: Service): Entry => ({ kind: 'service', atMs: 2, run: 'r', service })
    const host = 'plane.example.com'
    test.each<[string, readonly Entry[], readonly string[]]>([
      ['the same settings', [before, given, before], ['a1']],
      ['without another workspace', [before, given, edited({ host, slugs: { acme: 'acme' } })], ['a1']],
      ['another slug', [before, given, edited({ host, slugs: { acme: 'acme-2', labs: 'labs' } })], []],
      ['another slug at a start', [before, given, start({ acme: 'acme-2', labs: 'labs' })], []],
      ['another host', [before, given, edited({ host: 'plane.example.org', slugs: { acme: 'acme', labs: 'labs' } })], []],
      ['no service before', [given, before], []],
    ])('%s', (_, entries, expected) => expect(past(...entries).approvals.map(({ name }) => name)).toEqual(expected))
  })
  test('a process that started has not ended', () => expect(past(start({})).endedClean).toBe(false))
})

describe('a change of which nobody knows what came of it', () => {
  test('is one of which no try has failed, where its process was killed', () => {
    expect(past({ ...about, kind: 'intent', change: patch }, start({})).inDoubt).toStrictEqual({
      [patch.id]: { atMs: 0, deletes: false, before: 'member', role: 'guest' },
    })
  })
  test.each<[string, Outcome]>([
    ['no', { kind: 'refused', status: 404, code: 'gone', sentence: 'no', earlierLastByteMs: 5 }],
    ['cut', { kind: 'unknown', why: 'cut', lastByteMs: 5 }],
  ])('counts as one write: %s', (_, outcome) => {
    expect(past(result(patch, outcome)).inDoubt).toStrictEqual({
      [patch.id]: { atMs: 10, deletes: false, before: 'member', role: 'guest' },
    })
    expect(past(result(patch, outcome)).failures).toStrictEqual({ [patch.id]: 10 })
  })
})

test('a write that succeeds takes back its own failure, and no other', () => {
  const failed: Outcome = { kind: 'refused', status: 404, code: 'gone', sentence: 'no' }
  expect(past(result(patch, failed), result(create, failed), result(patch)).failures).toStrictEqual({ [create.id]: 10 })
})

describe('what the service answers', () => {
  const echoes = (change: Change, echoed?: string) =>
    past(result(change, { kind: 'done', ...(echoed === undefined ? {} : { echoed }) })).echoes
  test('is learned where it is a third role, neither that which was there nor that which was sent', () => {
    expect(echoes(patch, 'visitor')).toEqual({ [projects]: { guest: 'visitor' } })
    expect(echoes(patch)).toEqual({})
  })
  test('is forgotten when it answers as sent, and an answer about another mapping teaches nothing', () => {
    const answers = (...of: readonly object[]) => past(...of.map((one) => result(patch, { kind: 'done', ...one }))).echoes
    expect(answers({ echoed: 'visitor' }, { echoed: 'guest' })).toEqual({ [projects]: {} })
    expect(answers({ echoed: 'visitor' }, {})).toEqual({ [projects]: {} })
    const other = { echoed: 'visitor', storedKey: 'acme/project/OPS/z' as Key }
    expect([answers(other), answers({ echoed: 'visitor' }, { ...other, echoed: 'guest' })]).toEqual([
      {},
      { [projects]: { guest: 'visitor' } },
    ])
  })
  test('is where a mapping stands that it keeps under another key, until it does so no more', () => {
    const kept = { kind: 'done', storedKey: 'acme/project/ENG/A' as Key } as const
    const memory = past(result(create, kept))
    expect([at(memory.storedNames, create.key), memory.lastApplied.map(({ key }) => key)]).toEqual([kept.storedKey, [kept.storedKey]])
    expect(recordOf(past(result(create, kept), result(create)).storedNames)).toEqual({})
    // A patch sends no name. Its answer shows that a person renamed the project or the group meanwhile.
    expect(recordOf(past(result(patch, kept)).storedNames)).toEqual({})
    expect(recordOf(past(result(create, kept), result(patch, kept)).storedNames)).toEqual({ [create.key]: kept.storedKey })
  })
  test('does not hide a patch from the count of undone writes: whatever name it says, the patch was for its own key', () => {
    const kept = { kind: 'done', echoed: 'guest', storedKey: 'acme/project/ENG/A' as Key } as const
    const memory = past(result(patch, kept), { ...result(patch, kept), atMs: 1_010 })
    expect(memory.lastApplied).toMatchObject([{ key: patch.key, atMs: [10, 1_010] }])
  })
  test.each([
    ['rejected', true],
    ['conflict', true],
    ['forbidden', true],
    ['gone', true],
    ['redirected', true],
    ['credential', false],
    ['throttled', true],
  ] as const)('that was refused is known for a day, or until it is done: %s', (code, isKnown) => {
    const refused = result(create, { kind: 'refused', status: 400, code, sentence: 'no' })
    const known = isKnown ? { [create.id]: 10 } : {}
    expect(past(refused).failures).toEqual(known)
    expect(forget(past(refused), 86_400_009).failures).toEqual(known)
    expect(forget(past(refused), 86_400_010).failures).toEqual({})
    expect(past(refused, result(create)).failures).toEqual({})
  })
})

describe('a start by a clock that is behind', () => {
  const later: Entry = { ...about, atMs: 900_000_000, kind: 'result', change: create, outcome: { kind: 'done' } }
  const refused: Outcome = { kind: 'refused', code: 'rejected', status: 400, sentence: 'no' }
  const memory = past(later, { ...later, change: patch, outcome: refused }, { ...later, kind: 'intent', change: patch }, start({}))

  test('leaves no write and no failure of the future', () => {
    expect(executedOf(memory).map(({ atMs }) => atMs)).toEqual([0, 0])
    expect(memory.lastApplied.map(({ atMs, shownFromMs }) => [atMs, shownFromMs])).toEqual([[[0], 100]])
    expect(Object.values(memory.failures)).toEqual([0])
  })
  test('so that they leave the sum of a day after a day', () => {
    expect(executedOf(forget(memory, 86_400_000))).toEqual([])
  })
})

describe('an approval by ID', () => {
  const words = (one: Change): DescribedChange =>
    one.action === 'settings'
      ? one
      : defined({ key: one.key, before: 'before' in one ? one.before : undefined, after: 'role' in one ? one.role : undefined })
  const approval: Approval = {
    name: '1'.repeat(32),
    workspace: about.workspace,
    words: { changes: [words(patch), words(create)] },
    passes: [],
    by: 'ann',
    account: 'node',
    reason: 'x',
    fromMs: 0,
    untilMs: 99,
  }
  const left = (outcome: Outcome, change: Change = patch) =>
    past({ ...about, kind: 'approval', approval }, result(change, outcome)).approvals.map((one) =>
      one.words?.changes.map(({ after }) => after),
    )
  test('lets each change pass once: what is written is not in it any more', () => {
    expect(left({ kind: 'done' })).toEqual([['member']])
    expect(left({ kind: 'done' }, create)).toEqual([['guest']])
  })
  test('still lets a change pass whose outcome is not known, or that was refused', () => {
    expect(left({ kind: 'unknown', why: 'cut', lastByteMs: 5 })).toEqual([['guest', 'member']])
    expect(left({ kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' })).toEqual([['guest', 'member']])
  })
  test('says nothing about the same change of another workspace', () => {
    const other = { ...about, kind: 'approval', approval: { ...approval, workspace: 'other' as WorkspaceName } } as const
    expect(past(other, result(patch, { kind: 'done' })).approvals[0]?.words?.changes).toHaveLength(2)
  })
})
