import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saveFile } from '../../src/files/save.ts'

let folder = ''
const at = (name: string) => join(folder, name)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('a saved file', () => {
  test('is for its owner alone, whatever the umask', async () => {
    const before = process.umask(0)
    try {
      expect(await saveFile(at('plan.json'), 'new')).toBeUndefined()
    } finally {
      process.umask(before)
    }
    expect(await modeOf(at('plan.json'))).toBe(0o600)
    expect(await readFile(at('plan.json'), 'utf8')).toBe('new')
    expect(await readdir(folder)).toEqual(['plan.json'])
  })

  test('stands in the place of an older one, also of one that others may read', async () => {
    await writeFile(at('plan.json'), 'an older and longer text')
    await chmod(at('plan.json'), 0o644)
    const older = await stat(at('plan.json'))
    expect(await saveFile(at('plan.json'), 'new')).toBeUndefined()
    expect([await readFile(at('plan.json'), 'utf8'), await modeOf(at('plan.json'))]).toEqual(['new', 0o600])
    expect((await stat(at('plan.json'))).ino).not.toBe(older.ino)
  })

  test.each(['plan.json', 'plan.json.new'])('is never written through a link: %s', async (name) => {
    await writeFile(at('other'), 'of another person')
    await symlink(at('other'), at(name))
    const failed = await saveFile(at('plan.json'), 'new')
    expect(await readFile(at('other'), 'utf8')).toBe('of another person')
    expect(failed?.why).toBe(name === 'plan.json' ? 'this is a link, and the file must have this name itself' : undefined)
  })

  test('may be a pipe or a device, which stays what it is', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const read = readFile(at('pipe'), 'utf8')
    expect(await saveFile(at('pipe'), 'new')).toBeUndefined()
    expect(await read).toBe('new')
    expect((await stat(at('pipe'))).isFIFO()).toBe(true)
    expect(await saveFile('/dev/null', 'new')).toBeUndefined()
    expect((await saveFile('/dev/full', 'new'))?.why).toMatch(/^the disk is full/)
  })

  test('is not written to a pipe without a reader, or with one that does not read; the wait has an end', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const failed = await saveFile(at('pipe'), 'new', undefined, 100)
    expect(failed?.why).toBe('no program has opened this pipe to read it within 0.1 s')
    await using reader = await open(at('pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
    // More than a pipe holds.
    expect((await saveFile(at('pipe'), 'x'.repeat(200_000), undefined, 100))?.why).toBe(
      'the reader of this pipe has taken nothing within 0.1 s',
    )
    expect((await reader.stat()).isFIFO()).toBe(true)
  })

  test('is written whole to a pipe that is read slowly, and opened late', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const text = 'ä€'.repeat(100_000)
    const saved = saveFile(at('pipe'), text)
    await sleep(50)
    expect(await readFile(at('pipe'), 'utf8')).toBe(text)
    expect(await saved).toBeUndefined()
  })

  test('throws the reason of a signal while it waits for the reader of a pipe', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const stop = new AbortController()
    const saved = saveFile(at('pipe'), 'new', stop.signal)
    setTimeout(() => stop.abort('SIGINT'), 20)
    await expect(saved).rejects.toBe('SIGINT')
  })

  test('leaves nothing behind if it cannot be saved', async () => {
    await mkdir(at('plan.json.new'))
    expect((await saveFile(at('plan.json'), 'new'))?.why).toMatch(/\S/)
    expect((await saveFile(folder, 'new'))?.why).toBe('this is a folder')
    expect((await saveFile(at('nowhere/plan.json'), 'new'))?.why).toBe('there is no such folder')
    expect(await readdir(folder)).toEqual(['plan.json.new'])
  })
})
