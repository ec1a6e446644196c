import { describe, expect, test } from 'vitest'
import type { Key, MappingId, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { knownSize } from '../../../src/core/memory/knownMappings.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { at, recordOf } from '../../../src/core/memory/shardedMap.ts'
import { reopened } from '../journal/reopened.ts'
import { storedMemory } from '../journal/storedForms.ts'
import { acme, changeOf } from './smallWorld.ts'

const stamp = { atMs: 10, run: 'r' }
const about = { ...stamp, workspace: acme, declaration: 'd1' }
const host = 'plane.example.com'
const past = (entries: readonly Entry[], from: Memory = emptyMemory): Memory =>
  entries.reduce((memory, entry) => remember(memory, entry, 100), from)
const start = (slugs: Readonly<Record<string, string>>): Entry => ({
  ...stamp,
  ...{ kind: 'start', version: '1', command: 'run', waits: 'no', service: { host, slugs } },
})
const edited = (slugs: Readonly<Record<string, string>>): Entry => ({ ...stamp, kind: 'service', service: { host, slugs } })
const done = { kind: 'done', mapping: 'm1' } as const

const listed = (workspace: string, ...groups: readonly string[]): Entry => ({
  ...{ ...stamp, kind: 'mappings', workspace: workspace as WorkspaceName, list: 'projectRoles' },
  ids: Object.fromEntries(groups.map((group) => [`${workspace}/project/ENG/${group}`, [`id-${group}` as MappingId]])),
})
const sizeOf = ({ mappings }: Memory, list: string) => knownSize(at(mappings, list))

/** Something of each kind that is remembered by the name of the workspace. `devs` is a group and a directory, `acme` a workspace and a directory. */
const history: readonly Entry[] = [
  start({ acme: 'acme', labs: 'labs' }),
  { ...stamp, kind: 'reading', of: 'acme', size: 7 },
  listed('acme', 'x', 'y'),
  listed('labs', 'x'),
  { ...stamp, kind: 'groups', ids: { 'acme/devs': 'g1' }, meant: { workspace: acme, ids: { 'acme/devs': { g1: ['t1'] } } } },
  { ...stamp, kind: 'projects', workspace: acme, ids: { ENG: { p1: ['t1'] } } },
  { ...about, kind: 'result', change: changeOf('create ENG a = member'), outcome: { ...done, echoed: 'guest' } },
  {
    ...about,
    kind: 'result',
    change: changeOf('create ENG b = member'),
    outcome: { ...done, mapping: 'm2', storedKey: 'acme/project/ENG/B' as Key },
  },
  { ...about, kind: 'result', change: changeOf('create ENG c = member'), outcome: { kind: 'unknown', why: 'cut', lastByteMs: 10 } },
  { ...stamp, kind: 'end', cycle: { workspaces: [acme], unsuccessful: [acme] } },
  { ...about, kind: 'intent', change: changeOf('create ENG d = member') },
  { ...about, kind: 'intent', change: changeOf('rename ENG e → f: guest → member') },
]
/** The same, if the workspace had had its new name from the beginning. */
const asIfAlways = (entries: readonly Entry[]): readonly Entry[] =>
  JSON.parse(
    JSON.stringify(entries)
      .replaceAll('"acme/project', '"corp/project')
      .replaceAll('"workspace":"acme"', '"workspace":"corp"')
      .replaceAll('"acme":"acme"', '"corp":"acme"')
      .replaceAll('["acme"]', '["corp"]'),
  ) as readonly Entry[]

const corp = { corp: 'acme', labs: 'labs' }

describe('a workspace that gets another name in the settings, with the same slug', () => {
  test.each([
    ['at a start', start(corp)],
    ['while the program runs', edited(corp)],
  ])('keeps all that is remembered of it, %s', (_when, entry) => {
    const memory = past([entry], reopened(past(history)))
    expect(storedMemory(memory)).toEqual(storedMemory(past([entry], past(asIfAlways(history)))))
    expect([sizeOf(memory, 'corp/projectRoles'), sizeOf(memory, 'labs/projectRoles')]).toEqual([4, 1])
    const texts = JSON.stringify({ ...storedMemory(memory), groupIds: {}, meantGroups: {}, baselines: {}, service: {} })
    expect(texts).not.toMatch(/acme/)
    expect(Object.keys(memory.quarantine)).toContain('corp/project/ENG/c')
  })

  test('keeps its name in the service to which the journal belongs, so another slug for the new name is another workspace', () => {
    expect(past([...history, start(corp)]).service?.slugs).toEqual(corp)
    expect(past([...history, edited(corp)]).service?.slugs).toEqual(corp)
  })

  test('has no last cycle if no cycle has ended before', () => {
    const memory = past([start({ acme: 'acme' }), listed('acme', 'x'), edited(corp)])
    expect([sizeOf(memory, 'corp/projectRoles'), memory.lastCycle]).toEqual([1, undefined])
  })

  test('gets it back with its old name', () => {
    const back = past([...history, edited(corp), edited({ acme: 'acme', labs: 'labs' })])
    expect(storedMemory(back)).toEqual(storedMemory(past(history)))
  })
})

describe('nothing is moved', () => {
  const names = (memory: Memory) => Object.keys(recordOf(memory.mappings)).toSorted()
  const before = names(past(history))

  test('for a workspace that no answer has confirmed', () => {
    const unanswered = past([start({ acme: 'acme', labs: 'labs' }), listed('labs', 'x')])
    expect(past([start(corp)], unanswered).service?.slugs).toEqual(corp)
    expect(names(past([start(corp)], unanswered))).toEqual(['labs/projectRoles'])
  })

  test('from a workspace that the settings still have', () => {
    expect(names(past([...history, edited({ acme: 'acme', corp: 'acme' })]))).toEqual(before)
  })

  test('to a workspace with another slug', () => {
    expect(names(past([...history, edited({ corp: 'corp', labs: 'labs' })]))).toEqual(before)
  })

  test('to a workspace that the journal knows by this name', () => {
    const both = [...history, edited({ acme: 'acme', corp: 'acme' }), listed('corp', 'x')]
    expect(sizeOf(past([...both, edited({ corp: 'acme' })]), 'corp/projectRoles')).toBe(1)
  })
})
