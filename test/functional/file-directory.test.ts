import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { groupFile } from '../../src/directories/file.ts'
import { people } from '../unit/bounds.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-directory-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function read(content: string | Uint8Array, name = 'groups.yaml') {
  const path = join(folder, name)
  await writeFile(path, content)
  return { path, reading: await groupFile(path, () => 5).read(AbortSignal.timeout(5_000)) }
}

test('a file is a complete reading', async () => {
  const { path, reading } = await read('groups:\n- name: engineering\n  people: 3\n')
  const group = { name: 'engineering', id: 'engineering', place: `${path}:2`, size: people(3) }
  expect(reading).toEqual({ status: 'complete', value: new Map([['engineering', [group]]]), atMs: 5, tookMs: 0 })
})

test('JSON too, with a byte order mark and CRLF', async () => {
  const { reading } = await read('\uFEFF{"groups": [\r\n  {"name": "a"}\r\n]}\r\n', 'groups.json')
  expect(reading.status).toBe('complete')
})

test('it is read anew each time', async () => {
  const { path } = await read('groups: [{name: a}]\n')
  const directory = groupFile(path, () => 5)
  await writeFile(path, 'groups: [{name: b}, {name: c}]\n')
  expect(await directory.read(AbortSignal.timeout(5_000))).toMatchObject({ value: { size: 2 } })
})

test('a broken file is a failed reading that says where', async () => {
  const { path, reading } = await read('groups:\n- name: a\n  nmae: b\n')
  expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining(`${path}:3:3: unknown key "nmae"`) })
  expect(reading).not.toHaveProperty('value')
})

test.each([
  ['more than a mebibyte', `groups: []\n#${'x'.repeat(1_100_000)}`, 'larger than 1024 KiB'],
  ['Latin-1', Buffer.from('groups: [{name: "\xFCber"}]', 'latin1'), 'UTF-8'],
])('%s is a failed reading', async (_, content, why) => {
  expect((await read(content)).reading).toMatchObject({ status: 'failed', why: expect.stringContaining(why) })
})

test('a missing file, and a folder', async () => {
  const signal = AbortSignal.timeout(5_000)
  expect(await groupFile(join(folder, 'nowhere.yaml'), () => 5).read(signal)).toMatchObject({
    status: 'failed',
    why: expect.stringMatching(/nowhere\.yaml: there is no such file$/),
    cure: expect.stringContaining('check the path'),
  })
  expect(await groupFile(folder, () => 5).read(signal)).toMatchObject({ status: 'failed', why: expect.stringContaining('not a file') })
})

test('a pipe that nobody writes to does not hang the reading', async () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  expect(await groupFile(path, () => 5).read(AbortSignal.timeout(5_000))).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('not a file'),
  })
})

test('an endless device is not read to its end', async () => {
  expect(await groupFile('/dev/zero', () => 5).read(AbortSignal.timeout(5_000))).toMatchObject({ status: 'failed' })
})

test('a file that is another at every look is not believed', async () => {
  expect(await groupFile('/proc/sys/kernel/random/uuid', () => 5).read(AbortSignal.timeout(5_000))).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('it changes while it is read'),
    cure: expect.stringContaining('rename'),
  })
})
