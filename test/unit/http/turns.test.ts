import { describe, expect, test } from 'vitest'
import { openSemaphore } from '../../../src/http/semaphore.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** The names that took a turn, in order, and functions that end these turns. */
function line(atOnce: number) {
  const turns = openSemaphore(atOnce)
  const had: string[] = []
  const ends = new Map<string, () => void>()
  return {
    had,
    async take(name: string, signal = never) {
      const end = await turns.take(signal)
      had.push(name)
      ends.set(name, end)
    },
    async end(name: string) {
      ends.get(name)?.()
      await settled()
    },
  }
}

describe('turns', () => {
  test('so many at once, then in the order of their coming', async () => {
    const { take, end, had } = line(2)
    for (const name of ['a', 'b', 'c', 'd']) void take(name)
    await settled()
    expect(had).toEqual(['a', 'b'])
    await end('b')
    void take('e')
    await end('a')
    expect(had).toEqual(['a', 'b', 'c', 'd'])
    await end('d')
    expect(had.at(-1)).toBe('e')
  })

  test("whoever gives up leaves the line, and takes nobody's turn", async () => {
    const { take, end, had } = line(1)
    const stop = new AbortController()
    void take('a')
    const gone = take('b', stop.signal).catch((error: Error) => error.message)
    void take('c')
    stop.abort(new Error('enough'))
    expect(await gone).toBe('enough')
    await end('a')
    expect(had).toEqual(['a', 'c'])
    await end('c')
    await take('d')
    expect(had.at(-1)).toBe('d')
  })

  test('a signal that has fired already gets none, even where one is free', async () => {
    await expect(line(1).take('a', AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  })

  test('one that had its turn is not disturbed by its signal', async () => {
    const { take, end, had } = line(1)
    const stop = new AbortController()
    await take('a')
    const waiting = take('b', stop.signal)
    await end('a')
    await waiting
    stop.abort()
    void take('c')
    await end('b')
    expect(had).toEqual(['a', 'b', 'c'])
  })
})
