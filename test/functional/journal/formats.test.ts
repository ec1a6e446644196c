import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { recentWritesOf } from '../../../src/core/memory/recentWrites.ts'
import { at, recordOf } from '../../../src/core/memory/shardedMap.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { nothingPassedOver } from '../../../src/journal/passedOver.ts'
import { readMemory } from '../../../src/journal/readMemory.ts'
import {
  entryFromStored,
  memoryFromStored,
  type StoredEntry,
  type StoredMemory,
  storedEntry,
  storedMemory,
} from '../../unit/journal/storedForms.ts'

const disk = realDisk({ pid: process.pid, isAlive: () => false })
const waitMs = 120_000
const written = join(import.meta.dirname, '../../fixtures/journal-format-2')
const linesOf = (file: 1 | 2) =>
  readFileSync(join(written, `journal-00000${file}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
const memoryNow = async () => (await readMemory(written, disk, waitMs)).memory
const unreachable = (name: string) => expect.unreachable(`${name} is not known`)

/** The number of members of its group, which changes no longer have. */
const people = /,\s*"people":\s*\d+(?=,\s*"action")/g

/** The memory that the writing version of the program read from this folder. */
const rememberedThen = async () => JSON.parse((await readFile(join(written, 'memory.json'), 'utf8')).replace(people, '')) as StoredMemory

/** Since then the memory has the ids of mappings, and writes no longer change the sizes of Plane's lists, which nothing reads any more. */
const sinceIds = {
  baselines: { corp: 30, 'acme/workspaceRoles': 10, 'acme/projectRoles': 20 },
  mappings: {
    'acme/projectRoles': {
      ids: {
        'acme/allProjects/b-RENAME': ['b-done-m2'],
        'acme/project/ENG/b-AFTER': ['n2'],
        'acme/project/ENG/b-done-create': ['n1'],
      },
    },
    'acme/workspaceRoles': { ids: { 'acme/workspace/b-done-patch': ['b-done-m1'] } },
  },
  // Under `sync` none of them is ours before the first cycle of the present program, whatever older lines say.
  ownership: {
    'acme/projectRoles': {
      begun: false,
      keys: [
        {
          how: 'made',
          file: '/etc/plane-group-sync/declaration.yaml',
          mappings: { 'acme/project/ENG/b-AFTER': ['n2', 'guest'], 'acme/project/ENG/b-done-create': ['n1', 'visitor'] },
        },
        {
          how: 'intended',
          file: '/etc/plane-group-sync/declaration.yaml',
          mappings: {
            'acme/project/ENG/b-lost-after': ['', 'guest'],
            'acme/project/ENG/b-lost-create': ['', 'member'],
            'acme/project/ENG/b-open-after': ['', 'guest'],
            'acme/project/ENG/b-open-create': ['', 'member'],
          },
        },
      ],
    },
  },
}

/** The memory of the present program also has the ids of the mappings that creates made. The journal always had the results of these creates. */
const madeThen: Readonly<Record<string, string>> = { 'acme/project/ENG/b-done-create': 'n1', 'acme/project/ENG/b-AFTER': 'n2' }
const withMade = (then: StoredMemory): StoredMemory => ({
  ...then,
  written: then.written.map((one) => (madeThen[one.key] === undefined ? one : { ...one, made: [madeThen[one.key]] as string[] })),
})

/**
 * Mappings whose last write has no known outcome. The present program has their ids in quarantine beside their keys. The journal always had the ids in
 * its intents and results.
 */
const inQuarantine = ['a-open-m1', 'a-open-m2', 'a-open-m3', 'b-done-m1', 'b-lost-m1', 'b-lost-m3']
function withMappings(then: StoredMemory): StoredMemory {
  const untilMs = Math.max(...Object.values(then.quarantine))
  return { ...then, quarantine: { ...then.quarantine, ...Object.fromEntries(inQuarantine.map((id) => [id, untilMs])) } }
}

/** Older programs held changes that had failed, for up to an hour. The present program only knows when they failed. */
function withoutPauses(memory: StoredMemory): StoredMemory {
  const { rejections: _, undecided, ...rest } = memory
  const tries = Object.entries(undecided as Record<string, Record<string, unknown>>).map(([id, { atMs, deletes, creates }]) => [
    id,
    JSON.parse(JSON.stringify({ atMs, deletes, creates })) as object,
  ])
  return { ...rest, undecided: Object.fromEntries(tries) as typeof undecided }
}

/** The present program also knows the roles before and after a write, and why its rule stands in the file. The journal always had them. */
function withoutRoles({ revisions, undecided, written, ...rest }: StoredMemory) {
  const plain = <T extends object>(one: T) => ({ ...one, before: undefined, role: undefined })
  return {
    ...rest,
    revisions: (revisions as readonly object[]).map(plain),
    undecided: Object.fromEntries(Object.entries(undecided as object).map(([id, one]) => [id, plain(one as object)])),
    written: written.map((one) => ({ ...one, before: undefined, reason: undefined })),
  }
}

describe('a journal of format 2 with every field', () => {
  test('is read, and gives the memory that it gave the program which wrote it', async () => {
    const then = { ...withoutPauses(withMappings(withMade(await rememberedThen()))), refusals: expect.any(Object) as object }
    const { memory, passedOver } = await readMemory(written, disk, waitMs)
    const now = withoutRoles(storedMemory(memory))
    expect(JSON.parse(JSON.stringify(now))).toEqual({ ...then, ...sinceIds })
    const patched = memory.lastApplied.find(({ key }) => key.endsWith('b-done-patch'))
    expect(patched).toMatchObject({ before: 'member', role: 'guest' })
    expect(passedOver).toEqual({ ...nothingPassedOver, file: join(written, 'journal-000002.jsonl') })
  })

  test('begins its second file with a memory that leaves nothing out', () => {
    const [head = ''] = linesOf(2)
    const { memory } = JSON.parse(head) as { memory: StoredMemory }
    const stored = storedMemory(memoryFromStored(memory, unreachable))
    expect(JSON.parse(JSON.stringify(stored))).toEqual(
      withoutPauses((JSON.parse(head.replace(people, '')) as { memory: StoredMemory }).memory),
    )
    const empty = Object.entries(stored).filter(([, value]) => typeof value === 'object' && Object.keys(value as object).length === 0)
    expect(empty).toEqual([])
  })

  test('has entries that are written again byte for byte', () => {
    const lines = ([1, 2] as const).flatMap((file) => linesOf(file).slice(1))
    const again = lines.map((line) => JSON.stringify(storedEntry(entryFromStored(JSON.parse(line) as StoredEntry, unreachable))))
    expect(again).toEqual(lines.map((line) => line.replace(people, '')))
    const kinds = new Set(lines.map((line) => (JSON.parse(line) as StoredEntry).entry))
    expect([...kinds].toSorted()).toEqual(
      ['end', 'groups', 'intent', 'projects', 'service', 'reading', 'result', 'start', 'waiver'].toSorted(),
    )
  })

  test('goes on in a copy of the folder, with the same memory in the next file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'journal-'))
    try {
      await cp(written, folder, { recursive: true })
      const options = { bytesMax: 1, filesMax: 9, unknownOutcomeWaitMs: waitMs, disk, now: () => Date.UTC(2026, 0, 5, 8, 2) }
      const journal = await openJournal(folder, options)
      await journal.append({ atMs: options.now(), run: 'r', kind: 'reading', of: 'corp', size: 31 })
      await journal.close()
      const { memory } = await readMemory(folder, disk, waitMs)
      const before = await memoryNow()
      expect(storedMemory(memory)).toEqual({ ...storedMemory(before), baselines: { ...recordOf(before.baselines), corp: 31 } })
      expect(await readdir(folder)).toContain('journal-000003.jsonl')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('means what it meant', async () => {
    const memory = await memoryNow()
    const declaration = 'abcd0ee1fc2cdf511d8a85bd020c5f2f18468d6c442f5506fec7d859b8fea335'
    const firstMs = 1_767_600_010_000
    const startMs = 1_767_600_074_140
    const untilMs = startMs + waitMs
    expect(memory).toMatchObject({ endedClean: false, endedMs: startMs - 1_000, createsFromMs: untilMs })
    expect(memory.service).toEqual({ host: 'plane.example.com', slugs: { acme: 'acme', 'beta team': 'beta-1' } })
    expect(memory.quarantine).toMatchObject({
      'acme/workspace/a-done-patch': untilMs,
      'acme/project/OPS/b-lost-delete': untilMs,
      'acme/allProjects/a-open-old': untilMs,
      'acme/groupSync': untilMs,
    })
    expect(Object.values(memory.failures)[0]).toBe(startMs - 12_000)
    const inDoubt = Object.values(memory.inDoubt)
    expect(inDoubt.at(-1)).toEqual({ atMs: startMs - 2_000, deletes: false, creates: true })
    expect(memory.echoes).toEqual({ 'acme/projectRoles': { member: 'visitor' } })
    expect(at(memory.storedNames, 'acme/project/ENG/b-done-after')).toBe('acme/project/ENG/b-AFTER')
    expect(recordOf(memory.baselines)).toEqual(sinceIds.baselines)
    const [created, patched, , deleted] = recentWritesOf(memory.recentWrites)
    expect([created, patched, deleted]).toMatchObject([{ deletes: false, creates: true }, { deletes: false }, { deletes: true }])
    expect(recentWritesOf(memory.recentWrites)).toHaveLength(16)
    expect(memory.lastApplied.map(({ key }) => key).slice(0, 4)).toEqual([
      'acme/project/ENG/a-done-create',
      'acme/workspace/a-done-patch',
      'acme/allProjects/a-RENAME',
      'acme/allProjects/a-done-old',
    ])
    expect(memory.lastApplied[0]).toEqual({
      key: 'acme/project/ENG/a-done-create',
      role: 'member',
      echoed: 'visitor',
      declaration,
      atMs: [firstMs],
      shownFromMs: untilMs,
    })
    expect(recordOf(memory.groupIds)).toEqual({
      'corp/a-create': 'a-0f1e',
      'corp/a-patch': 'a-2d3c',
      'corp/b-create': 'b-0f1e',
      'corp/b-patch': 'b-2d3c',
    })
    expect(at(memory.projectIds, 'acme')).toEqual({
      ENG: { 'b7c1a0de-0001': ['00aa11bb22cc33dd', '44ee55ff66007711'] },
      OPS: { 'b7c1a0de-0002': ['8899aabbccddeeff'], 'b7c1a0de-0003': ['0123456789abcdef'] },
      OLDB: { 'b7c1a0de-0004': ['fedcba9876543210'] },
    })
    const open = Object.values<Change>(recordOf(memory.open))
    expect(open.map(({ key, action }) => `${action} ${key}`).toSorted()).toEqual([
      'create acme/project/ENG/b-open-after',
      'create acme/project/ENG/b-open-create',
      'delete acme/project/OPS/b-open-delete',
      'patch acme/workspace/b-open-patch',
      'rename acme/allProjects/b-open-rename',
      'settings acme/groupSync',
      'settings acme/groupSync',
    ])
    const create = open.find(({ key }) => key === 'acme/project/ENG/b-open-create')
    expect(create).toEqual({
      id: '77c739b14ac7824f7506edd5338fa9c5',
      action: 'create',
      key: 'acme/project/ENG/b-open-create',
      group: 'b-open-create',
      target: { kind: 'project', project: 'ENG' },
      role: 'member',
      allowProtected: true,
      because: {
        at: { file: '/etc/plane-group-sync/declaration.yaml', line: 12, column: 7 },
        owner: 'team-platform',
        reason: 'audit 2026',
        directory: 'corp',
      },
      requires: [],
    })
    expect(open.find(({ action }) => action === 'rename')).toMatchObject({
      mapping: 'b-open-m2',
      from: 'acme/allProjects/b-open-old',
      fromGroup: 'b-open-old',
      before: 'guest',
    })
    expect(open.find(({ action }) => action === 'delete')).toMatchObject({ mapping: 'b-open-m3', before: 'member', why: 'removed' })
  })
})

test('the memory of format 2 is written again byte for byte', () => {
  for (const file of [1, 2] as const) {
    const [head = ''] = linesOf(file)
    const { format, memory } = JSON.parse(head) as { format: number; memory: StoredMemory }
    const again = JSON.stringify({ format, memory: storedMemory(memoryFromStored(memory, unreachable)) })
    const pauses = /,"times":\d+,"why":"[^"]*","againFromMs":\d+,"declaration":"[^"]*"(?=\})/g
    expect(again).toBe(
      head
        .replace(/"rejections":\{.*?\},(?="undecided")/, '')
        .replace(pauses, '')
        .replace(people, ''),
    )
  }
})
