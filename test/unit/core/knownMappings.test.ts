import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Key, MappingId } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { knownSize, newIds } from '../../../src/core/memory/knownMappings.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { at, recordOf } from '../../../src/core/memory/shardedMap.ts'
import { reopened } from '../journal/reopened.ts'
import { acme, changeOf, mapping } from './smallWorld.ts'

const past = (...entries: readonly Entry[]): Memory => entries.reduce((memory, entry) => remember(memory, entry, 100), emptyMemory)
const about = { atMs: 10, run: 'r', workspace: acme, declaration: 'd1' }
const done = (change: Change, id?: string): Entry => ({
  ...{ ...about, kind: 'result', change },
  outcome: { kind: 'done', ...(id === undefined ? {} : { mapping: id }) },
})
const listed = (ids: Readonly<Record<string, readonly string[]>>, unread?: true): Entry => ({
  ...{ atMs: 0, run: 'r', kind: 'mappings', workspace: acme, list: 'projectRoles' },
  ids: Object.fromEntries(Object.entries(ids).map(([key, of]) => [`acme/project/${key}`, of as readonly MappingId[]])),
  ...(unread && { unread }),
})
const known = (memory: Memory) => at(memory.mappings, 'acme/projectRoles')
const idsIn = (memory: Memory) =>
  Object.fromEntries(Object.entries(recordOf(known(memory)?.ids ?? [])).map(([key, ids]) => [key.slice('acme/project/'.length), ids]))

describe('the ids of mappings that the memory knows', () => {
  const rename = changeOf('rename ENG e → f: guest → member')
  const gone = changeOf('delete OPS x = guest (removed)')
  const idOf = (change: Change) => ('mapping' in change ? change.mapping : '')

  test('are those of own writes and of whole lists, also after a restart', () => {
    const memory = past(
      listed({ 'ENG/e': [idOf(rename)], 'OPS/x': [idOf(gone), 'other'], 'OPS/y': ['y'] }),
      done(changeOf('create ENG a = member'), 'a'),
      done(rename),
      done(gone),
      listed({ 'OPS/y': [] }),
    )
    const ids = { 'ENG/a': ['a'], 'ENG/f': [idOf(rename)], 'OPS/x': ['other'] }
    expect([idsIn(memory), idsIn(reopened(memory))]).toEqual([ids, ids])
  })

  test('stay known while the list is not declared, and its next reading is a first one', () => {
    const memory = past(listed({ 'OPS/y': ['y'] }), listed({}, true))
    expect([idsIn(memory), knownSize(known(memory))]).toEqual([{ 'OPS/y': ['y'] }, undefined])
  })
})

describe('what a reading changes', () => {
  const before = known(past(listed({ 'ENG/a': ['m0'], 'ENG/b': ['m1', 'm5'], 'ENG/c': ['m2'] })))
  const changed = (rows: readonly string[], gone: readonly string[] = [], moved: readonly string[] = []) =>
    newIds(
      before,
      rows.map((text, index) => mapping(text, index)),
      true,
      {
        gone: new Set(gone as readonly MappingId[]),
        moved: new Map(
          rows.flatMap((text, index) =>
            moved.includes(mapping(text, index).id) ? [[mapping(text, index).id, mapping(text, index).key]] : [],
          ),
        ),
      },
    )
  const key = (text: string) => `acme/project/${text}` as Key

  test.each<[string, readonly string[], readonly string[], object, (readonly string[])?]>([
    ['nothing, if the list is as known', ['ENG a x', 'ENG b x', 'ENG c x'], [], {}],
    ['nothing, by what the list lacks', ['ENG a x'], [], {}],
    ['a new mapping', ['ENG a x', 'ENG b x', 'ENG c x', 'ENG d x'], [], { [key('ENG/d')]: ['m3'] }],
    ['another name that only the list says, beside the known one', ['ENG z x', 'ENG b x'], [], { [key('ENG/z')]: ['m0'] }],
    [
      'a mapping that a person renamed, as Plane itself says',
      ['ENG z x', 'ENG b x'],
      [],
      { [key('ENG/z')]: ['m0'], [key('ENG/a')]: [] },
      ['m0'],
    ],
    ['a mapping that is gone', ['ENG a x'], ['m5', 'm2'], { [key('ENG/b')]: ['m1'], [key('ENG/c')]: [] }],
    ['a mapping that is gone, of a list that was not read whole', [], ['m2'], { [key('ENG/c')]: [] }],
  ])('%s', (_what, rows, gone, expected, moved) => expect(changed(rows, gone, moved)).toEqual(expected))
})

test('a mapping that moved, as Plane itself says, keeps its id also if the list was not read whole', () => {
  const before = known(past(listed({ 'ENG/a': ['m0'] })))
  const [from, to] = ['acme/project/ENG/a' as Key, 'acme/project/OPS/a' as Key]
  const moved = new Map([['m0' as MappingId, to]])
  expect(newIds(before, [], false, { gone: new Set(), moved })).toEqual({ [from]: [], [to]: ['m0'] })
})

test('of 10,000 mappings that no whole list shows any more, the surplus is forgotten', () => {
  const all = Object.fromEntries(Array.from({ length: 10_003 }, (_, n) => [`ENG/g${n}`, [`id${n}`]]))
  const forgotten = (isWhole: boolean) =>
    Object.values(newIds(known(past(listed(all))), [mapping('ENG other x', 20_000)], isWhole)).filter((ids) => ids.length === 0)
  expect(forgotten(true)).toHaveLength(3)
  expect(forgotten(false)).toEqual([])
})
