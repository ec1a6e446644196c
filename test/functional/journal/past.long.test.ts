import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Key, MappingId, Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import type { SeenReading } from '../../../src/core/memory/seen.ts'
import { at, recordOf } from '../../../src/core/memory/shardedMap.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { readPast } from '../../../src/journal/past.ts'
import { acme, changeOf } from '../../unit/core/smallWorld.ts'

const disk = realDisk({ pid: process.pid, isAlive: (pid) => pid === process.pid })
const waitMs = 100
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plane-group-sync-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const keyOf = (group: string) => `acme/project/ENG/${group}` as Key
const seen = (atMs: number, mappings: Readonly<Record<string, string>>, more: Partial<SeenReading> = {}): Entry => ({
  ...{ kind: 'seen', run: 'r', atMs, workspace: acme, list: 'projectRoles', readMs: atMs - 1 },
  mappings: Object.fromEntries(
    Object.entries(mappings).map(([id, text]) => [
      id as MappingId,
      { key: keyOf(text.split(' ')[0] ?? ''), role: text.split(' ')[1] as Role },
    ]),
  ),
  ...more,
})
const raise = { ...changeOf('patch ENG a: guest → member'), mapping: 'm1' } as ReturnType<typeof changeOf>
const result = (atMs: number, outcome: Outcome = { kind: 'done' }): Entry => ({
  ...{ kind: 'result', run: 'r', atMs, workspace: acme, change: raise, declaration: 'd', outcome },
})

async function write(entries: readonly Entry[], bytesMax = 1_000_000) {
  const journal = await openJournal(folder, { bytesMax, filesMax: 100, unknownOutcomeWaitMs: waitMs, disk, now: () => 10 })
  for (const entry of entries) await journal.append(entry)
  await journal.close()
}
async function past(atMs: number) {
  const known = await readPast(folder, disk, atMs, waitMs, new AbortController().signal)
  if (known.memory === undefined) return known
  const list = at(known.memory.seen, 'acme/projectRoles')
  const mappings = Object.entries(list === undefined ? {} : recordOf(list.mappings)).map(
    ([id, { key, role }]) => `${id} ${key.split('/').at(-1)} ${role}`,
  )
  return { mappings: mappings.toSorted(), unsure: Object.fromEntries(known.unsure) }
}

const history = [
  seen(10, { m1: 'a guest' }, { first: true }),
  seen(20, { m2: 'b admin' }, { afterMs: 15 }),
  result(30),
  seen(200, { m1: 'a admin', m3: 'c guest' }, { afterMs: 150, gone: ['m2' as MappingId] }),
]

describe.each([
  ['in one file', 1_000_000],
  ['in a file for each entry', 10],
])('a past moment, %s', (_, bytesMax) => {
  test('before the first entry is not known', async () => {
    await write(history, bytesMax)
    expect(await past(9)).toEqual({ fromMs: 10 })
  })
  test.each([
    [10, ['m1 a guest'], {}],
    [16, ['m1 a guest'], { m2: { afterMs: 15, atMs: 20, key: keyOf('b'), role: 'admin', isNew: true } }],
    [20, ['m1 a guest', 'm2 b admin'], {}],
    [30, ['m1 a member', 'm2 b admin'], {}],
    [
      160,
      ['m1 a member', 'm2 b admin'],
      {
        m1: { afterMs: 150, atMs: 200, key: keyOf('a'), role: 'admin' },
        m2: { afterMs: 150, atMs: 200 },
        m3: { afterMs: 150, atMs: 200, key: keyOf('c'), role: 'guest', isNew: true },
      },
    ],
    [Number.POSITIVE_INFINITY, ['m1 a admin', 'm3 c guest'], {}],
  ])('%d', async (atMs, mappings, unsure) => {
    await write(history, bytesMax)
    expect(await past(atMs)).toEqual({ mappings, unsure })
  })
})

test('a write that found another role tells that others changed it before', async () => {
  await write([seen(10, { m1: 'a admin' }, { first: true }), result(50)])
  expect(await past(20)).toEqual({
    mappings: ['m1 a admin'],
    unsure: { m1: { afterMs: 9, atMs: 50, key: keyOf('a'), role: 'guest' } },
  })
})

test('what a full disk has not taken is told by the head of the next file', async () => {
  let isFull = false
  const full: typeof disk = {
    ...disk,
    async open(path, ...rest) {
      const file = await disk.open(path, ...rest)
      return {
        ...file,
        write: async (...args: Parameters<typeof file.write>) => {
          if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
          return file.write(...args)
        },
      }
    },
  }
  const journal = await openJournal(folder, { bytesMax: 1_000_000, filesMax: 100, unknownOutcomeWaitMs: waitMs, disk: full, now: () => 0 })
  await journal.append(seen(10, { m1: 'a guest' }, { first: true }))
  isFull = true
  await expect(journal.append(seen(20, { m1: 'a admin' }, { afterMs: 15 }))).rejects.toThrow()
  isFull = false
  await journal.append({ kind: 'end', run: 'r', atMs: 40 })
  await journal.close()
  expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(2)
  expect(await past(17)).toEqual({ mappings: ['m1 a guest'], unsure: { m1: { afterMs: 15, atMs: 20, key: keyOf('a'), role: 'admin' } } })
})

describe('who agreed', () => {
  const passes = { workspace: acme, fingerprint: 'f', passes: [raise.id], by: 'Ana', source: '--allow' } as const
  const waiver: Entry = { kind: 'waiver', run: 'r', atMs: 20, ...passes }
  const failed = result(30, { kind: 'notSent', why: 'no' })
  const writtenBy = async (atMs: number) => {
    const known = await readPast(folder, disk, atMs, waitMs, new AbortController().signal)
    return known.memory === undefined ? undefined : known.written.get(keyOf('a'))
  }
  test.each([
    ['in one file', 1_000_000],
    ['in a file for each entry', 10],
  ])('to a write that failed says nothing of the write of a later cycle, %s', async (_, bytesMax) => {
    const end: Entry = { kind: 'end', run: 'r', atMs: 40 }
    await write([seen(10, { m1: 'a guest' }, { first: true }), waiver, failed, end, result(50), seen(60, {})], bytesMax)
    expect((await writtenBy(70))?.agreements).toEqual([])
  })
  test('is known of a write in an older file', async () => {
    await write([seen(10, { m1: 'a guest' }, { first: true }), waiver, result(30), seen(60, {})], 10)
    expect((await writtenBy(70))?.agreements).toEqual([{ by: 'Ana', source: '--allow', atMs: 20 }])
  })
  test('the oldest file knows the commit that a deleted one said', async () => {
    const revision = { kind: 'commit', id: 'a'.repeat(40) } as const
    const said: Entry = { kind: 'declaration', run: 'r', atMs: 10, hash: 'd', revision }
    await write([said, seen(15, { m1: 'a guest' }, { first: true }), result(30), seen(60, {})], 10)
    const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted()
    const texts = await Promise.all(files.map(async (name) => readFile(join(folder, name), 'utf8')))
    const deleted = files.slice(0, texts.findIndex((text) => text.includes('"entry":"declaration"')) + 1)
    expect(deleted.length).toBeGreaterThan(0)
    await Promise.all(deleted.map(async (name) => rm(join(folder, name))))
    expect((await writtenBy(70))?.revision).toEqual(revision)
  })
})

test('an empty folder knows nothing', async () => expect(await past(10)).toEqual({}))
