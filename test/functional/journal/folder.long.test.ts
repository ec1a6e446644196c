import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { recordOf } from '../../../src/core/memory/shardedMap.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { JournalInUse } from '../../../src/journal/lost.ts'
import { nothingPassedOver, passedOverFindings } from '../../../src/journal/passedOver.ts'
import { readMemory } from '../../../src/journal/readMemory.ts'
import { storedEntry, storedMemory } from '../../unit/journal/storedForms.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'journal-'))
})
afterEach(() => rm(root, { recursive: true }))

const processes = { pid: process.pid, isAlive: (pid: number) => pid === process.ppid }
const disk = realDisk(processes)
const options = { bytesMax: 1_000_000, filesMax: 3, unknownOutcomeWaitMs: 1_000, disk, now: Date.now }
const workspace = 'acme' as WorkspaceName
const create = (name: string) =>
  ({
    id: name,
    action: 'create',
    key: `acme/workspace/${name}`,
    group: name,
    target: { kind: 'workspace' },
    role: 'member',
    requires: [],
  }) as unknown as Change
const intent = (name: string): Entry => ({ atMs: 1, run: 'r', kind: 'intent', workspace, change: create(name), declaration: 'd' })
const done = (name: string): Entry => ({
  atMs: 2,
  run: 'r',
  kind: 'result',
  workspace,
  change: create(name),
  declaration: 'd',
  outcome: { kind: 'done' },
})
const start: Entry = { atMs: 0, run: 'r', kind: 'start', version: '1', command: 'run', waits: 'no', service: { host: 'h', slugs: {} } }
const end: Entry = { atMs: 9, run: 'r', kind: 'end' }
const lineOf = (entry: Entry): string => JSON.stringify(storedEntry(entry))

async function write(folder: string, ...entries: readonly Entry[]) {
  const journal = await openJournal(folder, options)
  for (const entry of entries) await journal.append(entry)
  await journal.close()
}
const memoryOf = async (folder: string) => (await readMemory(folder, disk, 1_000)).memory
const newest = async (folder: string) =>
  join(
    folder,
    (await readdir(folder))
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted()
      .at(-1) as string,
  )

describe('whether the process before is known to have left nothing on its way', () => {
  test('a folder that did not exist: nobody has written with it', async () => {
    await using journal = await disposable(join(root, 'new'))
    expect(journal.trusted).toBe(true)
  })
  test('a folder that was lost with the one that it was in, as where a volume is not mounted', async () => {
    await using journal = await disposable(join(root, 'mount', 'new'))
    expect(journal.trusted).toBe(false)
  })
  test('an empty folder that was there: something may have been in it', async () => {
    await mkdir(join(root, 'old'))
    await using journal = await disposable(join(root, 'old'))
    expect(journal.trusted).toBe(false)
  })
  test('also when somebody opened it since, and was killed before the first line', async () => {
    await mkdir(join(root, 'old'))
    await write(join(root, 'old'))
    await using journal = await disposable(join(root, 'old'))
    expect(journal.trusted).toBe(false)
  })
  test.each([
    ['an intent', [start, intent('a')], true],
    ['a result', [start, intent('a'), done('a')], true],
    ['an end', [start, intent('a'), done('a'), end], true],
  ])('%s at the end', async (_name, entries, expected) => {
    await write(join(root, 'j'), ...entries)
    await using journal = await disposable(join(root, 'j'))
    expect(journal.trusted).toBe(expected)
  })
})

test.each([
  ['they may be writes', [], false],
  ['they cannot be on their way after a clean end', [end], true],
])('a journal with entries of a newer version: %s', async (_name, last, expected) => {
  const folder = join(root, 'j')
  await write(folder, start)
  const lease = JSON.stringify({ atMs: 1, run: 'r', entry: 'lease', of: 'x' })
  await appendFile(await newest(folder), [lease, ...last.map(lineOf)].map((line) => `${line}\n`).join(''))
  await using journal = await disposable(folder)
  expect(journal.trusted).toBe(expected)
})

test('an entry of a newer version after a clean end may be a write', async () => {
  const folder = join(root, 'j')
  await write(folder, start, end)
  await appendFile(await newest(folder), `${JSON.stringify({ atMs: 1, run: 'r', entry: 'lease', of: 'x' })}\n`)
  await using journal = await disposable(folder)
  expect(journal.trusted).toBe(false)
})

test('a journal whose newest file was removed does not know all writes, though an older file is whole', async () => {
  const folder = join(root, 'j')
  const journal = await openJournal(folder, { ...options, bytesMax: 600 })
  for (let n = 0; n < 6; n++) for (const entry of [intent(`g${n}`), done(`g${n}`), end]) await journal.append(entry)
  await journal.close()
  expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(3)
  expect((await readMemory(folder, disk, 1_000)).memory.endedClean).toBe(true)
  await rm(await newest(folder))
  expect((await readMemory(folder, disk, 1_000)).memory.endedClean).toBe(false)
  await using again = await disposable(folder)
  expect(again.trusted).toBe(false)
})

test('who only looks judges a folder as who opens it', async () => {
  const endedClean = async (folder: string) => (await memoryOf(join(root, folder))).endedClean
  await mkdir(join(root, 'old'))
  expect([await endedClean('new'), await endedClean('old')]).toEqual([true, false])
  await write(join(root, 'new'), start, end)
  expect(await endedClean('new')).toBe(true)
})

test('a file with a number that no journal reaches is no file of the journal', async () => {
  const folder = join(root, 'state')
  await write(folder, start, intent('a'), end)
  await writeFile(join(folder, `journal-${'9'.repeat(21)}.jsonl`), 'not ours\n')
  await write(folder, start, intent('b'), end)
  expect(await readdir(folder)).toEqual(['journal-000001.jsonl', `journal-${'9'.repeat(21)}.jsonl`])
})

test('a torn last line is forgotten, and the next one begins anew', async () => {
  const folder = join(root, 'j')
  await write(folder, start, intent('a'))
  await appendFile(await newest(folder), '{"atMs":2,"run":"r","entry":"resu')
  await write(folder, done('a'), intent('b'))
  expect(Object.keys(storedMemory(await memoryOf(folder)).open)).toEqual(['b'])
})

test('a broken line elsewhere is told with its place, and nothing is made of the rest', async () => {
  const folder = join(root, 'j')
  await write(folder, start)
  const file = await newest(folder)
  await writeFile(file, `${await readFile(file, 'utf8')}garbage\n${lineOf(end)}\n`)
  await expect(openJournal(folder, options)).rejects.toThrow(`${file}:3: this line is not JSON`)
})

describe('a journal of another version', () => {
  const head = (format: unknown, memory: object = storedMemory(emptyMemory)) => JSON.stringify({ format, memory })
  async function folderOf(...lines: readonly string[]): Promise<{ readonly folder: string; readonly file: string }> {
    const folder = join(root, 'j')
    await mkdir(folder)
    const file = join(folder, 'journal-000003.jsonl')
    await writeFile(file, lines.map((line) => `${line}\n`).join(''))
    return { folder, file }
  }
  const size: Entry = { atMs: 1, run: 'r', kind: 'reading', of: 'corp', size: 7 }

  test('has entries of kinds that are not known here: they are passed over, and told', async () => {
    const unknown = ['lease', 'lease', 'toString'].map((entry) => JSON.stringify({ atMs: 1, run: 'r', entry, of: 'x' }))
    const { folder } = await folderOf(head(2), lineOf(start), ...unknown, lineOf(size))
    const { memory, passedOver } = await readMemory(folder, disk, 1_000)
    expect(storedMemory(memory).baselines).toEqual({ corp: 7 })
    expect(passedOverFindings(folder, passedOver)).toMatchObject([
      {
        place: folder,
        sentence: '2 × "lease" and 1 × "toString" in this journal: entries of a newer version, which this version ignores',
      },
    ])
    await using journal = await disposable(folder)
    expect(journal.passedOver).toEqual(passedOver)
    expect(passedOverFindings(folder, nothingPassedOver)).toEqual([])
  })
  test('has fields that are not known here: they are told, and the next file lacks those of the memory', async () => {
    const later = { ...storedEntry(end), unheardOf: { by: 'ann' } }
    const { folder, file } = await folderOf(head(2, { baselines: { corp: 4 }, pauses: {} }), lineOf(start), JSON.stringify(later))
    const { memory, passedOver } = await readMemory(folder, disk, 1_000)
    expect([recordOf(memory.baselines), memory.endedClean]).toEqual([{ corp: 4 }, true])
    expect(passedOverFindings(folder, passedOver).map(({ place }) => place)).toEqual([`${file}:1`, `${file}:3`])
    const journal = await openJournal(folder, { ...options, bytesMax: 1 })
    expect(journal.passedOver).toEqual(passedOver)
    await journal.append(size)
    await journal.close()
    expect(await readFile(file, 'utf8')).toContain('"pauses":{}')
    expect(await readFile(await newest(folder), 'utf8')).not.toContain('pauses')
    expect((await readMemory(folder, disk, 1_000)).passedOver).toEqual({ ...nothingPassedOver, file: await newest(folder) })
  })
  test('has an entry that only that version understands: it is refused, and not touched', async () => {
    const merge = { ...storedEntry(intent('a')), change: { ...create('a'), action: 'merge' } }
    const { folder, file } = await folderOf(head(2), lineOf(start), JSON.stringify(merge))
    const why = `${file}:3: a newer version wrote this line; this version does not know the change "merge": start the newer version again`
    await expect(openJournal(folder, options)).rejects.toThrow(why)
    expect(await readdir(folder)).toEqual(['journal-000003.jsonl'])
  })
  test.each([
    ['3', head(3), 'a newer version wrote this journal (format 3); this version reads format 2'],
    ['1', head(1), 'this line is not the head of a journal'],
    ['nothing', '{}', 'this line is not the head of a journal'],
    ['a list', '[]', 'this line is not the head of a journal'],
    ['null', 'null', 'this line is not the head of a journal'],
    ['no memory', head(2, null as unknown as object), 'this line is not the head of a journal'],
  ])('of format %s is refused, and not touched', async (_what, line, why) => {
    const { folder, file } = await folderOf(line)
    await expect(openJournal(folder, options)).rejects.toThrow(`${file}:1: ${why}`)
    expect(await readdir(folder)).toEqual(['journal-000003.jsonl'])
  })
  test.each(['5', 'null', '[]', '"x"', '{}', '{"entry":5}', '{"entry":"intent"}'])('with the line %s is damaged', async (line) => {
    const { folder, file } = await folderOf(head(2), lineOf(start), line)
    await expect(openJournal(folder, options)).rejects.toThrow(`${file}:3: this line is no entry of a journal; stop the program`)
  })
})

test('rotation keeps what matters, and few files', async () => {
  const folder = join(root, 'j')
  const journal = await openJournal(folder, { ...options, bytesMax: 2_000 })
  await journal.append(start)
  await journal.append({ atMs: 1, run: 'r', kind: 'reading', of: 'corp', size: 10 })
  for (let n = 0; n < 40; n++) {
    await journal.append(intent(`g${n}`))
    await journal.append(done(`g${n}`))
  }
  await journal.append(intent('last'))
  await journal.close()
  expect((await readdir(folder)).length).toBeLessThanOrEqual(3)
  const memory = storedMemory(await memoryOf(folder))
  expect(Object.keys(memory.open)).toEqual(['last'])
  expect(memory.baselines).toEqual({ corp: 10 })
})

test('a memory that is larger than a file may be does not make each entry a file', async () => {
  const folder = join(root, 'j')
  const journal = await openJournal(folder, { ...options, bytesMax: 2_000, filesMax: 100 })
  for (let n = 0; n < 100; n++) await journal.append({ atMs: 1, run: 'r', kind: 'reading', of: `workspace-${n}/workspaceRoles`, size: n })
  await journal.close()
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).length
  const before = await files()
  const again = await openJournal(folder, { ...options, bytesMax: 2_000, filesMax: 100 })
  for (let n = 0; n < 5; n++) await again.append(end)
  await again.close()
  expect([before, await files()]).toEqual([5, 5])
})

test('the name of a new file is durable before anything is written to it, and so is the folder', async () => {
  const [folder, steps]: [string, string[]] = [join(root, 'a', 'j'), []]
  const told: typeof disk = {
    ...disk,
    rename: (from, to) => disk.rename(from, to).finally(() => steps.push(`rename ${to.slice(root.length)}`)),
    syncFolder: (path) => disk.syncFolder(path).finally(() => steps.push(`sync ${path.slice(root.length)}`)),
  }
  await (await openJournal(folder, { ...options, disk: told })).close()
  expect(steps).toEqual(['sync /a', 'sync ', 'rename /a/j/journal-000001.jsonl', 'sync /a/j'])
})

describe('one writer at a time', () => {
  test('a living process keeps another out, and leaves nothing behind', async () => {
    const folder = join(root, 'j')
    const holder = { token: 'x', pid: process.ppid, host: (await import('node:os')).hostname(), sinceMs: 0 }
    await mkdir(folder)
    await writeFile(join(folder, 'lock'), JSON.stringify(holder))
    await expect(openJournal(folder, options)).rejects.toThrow(JournalInUse)
    expect(await readdir(folder)).toEqual(['lock'])
  })
  test('the lock of a process that is gone is taken over at once', async () => {
    const folder = join(root, 'j')
    await mkdir(folder)
    await writeFile(
      join(folder, 'lock'),
      JSON.stringify({ token: 'x', pid: 2 ** 22 + 1, host: (await import('node:os')).hostname(), sinceMs: 0 }),
    )
    await write(folder, end)
    expect((await readdir(folder)).filter((name) => name.startsWith('lock'))).toEqual([])
  })
  test('of many that find a dead lock, one gets it', async () => {
    const folder = join(root, 'j')
    await mkdir(folder)
    await writeFile(
      join(folder, 'lock'),
      JSON.stringify({ token: 'x', pid: 2 ** 22 + 1, host: (await import('node:os')).hostname(), sinceMs: 0 }),
    )
    const { lock } = await import('../../../src/journal/lock.ts')
    // This clock runs so fast that the losers give up at once. With a real clock each loser would watch the winner's lock for 25 s.
    let ms = 0
    const hurried = () => (ms += 100_000)
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => lock(join(folder, 'lock'), processes, Date.now, hurried)))
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    for (const one of all) if (one.status === 'fulfilled') await one.value.unlock()
  })
})

test('who lost the journal to another writes nothing over it, and leaves it the lock', async () => {
  const folder = join(root, 'j')
  const journal = await openJournal(folder, options)
  await journal.append(start)
  const [file, before] = [await newest(folder), await readFile(await newest(folder), 'utf8')]
  // The state after a pause of 20 s: another process has taken the lock.
  const other = JSON.stringify({ token: 'y', pid: 7, host: 'elsewhere', sinceMs: 0 })
  await writeFile(join(folder, 'lock'), other)
  await expect(journal.append(intent('a'))).rejects.toThrow(JournalInUse)
  await expect(journal.append(done('b'))).rejects.toThrow('taken over while this process stood still: process 7 on elsewhere has held')
  await expect(journal.check()).rejects.toThrow(JournalInUse)
  // This process still remembers its own result.
  expect(journal.memory().lastApplied.map(({ key }) => key)).toEqual(['acme/workspace/b'])
  await journal.close()
  expect([await readFile(file, 'utf8'), await readFile(join(folder, 'lock'), 'utf8')]).toEqual([before, other])
})

test('after a pause so long that another may have taken the journal, nothing may be sent until it was looked at', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await using journal = await disposable(join(root, 'j'))
    expect(journal.hasLock()).toBe(true)
    vi.setSystemTime(Date.now() + 20_001)
    expect(journal.hasLock()).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

async function disposable(folder: string) {
  const journal = await openJournal(folder, options)
  return { ...journal, [Symbol.asyncDispose]: journal.close }
}

test('what comes while the disk is busy is written together, in order, and made durable once', async () => {
  const folder = join(root, 'j')
  let syncs = 0
  const counting: typeof disk = {
    ...disk,
    async open(...args) {
      const file = await disk.open(...args)
      return Object.assign(Object.create(file) as typeof file, {
        ...{
          write: file.write.bind(file),
          placeAt: file.placeAt.bind(file),
          close: file.close.bind(file),
          truncate: file.truncate.bind(file),
        },
        async datasync() {
          syncs++
          await file.datasync()
        },
      })
    },
  }
  const journal = await openJournal(folder, { ...options, disk: counting })
  const before = syncs
  const names = Array.from({ length: 50 }, (_, n) => `g${n}`)
  await Promise.all(names.map((name) => journal.append(intent(name))))
  expect(syncs - before).toBe(1)
  await journal.close()
  const lines = (await readFile(await newest(folder), 'utf8')).split('\n').slice(1, -1)
  expect(lines.map((line) => (JSON.parse(line) as { change: { id: string } }).change.id)).toEqual(names)
})

describe('a disk that refuses something', () => {
  type Refuses = { room: number; datasync: boolean; syncFolder: boolean; truncate: boolean }
  const nothing = (): Refuses => ({ room: Number.POSITIVE_INFINITY, datasync: false, syncFolder: false, truncate: false })
  const full = () => Object.assign(new Error('no space'), { code: 'ENOSPC' })
  /** A disk with `room` bytes left. It writes as many bytes as there is room for, then it fails. */
  const refusing = (refuses: Refuses): typeof disk => ({
    ...disk,
    async syncFolder(path) {
      if (refuses.syncFolder) throw full()
      await disk.syncFolder(path)
    },
    async open(...args) {
      const file = await disk.open(...args)
      return {
        async write(bytes, offset, length, position) {
          if (refuses.room <= 0) throw full()
          const part = Math.min(length, refuses.room)
          refuses.room -= part
          return file.write(bytes, offset, part, position)
        },
        async datasync() {
          if (refuses.datasync) throw full()
          await file.datasync()
        },
        async truncate(length) {
          if (refuses.truncate) throw full()
          await file.truncate(length)
        },
        placeAt: (path) => file.placeAt(path),
        close: () => file.close(),
      }
    },
  })
  const reading = (of: string): Entry => ({ atMs: 1, run: 'r', kind: 'reading', of, size: 1 })
  const approval: Entry = {
    atMs: 1,
    run: 'r',
    kind: 'approval',
    approval: { name: 'a'.repeat(32), workspace, passes: ['x'], by: 'ann', account: 'ann', reason: 'r', fromMs: 1, untilMs: 2 },
  }
  const linesOf = async (folder: string) => (await readFile(await newest(folder), 'utf8')).split('\n').slice(1)
  const open = (folder: string, refuses: Refuses, more = {}) => openJournal(folder, { ...options, disk: refusing(refuses), ...more })

  test('what it wrote of several entries is no part of what comes after it', async () => {
    const [folder, refuses] = [join(root, 'j'), nothing()]
    const journal = await open(folder, refuses)
    await journal.append(start)
    refuses.room = 250
    const together = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((name) => journal.append(intent(name))))
    expect(together.map(({ status }) => status)).toEqual(together.map(() => 'rejected'))
    refuses.room = Number.POSITIVE_INFINITY
    refuses.truncate = true
    await expect(journal.append(end)).rejects.toThrow('ENOSPC')
    refuses.truncate = false
    await journal.append(end)
    await journal.close()
    expect(await linesOf(folder)).toEqual([...[start, end].map(lineOf), ''])
    await using again = await disposable(folder)
    expect(again.trusted).toBe(true)
  })

  test('what happened meanwhile is in the next file that it takes', async () => {
    const [folder, refuses] = [join(root, 'j'), nothing()]
    const journal = await open(folder, refuses, { now: () => 10 })
    await journal.append(start)
    refuses.room = 0
    for (const entry of [reading('a'), done('b')]) await expect(journal.append(entry)).rejects.toThrow('ENOSPC')
    refuses.room = Number.POSITIVE_INFINITY
    await journal.append(end)
    await journal.close()
    const memory = storedMemory(await memoryOf(folder))
    expect([Object.keys(memory.baselines), memory.written.map(({ key }) => key)]).toEqual([['a'], ['acme/workspace/b']])
  })

  test.each([
    ['cannot make durable', 'datasync', Number.POSITIVE_INFINITY],
    ['cannot write whole', 'room', 700],
  ] as const)('an approval that it %s, with what comes with it, counts for no later process', async (_what, how, room) => {
    const [folder, refuses] = [join(root, 'j'), nothing()]
    const journal = await open(folder, refuses)
    await journal.append(start)
    await journal.append(end)
    if (how === 'datasync') refuses.datasync = true
    else refuses.room = room
    const both = [journal.append(approval), journal.append(reading('x'.repeat(1_000)))]
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(journal.memory().approvals).toEqual([])
    await journal.close()
    expect((await memoryOf(folder)).approvals).toEqual([])
  })

  test('what it did not make durable is not built on: a new file begins with all that is known', async () => {
    const [folder, refuses] = [join(root, 'j'), nothing()]
    const journal = await open(folder, refuses, { now: () => 10 })
    await journal.append(start)
    await journal.append(intent('a'))
    refuses.datasync = true
    await Promise.allSettled([journal.append(done('a')), journal.append(intent('b'))])
    await expect(journal.append(intent('c'))).rejects.toThrow('ENOSPC')
    refuses.datasync = false
    await journal.append(intent('d'))
    await journal.close()
    expect((await readdir(folder)).toSorted()).toEqual(['journal-000001.jsonl', 'journal-000002.jsonl'])
    const [only = '', ...none] = await linesOf(folder)
    expect([only, ...none]).toEqual([lineOf(intent('d')), ''])
    const memory = storedMemory(await memoryOf(folder))
    expect([Object.keys(memory.open), memory.written.map(({ key }) => key)]).toEqual([['d'], ['acme/workspace/a']])
  })

  test('a new file that may have its name is not left behind by what is written to the old one', async () => {
    const [folder, refuses] = [join(root, 'j'), nothing()]
    const journal = await open(folder, refuses, { bytesMax: 600 })
    await journal.append(start)
    await journal.append(intent('a'))
    refuses.syncFolder = true
    await expect(journal.append(reading('x'.repeat(500)))).rejects.toThrow('ENOSPC')
    refuses.syncFolder = false
    await journal.append(reading('short'))
    await journal.close()
    expect(Object.keys(storedMemory(await memoryOf(folder)).baselines)).toEqual(['x'.repeat(500), 'short'])
  })
})
