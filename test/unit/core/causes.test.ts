import { describe, expect, test } from 'vitest'
import type { Change, MappingChange } from '../../../src/core/change.ts'
import type { Hold, HoldReason } from '../../../src/core/hold.ts'
import type { Key, Mapping, MappingId, Role } from '../../../src/core/mapping.ts'
import { openCauses } from '../../../src/core/memory/causes.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { SeenReading } from '../../../src/core/memory/seen.ts'
import type { Provenance } from '../../../src/core/rule.ts'
import { acme, changeOf, mapping, rule } from './smallWorld.ts'

const list = 'projectRoles' as const
const past = (...entries: readonly Entry[]): Memory => entries.reduce((memory, entry) => remember(memory, entry, 100), emptyMemory)
const stamp = { run: 'r', workspace: acme, list } as const
const seenAt = (readMs: number, rows: readonly string[], more: Partial<SeenReading> = {}): Entry => ({
  ...{ ...stamp, kind: 'seen', atMs: readMs + 5, readMs, ...(readMs === 10 ? { first: true } : {}) },
  mappings: Object.fromEntries(rows.map(row).map(({ id, key, role }) => [id, { key, role }])),
  ...more,
})
const row = (text: string): Mapping => {
  const [id = '', rest = ''] = text.split(': ')
  return { ...mapping(rest, 0), id: id as MappingId }
}
const written = (change: Change, atMs: number, mapped = 'm1', echoed?: string): Entry => ({
  ...{ kind: 'result', atMs, run: 'r', workspace: acme, change, declaration: 'd' },
  outcome: { kind: 'done', mapping: mapped, ...(echoed === undefined ? {} : { echoed }) },
})
const own = (role: string): Entry => ({
  ...{ ...stamp, kind: 'ownership', atMs: 1 },
  keys: { [key]: { id: 'm1' as MappingId, role: role as Role, file: 'eng.yaml', how: 'made' } },
})
const key = 'acme/project/ENG/a' as Key
const because: Provenance = { ...rule('a', 'ENG', 'member').because, directory: 'corp' }
const create = { ...changeOf('create ENG a = member'), because } as MappingChange
const raise = { ...changeOf('patch ENG a: guest → member'), mapping: 'm1' } as MappingChange
const heldFor = (reason: object, change?: Change): Hold => ({
  key,
  reason: reason as HoldReason,
  ...(change === undefined ? {} : { change }),
})

const causes = (memory: Memory, existing: readonly string[] = [], meant = {}) =>
  openCauses({ workspace: acme, memory, existing: existing.map(row), meant, nowMs: 99 })
const inPlane = (afterMs?: number, atMs?: number) => ({ kind: 'plane', ...(afterMs === undefined ? {} : { afterMs, atMs }) })

describe('a create', () => {
  test('of which nothing is known has no cause', () => expect(causes(emptyMemory).ofChange(create)).toBeUndefined())
  test('of a mapping that somebody took away since the last reading', () => {
    const memory = past(seenAt(10, ['m1: ENG a member']), { ...stamp, kind: 'mappings', atMs: 15, ids: { [key]: ['m1' as MappingId] } })
    expect(causes(memory).ofChange(create)).toEqual(inPlane(10, 99))
  })
  test('of a mapping that an earlier reading showed as gone', () => {
    const memory = past(seenAt(10, ['m1: ENG a member']), seenAt(30, [], { gone: ['m1' as MappingId], afterMs: 20 }))
    expect(causes(memory).ofChange(create)).toEqual(inPlane(20, 35))
  })
  test('of a mapping that this program took away is the declaration again', () => {
    const gone = { ...changeOf('delete ENG a = member (removed)'), mapping: 'm1' } as MappingChange
    expect(causes(past(seenAt(10, ['m1: ENG a member']), written(gone, 20))).ofChange(create)).toBeUndefined()
  })
  test('of what this program wrote once', () => expect(causes(past(written(create, 20))).ofChange(create)).toEqual(inPlane()))
  test('of a group that a known text selects for the first time', () => {
    const learned: Entry = { kind: 'groups', atMs: 1, run: 'r', ids: {}, meant: { workspace: acme, ids: { 'corp/b': { 1: ['text'] } } } }
    expect(causes(past(learned), [], { 'corp/a': { 2: ['text'] } }).ofChange(create)).toEqual({ kind: 'directory' })
    expect(causes(past(learned), [], { 'corp/a': { 2: ['new text'] } }).ofChange(create)).toBeUndefined()
  })
})

describe('a patch', () => {
  test('back to what a rule gave, after somebody edited it', () => {
    const memory = past(own('member'), seenAt(10, ['m1: ENG a member']), seenAt(30, ['m1: ENG a guest'], { afterMs: 20 }))
    expect(causes(memory, ['m1: ENG a guest']).ofChange(raise)).toEqual(inPlane(20, 35))
    const before = past(own('member'), seenAt(10, ['m1: ENG a member']))
    expect(causes(before, ['m1: ENG a guest']).ofChange(raise)).toEqual(inPlane(10, 99))
  })
  test('of what is ours to another role is an edit of the declaration', () =>
    expect(causes(past(own('guest'), seenAt(10, ['m1: ENG a guest'])), ['m1: ENG a guest']).ofChange(raise)).toEqual({ kind: 'file' }))
  test('of a mapping of which nothing is known has no cause', () =>
    expect(causes(past(seenAt(10, ['m1: ENG a guest'])), ['m1: ENG a guest']).ofChange(raise)).toBeUndefined())
  test('of a role that Plane answered instead', () =>
    expect(causes(past(written(raise, 20, 'm1', 'guest'))).ofChange(raise)).toEqual({ kind: 'service' }))
  test('while a write to the key may still be executed tells no span', () => {
    const intent: Entry = { kind: 'intent', atMs: 20, run: 'r', workspace: acme, change: raise, declaration: 'd' }
    expect(causes(past(own('member'), seenAt(10, ['m1: ENG a member']), intent), ['m1: ENG a guest']).ofChange(raise)).toEqual(inPlane())
  })
})

describe('other changes', () => {
  test.each<[string, object, object | undefined]>([
    ['a rule that has ended', { ...changeOf('delete ENG a = member (expired)') }, { kind: 'date' }],
    ['a line that is gone', { ...changeOf('delete ENG a = member (removed)') }, { kind: 'file' }],
    ['a duplicate', { ...changeOf('delete ENG a = member (duplicate)') }, undefined],
    ['the same group under another name', { ...changeOf('rename ENG old → b: guest → guest'), sameGroup: true }, { kind: 'directory' }],
    ['a rename in the file', { ...changeOf('rename ENG old → b: guest → guest') }, { kind: 'file' }],
  ])('%s', (_, change, cause) => expect(causes(emptyMemory).ofChange(change as MappingChange)).toEqual(cause))
})

describe('a hold', () => {
  test.each<[string, Hold, string | undefined]>([
    ...['groupUnknown', 'groupChanged', 'labelDiffers', 'ambiguous', 'unsafeName'].map(
      (kind) => [kind, heldFor({ kind }, create), 'directory'] as [string, Hold, string],
    ),
    ['a rule that starts later', heldFor({ kind: 'notStarted' }, create), 'date'],
    ['two clocks', heldFor({ kind: 'clocksDiffer' }, create), 'date'],
    ['a role that is stored otherwise', heldFor({ kind: 'roleEchoed' }, create), 'service'],
    ['a change that others undo', heldFor({ kind: 'flapping' }, create), 'plane'],
    ['without a change', heldFor({ kind: 'projectUnknown' }), undefined],
    ['of a change', heldFor({ kind: 'approval', why: 'protectedRole' }, changeOf('delete ENG a = member (expired)')), 'date'],
  ])('%s', (_, hold, kind) => expect(causes(emptyMemory).ofHold(hold)?.kind).toBe(kind))
  test('undeclared: somebody made it, its line is gone, or it was there before', () => {
    const undeclared = heldFor({ kind: 'undeclared', policy: 'sync' })
    expect(causes(past(seenAt(10, [])), ['m1: ENG a admin']).ofHold(undeclared)).toEqual(inPlane(10, 99))
    expect(causes(past(own('admin'), seenAt(10, ['m1: ENG a admin'])), ['m1: ENG a admin']).ofHold(undeclared)).toEqual({ kind: 'file' })
    expect(causes(past(seenAt(10, ['m1: ENG a admin'])), ['m1: ENG a admin']).ofHold(undeclared)).toBeUndefined()
  })
})
