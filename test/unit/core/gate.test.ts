import { describe, expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import { type GateState, gateHold, previewHolds } from '../../../src/core/judge/gate.ts'
import type { GroupName, Key, MappingId } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { forget } from '../../../src/core/memory/forget.ts'
import { listName } from '../../../src/core/memory/knownMappings.ts'
import { afterNextStart, emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { moveToHolds } from '../../../src/core/plan.ts'
import { acme, changeOf, executedOf, lines, planOf, roles, rule } from './smallWorld.ts'

const waitMs = 100
const directories = { corp: ['a', 'b', 'c'] }
const create = changeOf('create ENG a = member')
const rename = changeOf('rename ENG old → b: guest → guest')
const patch = changeOf('patch ENG c: member → guest')
const gone = changeOf('delete OPS x = guest (removed)')

const mappingOf = (change: Change) => ('mapping' in change ? change.mapping : undefined)

const past = (...entries: readonly Entry[]): Memory => entries.reduce((memory, entry) => remember(memory, entry, waitMs), emptyMemory)
const intent = (change: Change, atMs: number): Entry => ({ kind: 'intent', atMs, run: 'r', workspace: acme, change, declaration: 'd1' })
const result = (change: Change, atMs: number, outcome: Outcome): Entry => ({
  kind: 'result',
  atMs,
  run: 'r',
  workspace: acme,
  change,
  declaration: 'd1',
  outcome,
})
const start = (atMs: number, waits: 'yes' | 'no' | 'waived' = 'no'): Entry => ({
  ...{ kind: 'start', atMs, run: 'r2', version: '1', command: 'run', waits },
  service: { host: 'plane.example.com', slugs: { acme: 'acme' } },
})

const state = (more: Partial<GateState> = {}): GateState => ({
  memory: emptyMemory,
  suspend: false,
  roles,
  declaration: 'd1',
  readAtMs: 0,
  twins: 0,
  flapping: { rounds: 3, span: 1_000_000 },
  required: new Set(),
  ...more,
})
const reason = (change: Change, more: Partial<GateState>) => gateHold(change, state(more))?.reason.kind ?? 'write'

describe('a write of unknown outcome', () => {
  const lost = () => past(intent(create, 10), result(create, 20, { kind: 'unknown', why: 'cut', lastByteMs: 15 }))
  test.each([
    [0, 'quarantined'],
    [114, 'quarantined'],
    [115, 'write'],
  ])('holds its key against lists that were read before Δ is over (%i)', (readAtMs, expected) =>
    expect(reason(create, { memory: lost(), readAtMs })).toBe(expected),
  )
  test('leaves other keys alone', () => expect(reason(patch, { memory: lost() })).toBe('write'))
  test('of a rename holds both names, and the mapping', () => {
    const memory = past(intent(rename, 10), result(rename, 20, { kind: 'unknown', why: 'cut', lastByteMs: 15 }))
    expect(new Set(Object.keys(memory.quarantine))).toEqual(new Set(['acme/project/ENG/b', 'acme/project/ENG/old', mappingOf(rename)]))
  })
  test('of an earlier attempt holds the mapping also under another key, which it gets when its project is renamed', () => {
    const memory = past(intent(patch, 10), result(patch, 20, { kind: 'done', earlierLastByteMs: 15 }))
    if (patch.action !== 'patch') throw new Error('no patch')
    const later = { ...patch, key: 'acme/project/NEW/b' as Key, id: 'later' as ChangeId }
    expect(reason(later, { memory, readAtMs: 114 })).toBe('quarantined')
    expect(reason(later, { memory, readAtMs: 115 })).toBe('write')
    expect(reason({ ...later, mapping: 'another' as MappingId }, { memory, readAtMs: 114 })).toBe('write')
  })
  test('of a killed process holds its key from the next start on', () => {
    const memory = past(intent(create, 10), start(50))
    expect(reason(create, { memory, readAtMs: 149 })).toBe('quarantined')
    expect(reason(create, { memory, readAtMs: 150 })).toBe('write')
  })
  test('of a killed process is not forgotten by a second kill', () => {
    const memory = past(intent(create, 10), start(50), start(60))
    expect(memory.quarantine[create.key]).toBe(160)
  })
})

describe('another host whose clock is ahead', () => {
  const end = (atMs: number): Entry => ({ kind: 'end', atMs, run: 'r' })
  const lost = result(create, 10, { kind: 'unknown', why: 'cut', lastByteMs: 10 })
  const heldAt = (memory: Memory, readAtMs: number) => gateHold(create, state({ memory, readAtMs }))?.reason.kind

  test('waits for a write of unknown outcome by its own clock', () => {
    const memory = past(start(0), intent(create, 10), lost, end(12), start(5_000))
    expect([heldAt(memory, 5_099), heldAt(memory, 5_100)]).toEqual(['quarantined', undefined])
  })
  test('but not for one that was settled when the process before ended', () => {
    const memory = past(start(0), intent(create, 10), lost, end(110), start(5_000))
    expect(heldAt(memory, 5_000)).toBeUndefined()
  })
  test('waits for what a process before the one before may still create', () => {
    const memory = past(start(0, 'yes'), intent(patch, 1), result(patch, 2, { kind: 'done' }), end(3), start(5_000))
    expect([heldAt(memory, 5_099), heldAt(memory, 5_100)]).toEqual(['quarantined', undefined])
  })
  test('but not where that wait was over', () => {
    const memory = past(start(0, 'yes'), intent(patch, 1), result(patch, 2, { kind: 'done' }), end(103), start(5_000))
    expect(heldAt(memory, 5_000)).toBeUndefined()
  })
  test('does not make again at once what a slow list may hide', () => {
    const memory = past(start(0), intent(create, 10), result(create, 11, { kind: 'done' }), end(12), start(5_000))
    expect([heldAt(memory, 5_099), heldAt(memory, 5_100)]).toEqual(['quarantined', undefined])
  })
})

describe('how the process before ended', () => {
  test.each<[string, readonly Entry[], boolean]>([
    ['nothing ever written', [], true],
    ['an intent without a result', [start(0), intent(create, 1)], false],
    ['a result, and no end', [start(0), intent(create, 1), result(create, 2, { kind: 'done' })], false],
    ['an end', [start(0), intent(create, 1), result(create, 2, { kind: 'done' }), { kind: 'end', atMs: 3, run: 'r' }], true],
  ])('%s', (_name, entries, clean) => expect(past(...entries).endedClean).toBe(clean))
  test('until its fate is settled nothing makes a key, but everything else goes on', () => {
    const memory = past(start(0, 'yes'))
    const all = [create, rename, patch, gone]
    expect(all.map((change) => reason(change, { memory, readAtMs: 99 }))).toEqual(['quarantined', 'quarantined', 'write', 'write'])
    expect(reason(create, { memory, readAtMs: 100 })).toBe('write')
  })
  test('a clean end within that time does not shorten it', () => {
    const memory = past(start(0, 'yes'), { kind: 'end', atMs: 1, run: 'r' }, start(2, 'no'))
    expect(reason(create, { memory, readAtMs: 50 })).toBe('quarantined')
  })
  test('after a crash only the keys of unfinished writes wait', () => {
    const other = changeOf('create ENG other = member')
    const memory = past(start(0), intent(create, 10), start(5_000))
    const held = (change: Change, readAtMs: number) => reason(change, { memory, readAtMs })
    expect([held(create, 5_099), held(create, 5_100), held(other, 5_000)]).toEqual(['quarantined', 'write', 'write'])
  })
  test('a crash within a wait begins the wait again; a clean end of a cycle shows that it was over', () => {
    const other = changeOf('create ENG other = member')
    const crashed = past(start(0, 'yes'), intent(patch, 1), start(5_000))
    expect([reason(other, { memory: crashed, readAtMs: 5_099 }), reason(other, { memory: crashed, readAtMs: 5_100 })]).toEqual([
      'quarantined',
      'write',
    ])
    expect(
      reason(other, {
        memory: past(start(0, 'yes'), { kind: 'end', atMs: 101, run: 'r' }, intent(patch, 102), start(5_000)),
        readAtMs: 5_000,
      }),
    ).toBe('write')
  })
  test('a memory that may lack writes waits, whatever the start says', () => {
    const lost = remember({ ...emptyMemory, endedClean: false, createsFromMs: afterNextStart }, start(5_000), 100)
    expect([reason(create, { memory: lost, readAtMs: 5_099 }), reason(create, { memory: lost, readAtMs: 5_100 })]).toEqual([
      'quarantined',
      'write',
    ])
  })
  test("the operator's word ends it", () => {
    expect(reason(create, { memory: past(start(0, 'yes'), start(2, 'waived')), readAtMs: 50 })).toBe('write')
  })
})

test('a delete waits while a list that was read after another delete of its key may show the same mapping; one read before showed several', () => {
  const memory = past(intent(gone, 10), result(gone, 20, { kind: 'done' }))
  const again = (readAtMs: number) => reason(gone, { memory, readAtMs })
  expect([19, 20, 119, 120].map(again)).toEqual(['write', 'quarantined', 'quarantined', 'write'])
  const twice = past(intent(gone, 10), result(gone, 20, { kind: 'done' }), intent(gone, 400), result(gone, 410, { kind: 'done' }))
  expect([405, 410, 510].map((readAtMs) => reason(gone, { memory: twice, readAtMs }))).toEqual(['write', 'quarantined', 'write'])
})

test('a change that the service refused is tried again', () => {
  const refused = { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' } as const
  for (const change of [create, gone])
    expect(reason(change, { memory: past(intent(change, 10), result(change, 20, refused)) })).toBe('write')
})

describe('a change of which nobody knows, each time, what came of it', () => {
  const lostAt = (atMs: number): readonly Entry[] => [
    intent(gone, atMs),
    result(gone, atMs, { kind: 'unknown', why: 'the service failed', lastByteMs: atMs }),
  ]
  const tried = (...moments: readonly number[]) => past(...moments.flatMap(lostAt))
  const other = changeOf('patch OPS x: guest → member')
  test('is tried again each time after Δ', () => {
    expect([99, 100].map((readAtMs) => reason(gone, { memory: tried(0), readAtMs }))).toEqual(['quarantined', 'write'])
    expect([499, 500].map((readAtMs) => reason(gone, { memory: tried(0, 100, 200, 300, 400), readAtMs }))).toEqual(['quarantined', 'write'])
  })
  test('of a deletion whose repetition found nothing, Δ after the sending that got no answer, however late the repetition was', () => {
    const memory = past(intent(gone, 0), result(gone, 90, { kind: 'unknown', why: 'not there (404)', lastByteMs: 5, status: 404 }))
    expect([104, 105].map((readAtMs) => reason(gone, { memory, readAtMs }))).toEqual(['quarantined', 'write'])
  })
  test('as is anything else at its key', () => {
    expect(reason(other, { memory: tried(0, 100, 300), readAtMs: 400 })).toBe('write')
  })
  test('begins anew once it is done', () => {
    const memory = past(...lostAt(0), ...lostAt(100), result(gone, 300, { kind: 'done' }), ...lostAt(1_000))
    expect(reason(gone, { memory, readAtMs: 1_100 })).toBe('write')
  })
  test('counts once in a day, with the last time, also when it is done in the end', () => {
    expect(executedOf(tried(0, 100, 300))).toMatchObject([{ atMs: 300, deletes: true }])
    const done = past(...lostAt(0), ...lostAt(100), result(gone, 300, { kind: 'done' }))
    expect(executedOf(done)).toEqual([{ atMs: 300, deletes: true }])
  })
  test('counts once, too, where it kills the process each time, and is tried no more rarely for that', () => {
    const memory = past(intent(gone, 10), start(20), intent(gone, 200), start(210))
    expect(executedOf(memory)).toMatchObject([{ atMs: 210, deletes: true }])
    expect(reason(gone, { memory, readAtMs: 310 })).toBe('write')
  })
})

test('suspension stops everything, or all that gives', () => {
  const all = [create, rename, patch, gone]
  expect(all.map((change) => reason(change, { suspend: true }))).toEqual(Array(4).fill('suspended'))
  expect(all.map((change) => reason(change, { suspend: 'grants' }))).toEqual(['suspended', 'suspended', 'write', 'write'])
  // A rename takes a role from one group, and gives it to another.
  expect(reason(changeOf('rename ENG old → b: member → guest'), { suspend: 'grants' })).toBe('suspended')
})

test('what is held says why', () => {
  const lost = past(result(create, 20, { kind: 'unknown', why: 'cut', lastByteMs: 15 }))
  const why = (change: Change, more: Partial<GateState>) => gateHold(change, state(more))?.reason
  expect(why(create, { suspend: true })).toEqual({ kind: 'suspended', what: 'all' })
  expect(why(create, { suspend: 'grants' })).toEqual({ kind: 'suspended', what: 'grants' })
  expect(why(create, { memory: lost })).toEqual({ kind: 'quarantined', since: 'unknownOutcome' })
  expect(why(create, { memory: past(start(0, 'yes')) })).toEqual({ kind: 'quarantined', since: 'startUp' })
  expect(why(gone, { readAtMs: 10, memory: past(result(gone, 10, { kind: 'done' })) })).toEqual({
    kind: 'quarantined',
    since: 'justWritten',
  })
})

test('a plan previews what the gate would stop, and what requires that', () => {
  const swap = planOf({ rules: [rule('a', 'ENG', 'member')], removed: ['* a'], directories, existing: ['* a guest', 'OPS y guest'] })
  expect(
    lines(
      moveToHolds(
        swap,
        previewHolds(swap, (change) => gateHold(change, state({ memory: past(start(0, 'yes')) }))),
      ),
    ),
  ).toEqual([
    'hold acme/allProjects/a: requires (delete all projects a = guest (removed))',
    'hold acme/project/ENG/a: quarantined (create ENG a = member)',
    'hold acme/project/OPS/y: undeclared (delete OPS y = guest (undeclared))',
  ])
})

describe('the memory', () => {
  test('learns what the service answers for a role', () => {
    expect(past(result(create, 1, { kind: 'done', echoed: 'contributor' })).echoes[listName(acme, 'projectRoles')]).toEqual({
      member: 'contributor',
    })
    expect(past(result(create, 1, { kind: 'done', echoed: 'member' })).echoes).toEqual({})
    // The patch lowers member to guest; an answer of member means that it was ignored.
    expect(past(result(patch, 1, { kind: 'done', echoed: 'member' })).echoes).toEqual({})
  })
  test('counts what was written in the last day, and what may have been', () => {
    const memory = past(
      result(patch, 1, { kind: 'done' }),
      result(gone, 2, { kind: 'unknown', why: '', lastByteMs: 2 }),
      result(create, 3, { kind: 'done' }),
      result(rename, 4, { kind: 'notSent', why: '' }),
    )
    expect(executedOf(memory)).toMatchObject([
      { atMs: 1, deletes: false },
      { atMs: 3, deletes: false, creates: true },
      { atMs: 2, deletes: true },
    ])
    expect(executedOf(forget(memory, 86_400_001)).map(({ atMs }) => atMs)).toEqual([3, 2])
    expect(executedOf(forget(memory, 86_400_002)).map(({ atMs }) => atMs)).toEqual([3])
  })
  test('copies none of them for the next', () => {
    const memory = past(result(patch, 1, { kind: 'done' }))
    expect(remember(memory, result(gone, 2, { kind: 'done' }), 100).recentWrites?.before).toBe(memory.recentWrites)
  })
  test('counts those of a killed process too, of which nobody knows whether they were executed', () => {
    const killed = past(intent(create, 10), intent(patch, 20), intent(gone, 30), start(1_000), start(2_000))
    const three = [{ deletes: false, creates: true }, { deletes: false }, { deletes: true }].map((one) => ({ atMs: 1_000, ...one }))
    expect(executedOf(killed)).toHaveLength(3)
    for (const one of three) expect(executedOf(killed)).toContainEqual(expect.objectContaining(one))
  })
  test('forgets at the end of a cycle, since not every journal is ever rotated', () => {
    const memory = past(result(patch, 1, { kind: 'done' }), { kind: 'end', atMs: 86_400_001, run: 'r' })
    expect([memory.recentWrites, memory.endedClean]).toEqual([undefined, true])
  })
  test('keeps a quarantine that is over for as long as a slice may go by a list from within it', () => {
    const memory = past(result(create, 20, { kind: 'unknown', why: 'cut', lastByteMs: 15 }))
    expect(reason(create, { memory: forget(memory, 200), readAtMs: 50 })).toBe('quarantined')
    expect(forget(memory, 3_600_115).quarantine).toEqual({})
  })
})

test('a mapping that was just renamed is not deleted by a list that still shows its old name', () => {
  const [existing, within] = [['ENG old member'], { corp: ['new'] }]
  const rules = [rule('new', 'ENG', 'member', { previously: 'old' as GroupName })]
  const [renaming] = planOf({ rules, directories: within, existing }).changes
  const memory = past(result(renaming as Change, 10, { kind: 'done' }))
  const forgotten = planOf({ rules: [rule('new', 'ENG', 'member')], directories: within, existing, policy: 'exclusive' })
  const old = forgotten.changes.find(({ action }) => action === 'delete') as Change
  const held = (readAtMs: number) => gateHold(old, state({ memory, readAtMs, declaration: 'd2' }))?.reason.kind
  expect([held(20), held(109), held(110)]).toEqual(['quarantined', 'quarantined', undefined])
})

test('a mapping that was just renamed is not written under its old name: its id is that of another key by now', () => {
  const renaming = changeOf('rename ENG old → new: guest → guest')
  const memory = past(result(renaming, 10, { kind: 'done' }))
  const stale = [
    changeOf('patch ENG old: guest → member'),
    changeOf('patch ENG old: member → guest'),
    changeOf('rename ENG old → b: guest → guest'),
  ]
  const held = (readAtMs: number) => stale.map((change) => gateHold(change, state({ memory, readAtMs, declaration: 'd2' }))?.reason)
  expect(held(109)).toEqual(stale.map(() => ({ kind: 'quarantined', since: 'justWritten' })))
  expect(held(110)).toEqual(stale.map(() => undefined))
  expect(reason(changeOf('patch ENG new: guest → member'), { memory, readAtMs: 20 })).toBe('write')
})
