import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory } from '../../../src/core/memory/memory.ts'
import { recentWritesFrom } from '../../../src/core/memory/recentWrites.ts'
import { emptySmallMap, put, shardedMapOf } from '../../../src/core/memory/shardedMap.ts'
import { entryFromLine, entryLine, headFromLine, headLine } from '../../../src/journal/lines.ts'

type Loose = Readonly<Record<string, unknown>>

const because = { at: { file: 'a.yaml', line: 2, column: 3 }, owner: 'team', reason: 'audit', directory: 'corp' }
const unstored = { pattern: { syntax: 'glob', source: 'a-*' }, expiresMs: 9 }
const project = { key: 'acme/project/ENG/a', group: 'a', target: { kind: 'project', project: 'ENG' } }
const named = { id: 'c1', requires: ['c0'] }
const counted = { kind: 'counted', newly: 1, raised: 2, lowered: 3, lost: 4, raise: 3, gainProtected: 5, lose: 6 }
const all = {
  uncounted: 'approved',
  label: 'Team A',
  groupId: '7',
  effect: counted,
  allowProtected: true,
  size: { of: 'people', least: 3, most: 3 },
  because: { ...because, ...unstored },
}
const settings = {
  enabled: true,
  syncOnLogin: false,
  autoRemove: true,
  offlineSync: false,
  groupAttribute: 'groups',
  defaultWorkspaceRole: 'guest',
}
const changes: Readonly<Record<string, Loose>> = {
  create: { requires: [], role: 'member', ...project, action: 'create', id: 'c1' },
  'create with all': { action: 'create', role: 'member', ...all, ...project, ...named },
  patch: { action: 'patch', ...project, target: { kind: 'workspace' }, mapping: 'm1', before: null, role: 'guest', id: 'c1', requires: [] },
  'patch with all': { action: 'patch', ...all, ...project, mapping: 'm1', before: 'member', role: 'guest', ...named },
  'rename with all': {
    ...{ action: 'rename', ...all, ...project, target: { kind: 'allProjects' }, mapping: 'm1', from: 'acme/allProjects/b' },
    ...{ fromGroup: 'b', sameGroup: true, before: 'member', role: 'guest', ...named },
  },
  delete: { action: 'delete', ...project, mapping: 'm1', before: 'member', why: 'removed', id: 'c1', requires: [] },
  'delete with all': { action: 'delete', ...all, ...project, mapping: 'm1', before: null, why: 'expired', ...named },
  settings: { action: 'settings', key: 'acme/groupSync', before: {}, after: { enabled: true }, id: 'c1', requires: [] },
  'settings with all': {
    ...{ action: 'settings', key: 'acme/groupSync', before: settings, after: { ...settings, defaultWorkspaceRole: null } },
    ...{ because: { at: because.at }, ...named },
  },
}
const hold = { key: project.key, reason: { kind: 'clocksDiffer' } }
const outcomes: Readonly<Record<string, Loose>> = {
  done: { kind: 'done' },
  'done with all': { earlierLastByteMs: 5, answered: settings, storedKey: 'acme/project/ENG/A', echoed: 'x', mapping: 'm1', kind: 'done' },
  notSent: { kind: 'notSent', why: 'refused' },
  'notSent with all': { kind: 'notSent', hold, retryAfterMs: 3, earlierLastByteMs: 5, why: 'the gate' },
  refused: { kind: 'refused', status: 400, code: 'rejected', sentence: 'no' },
  'refused with all': { kind: 'refused', retryAfterMs: 3, earlierLastByteMs: 5, sentence: 'no', code: 'gone', status: 404 },
  unknown: { kind: 'unknown', why: 'no answer', lastByteMs: 7 },
  'unknown with all': { kind: 'unknown', status: 502, lastByteMs: 7, why: 'Bad Gateway' },
}
const words = {
  changes: [
    { key: project.key },
    { groupId: '7', after: 'admin', before: 'guest', fromGroup: 'b', key: project.key },
    { key: project.key, before: null },
    { before: settings, after: {} },
  ],
  people: 'any',
}
const fact = { owners: ['team-web'], state: 'c1', name: 'project/ENG/a', about: 'mapping', workspace: 'acme', kind: 'waiting' }
const approval = {
  name: '0'.repeat(32),
  workspace: 'acme',
  passes: ['1'],
  by: 'ann',
  account: 'node',
  reason: 'INC-9',
  fromMs: 1,
  untilMs: 2,
}
const meant = { 'corp/a': { 1: ['b', 'a'], 2: ['c'] }, 'corp/gone': {} }
const service = { host: 'plane.example.com', slugs: { acme: 'acme-1', 'beta team': 'b' } }
const owned = {
  'acme/a': { how: 'named', id: 'm1', role: 'member', sinceMs: 3, file: 'a.yaml', end: { knownFromMs: 3, atMs: 9 } },
  'acme/b': { id: 'm2', role: null, how: 'made', file: 'b.yaml' },
  'acme/c': { file: 'b.yaml', how: 'made', role: 'guest', id: 'm3' },
}
const stamp = { atMs: 10, run: 'r' }
const write = { ...stamp, declaration: 'd1', workspace: 'acme' }
const create = changes.create
const entries: Readonly<Record<string, Loose>> = {
  start: { ...stamp, kind: 'start', version: '1', command: 'run', waits: 'no', service },
  service: { ...stamp, kind: 'service', service },
  reading: { ...stamp, kind: 'reading', of: 'corp', size: 3 },
  mappings: {
    run: 'r',
    atMs: 10,
    kind: 'mappings',
    workspace: 'acme',
    list: 'projectRoles',
    ids: { [project.key]: ['m1', 'm2'], 'acme/x': [] },
  },
  'mappings with all': { run: 'r', atMs: 10, kind: 'mappings', workspace: 'acme', list: 'workspaceRoles', ids: {}, unread: true },
  ...Object.fromEntries(Object.entries(changes).map(([name, change]) => [`intent: ${name}`, { ...write, kind: 'intent', change }])),
  ...Object.fromEntries(
    Object.entries(outcomes).map(([name, outcome]) => [`result: ${name}`, { ...write, kind: 'result', change: create, outcome }]),
  ),
  waiver: { ...stamp, kind: 'waiver', source: '--allow', by: 'ann', passes: ['1', '2'], fingerprint: 'f', workspace: 'acme' },
  approval: { ...stamp, kind: 'approval', approval },
  'approval with all': { ...stamp, kind: 'approval', approval: { ...approval, words } },
  'approval for people': { ...stamp, kind: 'approval', approval: { ...approval, words: { changes: [], people: 7 } } },
  shown: { ...stamp, kind: 'shown', workspace: 'acme', changes: words.changes },
  told: {
    ...{ ...stamp, kind: 'told', gone: ['failed acme/cycle'] },
    told: [{ owners: [], state: '', name: '', about: 'declaration', kind: 'failed' }, fact],
  },
  withdrawal: { ...stamp, kind: 'withdrawal', account: 'node', by: 'ann', approval: '0'.repeat(32) },
  continued: { ...stamp, kind: 'continued' },
  groups: { ...stamp, kind: 'groups', ids: {} },
  'groups with all': { ...stamp, kind: 'groups', ids: { 'corp/a': '1', 7: '2' }, meant: { ids: meant, workspace: 'acme' } },
  projects: { ...stamp, kind: 'projects', workspace: 'acme', ids: { ENG: { 1: ['a'] }, OLD: {} } },
  ownership: { ...stamp, kind: 'ownership', workspace: 'acme', list: 'projectRoles', keys: { 'acme/a': null } },
  'ownership with all': {
    ...stamp,
    kind: 'ownership',
    workspace: 'acme',
    list: 'projectRoles',
    begins: true,
    keys: { ...owned, 'acme/d': null },
  },
  seen: { ...stamp, kind: 'seen', workspace: 'acme', list: 'projectRoles', readMs: 9, mappings: {} },
  'seen with all': {
    ...stamp,
    kind: 'seen',
    workspace: 'acme',
    list: 'projectRoles',
    readMs: 9,
    afterMs: 8,
    partial: true,
    first: true,
    mappings: { m1: { key: 'acme/a', role: 'guest' }, m2: { key: 'acme/b', role: null } },
    hidden: ['m3'],
    gone: ['m4'],
    dropped: true,
  },
  end: { ...stamp, kind: 'end' },
  'end of a cycle': { ...stamp, kind: 'end', cycle: { unsuccessful: ['beta team'] } },
  'end of a cycle with all': { ...stamp, kind: 'end', cycle: { unsuccessful: [], workspaces: ['acme', 'beta team'] } },
}

const sharded = (record: Loose) => shardedMapOf(record)
const known = (ids: Loose) => put(emptySmallMap, ids)
const tried = { atMs: 5, deletes: false }
const full: Loose = {
  endedClean: false,
  endedMs: 4,
  open: sharded({ c1: changes['rename with all'], c2: changes['settings with all'] }),
  quarantine: { 'acme/a': 5 },
  failures: { c3: 6 },
  inDoubt: {
    c4: tried,
    c5: { ...tried, creates: true },
  },
  echoes: { 'acme/projectRoles': { member: 'visitor' } },
  storedNames: sharded({ 'acme/a': 'acme/A' }),
  baselines: sharded({ corp: 30 }),
  mappings: sharded({
    'acme/projectRoles': { ids: known({ 'acme/a': ['m1'] }) },
    'acme/workspaceRoles': { ids: emptySmallMap, unread: true },
  }),
  ownership: sharded({
    'acme/projectRoles': { keys: known(owned), begun: true },
    'acme/workspaceRoles': { begun: false, keys: emptySmallMap },
  }),
  recentWrites: recentWritesFrom([
    tried,
    { ...tried, atMs: 6, creates: true },
    { atMs: 7, deletes: true },
    { ...tried, atMs: 8, before: null, role: 'guest' as Role },
  ]),
  lastApplied: [
    { key: 'acme/b', before: null, declaration: 'd1', atMs: [1], shownFromMs: 3 },
    { shownFromMs: 3, atMs: [1, 2], declaration: 'd1', made: ['m1'], echoed: 'visitor', before: 'guest', role: 'member', key: 'acme/a' },
  ],
  seen: sharded({
    'acme/projectRoles': {
      fromMs: 1,
      readMs: 2,
      doubts: { 'acme/a': 3 },
      mappings: known({
        m1: { key: 'acme/a', role: 'guest', since: { by: 'program', atMs: 4 } },
        m2: { key: 'acme/b', role: 'guest', since: { by: 'program', atMs: 4 } },
        m3: { key: 'acme/c', role: null, since: { by: 'others', atMs: 6, afterMs: 5 }, hidden: { by: 'unknown', atMs: 7 } },
      }),
    },
  }),
  edits: [
    { by: 'others', atMs: 6, afterMs: 5, mapping: 'm3', key: 'acme/c', before: 'guest', after: null },
    { by: 'program', atMs: 4, mapping: 'm1', key: 'acme/a' },
  ],
  createsFromMs: 8,
  groupIds: sharded({ 'corp/a': '1' }),
  projectIds: sharded({ acme: { ENG: { 1: ['a'] } } }),
  meantGroups: sharded({ acme: meant }),
  service,
  unconfirmed: sharded({ 'beta team': true }),
  approvals: [approval, { ...approval, words }],
  told: [fact],
  lastCycle: { succeededMs: { acme: 0 }, workspaces: ['acme'], atMs: 9 },
}

/** Values that a field may have instead of its own. `undefined`: the field is absent. */
const others: readonly unknown[] = [undefined, null, 7, 'x', true, {}, [], [7], { x: 'x' }]

type At = readonly (string | number)[]
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The places of all values inside a value. */
const placesIn = (value: unknown, at: At = []): readonly At[] => [
  ...(at.length === 0 ? [] : [at]),
  ...(isObject(value) ? Object.keys(value).flatMap((name) => placesIn(value[name], [...at, name])) : []),
]

function withValue(value: unknown, [name = '', ...inside]: At, other: unknown): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
  copy[name] = inside.length === 0 ? other : withValue(copy[name], inside, other)
  return copy
}

const place = { file: 'journal-000001.jsonl', line: 3 }
const read = (text: string, tell: (name: string) => void) =>
  text.startsWith('{"format"') ? headLine(headFromLine(text, place, tell)) : again(entryFromLine(text, place, tell))
const again = (entry: ReturnType<typeof entryFromLine>) => ('unknownKind' in entry ? JSON.stringify(entry) : entryLine(entry))

/** What comes of the line: `=` it is read, `u` also fields are told, `k` its kind is not known, `d` it is damaged, `n` it is of a newer version. */
function comesOf(text: string): string {
  let told = false
  try {
    const line = read(text, () => void (told = true))
    return line.startsWith('{"unknownKind"') ? 'k' : told ? 'u' : '='
  } catch (error) {
    return (error as { readonly code: string }).code === 'JournalNewer' ? 'n' : 'd'
  }
}

/** For each value in a line, one letter for each of `others` in its place. */
const spoilt = (stored: unknown): string =>
  placesIn(stored)
    .map((at) => `${others.map((other) => comesOf(JSON.stringify(withValue(stored, at, other)))).join('')} ${at.join('.')}\n`)
    .join('')

const lines: readonly (readonly [string, string])[] = [
  ...Object.entries(entries).map(([name, entry]) => [name, entryLine(entry as unknown as Entry)] as const),
  ['empty memory', headLine(emptyMemory)],
  ['full memory', headLine(full as unknown as Memory)],
]

const folder = join(import.meta.dirname, '../../fixtures/journal-lines')

test('an approval of an older version, which carried a limit, is read without it', () => {
  const [, line] = lines.find(([name]) => name === 'approval with all') ?? ['', '']
  const stored = JSON.parse(line) as { approval: { words: Loose } }
  const older = JSON.stringify({
    ...stored,
    approval: { ...stored.approval, words: { ...stored.approval.words, limit: { guard: 'deletes', count: 3 } } },
  })
  expect(read(`${older}\n`, () => undefined)).toBe(line)
})

test('a change of an older version, which carried a number of people, is read without it', () => {
  const [, line] = lines.find(([name]) => name === 'intent: create with all') ?? ['', '']
  const stored = JSON.parse(line) as { change: Loose }
  const older = JSON.stringify({ ...stored, change: { ...stored.change, people: 3 } })
  expect(read(`${older}\n`, (name) => expect.unreachable(name))).toBe(line)
})

test('the lines of all kinds of entries, and of memories, are the recorded ones, byte for byte', async () => {
  await expect(lines.map(([, line]) => line).join('')).toMatchFileSnapshot(join(folder, 'lines.jsonl'))
})

describe('a line', () => {
  test.each(lines)('%s is read, and written again as it was', (_name, line) => {
    expect(read(line, (name) => expect.unreachable(name))).toBe(line)
  })
  test('with another value at any place is read, told or refused as it always was', async () => {
    const results = lines.map(([name, line]) => `# ${name}\n${spoilt(JSON.parse(line))}`).join('')
    await expect(results).toMatchFileSnapshot(join(folder, 'spoilt.txt'))
  })
})

describe('a line that is refused', () => {
  const line = (more: Loose) =>
    JSON.stringify({ ...(JSON.parse(entryLine(entries['intent: create'] as unknown as Entry)) as Loose), ...more })
  const error = (text: string) => {
    try {
      return read(text, () => undefined)
    } catch (thrown) {
      const { code, message } = thrown as { readonly code: string; readonly message: string }
      return `${code} ${message}`
    }
  }
  const cure = 'stop the program, then move all files of the folder away to begin a new journal (its first creates then wait)'
  const cureOfNewer =
    'start the newer version again; or stop the program, move all journal-*.jsonl out of this folder, keep the folder itself, and start (its first creates then wait)'
  test.each([
    [line({ atMs: 'x' }), `JournalDamaged journal-000001.jsonl:3: this line is no entry of a journal; ${cure}`],
    [line({ entry: 7 }), `JournalDamaged journal-000001.jsonl:3: this line is no entry of a journal; ${cure}`],
    ['7', `JournalDamaged journal-000001.jsonl:3: this line is no entry of a journal; ${cure}`],
    ['{"format":2,"memory":{"open":7}}', `JournalDamaged journal-000001.jsonl:3: this line is not the head of a journal; ${cure}`],
    [
      '{"format":2,"memory":{"rejections":{"c1":7}}}',
      `JournalDamaged journal-000001.jsonl:3: this line is not the head of a journal; ${cure}`,
    ],
    ['{"form', `JournalDamaged journal-000001.jsonl:3: this line is not JSON; ${cure}`],
    [
      line({ change: { ...changes.create, action: 'merge' } }),
      `JournalNewer journal-000001.jsonl:3: a newer version wrote this line; this version does not know the change "merge": ${cureOfNewer}`,
    ],
    [
      line({ change: { ...changes.create, target: { kind: 'module' } } }),
      `JournalNewer journal-000001.jsonl:3: a newer version wrote this line; this version does not know the target "module": ${cureOfNewer}`,
    ],
    [
      line({ entry: 'result', outcome: { is: 'later' } }),
      `JournalNewer journal-000001.jsonl:3: a newer version wrote this line; this version does not know the outcome "later": ${cureOfNewer}`,
    ],
  ])('%s says why', (text, expected) => expect(error(text)).toBe(expected))
})
