import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { GroupName, Key, Role } from '../../../src/core/mapping.ts'
import type { Approval } from '../../../src/core/memory/approvals.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { OperationalError } from '../../../src/core/operationalError.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { nothingPassedOver, type PassedOver, passedOverFindings } from '../../../src/journal/passedOver.ts'
import { acme, changeOf } from '../core/smallWorld.ts'
import { reopened } from './reopened.ts'
import {
  entryFromStored,
  memoryFromStored,
  outcomeFromStored,
  type StoredEntry,
  type StoredMemory,
  type StoredOutcome,
  storedEntry,
  storedOutcome,
} from './storedForms.ts'

const create = changeOf('create ENG a = member')
const about = { atMs: 10, run: 'r', workspace: acme, declaration: 'd1' }
const approval: Approval = {
  name: '0'.repeat(32),
  workspace: acme,
  words: {
    changes: [
      { key: create.key, after: 'admin' as Role, groupId: '7' },
      { key: create.key, fromGroup: 'b' as GroupName, before: null, after: 'admin' as Role },
      { before: { autoRemove: true }, after: { autoRemove: false } },
    ],
    people: 'any',
  },
  passes: ['1'.repeat(32)],
  by: 'ann',
  account: 'node',
  reason: 'INC-99',
  fromMs: 1,
  untilMs: 2,
}
const refused = { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' } as const
const past = (...entries: readonly Entry[]): Memory => entries.reduce((memory, entry) => remember(memory, entry, 100), emptyMemory)

describe('the memory', () => {
  test('knows that an approval was used, also if it names the id of the group', () => {
    const change = { ...create, groupId: '7' } as Change
    const words = { changes: [{ key: create.key, after: 'member' as Role, groupId: '7' }] }
    const given: Entry = { kind: 'approval', atMs: 9, run: 'r', approval: { ...approval, words } }
    const written = entryFromStored(storedEntry({ ...about, kind: 'result', change, outcome: { kind: 'done' } }), () =>
      expect.unreachable(),
    )
    expect(past(given, written).approvals).toMatchObject([{ words: { changes: [] } }])
  })
  test('comes back as it was stored', () => {
    const memory = past(
      { kind: 'service', atMs: 0, run: 'r', service: { host: 'h', slugs: { acme: 'acme' } } },
      { kind: 'start', atMs: 0, run: 'r', version: '1', command: 'run', waits: 'no', service: { host: 'h', slugs: { acme: 'acme' } } },
      { kind: 'groups', atMs: 0, run: 'r', ids: { 'corp/a': '1' } },
      { kind: 'end', atMs: 5, run: 'r', cycle: { workspaces: [acme], unsuccessful: [acme] } },
      { kind: 'reading', atMs: 0, run: 'r', of: 'acme/projectRoles', size: 10 },
      { ...about, kind: 'result', change: create, outcome: { kind: 'done', storedKey: 'acme/project/ENG/A' as Key } },
      { ...about, kind: 'result', change: changeOf('patch ENG c: member → guest'), outcome: { kind: 'done' } },
      { ...about, kind: 'result', change: changeOf('patch ENG d: member → guest'), outcome: refused },
      { ...about, kind: 'intent', change: changeOf('create ENG b = guest') },
      { kind: 'approval', atMs: 9, run: 'r', approval },
    )
    expect(reopened(memory)).toEqual(memory)
  })
  test('of which nothing was stored is as in the beginning', () => {
    expect(memoryFromStored({}, () => expect.unreachable())).toEqual(emptyMemory)
    expect(reopened(emptyMemory)).toEqual(emptyMemory)
  })
})

type Json = { [name: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Records whose keys are not fields but names: of changes, keys, groups, workspaces. */
const byName = new Set(['open', 'quarantine', 'undecided', 'echoes', 'keptAs', 'baselines', 'groupIds', 'projectIds', 'meantGroups'])
const namesOnly = new Set([
  'quarantine',
  'rejections',
  'echoes',
  'keptAs',
  'baselines',
  'groupIds',
  'projectIds',
  'meantGroups',
  'ids',
  'slugs',
])

/** Adds one field to each object that has fields, and collects the names of these added fields. */
function withMore(value: unknown, path: string, called: Set<string>, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withMore(one, path, called))
  if (!isObject(value) || namesOnly.has(field)) return value
  const inside = Object.entries(value).map(([name, one]) => {
    return [name, withMore(one, byName.has(field) ? path : `${path}.${name}`, called, byName.has(field) ? '' : name)]
  })
  if (byName.has(field)) return Object.fromEntries(inside)
  called.add(`${path}.unheardOf`)
  return { ...Object.fromEntries(inside), unheardOf: 7 }
}

const fixture = join(import.meta.dirname, '../../fixtures/journal-format-2')
const lines = readFileSync(join(fixture, 'journal-000002.jsonl'), 'utf8').trimEnd().split('\n')
const [head, ...entries] = lines.map((line) => JSON.parse(line) as unknown) as [{ memory: StoredMemory }, ...StoredEntry[]]

describe('a field that is not known', () => {
  test('of the memory, or of anything in it, is told, and left out', () => {
    const [called, told] = [new Set<string>(), new Set<string>()]
    const more = withMore(head.memory, 'memory', called) as StoredMemory
    expect(memoryFromStored(more, (name) => told.add(`memory.${name}`))).toEqual(memoryFromStored(head.memory, () => expect.unreachable()))
    expect(told).toEqual(called)
    expect([...told]).toEqual(expect.arrayContaining(['memory.unheardOf', 'memory.open.because.at.unheardOf', 'memory.written.unheardOf']))
  })
  test.each(entries.map((entry, index) => [index, entry.entry, entry] as const))('of entry %i (%s) likewise', (_index, kind, entry) => {
    const [called, told] = [new Set<string>(), new Set<string>()]
    const more = withMore(entry, kind, called) as StoredEntry
    expect(entryFromStored(more, (name) => told.add(name))).toEqual(entryFromStored(entry, () => expect.unreachable()))
    expect(told).toEqual(called)
    expect(told).toContain(`${kind}.unheardOf`)
  })
})

test('an outcome of settings comes back with the values that the service answered', () => {
  const outcome: Outcome = { kind: 'done', answered: { autoRemove: true, defaultWorkspaceRole: null } }
  const line = JSON.stringify(storedOutcome(outcome))
  expect(line).toBe('{"is":"done","answered":{"autoRemove":true,"defaultWorkspaceRole":null}}')
  expect(outcomeFromStored(JSON.parse(line) as StoredOutcome, () => expect.unreachable())).toStrictEqual(outcome)
})

describe('a value without which nothing can be made of an entry', () => {
  const result = entries.find(({ entry }) => entry === 'result') as StoredEntry
  const made = (more: Json) => () => entryFromStored({ ...result, ...more }, () => undefined)
  test.each([
    ['the change "merge"', { change: { ...result.change, action: 'merge' } }],
    ['the target "module"', { change: { ...result.change, target: { kind: 'module' } } }],
    ['the outcome "later"', { outcome: { is: 'later' } }],
  ])('%s is of a newer version', (message, more) => {
    expect(made(more)).toThrow(new OperationalError('FormatNewer', message))
  })
  test.each([
    ['a change without an action', { change: {} }],
    ['no change', { change: undefined }],
    ['an outcome without its kind', { outcome: {} }],
    ['no outcome', { outcome: undefined }],
    ['a target without its kind', { change: { ...result.change, target: {} } }],
  ])('%s is damage', (_what, more) => {
    expect(made(more)).toThrow(TypeError)
  })
})

describe('what is told of a newer version', () => {
  const findings = (some: Partial<PassedOver>) =>
    passedOverFindings('/state', { ...nothingPassedOver, file: '/state/journal-000007.jsonl', ...some })
  const once = (...names: readonly string[]) => new Map(names.map((name, index) => [name, { firstLine: index + 3, count: 1 }]))
  test('names each kind of thing at its place', () => {
    const found = findings({
      headFields: new Map([['memory.pauses', { firstLine: 1, count: 2 }]]),
      kinds: new Map([['approval', 3]]),
      entryFields: once('result.unheardOf', 'intent.change.unheardOf'),
    })
    expect(found.map(({ code, place, sentence, cure }) => `${code} ${place}: ${sentence}; ${cure}`)).toEqual([
      'journal-entries-ignored /state/journal-000007.jsonl:1: 2 × "memory.pauses" in the memory that this file begins with: fields of a newer version, which this version ignores; the next file of the journal will lack them; unless you went back to an older version on purpose, start the newer one before this version begins the next file (after journal.bytesMax of entries)',
      'journal-entries-ignored /state: 3 × "approval" in this journal: entries of a newer version, which this version ignores; unless you went back to an older version on purpose, start the newer one',
      'journal-entries-ignored /state/journal-000007.jsonl:3: 1 × "result.unheardOf" and 1 × "intent.change.unheardOf" from this line on: fields of a newer version, which this version ignores; unless you went back to an older version on purpose, start the newer one',
    ])
  })
  test('names no more than a person reads', () => {
    const [finding] = findings({ entryFields: once(...Array.from({ length: 8 }, (_, index) => `end.f${index}${'x'.repeat(index * 30)}`)) })
    expect(finding?.sentence).toMatch(/^1 × "end\.f0", .* 1 × "end\.f4x{74}" and 3 more from this line on:/)
  })
  test('says nothing where there is nothing', () => expect(findings({})).toEqual([]))
})
