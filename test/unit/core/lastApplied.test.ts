import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { anotherWriterFindings } from '../../../src/core/findings/otherWriters.ts'
import { type Gate, type GateState, gateHold, previewHolds, requiredIn } from '../../../src/core/judge/gate.ts'
import type { Key, Mapping, MappingId } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { forget } from '../../../src/core/memory/forget.ts'
import { isEchoed, leftBy } from '../../../src/core/memory/lastApplied.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { moveToHolds, type Plan } from '../../../src/core/plan.ts'
import { acme, changeOf, executedOf, lines, mapping, planOf, roles, rule, type SmallWorld } from './smallWorld.ts'

/** Δ and the span of `guards.flapping` are short here, so that times are easy to read. */
const waitMs = 100
const flapping = { rounds: 3, span: 10_000 }
const groups = ['a', 'b', 'c', 'd', 'e']

const world = (existing: readonly string[], more: SmallWorld = {}) => ({ directories: { corp: groups }, existing, ...more })
const state = (memory: Memory, readAtMs: number, more: Partial<GateState> = {}): GateState => ({
  ...{ memory, suspend: false, roles, declaration: 'd1', readAtMs, flapping, twins: 0, required: new Set() },
  ...more,
})
const result = (change: Change, atMs: number, outcome: Outcome = { kind: 'done' }, declaration = 'd1'): Entry => ({
  ...{ kind: 'result', atMs, run: 'r', workspace: acme, change, declaration, outcome },
})
const past = (...entries: readonly Entry[]): Memory => entries.reduce((memory, entry) => remember(memory, entry, waitMs), emptyMemory)
const writtenAt = (change: Change, ...atMs: readonly number[]): Memory => past(...atMs.map((at) => result(change, at)))

const mappingsEntry = { kind: 'mappings', atMs: 900, run: 'r', workspace: acme, list: 'projectRoles' } as const
const create = changeOf('create ENG a = member')
const raise = changeOf('patch ENG a: guest → member')
const lower = changeOf('patch ENG a: admin → member')
const custom = changeOf('patch ENG a: superuser → member')
const gone = changeOf('delete ENG a = guest (removed)')
const rename = changeOf('rename ENG old → b: guest → guest')
const said = (change: Change, at: GateState) => {
  const hold = gateHold(change, at)
  if (hold === undefined) return 'write'
  return `${hold.reason.kind === 'quarantined' ? hold.reason.since : hold.reason.kind} until ${hold.untilMs}`
}

const preview = (plan: Plan, gate: Gate): Plan => moveToHolds(plan, previewHolds(plan, gate))

describe('a mapping that was just written and that the next list does not show', () => {
  test.each([
    [1_050, 'justWritten until 1100'],
    [1_099, 'justWritten until 1100'],
    [1_100, 'write'],
  ])('is not created again from a list of %i', (readAtMs, expected) =>
    expect(said(create, state(writtenAt(create, 1_000), readAtMs))).toBe(expected),
  )
  test('also where a raise or a rename was what made it so, and whatever the declaration became', () => {
    expect(said(create, state(writtenAt(raise, 1_000), 1_050, { declaration: 'd2' }))).toBe('justWritten until 1100')
    const back = { ...create, key: rename.key }
    expect(said(back, state(writtenAt(rename, 1_000), 1_050))).toBe('justWritten until 1100')
  })
  test('stops nothing but the making of it', () => {
    expect(said(raise, state(writtenAt(create, 1_000), 1_050))).toBe('write')
    expect(said(gone, state(writtenAt(create, 1_000), 1_050))).toBe('write')
  })
  test('what we deleted ourselves since may be made at once', () =>
    expect(said(create, state(past(result(create, 1_000), result(gone, 1_010)), 1_050))).toBe('write'))
  test('a refused or lost write shows nothing', () => {
    const refused = past(result(create, 1_000, { kind: 'refused', status: 404, code: 'gone', sentence: 'no' }))
    expect(said(create, state(refused, 1_050))).toBe('write')
  })
  test('no bound on the memory makes it forget that', () => {
    const keys = Array.from({ length: 3_000 }, (_, n) => ({ ...create, key: `acme/project/ENG/g${n}` as Change['key'] }))
    const within = past(...keys.map((change, n) => result(change, n / 100)))
    expect(within.lastApplied).toHaveLength(3_000)
    const later = past(...keys.map((change, n) => result(change, n * waitMs)))
    expect([later.lastApplied.length, later.lastApplied.at(-1)?.key]).toEqual([2_000, 'acme/project/ENG/g2999'])
  })
})

describe('the flap breaker', () => {
  test.each([
    ['a first write', [], 500, 'write'],
    ['undone once', [1_000], 1_500, 'write'],
    ['undone twice', [1_000, 2_000], 2_500, 'write'],
    ['undone three times', [1_000, 2_000, 3_000], 3_500, 'flapping until 11000'],
    ['by the list of the very moment', [1_000, 2_000, 3_000], 3_000, 'flapping until 11000'],
    ['once the first of three is long ago', [1_000, 2_000, 3_000], 11_000, 'write'],
    ['and undone again', [1_000, 2_000, 3_000, 11_000], 11_500, 'flapping until 12000'],
    ['duplicates of a key, written together, are one', [1_000, 1_001, 1_002], 1_500, 'write'],
    ['a clock that was set back', [1_000, 2_000, 900_000], 2_500, 'write'],
  ])('%s', (_name, atMs, readAtMs, expected) => expect(said(raise, state(writtenAt(raise, ...atMs), readAtMs))).toBe(expected))

  test.each([
    ['a create', create, 'flapping until 11000'],
    ['a rename', rename, 'flapping until 11000'],
    ['also one that gives less than there was', changeOf('rename ENG old → b: superuser → guest'), 'flapping until 11000'],
    ['a lowering', lower, 'write'],
    ['a revocation', gone, 'write'],
    ['a protected role that nobody put in an order', custom, 'write'],
  ])('holds what gives, never what takes away: %s', (_name, change, expected) =>
    expect(said(change, state(writtenAt(change, 1_000, 2_000, 3_000), 3_500))).toBe(expected),
  )

  test('a role that was raised and lowered by two declarations in turn is nobody else', () => {
    const turns = past(...[1_000, 2_000, 3_000, 4_000].map((atMs, n) => result(n % 2 === 0 ? raise : gone, atMs)))
    expect(said(raise, state(turns, 4_500))).toBe('write')
    expect(said(raise, state(remember(turns, result(raise, 5_000), waitMs), 5_500))).toBe('write')
    expect(said(raise, state(writtenAt(gone, 1_000, 2_000, 3_000), 3_500))).toBe('write')
  })

  test('a changed declaration begins anew', () => {
    const three = writtenAt(raise, 1_000, 2_000, 3_000)
    expect(said(raise, state(three, 3_500, { declaration: 'd2' }))).toBe('write')
    const four = remember(three, result(raise, 4_000, { kind: 'done' }, 'd2'), waitMs)
    expect(said(raise, state(four, 4_500, { declaration: 'd2' }))).toBe('write')
  })

  test('never keeps a revocation waiting that comes after it', () => {
    const swap = planOf(world(['* a guest', 'OPS y guest'], { rules: [rule('a', 'ENG', 'member')], removed: ['* a'] }))
    const made = swap.changes.find(({ action }) => action === 'create') as Change
    const memory = writtenAt(made, 1_000, 2_000, 3_000)
    const seen = (required: GateState['required']) =>
      lines(preview(swap, (change) => gateHold(change, state(memory, 3_500, { required })))).filter((line) => !line.includes('undeclared'))
    expect(seen(requiredIn(swap))).toEqual(['create ENG a = member', 'delete all projects a = guest (removed)'])
    expect(seen(new Set())[1]).toContain('flapping')
  })

  test('shows in a plan, with its end', () => {
    const plan = planOf(world(['ENG a guest'], { rules: [rule('a', 'ENG', 'member')] }))
    const seen = preview(plan, (change) => gateHold(change, state(writtenAt(raise, 1_000, 2_000, 3_000), 3_500)))
    expect(seen).toMatchObject({ changes: [], holds: [{ reason: { kind: 'flapping', rounds: 3, sinceMs: 1_000 }, untilMs: 11_000 }] })
  })
})

describe('a role that the service keeps', () => {
  const echo = (change: Change, echoed: string, ...atMs: readonly number[]) =>
    past(...atMs.map((at) => result(change, at, { kind: 'done', echoed })))
  test.each([
    ['is not sent a second time', raise, 'guest', 'roleEchoed until undefined'],
    ['was undone where the service had taken what was sent', raise, 'member', 'write'],
    ['also where it had answered with a third', raise, 'contributor', 'write'],
    ['of a revocation is written each time', lower, 'admin', 'write'],
    ['also of one that gives up a protected role', custom, 'superuser', 'write'],
  ])('%s', (_name, change, echoed, expected) => expect(said(change, state(echo(change, echoed, 1_000), 1_500))).toBe(expected))
  test('is not sent again by an edit of another line, and not by time: only by an edit of its own rule', () => {
    const because = { at: { file: 'a.yaml', line: 3, column: 5 }, reason: 'ACC-1' }
    const own = { ...raise, because }
    const memory = echo(own, 'guest', 1_000)
    const moved = { ...own, because: { ...because, at: { file: 'b.yaml', line: 9, column: 7 } } }
    expect(said(moved, state(memory, 11_000_000, { declaration: 'd2' }))).toBe('roleEchoed until undefined')
    expect(said({ ...own, because: { ...because, reason: 'ACC-2' } }, state(memory, 1_500))).toBe('write')
    expect(said(changeOf('patch ENG a: guest → contributor'), state(memory, 1_500))).toBe('write')
  })
  test('is held also after a restart, from the memory in the journal', () => {
    const memory = echo({ ...raise, because: { at: { file: 'a.yaml', line: 3, column: 5 }, reason: 'ACC-1' } }, 'guest', 1_000)
    expect(memory.lastApplied).toMatchObject([{ role: 'member', echoed: 'guest', reason: 'ACC-1' }])
    expect(echo(raise, 'member', 1_000).lastApplied[0]).not.toHaveProperty('reason')
    const because = { at: { file: 'a.yaml', line: 3, column: 5 }, reason: 'ACC-1' }
    expect(writtenAt({ ...raise, because }, 1_000).lastApplied[0]).not.toHaveProperty('reason')
  })
  test('is none where nothing was written', () => expect(isEchoed(raise, { memory: emptyMemory })).toBe(false))
  test('is none for another role of the same rule', () => {
    const other = changeOf('patch ENG a: guest → contributor')
    expect([raise, other].map((change) => isEchoed(change, { memory: echo(raise, 'guest', 1_000) }))).toEqual([true, false])
  })
  test('teaches nothing about other mappings', () => expect(echo(raise, 'guest', 1_000).echoes).toEqual({}))
  test('is told as that, not as another writer', () => {
    const lowered = planOf(world(['ENG a admin'], { rules: [rule('a', 'ENG', 'member')] }))
    const told = (declaration: string) => {
      const looking = state(echo(lower, 'admin', 1_000, 2_000, 3_000), 3_500, { declaration })
      return anotherWriterFindings(lowered, looking, []).map(({ code, place }) => [code, place])
    }
    expect([told('d1'), told('d2')]).toEqual([[['role-echoed', 'acme']], [['role-echoed', 'acme']]])
  })
})

describe('another writer', () => {
  const five = { rules: groups.map((name) => rule(name, 'ENG', 'member')) }
  const all = () => planOf(world([], five))
  const noticed = (memory: Memory, readAtMs: number, plan = all(), existing: readonly Mapping[] = []) =>
    anotherWriterFindings(plan, state(memory, readAtMs), existing).map(({ code, sentence }) => [code, sentence])
  const wrote = (names: readonly string[], ...atMs: readonly number[]) =>
    past(
      ...atMs.flatMap((at) =>
        all()
          .changes.filter(({ key }) => names.some((name) => key.endsWith(name)))
          .map((one) => result(one, at)),
      ),
    )

  test.each([
    ['nothing was written', [], [], 0],
    ['one mapping by hand, once', ['a'], [1_000], 0],
    ['two, once', ['a', 'b'], [1_000], 0],
    ['three, once', ['a', 'b', 'c'], [1_000], 1],
    ['one, twice', ['a'], [1_000, 2_000], 1],
  ])('%s', (_name, names, atMs, findings) => expect(noticed(wrote(names, ...atMs), 2_500)).toHaveLength(findings))

  test.each([
    [1_050, 0],
    [1_099, 0],
    [1_100, 1],
  ])('a list that lags is nobody: of %i', (readAtMs, findings) =>
    expect(noticed(wrote(['a', 'b', 'c'], 1_000), readAtMs)).toHaveLength(findings),
  )
  test('who undoes it within Δ of each write is one all the same', () => expect(noticed(wrote(['a'], 1_000, 2_000), 2_050)).toHaveLength(1))
  test('what was so long ago is over', () => expect(noticed(wrote(['a', 'b', 'c'], 1_000), 11_000)).toEqual([]))

  test('is nobody where it is the policy that keeps what was undone', () => {
    const plan = planOf(world(['ENG x guest'], { ...five, policy: 'observe' }))
    const kept = plan.holds.flatMap(({ change }) => change ?? [])
    expect(new Set(plan.holds.map(({ reason }) => reason.kind))).toEqual(new Set(['policy', 'undeclared']))
    expect(noticed(past(...kept.flatMap((one) => [result(one, 1_000), result(one, 2_000)])), 2_500, plan)).toEqual([])
  })

  test('says what, how often, since when, what was found, and what to do', () => {
    expect(anotherWriterFindings(all(), state(wrote(['a'], 1_000, 2_000), 2_500), [])).toEqual([
      {
        code: 'another-writer',
        severity: 'warning',
        place: 'acme',
        sentence: 'another writer undoes our changes: project/ENG/a (written 2 times since 1970-01-01 00:00 UTC, found missing)',
        cure: 'a workspace must have one writer: look for a second plane-group-sync with its own journal, or for a person who edits in Plane; stop one of the two writers, or add these groups to unmanaged: in this declaration, so that only the other writer manages them',
      },
    ])
    const [[, once = ''] = []] = noticed(wrote(['a', 'b', 'c'], 1_000), 2_500)
    expect(once).toContain('project/ENG/a (written at 1970-01-01 00:00 UTC, found missing)')
    const found = (change: Change) => {
      const [[, sentence = ''] = []] = noticed(writtenAt(change, 1_000, 2_000), 2_500, { ...all(), changes: [change] })
      return /found (.*)\)/.exec(sentence)?.[1]
    }
    expect([create, lower, gone, rename].map(found)).toEqual(['missing', 'as admin', 'back as guest', 'under old'])
  })

  test('who renames mappings in Plane is told by the new names, of mappings of this program and of others', () => {
    const made = (name: string): Outcome => ({ kind: 'done', mapping: `id-${name}` })
    const created = all().changes.map((change, n) => result(change, 1_000, made(groups[n] as string)))
    const renamedRow = mapping('ENG z member', 0)
    const byHand = 'by-hand' as MappingId
    const c = all().changes.find(({ key }) => key.endsWith('/c'))
    const known: Entry = { ...mappingsEntry, ids: { [c?.key as Key]: [byHand] } }
    const memory = past(...created.slice(0, 2), known, result(c as Change, 1_000))
    const existing = [
      { ...renamedRow, id: 'id-a' as MappingId },
      { ...renamedRow, id: byHand, key: 'acme/project/OPS/y' as Key },
    ]
    const [[, sentence = ''] = []] = noticed(memory, 2_500, all(), existing)
    expect([...sentence.matchAll(/ENG\/(\w) \([^)]*found ([^)]*)\)/g)].map(([, name, found]) => [name, found])).toEqual([
      ['a', 'under project/ENG/z'],
      ['b', 'missing'],
      ['c', 'under project/OPS/y'],
    ])
  })

  test('where a role comes back it may be Plane that keeps another one', () => {
    const cure = (...changes: readonly Change[]) => {
      const memory = past(...changes.flatMap((change) => [result(change, 1_000), result(change, 2_000)]))
      return anotherWriterFindings({ ...all(), changes }, state(memory, 2_500), [])[0]?.cure
    }
    expect([[raise], [create], [raise, rename]].map((changes) => cure(...changes)?.includes('roles.aliases'))).toEqual([true, false, true])
  })

  test('names the worst three, and counts the others', () => {
    const memory = past(
      ...wrote(groups, 1_000).lastApplied.map((_, n) => result(all().changes[n] as Change, 1_000)),
      result(all().changes[4] as Change, 2_000),
    )
    const [[, sentence = ''] = []] = noticed(memory, 2_500)
    expect(sentence).toMatch(/changes: project\/ENG\/e \(written 2 times .* and 2 more$/)
  })

  test('is seen although the breaker holds the change', () => {
    const memory = wrote(['a'], 1_000, 2_000, 3_000)
    const held = preview(all(), (change) => gateHold(change, state(memory, 3_500)))
    expect(held.holds).toHaveLength(1)
    expect(noticed(memory, 3_500, held)).toHaveLength(1)
  })
})

describe('the memory of it', () => {
  test('ends a week after', () => {
    const memory = writtenAt(create, 0)
    expect(forget(memory, 7 * 86_400_000 + waitMs - 1).lastApplied).toHaveLength(1)
    expect(forget(memory, 7 * 86_400_000 + waitMs).lastApplied).toEqual([])
  })
  test('is the state that was left, and when', () => {
    const left = { key: create.key, declaration: 'd1' }
    expect(writtenAt(create, 1_000, 1_001, 1_002).lastApplied).toStrictEqual([
      { ...left, role: 'member', atMs: [1_000], shownFromMs: 1_102 },
    ])
    expect(past(result(create, 1_000, { kind: 'done', echoed: 'member' })).lastApplied).toStrictEqual(writtenAt(create, 1_000).lastApplied)
    expect(past(result(create, 1_000), result(gone, 2_000)).lastApplied).toStrictEqual([
      { ...left, before: 'guest', atMs: [2_000], shownFromMs: 2_100 },
    ])
  })
  test.each([
    [99, 2_001],
    [100, 2_000],
  ])('drops the oldest of too many once every list shows it: at %i there are %i', (atMs, count) => {
    const others = Array.from({ length: 2_000 }, (_, n) => ({ ...create, key: `acme/project/ENG/g${n}` as Change['key'] }))
    expect(past(result(create, 0), ...others.map((change) => result(change, atMs))).lastApplied).toHaveLength(count)
  })
  test('holds twenty moments of a key', () => {
    expect(writtenAt(raise, ...Array.from({ length: 30 }, (_, n) => n * waitMs)).lastApplied[0]?.atMs).toHaveLength(20)
  })
  test('knows the mappings that creates made for a key, the newest twenty, until the key is deleted', () => {
    const made = (...writes: readonly (readonly [Change, string?])[]) =>
      past(
        ...writes.map(([change, mapping], n) =>
          result(change, n * waitMs, { kind: 'done', ...(mapping === undefined ? {} : { mapping }) }),
        ),
      ).lastApplied.map((one) => one.made)
    const ids = Array.from({ length: 25 }, (_, n) => `row ${n}`)
    expect(made([create, 'row 1'], [create, 'row 2'])).toEqual([['row 1', 'row 2']])
    expect(made(...ids.map((id) => [create, id] as const))).toEqual([ids.slice(-20)])
    expect(made([create, 'row 1'], [raise, 'row 9'])).toEqual([['row 1']])
    expect(made([raise, 'row 9'])).toEqual([undefined])
    expect(made([create, 'row 1'], [gone])).toEqual([undefined])
    expect(made([create, 'row 1'], [gone], [create, 'row 2'])).toEqual([['row 2']])
  })
  test('shows a set of changes only if each leaves a state', () => {
    const duplicate = { ...gone, why: 'duplicate' } as Change
    expect([[], [create, duplicate], [create, gone]].map((set) => leftBy(set)?.length)).toEqual([undefined, undefined, 2])
  })
  test('says nothing of settings and duplicates', () => {
    const duplicate = { ...gone, why: 'duplicate' } as Change
    const settings = { action: 'settings', key: 'acme/groupSync', before: {}, after: {}, id: 'x', requires: [] } as unknown as Change
    expect(past(result(duplicate, 1), result(settings, 2)).lastApplied).toEqual([])
  })
})

describe('a repeated write, whose earlier sending got no answer', () => {
  const earlierLastByteMs = 40
  test.each<[string, Change, Outcome, boolean]>([
    ['a patch that is done', raise, { kind: 'done', earlierLastByteMs }, true],
    ['a patch that was refused', raise, { kind: 'refused', status: 404, code: 'gone', sentence: '', earlierLastByteMs }, true],
    ['a patch that was not sent again', raise, { kind: 'notSent', why: '', earlierLastByteMs }, true],
    ['a delete that was not sent again', gone, { kind: 'notSent', why: '', earlierLastByteMs }, true],
    ['a delete that is done', gone, { kind: 'done', earlierLastByteMs }, false],
    ['a patch that was sent once', raise, { kind: 'done' }, false],
  ])('%s', (_name, change, outcome, held) => {
    const memory = past(result(change, 60, outcome))
    expect(memory.quarantine).toEqual(held ? { [change.key]: 140, m0: 140 } : {})
    expect(executedOf(memory)).toHaveLength(1)
  })
  test('a rename holds both names and the mapping', () => {
    expect(Object.keys(past(result(rename, 60, { kind: 'done', earlierLastByteMs })).quarantine)).toHaveLength(3)
  })
  test('what was refused the second time is known as refused, too', () => {
    const memory = past(result(raise, 60, { kind: 'refused', status: 400, code: 'rejected', sentence: 'no', earlierLastByteMs }))
    expect([Object.keys(memory.failures), memory.quarantine[raise.key]]).toEqual([[raise.id], 140])
  })
})

test('a role that is taken from a mapping again and again is flapping, also if the mapping has no role then', () => {
  const fill = { ...changeOf('patch ENG a: x → guest'), before: null } as Change
  expect(gateHold(fill, state(writtenAt(fill, 0, 1_000, 2_000), 3_000))?.reason.kind).toBe('flapping')
})
