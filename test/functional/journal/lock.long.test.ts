import { utimesSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { holderOf, lock } from '../../../src/journal/lock.ts'
import { JournalInUse } from '../../../src/journal/lost.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lock-'))
})
afterEach(() => rm(root, { recursive: true }))

const path = () => join(root, 'lock')
// In a container each process has the id 1, and does not see processes of other containers.
const container = { pid: 1, isAlive: () => false }
/** A clock that is twenty times as fast as real time. */
const hurried = () => performance.now() * 20
const held = (pid: number, host = 'elsewhere', more = {}) =>
  writeFile(path(), JSON.stringify({ token: 'x', pid, host, sinceMs: 0, ...more }))

/** Touches the lock as its holder does. The holder's clock is wrong by `wrongMs`. */
function beating(wrongMs: number): Disposable {
  const beat = () => {
    const moment = new Date(Date.now() + wrongMs)
    utimes(path(), moment, moment).catch(() => undefined)
  }
  beat()
  const timer = setInterval(beat, 100)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

describe.each([
  ['on another host', () => held(7)],
  ['in another container of this pod', () => held(1, hostname())],
  ['with this name of a host, where numbers mean other processes', () => held(7, hostname(), { numbers: 'another boot pid:[1]' })],
])('a holder %s', (_where, hold) => {
  test.each([-3_600_000, 3_600_000])('keeps its lock while it beats, with a clock that is wrong by %i ms', async (wrongMs) => {
    await hold()
    const before = await readFile(path(), 'utf8')
    using holders = new DisposableStack()
    holders.use(beating(wrongMs))
    await expect(lock(path(), container, Date.now, hurried)).rejects.toThrow(JournalInUse)
    expect([await readdir(root), await readFile(path(), 'utf8')]).toEqual([['lock'], before])
  })

  test.each([-3_600_000, 3_600_000])('that is gone loses it after 20 s, with a clock that was wrong by %i ms', async (wrongMs) => {
    await hold()
    beating(wrongMs)[Symbol.dispose]()
    const beganMs = hurried()
    const mine = await lock(path(), container, Date.now, hurried)
    expect(hurried() - beganMs).toBeGreaterThan(20_000)
    await mine.unlock()
    expect(await readdir(root)).toEqual([])
  })
})

describe.each([
  ['null', 'null'],
  ['of no process', JSON.stringify({ token: 'x', pid: 0, host: hostname(), sinceMs: 0, as: 'daemon' })],
  ['of all processes', JSON.stringify({ token: 'x', pid: -1, host: hostname(), sinceMs: 0, as: 'daemon' })],
  ['since no date', JSON.stringify({ token: 'x', pid: 1, host: hostname(), sinceMs: 1e300, as: 'daemon' })],
  ['of zeros', '\0'.repeat(100)],
])('a damaged lock, %s,', (_what, text) => {
  const every = { pid: 2, isAlive: () => true }
  test('names no holder, and is taken after 20 s without a touch', async () => {
    await writeFile(path(), text)
    expect(await holderOf(root, every)).toBeUndefined()
    await (await lock(path(), every, Date.now, hurried)).unlock()
    expect(await readdir(root)).toEqual([])
  })
})

test('a signal ends the wait for a lock that may be left, and nothing of the wait stays', async () => {
  await held(7)
  const stop = new AbortController()
  setTimeout(() => stop.abort('SIGTERM'), 300)
  const beganMs = performance.now()
  await expect(lock(path(), container, Date.now, undefined, { signal: stop.signal })).rejects.toBe('SIGTERM')
  expect(performance.now() - beganMs).toBeLessThan(5_000)
  expect(await readdir(root)).toEqual(['lock'])
})

test('a process of this machine that is gone loses it at once', async () => {
  await held(7, hostname())
  const beganMs = performance.now()
  await (await lock(path(), container, Date.now)).unlock()
  expect(performance.now() - beganMs).toBeLessThan(5_000)
})

test('who touches its lock in the moment in which it is taken gets it back', async () => {
  await held(7)
  let asked = 0
  // The sixth question for the time comes when the process has just read the lock a second time, 20 s after the first time.
  const jumping = () => {
    asked++
    if (asked === 6) utimesSync(path(), new Date(1_000), new Date(1_000))
    return asked < 6 ? 0 : asked === 6 ? 20_001 : 60_000
  }
  await expect(lock(path(), container, Date.now, jumping)).rejects.toThrow(JournalInUse)
  expect(await readdir(root)).toEqual(['lock'])
})

describe('a holder trusts its lock', () => {
  test('for less time than another one has to watch it, by the clock that nobody sets', async () => {
    let steadyMs = 0
    const mine = await lock(path(), container, Date.now, () => steadyMs)
    expect(mine.isFresh()).toBe(true)
    steadyMs = 18_000
    expect(mine.isFresh()).toBe(false)
    await mine.unlock()
  })

  test('again as soon as it checks it: a clock that was set forward stops no write until the next beat', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
    try {
      const mine = await lock(path(), container, Date.now, () => 0)
      vi.setSystemTime(Date.now() + 3_600_000)
      expect(mine.isFresh()).toBe(false)
      await mine.check()
      expect(mine.isFresh()).toBe(true)
      await held(7)
      vi.setSystemTime(Date.now() + 3_600_000)
      await expect(mine.check()).rejects.toThrow(JournalInUse)
      expect(mine.isFresh()).toBe(false)
      await mine.unlock()
    } finally {
      vi.useRealTimers()
    }
  })

  test('no longer after its machine slept, for which that clock stands still', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const mine = await lock(path(), container, Date.now, () => 0)
      vi.setSystemTime(Date.now() + 18_000)
      expect(mine.isFresh()).toBe(false)
      await mine.unlock()
    } finally {
      vi.useRealTimers()
    }
  })

  test('again when it has touched it, but not when it is another’s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    try {
      let steadyMs = 0
      const mine = await lock(path(), container, Date.now, () => steadyMs)
      steadyMs = 30_000
      vi.advanceTimersByTime(5_000)
      await expect.poll(mine.isFresh).toBe(true)
      await held(7)
      const before = await readFile(path(), 'utf8')
      steadyMs = 60_000
      vi.advanceTimersByTime(5_000)
      await pause(300)
      expect(mine.isFresh()).toBe(false)
      await mine.unlock()
      expect(await readFile(path(), 'utf8')).toBe(before)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the holder of a folder', () => {
  test('is read without taking or touching the lock', async () => {
    const mine = await lock(path(), container, Date.now, undefined, { as: 'daemon' })
    const before = await readFile(path(), 'utf8')
    const touched = await stat(path())
    expect(await holderOf(root, container)).toMatchObject({
      pid: 1,
      host: hostname(),
      as: 'daemon',
      token: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect([await readdir(root), await readFile(path(), 'utf8'), (await stat(path())).mtimeMs]).toEqual([['lock'], before, touched.mtimeMs])
    await mine.unlock()
    expect(await holderOf(root, container)).toBeUndefined()
  })

  test.each([
    ['of a process of this machine that is gone', () => held(7, hostname()), undefined],
    ['of another host', () => held(7), 'x'],
    ['that cannot be parsed', () => writeFile(path(), '{'), undefined],
  ])('in a lock %s', async (_what, hold, token) => {
    await hold()
    expect((await holderOf(root, container))?.token).toBe(token)
  })

  test('of another host, without a touch for 20 s, is none', async () => {
    await held(7)
    const before = new Date(Date.now() - 21_000)
    await utimes(path(), before, before)
    expect(await holderOf(root, container)).toBeUndefined()
  })
})
