import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { clocksAgreeMs } from '../../../src/core/dates.ts'
import type { Key, Mapping, MappingId, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import {
  adoptedAfterMs,
  type DeclaredMapping,
  endKnownForMs,
  isOurs,
  isRecordedEnd,
  type OwnedList,
  type Ownership,
  type OwnershipInput,
  ownedListOf,
  ownershipAfter,
  ownershipIn,
} from '../../../src/core/memory/ownership.ts'
import { recordOf } from '../../../src/core/memory/shardedMap.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { reopened } from '../journal/reopened.ts'
import { acme, changeOf, mapping } from './smallWorld.ts'

const list = 'projectRoles'
const keyOfGroup = (name: string) => `acme/project/ENG/${name}` as Key
const at = keyOfGroup('a')
const [day, hour] = [86_400_000, 3_600_000]
const stamp = { atMs: 5, run: 'r' }

const done = (change: Change, outcome: Partial<Extract<Outcome, { kind: 'done' }>> = {}): Entry => ({
  ...{ ...stamp, kind: 'result', workspace: acme, declaration: 'd', change },
  outcome: { kind: 'done', ...outcome },
})
const create = (name = 'a', id = 'm0') => done(changeOf(`create ENG ${name} = member`), { mapping: id })
const past = (...entries: readonly Entry[]): Memory => entries.reduce((memory, entry) => remember(memory, entry, 100), emptyMemory)
const keysOf = (owned: OwnedList): Readonly<Record<string, Ownership>> => recordOf(owned.keys)
const ownedAfter = (...entries: readonly Entry[]) => ownedListOf(past(...entries), acme, list)

/** `ENG a member` with the id m0, `ENG b member` with m1 … */
const rowsOf = (...texts: readonly string[]) => texts.map(mapping)
const role: Extract<DeclaredMapping, { kind: 'role' }> = { kind: 'role', file: 'a.yaml', naming: 'adopting', ended: [], isWritten: true }
const undeclared: DeclaredMapping = { kind: 'undeclared' }
type Said = Partial<Omit<OwnershipInput, 'rows' | 'dates'>> & { readonly nowMs?: number; readonly thereMs?: number }
const inputOf = (texts: readonly string[], { nowMs = 0, thereMs, ...more }: Said): OwnershipInput => ({
  rows: rowsOf(...texts),
  declaredOf: () => role,
  isKnown: () => false,
  isSameRole: (known, shown) => known === shown,
  unsettledUntil: () => undefined,
  deletes: true,
  inForce: true,
  dates: { hereMs: nowMs, thereMs },
  ...more,
})
/** The memory after a reading. */
function read(memory: Memory, texts: readonly string[], more: Said = {}): Memory {
  const change = ownershipAfter(ownedListOf(memory, acme, list), inputOf(texts, more))
  return change === undefined ? memory : remember(memory, { ...stamp, kind: 'ownership', workspace: acme, list, ...change }, 100)
}
const ours = (memory: Memory, text: string, index = 0): boolean => {
  const owned = ownedListOf(memory, acme, list)
  return isOurs(owned, ownershipIn(owned, { isSameRole: (known, shown) => known === shown })(mapping(text, index)))
}
const named = (sinceMs: number, more: Partial<Ownership> = {}) => ({
  id: 'm0',
  role: 'member',
  file: 'a.yaml',
  how: 'named',
  sinceMs,
  ...more,
})

describe('a write that is done', () => {
  test('makes the mapping that it creates ours, by id, key and the role that Plane has', () => {
    expect(keysOf(ownedAfter(create()))).toEqual({ [at]: { id: 'm0', role: 'member', file: '', how: 'made' } })
    const echoed = done(changeOf('create ENG a = member'), { mapping: 'm0', echoed: 'visitor', storedKey: keyOfGroup('A') })
    expect(keysOf(ownedAfter(echoed))).toEqual({ [keyOfGroup('A')]: { id: 'm0', role: 'visitor', file: '', how: 'made' } })
    expect(keysOf(ownedAfter(done(changeOf('create ENG a = member'))))).toEqual({})
    expect(keysOf(ownedAfter(create(), done(changeOf('create ENG a = member'))))).toEqual(keysOf(ownedAfter(create())))
  })
  describe('whose answer was lost', () => {
    const change = {
      ...changeOf('create ENG a = member'),
      because: { at: { file: 'a.yaml', line: 1, column: 1 }, expiresMs: 9 * day },
    } as Change
    const of = { ...stamp, workspace: acme, declaration: 'd', change }
    const intent: Entry = { ...of, kind: 'intent' }
    const lost: Entry = { ...of, kind: 'result', outcome: { kind: 'unknown', why: 'cut', lastByteMs: 5 } }
    test.each([
      ['lost', [intent, lost]],
      ['never read: the process ended', [intent]],
    ])('makes ours what a list then shows at its key, with the role and the end: %s', (_what, entries) => {
      const before = read(past(...entries), [], { unsettledUntil: ({ key, id }) => (key === at && id === '' ? 105 : undefined) })
      const shown = read(before, ['ENG a member'])
      expect([ours(before, 'ENG a member'), ours(shown, 'ENG a member')]).toEqual([false, true])
      expect(keysOf(ownedListOf(past(...entries), acme, list))[at]?.end).toEqual({ atMs: 9 * day, knownFromMs: 5 })
      expect(ours(reopened(shown), 'ENG a member')).toBe(true)
    })
    test.each([
      ['another role', ['ENG a guest']],
      ['two of the key', ['ENG a member', 'ENG a member']],
    ])('makes nothing ours if the list shows %s', (_what, texts) => {
      expect(ours(read(past(intent, lost), texts), texts[0] ?? '')).toBe(false)
    })
    test('makes nothing ours that appears after a list without it', () => {
      expect(ours(read(read(past(intent, lost), []), ['ENG a member']), 'ENG a member')).toBe(false)
    })
    test('makes nothing ours if it was refused', () => {
      const refused: Entry = { ...of, kind: 'result', outcome: { kind: 'refused', status: 403, sentence: 'no' } as never }
      expect(keysOf(ownedAfter(intent, refused))).toEqual({})
    })
    test('of no known rule has no file', () => {
      const unsaid: Entry = { ...of, kind: 'intent', change: changeOf('create ENG a = member') }
      expect(keysOf(ownedAfter(unsaid))[at]).toMatchObject({ how: 'intended', file: '' })
    })
    test.each<[string, readonly Entry[], Change]>([
      ['what was there before', [create()], changeOf('create ENG a = member')],
      ['other keys', [create('b')], changeOf('create ENG a = member')],
      ['what is still sent to the key', [intent], changeOf('patch ENG a: member → guest')],
    ])('takes nothing if it was refused: %s', (_what, entries, refusedChange) => {
      const refused: Entry = {
        ...{ ...of, kind: 'result', change: refusedChange },
        outcome: { kind: 'refused', status: 403, sentence: 'no' } as never,
      }
      expect(keysOf(ownedAfter(...entries, refused))).toEqual(keysOf(ownedAfter(...entries)))
    })
    test('leaves nothing of itself, under whatever name the answer comes, or without an id', () => {
      const answer = (outcome: object): Entry => ({ ...of, kind: 'result', outcome: { kind: 'done', ...outcome } })
      expect(Object.keys(keysOf(ownedAfter(intent, answer({ mapping: 'm0', storedKey: keyOfGroup('A') }))))).toEqual([keyOfGroup('A')])
      expect(keysOf(ownedAfter(intent, answer({})))).toEqual({})
    })
    test('has its end at once when the answer comes', () => {
      const owned = ownedAfter(intent, { ...of, kind: 'result', outcome: { kind: 'done', mapping: 'm0' } })
      expect(keysOf(owned)[at]).toEqual({ id: 'm0', role: 'member', file: 'a.yaml', how: 'made', end: { atMs: 9 * day, knownFromMs: 5 } })
    })
  })
  test('that renames a mapping of others knows the end of the rule at once', () => {
    const rename = {
      ...changeOf('rename ENG old → a: guest → member'),
      because: { at: { file: 'a.yaml', line: 1, column: 1 }, expiresMs: 9 * day },
    }
    const owned = ownedAfter(done(rename))
    expect(keysOf(owned)[at]).toMatchObject({ role: 'member', how: 'named', end: { atMs: 9 * day, knownFromMs: 5 } })
    expect(keysOf(ownedAfter(done(changeOf('rename ENG old → a: guest → member'))))).toEqual({})
  })
  test('that renames the same group leaves since when the end is known; another end, or another group, is known from then on', () => {
    const known = read(past(create()), ['ENG a member'], { declaredOf: () => ({ ...role, endMs: 9 * day }), nowMs: 2 })
    const endAfter = (more: Partial<Extract<Change, { action: 'rename' }>>, expiresMs = 9 * day) => {
      const because = { at: { file: 'a.yaml', line: 1, column: 1 }, expiresMs }
      const rename = { ...changeOf('rename ENG a → b: member → guest'), because, ...more } as Change
      return keysOf(ownedListOf(remember(known, done(rename), 100), acme, list))[keyOfGroup('b')]?.end
    }
    expect(endAfter({ sameGroup: true })).toEqual({ atMs: 9 * day, knownFromMs: 2 })
    expect(endAfter({ sameGroup: true }, 8 * day)).toEqual({ atMs: 8 * day, knownFromMs: 5 })
    expect(endAfter({})).toEqual({ atMs: 9 * day, knownFromMs: 5 })
    const endless = { ...changeOf('rename ENG a → b: member → guest'), sameGroup: true } as Change
    expect(keysOf(ownedListOf(remember(known, done(endless), 100), acme, list))).toMatchObject({ [keyOfGroup('b')]: { how: 'made' } })
    const ending = { ...endless, because: { at: { file: 'a.yaml', line: 1, column: 1 }, expiresMs: 9 * day } } as Change
    const ends = (...entries: readonly Entry[]) => Object.values(keysOf(ownedAfter(...entries))).map(({ end }) => end)
    expect([ends(create(), done(ending)), ends(done(ending)), ends(create(), done(endless)), ends(done(endless))]).toEqual([
      [{ atMs: 9 * day, knownFromMs: 5 }],
      [{ atMs: 9 * day, knownFromMs: 5 }],
      [undefined],
      [],
    ])
  })
  test('moves what is known with a patch and a rename, and ends it with a delete', () => {
    const patch = done(changeOf('patch ENG a: member → guest'))
    expect(keysOf(ownedAfter(create(), patch))[at]).toMatchObject({ id: 'm0', role: 'guest', how: 'made' })
    const rename = done(changeOf('rename ENG a → b: member → guest'))
    expect(keysOf(ownedAfter(create(), rename))).toEqual({ [keyOfGroup('b')]: { id: 'm0', role: 'guest', file: '', how: 'made' } })
    expect(keysOf(ownedAfter(create(), done(changeOf('delete ENG a = member (removed)'))))).toEqual({})
  })
  test('of a mapping with another id changes nothing that is known of the key', () => {
    const before = keysOf(ownedAfter(create('a', 'm7')))
    const writes = ['patch ENG a: member → guest', 'rename ENG a → b: member → guest', 'delete ENG a = member (removed)']
    for (const line of writes) expect(keysOf(ownedAfter(create('a', 'm7'), done(changeOf(line))))).toEqual(before)
  })
  test('does not make a mapping ours that others had made', () => {
    expect(keysOf(ownedAfter(done(changeOf('patch ENG a: member → guest')), done(changeOf('rename ENG b → c: member → guest'))))).toEqual(
      {},
    )
  })
  test('of another list or workspace is its own', () => {
    const memory = past(create(), done(changeOf('create workspace a = member'), { mapping: 'm1' }))
    expect(Object.keys(keysOf(ownedListOf(memory, acme, 'workspaceRoles')))).toEqual(['acme/workspace/a'])
    expect(Object.keys(keysOf(ownedListOf(memory, 'beta' as WorkspaceName, list)))).toEqual([])
  })
})

describe('the first cycle of a policy that deletes', () => {
  test('begins ownership: before it nothing is ours', () => {
    const memory = past(create())
    expect(ours(memory, 'ENG a member')).toBe(false)
    expect(ours(read(memory, ['ENG a member'], { deletes: false }), 'ENG a member')).toBe(false)
    expect(ours(read(memory, ['ENG a member']), 'ENG a member')).toBe(true)
  })
  test('knows nothing any more of what is undeclared in it, or of which no rule is known, or which the list does not show', () => {
    for (const declared of [undeclared, { kind: 'held', named: false }, { kind: 'unmanaged' }] as const)
      expect(keysOf(ownedListOf(read(past(create()), ['ENG a member'], { declaredOf: () => declared }), acme, list))).toEqual({})
    expect(keysOf(ownedListOf(read(past(create()), [], { isKnown: () => true }), acme, list))).toEqual({})
  })
  test('keeps what a held rule names, and names anew what older lines have named', () => {
    expect(ours(read(past(create()), ['ENG a member'], { declaredOf: () => ({ kind: 'held', named: true }) }), 'ENG a member')).toBe(true)
    const before = read(emptyMemory, ['ENG a member'], { deletes: false })
    const later = read(before, ['ENG a member'], { deletes: false, nowMs: adoptedAfterMs })
    expect(keysOf(ownedListOf(later, acme, list))[at]).toMatchObject({ how: 'adopted' })
    const begun = read(later, ['ENG a member'], { nowMs: 8 * day })
    expect(keysOf(ownedListOf(begun, acme, list))[at]).toEqual(named(8 * day))
    const held = { nowMs: 8 * day, declaredOf: () => ({ kind: 'held', named: true }) as const }
    expect(keysOf(ownedListOf(read(later, ['ENG a member'], held), acme, list))[at]).toEqual(named(8 * day))
    expect(keysOf(ownedListOf(read(emptyMemory, ['ENG a member'], held), acme, list))).toEqual({})
  })
  test('makes nothing ours that older lines have adopted, if the file that names it now may not remove', () => {
    const ending = { declaredOf: (): DeclaredMapping => ({ ...role, endMs: 90 * day }) }
    const first = read(emptyMemory, ['ENG a member'], { ...ending, deletes: false })
    const adopted = read(first, ['ENG a member'], { ...ending, deletes: false, nowMs: adoptedAfterMs })
    const exact = { declaredOf: (): DeclaredMapping => ({ ...role, naming: 'exact', endMs: 90 * day }), nowMs: 8 * day }
    expect(ours(read(adopted, ['ENG a member'], exact), 'ENG a member')).toBe(false)
  })
  test('comes once, also without any mapping, and again after no file declared the list', () => {
    const begun = read(emptyMemory, [])
    expect(ownedListOf(begun, acme, list).begun).toBe(true)
    expect(ownershipAfter(ownedListOf(begun, acme, list), inputOf([], {}))).toBeUndefined()
    const shown = { ...stamp, kind: 'mappings', workspace: acme, list, ids: {} } as const
    expect(ownedListOf(remember(begun, shown, 100), acme, list).begun).toBe(true)
    const left = remember(begun, { ...shown, unread: true }, 100)
    expect(ownedListOf(left, acme, list).begun).toBe(false)
  })
})

describe('a mapping that others made', () => {
  const first = read(emptyMemory, ['ENG a member'])
  test('is named by an exact rule, and ours once the rule still names it seven days later', () => {
    expect(keysOf(ownedListOf(first, acme, list))).toEqual({ [at]: named(0) })
    const before = read(first, ['ENG a member'], { nowMs: adoptedAfterMs - 1 })
    const after = read(first, ['ENG a member'], { nowMs: adoptedAfterMs })
    expect([ours(before, 'ENG a member'), ours(after, 'ENG a member')]).toEqual([false, true])
    expect(keysOf(ownedListOf(after, acme, list))).toEqual({ [at]: { id: 'm0', role: 'member', file: 'a.yaml', how: 'adopted' } })
    expect(ours(read(after, ['ENG a member'], { nowMs: 8 * day }), 'ENG a member')).toBe(true)
  })
  test('is not ours if the rule went before, also if the next cycle is later than seven days', () => {
    const gone = read(first, ['ENG a member'], { nowMs: adoptedAfterMs, declaredOf: () => undeclared })
    expect([ours(gone, 'ENG a member'), keysOf(ownedListOf(gone, acme, list))]).toEqual([false, {}])
  })
  test('becomes ours only by both clocks', () => {
    for (const clocks of [
      { nowMs: adoptedAfterMs, thereMs: day },
      { nowMs: day, thereMs: adoptedAfterMs },
    ])
      expect(ours(read(first, ['ENG a member'], clocks), 'ENG a member')).toBe(false)
  })
  test('begins anew if its time is still to come: a clock was ahead', () => {
    const ahead = read(emptyMemory, ['ENG a member'], { nowMs: 400 * day })
    expect(keysOf(ownedListOf(read(ahead, ['ENG a member'], { nowMs: day }), acme, list))[at]).toEqual(named(day))
    const since = (ms: number) =>
      keysOf(ownedListOf(read(read(emptyMemory, ['ENG a member'], { nowMs: ms }), ['ENG a member'], { nowMs: day }), acme, list))[at]
    expect([since(day + clocksAgreeMs), since(day + clocksAgreeMs + 1)]).toEqual([named(day + clocksAgreeMs), named(day)])
  })
  test('is known for its end, also if the file may not remove; it is not adopted', () => {
    const ending = { declaredOf: (): DeclaredMapping => ({ ...role, naming: 'exact', endMs: 9 * day }) }
    const known = read(emptyMemory, ['ENG a member'], { ...ending, nowMs: day })
    expect(keysOf(ownedListOf(known, acme, list))[at]).toMatchObject({ how: 'named', end: { atMs: 9 * day, knownFromMs: day } })
    expect(ours(read(known, ['ENG a member'], { ...ending, nowMs: 8 * day }), 'ENG a member')).toBe(false)
  })
  test('is adopted by no pattern, and by no rule of a file that may not remove', () => {
    expect(
      keysOf(
        ownedListOf(
          read(emptyMemory, ['ENG a member'], { declaredOf: (): DeclaredMapping => ({ ...role, naming: 'pattern' }) }),
          acme,
          list,
        ),
      ),
    ).toEqual({})
    for (const nowMs of [day, adoptedAfterMs]) {
      const yields = read(first, ['ENG a member'], { nowMs, declaredOf: (): DeclaredMapping => ({ ...role, naming: 'pattern' }) })
      expect(keysOf(ownedListOf(yields, acme, list))).toEqual({})
    }
  })
  test('is not adopted while the key has several', () => {
    expect(keysOf(ownedListOf(read(emptyMemory, ['ENG a member', 'ENG a guest']), acme, list))).toEqual({})
  })
  test.each<DeclaredMapping>([undeclared, { kind: 'absent', ended: [] }, { kind: 'held', named: true }])(
    'is not written down if it is $kind',
    (declared) => {
      const begun = ownedListOf(read(emptyMemory, []), acme, list)
      expect(ownershipAfter(begun, inputOf(['ENG a member'], { declaredOf: () => declared }))).toBeUndefined()
    },
  )
})

describe('a mapping that is ours', () => {
  const begun = read(past(create()), ['ENG a member'])
  const known = (memory: Memory) => keysOf(ownedListOf(memory, acme, list))
  test('stays ours when its rule goes, and while it is held', () => {
    for (const declared of [undeclared, { kind: 'held', named: false }, { kind: 'absent', ended: [] }] as const)
      expect(ours(read(begun, ['ENG a member'], { declaredOf: () => declared }), 'ENG a member')).toBe(true)
  })
  test('is ours no more once it was edited in Plane, or is unmanaged', () => {
    expect(ours(begun, 'ENG a guest')).toBe(false)
    const edited = read(begun, ['ENG a guest'], { declaredOf: () => undeclared })
    expect(ours(edited, 'ENG a member')).toBe(false)
    expect(known(read(begun, ['ENG a guest'], { nowMs: 3 }))).toEqual({ [at]: named(3, { role: 'guest' as Role }) })
    expect(known(read(begun, ['ENG a member'], { declaredOf: () => ({ kind: 'unmanaged' }) }))).toEqual({})
    expect(known(read(begun, ['ENG b member'], { declaredOf: () => undeclared }))).toEqual({})
  })
  test('is another one under another id', () => {
    expect(ours(begun, 'ENG a member', 7)).toBe(false)
    const again = read(begun, ['ENG z member', 'ENG a member'], {
      declaredOf: ({ id }) => (id === 'm1' ? role : undeclared),
      isKnown: () => true,
      nowMs: 9,
    })
    expect(known(again)[at]).toEqual(named(9, { id: 'm1' as MappingId }))
    expect(known(read(past(create('a', 'm1')), ['ENG a guest', 'ENG a member']))[at]).toMatchObject({ id: 'm1', how: 'made' })
  })
  test('is one of all projects, too; one project is another place', () => {
    const all = read(past(done(changeOf('create * a = member'), { mapping: 'm0' })), ['* a member'])
    expect([ours(all, '* a member'), ours(all, 'ENG a member')]).toEqual([true, false])
  })
  test('moves with its project, whatever identifier it has now', () => {
    const [moved] = rowsOf('ENGX a member') as [Mapping]
    expect(ours(begun, 'ENGX a member')).toBe(true)
    expect(known(read(begun, ['ENGX a member'], { declaredOf: () => undeclared }))).toEqual({ [moved.key]: known(begun)[at] })
    expect(ours(begun, '* a member')).toBe(false)
    const two = read(past(create(), done(changeOf('create OPS a = guest'), { mapping: 'm1' })), ['ENG a member', 'OPS a guest'])
    const swapped = read(two, ['OPS a member', 'ENG a guest'], { declaredOf: () => undeclared })
    expect([ours(swapped, 'OPS a member'), ours(swapped, 'ENG a guest', 1)]).toEqual([true, true])
    // The place may still have the mapping that is known there, or not any more.
    const moves = (...rows: readonly string[]) => known(read(two, rows, { declaredOf: () => undeclared }))
    const { [keyOfGroup('a')]: first, ['acme/project/OPS/a']: second } = known(two)
    expect(moves('OPS a member', 'OPS a guest')).toEqual({ 'acme/project/OPS/a': second })
    expect(moves('OPS a member')).toEqual({ 'acme/project/OPS/a': first })
  })
  test('is forgotten when Plane no longer has it, and not while it may', () => {
    expect(known(read(begun, []))).toEqual({})
    expect(known(read(begun, [], { isKnown: () => true }))).toEqual(known(begun))
    expect(ownershipAfter(ownedListOf(begun, acme, list), inputOf([], { isKnown: () => true }))).toBeUndefined()
  })
  test('is not judged by a list that may not show the last write', () => {
    const isIt = ({ key, id }: Pick<Mapping, 'key' | 'id'>) => key === at && id === 'm0'
    const unsettled = { unsettledUntil: (of: Pick<Mapping, 'key' | 'id'>) => (isIt(of) ? 1 : undefined), declaredOf: () => undeclared }
    for (const rows of [['ENG a guest'], ['ENG b member'], []]) expect(known(read(begun, rows, unsettled))).toEqual(known(begun))
  })
  test('keeps its file up to date', () => {
    expect(known(read(begun, ['ENG a member'], { declaredOf: () => ({ ...role, file: 'b.yaml' }) }))[at]).toMatchObject({
      file: 'b.yaml',
      how: 'made',
    })
  })
})

describe('the end of a rule', () => {
  const ends = (endMs: number, more: Partial<typeof role> = {}) => ({ declaredOf: () => ({ ...role, endMs, ...more }) })
  const begun = read(past(create()), ['ENG a member'], { ...ends(9 * day), nowMs: day })
  const endIn = (memory: Memory) => keysOf(ownedListOf(memory, acme, list))[at]?.end
  test('is known from the first cycle that believed it, and begins anew when it is moved', () => {
    expect(endIn(begun)).toEqual({ atMs: 9 * day, knownFromMs: day })
    expect(endIn(read(begun, ['ENG a member'], { ...ends(9 * day), nowMs: 3 * day }))).toEqual({ atMs: 9 * day, knownFromMs: day })
    const moved = read(begun, ['ENG a member'], { ...ends(10 * day), nowMs: 3 * day })
    expect(endIn(moved)).toEqual({ atMs: 10 * day, knownFromMs: 3 * day })
    expect(endIn(read(moved, ['ENG a member'], { ...ends(9 * day), nowMs: 4 * day }))).toEqual({ atMs: 9 * day, knownFromMs: 4 * day })
    expect(endIn(read(begun, ['ENG a member'], { nowMs: 3 * day }))).toBeUndefined()
    expect(endIn(read(begun, ['ENG a member'], { ...ends(10 * day), nowMs: day }))).toEqual({ atMs: 10 * day, knownFromMs: day })
    const ahead = read(past(create()), ['ENG a member'], { ...ends(900 * day), nowMs: 400 * day })
    expect(endIn(read(ahead, ['ENG a member'], { ...ends(900 * day), nowMs: day }))).toEqual({ atMs: 900 * day, knownFromMs: day })
  })
  describe('while nothing of the declaration is in force', () => {
    const suspended = (memory: Memory, declared: DeclaredMapping, nowMs = 3 * day, rows = ['ENG a member']) =>
      read(memory, rows, { declaredOf: () => declared, nowMs, inForce: false })
    const knownIn = (memory: Memory) => keysOf(ownedListOf(memory, acme, list))
    const ended = { atMs: 9 * day, knownFromMs: 3 * day }
    const ending = { ...role, endMs: 9 * day }
    test('becomes known, of what is ours and of what is not', () => {
      expect(endIn(suspended(read(past(create()), ['ENG a member']), ending))).toEqual(ended)
      expect(knownIn(suspended(emptyMemory, { ...ending, naming: 'exact' }))).toEqual({
        [at]: { id: 'm0', role: 'member', file: 'a.yaml', how: 'named', end: ended },
      })
      expect(endIn(suspended(begun, role))).toBeUndefined()
      expect(endIn(suspended(begun, { kind: 'absent', ended: [9 * day] }, 10 * day))).toEqual({ atMs: 9 * day, knownFromMs: day })
    })
    test('nothing becomes ours by it, and ownership does not begin', () => {
      const theirs = read(emptyMemory, ['ENG a member'])
      expect(knownIn(suspended(theirs, role, 8 * day))).toEqual({ [at]: named(0) })
      expect(knownIn(suspended(theirs, ending, 8 * day))).toEqual({ [at]: named(0, { end: { atMs: 9 * day, knownFromMs: 8 * day } }) })
      expect(knownIn(suspended(emptyMemory, role))).toEqual({})
      expect(ownedListOf(suspended(past(create()), ending), acme, list).begun).toBe(false)
    })
    test('no line takes what is ours, and an edit in Plane does', () => {
      const theirs = read(emptyMemory, ['ENG a member'])
      for (const declared of [undeclared, { kind: 'unmanaged' }, { kind: 'held', named: false }] as const) {
        expect(knownIn(suspended(begun, declared))).toEqual(knownIn(begun))
        expect(knownIn(suspended(theirs, declared))).toEqual(knownIn(theirs))
      }
      expect(knownIn(suspended(theirs, { ...role, naming: 'pattern' }))).toEqual(knownIn(theirs))
      expect(knownIn(suspended(begun, undeclared, 3 * day, ['ENG a guest']))).toEqual({})
    })
  })
  test('stays known after it, until its change is written', () => {
    const over = (declared: DeclaredMapping) => endIn(read(begun, ['ENG a member'], { declaredOf: () => declared, nowMs: 10 * day }))
    expect(over({ kind: 'absent', ended: [9 * day] })).toEqual({ atMs: 9 * day, knownFromMs: day })
    expect(over({ ...role, isWritten: false, ended: [9 * day] })).toEqual({ atMs: 9 * day, knownFromMs: day })
    expect(over({ ...role, isWritten: true, ended: [9 * day] })).toBeUndefined()
    expect(over({ kind: 'absent', ended: [2 * day] })).toBeUndefined()
    expect(over({ kind: 'held', named: true })).toEqual({ atMs: 9 * day, knownFromMs: day })
  })
  test('of a mapping that others made stays known while its lowering to the role of a pattern waits', () => {
    const theirs = read(emptyMemory, ['ENG a member'], { ...ends(9 * day), nowMs: 8 * day })
    const lowers = {
      declaredOf: (): DeclaredMapping => ({ ...role, naming: 'pattern', isWritten: false, ended: [9 * day] }),
      nowMs: 16 * day,
    }
    const waits = read(theirs, ['ENG a member'], lowers)
    expect(endIn(waits)).toEqual({ atMs: 9 * day, knownFromMs: 8 * day })
    expect(ownershipAfter(ownedListOf(waits, acme, list), inputOf(['ENG a member'], { ...lowers, nowMs: 17 * day }))).toBeUndefined()
    expect(keysOf(ownedListOf(reopened(waits), acme, list))).toEqual(keysOf(ownedListOf(waits, acme, list)))
    const again = read(waits, ['ENG a member'], { nowMs: 18 * day })
    expect(keysOf(ownedListOf(again, acme, list))).toEqual({ [at]: named(18 * day) })
    const written = remember(waits, done(changeOf('patch ENG a: member → guest')), 100)
    expect(
      keysOf(
        ownedListOf(read(written, ['ENG a guest'], { declaredOf: (): DeclaredMapping => ({ ...role, naming: 'pattern' }) }), acme, list),
      ),
    ).toEqual({})
  })
  test('is not that of the group that has the mapping after a rename', () => {
    expect(keysOf(ownedListOf(remember(begun, done(changeOf('rename ENG a → b: member → guest')), 100), acme, list))).toEqual({
      [keyOfGroup('b')]: { id: 'm0', role: 'guest', file: '', how: 'made' },
    })
  })
  const known = { atMs: 9 * day, knownFromMs: day }
  test.each([
    ['an end that was known for three days', known, [9 * day], { hereMs: 9 * day, thereMs: undefined }, true],
    [
      'an end that was known for less',
      { ...known, knownFromMs: 9 * day - endKnownForMs + hour },
      [9 * day],
      { hereMs: 9 * day, thereMs: undefined },
      false,
    ],
    ['by one clock only', { ...known, knownFromMs: 6 * day }, [9 * day], { hereMs: 9 * day, thereMs: 8 * day }, false],
    ['an end that no rule says now', known, [8 * day], { hereMs: 9 * day, thereMs: undefined }, false],
    ['a rule without an end', undefined, [9 * day], { hereMs: 9 * day, thereMs: undefined }, false],
    [
      'an end that was over when it was first believed',
      { atMs: day, knownFromMs: day },
      [day],
      { hereMs: 9 * day, thereMs: undefined },
      false,
    ],
  ])('is recorded or not: %s', (_what, end, ended, dates, expected) => expect(isRecordedEnd(end, ended, dates)).toBe(expected))
})

test('the memory comes back as it was stored, with the same for each kind of knowledge', () => {
  const memory = [create('b', 'm1'), create('c', 'm2')].reduce(
    (before, entry) => remember(before, entry, 100),
    read(read(emptyMemory, ['ENG a member'], { declaredOf: () => ({ ...role, endMs: 9 }) }), ['ENG a member', 'ENG x -'], { nowMs: 3 }),
  )
  expect(recordOf(reopened(memory).ownership)).toEqual(recordOf(memory.ownership))
})

test('another name of a workspace in the settings changes no ownership', () => {
  const service = (slugs: Readonly<Record<string, string>>): Entry => ({ ...stamp, kind: 'service', service: { host: 'h', slugs } })
  const confirmed: Entry = { ...stamp, kind: 'mappings', workspace: acme, list, ids: {} }
  const memory = past(service({ acme: 's' }), confirmed, create(), service({ corp: 's' }))
  expect(Object.keys(keysOf(ownedListOf(memory, 'corp' as WorkspaceName, list)))).toEqual(['corp/project/ENG/a'])
})
