import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holderOf } from '../../../src/journal/lock.ts'

const processes = { pid: 1, isAlive: () => true }
const named = { token: 't', pid: 7, host: 'elsewhere', sinceMs: 5 }

async function holderIn(text: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lock-'))
  await writeFile(join(folder.path, 'lock'), text)
  return await holderOf(folder.path, processes)
}

test.each([
  'null',
  '5',
  '[]',
  '{}',
  JSON.stringify({ ...named, pid: '7' }),
  JSON.stringify({ ...named, sinceMs: 'now' }),
  JSON.stringify({ ...named, host: 8 }),
  '{"token":',
])('a lock with the content %s names no holder', async (text) => {
  expect(await holderIn(text)).toBeUndefined()
})

test('a lock of another version may have more fields, and another kind of process', async () => {
  const newer = { ...named, numbers: 'boot pid', as: 'watch', room: 3 }
  expect(await holderIn(JSON.stringify(newer))).toMatchObject({ ...named, numbers: 'boot pid' })
})
