import { execFileSync } from 'node:child_process'
import { chmod, chown, copyFile, link, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { keepLastDocument, lastDocumentFile, readLastDocument } from '../../../src/journal/lastDocument.ts'
import { readMemory } from '../../../src/journal/readMemory.ts'

const isRoot = process.getuid?.() === 0
const stranger = 12_345
const disk = realDisk({ pid: process.pid, isAlive: () => false })
const options = { bytesMax: 1_000_000, filesMax: 3, unknownOutcomeWaitMs: 1_000, disk, now: Date.now }
const entries: readonly Entry[] = [
  { atMs: 0, run: 'r', kind: 'start', version: '1', command: 'run', waits: 'no', service: { host: 'h', slugs: {} } },
  { atMs: 9, run: 'r', kind: 'end' },
]

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'believed-'))
  file = join(folder, 'journal-000001.jsonl')
  const journal = await openJournal(folder, options)
  for (const entry of entries) await journal.append(entry)
  await journal.close()
  await keepLastDocument(folder, '{}', disk)
})
afterEach(() => rm(folder, { recursive: true }))

/** Another account replaces a file of ours in a folder in which everybody may write. */
async function replace(path: string, name = path): Promise<void> {
  await chmod(folder, 0o777)
  await copyFile(path, `${path}.theirs`)
  await chown(`${path}.theirs`, stranger, stranger)
  await rename(`${path}.theirs`, name)
}

const hostile: Readonly<Record<string, [() => Promise<unknown>, RegExp]>> = {
  'a link to a file of ours': [
    async () => {
      await rename(file, join(folder, 'elsewhere'))
      await symlink(join(folder, 'elsewhere'), file)
    },
    /this file is a link/,
  ],
  'a second name of a file of ours': [() => link(file, join(folder, 'journal-000002.jsonl')), /has a second name/],
  'a file in which everybody may write': [() => chmod(file, 0o666), /may be written by every account \(mode 0666\)/],
  ...(isRoot && {
    'a file of another account': [() => replace(file), /belongs to account 12345 instead of 0/],
    'a newer file of another account': [() => replace(file, join(folder, 'journal-000002.jsonl')), /belongs to account 12345/],
    'a newer file of another account, in a sticky folder': [
      async () => {
        await replace(file, join(folder, 'journal-000002.jsonl'))
        await chmod(folder, 0o1777)
      },
      /belongs to account 12345/,
    ],
  }),
}

describe.each(Object.entries(hostile))('%s in the place of the journal', (_what, [act, why]) => {
  test('refuses the start', async () => {
    await act()
    const refused = openJournal(folder, options)
    await expect(refused).rejects.toThrow(why)
    await expect(refused).rejects.toMatchObject({ code: 'JournalUnusable', cure: expect.stringMatching(/chmod o-w|chown 0|move/) })
  })
  test('is not read by a command that only reads', async () => {
    await act()
    await expect(readMemory(folder, disk, 1_000)).rejects.toThrow(why)
  })
})

test.runIf(isRoot)('a lock of another account refuses the start', async () => {
  await replace(file, join(folder, 'lock'))
  await expect(openJournal(folder, options)).rejects.toThrow(/lock: this file belongs to account 12345/)
})

test.runIf(isRoot)('the document of the last cycle of another account is not shown', async () => {
  await replace(lastDocumentFile(folder))
  expect(await readLastDocument(folder)).toEqual({
    why: 'this file belongs to account 12345 instead of 0 (mode 0600), so it is not believed',
    cure: expect.stringContaining("sudo -u '#12345' plane-group-sync …"),
  })
})

test('no file of ours may be read or written by others, whatever the umask', async () => {
  const before = process.platform === 'win32' ? undefined : execFileSync('sh', ['-c', 'umask']).toString()
  expect(before).toBeDefined()
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077, name).toBe(0)
})

/** Opens, writes and closes a journal, as another account. */
const program = `
  import { openJournal } from ${JSON.stringify(join(import.meta.dirname, '../../../src/journal/journal.ts'))}
  import { realDisk } from ${JSON.stringify(join(import.meta.dirname, '../../../src/journal/disk.ts'))}
  import { readLastDocument, keepLastDocument } from ${JSON.stringify(join(import.meta.dirname, '../../../src/journal/lastDocument.ts'))}
  process.umask(0)
  const folder = process.argv[1]
  const disk = realDisk({ pid: process.pid, isAlive: () => false })
  const options = { bytesMax: 1e6, filesMax: 3, unknownOutcomeWaitMs: 1000, disk, now: Date.now }
  try {
    const journal = await openJournal(folder, options)
    for (const entry of JSON.parse(process.argv[2])) await journal.append(entry)
    await journal.close()
    await keepLastDocument(folder, '{}', disk)
    console.log('ok', JSON.stringify(await readLastDocument(folder)))
  } catch (error) { console.log(error.message) }
`
const runAs = (uid: number, where: string, gid = uid) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program, where, JSON.stringify(entries)], { uid, gid, cwd: '/' })
    .toString()
    .trim()

/** What the kubelet does to a volume with `fsGroup`: the group owns all, may write all, and new files get the group. */
async function mountWithFsGroup(volume: string, gid: number): Promise<void> {
  await chown(volume, (await stat(volume)).uid, gid)
  await chmod(volume, 0o2775)
  for (const name of await readdir(volume)) {
    const path = join(volume, name)
    const { uid, mode } = await stat(path)
    await chown(path, uid, gid)
    await chmod(path, (mode & 0o7777) | 0o660)
  }
}

describe.runIf(isRoot)('a volume as Kubernetes mounts it', () => {
  let volume: string
  beforeEach(async () => {
    await chmod(folder, 0o755)
    volume = join(folder, 'volume')
    await mkdir(volume)
  })
  test('with fsGroup, mounted three times', async () => {
    for (let mount = 0; mount < 3; mount++) {
      await mountWithFsGroup(volume, 65_532)
      expect(runAs(65_532, volume)).toBe('ok {"text":"{}"}')
    }
  })
  test('an emptyDir of root', async () => {
    await chmod(volume, 0o2777)
    expect(runAs(65_532, volume)).toBe('ok {"text":"{}"}')
    expect(runAs(65_532, volume)).toBe('ok {"text":"{}"}')
    for (const name of await readdir(volume)) expect((await stat(join(volume, name))).mode & 0o077, name).toBe(0)
  })
  test('an emptyDir in which another container wrote a journal first', async () => {
    await chmod(volume, 0o2777)
    expect(runAs(12_345, volume)).toBe('ok {"text":"{}"}')
    await chmod(join(volume, 'journal-000001.jsonl'), 0o644)
    expect(runAs(65_532, volume)).toContain('belongs to account 12345 instead of 65532 (mode 0644)')
  })
  test('an export that shows every file as nobody', async () => {
    await chown(volume, 65_534, 65_534)
    expect(runAs(65_534, volume)).toBe('ok {"text":"{}"}')
    await chmod(volume, 0o777)
    await chmod(join(volume, 'journal-000001.jsonl'), 0o644)
    await writeFile(join(volume, 'x'), '')
    expect(runAs(0, volume)).toBe('ok {"text":"{}"}')
  })
})
