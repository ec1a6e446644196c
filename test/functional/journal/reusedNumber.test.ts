import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holderOf, lock } from '../../../src/journal/lock.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lock-'))
})
afterEach(() => rm(root, { recursive: true }))

const path = () => join(root, 'lock')
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** What the next process sees, which has another number than the holder. */
const next = { pid: process.ppid, isAlive }

/** The lock of a process that was killed, as it is when the number of this process belongs to `pid`. */
async function leftBy(pid: number): Promise<void> {
  await lock(path(), { pid: process.pid, isAlive }, Date.now, undefined, { as: 'daemon' })
  const text = await readFile(path(), 'utf8')
  await writeFile(path(), JSON.stringify({ ...JSON.parse(text), pid }))
}

test.skipIf(process.platform !== 'linux')(
  'the lock of a killed process whose number another process has got is taken at once',
  async () => {
    const other = spawn('sleep', ['60'], { stdio: 'ignore' })
    try {
      await once(other, 'spawn')
      await leftBy(other.pid as number)
      expect(await holderOf(root, next)).toBeUndefined()
      const beganMs = performance.now()
      await (await lock(path(), next, Date.now)).unlock()
      expect(performance.now() - beganMs).toBeLessThan(5_000)
      expect(await readdir(root)).toEqual([])
    } finally {
      other.kill('SIGKILL')
    }
  },
)

test.skipIf(process.platform !== 'linux')('a process that was killed, and whose parent does not ask for it, holds no lock', async () => {
  // The shell starts a process that locks, and becomes a program that never asks for the exit codes of its children.
  const locks = `import { lock } from '${new URL('../../../src/journal/lock.ts', import.meta.url).href}'
    await lock(${JSON.stringify(path())}, { pid: process.pid, isAlive: () => false }, Date.now, undefined, { as: 'daemon' })
    process.kill(process.pid, 'SIGKILL')`
  const parent = spawn('sh', ['-c', '"$0" --input-type=module --eval "$1" & exec sleep 60', process.execPath, locks], { stdio: 'ignore' })
  try {
    await expect.poll(() => readdir(root), { timeout: 20_000 }).toContain('lock')
    const { pid } = JSON.parse(await readFile(path(), 'utf8')) as { readonly pid: number }
    await expect.poll(async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ')).toBe(true)
    expect(isAlive(pid)).toBe(true)
    expect(await holderOf(root, next)).toBeUndefined()
    await (await lock(path(), next, Date.now)).unlock()
  } finally {
    parent.kill('SIGKILL')
  }
})
