import { mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Disk, realDisk } from '../../../src/journal/disk.ts'
import { whyUnwritable } from '../../../src/journal/whyUnwritable.ts'

const disk = realDisk({ pid: process.pid, isRunning: () => true } as never)
const failing = (code: string) => Object.assign(new Error(`${code}: of the system`), { code })
const own = () => mkdtempDisposable(join(tmpdir(), 'plane-group-sync-'))

/** A real disk on which `datasync` fails. */
const full: Disk = {
  ...disk,
  open: async (path, flags, mode) => ({ ...(await disk.open(path, flags, mode)), datasync: () => Promise.reject(failing('ENOSPC')) }),
}

test('a file that could not be written is removed again, and the words are those of a run', async () => {
  await using folder = await own()
  expect(await whyUnwritable(folder.path, full)).toMatchObject({
    message: `${folder.path}: the journal cannot be written (ENOSPC: the disk is full)`,
    cure: expect.stringContaining('make room on the volume of journal.folder') as string,
  })
  expect(await readdir(folder.path)).toEqual([])
})

test('the lock, the journal and the document of the last cycle stay as they are', async () => {
  await using folder = await own()
  const names = ['journal-000001.jsonl', 'last.json', 'lock']
  for (const name of names) await writeFile(join(folder.path, name), name, { mode: 0o600 })
  const seen = () =>
    Promise.all(names.map(async (name) => [await readFile(join(folder.path, name), 'utf8'), (await stat(join(folder.path, name))).mtimeMs]))
  const before = await seen()
  expect(await whyUnwritable(folder.path, disk)).toBeUndefined()
  expect([await seen(), (await readdir(folder.path)).toSorted()]).toEqual([before, names])
})

test('a file of another account in a folder of this one', async () => {
  await using folder = await own()
  await writeFile(join(folder.path, 'journal-000001.jsonl'), '', { mode: 0o600 })
  const restored: Disk = {
    ...disk,
    open: (path, flags, mode) => (flags === 'r+' ? Promise.reject(failing('EACCES')) : disk.open(path, flags, mode)),
  }
  expect(await whyUnwritable(folder.path, restored)).toMatchObject({
    message: `${folder.path}: the journal cannot be written (EACCES: this account may not write here)`,
    cure: expect.stringMatching(/^give the folder and the files in it/) as string,
  })
})

test('a folder that does not exist yet is tried where it will be made, as a start makes it', async () => {
  await using folder = await own()
  await mkdir(join(folder.path, 'mnt'))
  const state = join(folder.path, 'mnt', 'of', 'the', 'state')
  expect(await whyUnwritable(state, disk)).toBeUndefined()
  expect(await whyUnwritable(state, full)).toMatchObject({ message: `${state}: no journal can be kept here: the disk is full` })
  expect(await readdir(folder.path, { recursive: true })).toEqual(['mnt'])
})
