import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { isLost, JournalLost } from '../../../src/journal/lost.ts'
import { acme, changeOf } from '../../unit/core/smallWorld.ts'

const disk = realDisk({ pid: process.pid, isAlive: (pid) => pid === process.pid })
const options = { bytesMax: 1_000_000, filesMax: 3, unknownOutcomeWaitMs: 1_000, disk, now: Date.now }
const about = { atMs: 1, run: 'r', workspace: acme, change: changeOf('create ENG a = member'), declaration: 'd' }
const intent: Entry = { ...about, kind: 'intent' }
const done: Entry = { ...about, kind: 'result', outcome: { kind: 'done' } }

let [root, folder]: [string, string] = ['', '']
let journal: Journal
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lost-'))
  folder = join(root, 'state')
  journal = await openJournal(folder, options)
  await journal.append(intent)
  await journal.append(done)
})
afterEach(async () => {
  await journal.close()
  await rm(root, { recursive: true })
})

/** Replaces a file or folder by its copy, as a backup tool or a person may do while the program runs. */
const replaceByCopy = async (path: string) => {
  await cp(path, `${path}.copy`, { recursive: true, preserveTimestamps: true })
  await rm(path, { recursive: true })
  await rename(`${path}.copy`, path)
}
const file = () => join(folder, 'journal-000001.jsonl')
const cases: readonly (readonly [string, () => Promise<unknown>, string, string])[] = [
  [
    'its folder is replaced by a copy',
    () => replaceByCopy(folder),
    'state/lock: another file has this name now',
    'move all journal-*.jsonl out of the folder',
  ],
  [
    'its file is replaced by a copy',
    () => replaceByCopy(file()),
    '000001.jsonl: another file has this name now',
    'move all journal-*.jsonl out of the folder',
  ],
  ['its file is removed', () => rm(file()), '000001.jsonl: this file of the journal was removed', 'its first creates wait'],
  [
    'its lock is replaced by a copy',
    () => replaceByCopy(join(folder, 'lock')),
    'lock: another file has this name now',
    'first creates wait',
  ],
  [
    'its lock is removed',
    () => rm(join(folder, 'lock')),
    'state/lock: the lock of the journal was removed',
    'do not remove a lock while a process runs',
  ],
  [
    'its folder is removed',
    () => rm(folder, { recursive: true }),
    'state: the folder of the journal was removed',
    'its first creates wait',
  ],
  [
    'its folder is moved away',
    () => rename(folder, join(root, 'moved')),
    'state: the folder of the journal was removed',
    'first creates wait',
  ],
]

describe.each(cases)('a journal of which %s', (_what, change, sentence, cure) => {
  test('takes no entry, for ever, and says what happened', async () => {
    await change()
    for (const entry of [intent, done, intent]) {
      const error = await journal.append(entry).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(JournalLost)
      expect(error).toMatchObject({ message: expect.stringContaining(sentence), cure: expect.stringContaining(cure) })
      expect(isLost(error)).toBe(true)
    }
    await expect(journal.check()).rejects.toBeInstanceOf(JournalLost)
  })
})

test('an intent is not taken if its file is replaced while it is written', async () => {
  const folder = join(root, 'other')
  const swapping: typeof disk = {
    ...disk,
    async open(...args) {
      const opened = await disk.open(...args)
      const datasync = async () => {
        await opened.datasync()
        if (args[1] === 'r+') await replaceByCopy(join(folder, 'journal-000001.jsonl'))
      }
      const { write, truncate, close, placeAt } = opened
      return { write, truncate, close, placeAt, datasync }
    },
  }
  const other = await openJournal(folder, { ...options, disk: swapping })
  await expect(other.append(intent)).rejects.toBeInstanceOf(JournalLost)
  await other.close()
})

test('on a file system that numbers files anew each time, only a missing file is noticed', async () => {
  const folder = join(root, 'other')
  const unsteady: typeof disk = {
    ...disk,
    async open(...args) {
      const { write, truncate, close, datasync, placeAt } = await disk.open(...args)
      return { write, truncate, close, datasync, placeAt: async (path) => ((await placeAt(path)) === 'same' ? 'other' : 'missing') }
    },
  }
  const other = await openJournal(folder, { ...options, disk: unsteady })
  await other.append(intent)
  await rm(join(folder, 'journal-000001.jsonl'))
  await expect(other.append(done)).rejects.toThrow('was removed')
  await other.close()
})

test('after its folder was removed, the next start finds an empty one, and waits', async () => {
  await rm(folder, { recursive: true })
  await journal.close()
  expect(await readdir(folder)).toEqual([])
  journal = await openJournal(folder, options)
  expect(journal.trusted).toBe(false)
})
