import { describe, expect, test } from 'vitest'
import { roundRobin, takingTurns } from '../../../src/cycle/roundRobin.ts'

const never = new AbortController().signal

/** Works through lines of letters, one step at a time. `begun`: the letters in order. `finish` ends one that is in work. */
function start(lines: readonly string[], perLine: number, inAll: number, signal = never) {
  const begun: string[] = []
  const working = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const work = (item: string) =>
    new Promise<void>((resolve, reject) => {
      begun.push(item)
      working.set(item, { resolve, reject })
    })
  const ended = roundRobin(
    takingTurns(lines.map((line) => line.split(''))),
    (item) => String(lines.findIndex((line) => line.includes(item))),
    { perLine, inAll },
    work,
    signal,
  )
  const settle = async (item: string, how: 'resolve' | 'reject') => {
    working.get(item)?.[how](new Error(item))
    working.delete(item)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ended,
    begun: () => begun.join(''),
    working: () => [...working.keys()].join(''),
    finish: (item: string) => settle(item, 'resolve'),
    fail: (item: string) => settle(item, 'reject'),
    async finishAll() {
      for (let [next] = working.keys(); next !== undefined; [next] = working.keys()) await settle(next, 'resolve')
    },
  }
}

describe('who begins', () => {
  test('the lines take turns', () => {
    expect(start(['abcd', 'A', '123'], 2, 10).begun()).toBe('aA1b2')
  })

  test('no more of a line than it may have, and no more in all', async () => {
    const work = start(['abcdef', 'ABC'], 2, 3)
    expect(work.working()).toBe('aAb')
    await work.finish('a')
    expect(work.working()).toBe('AbB')
    await work.finish('b')
    expect(work.working()).toBe('ABc')
    await work.finish('A')
    expect(work.begun()).toBe('aAbBcC')
  })

  test('a line that was as busy as it may be goes on with whichever ends first', async () => {
    const work = start(['abcdef'], 3, 10)
    await work.finish('b')
    expect(work.begun()).toBe('abcd')
    await work.finish('d')
    await work.finish('a')
    expect(work.begun()).toBe('abcdef')
  })

  test('all of them, once', async () => {
    const work = start(['abcdefg', '', 'A', '12345'], 2, 4)
    await work.finishAll()
    await work.ended
    expect(work.begun().split('').toSorted().join('')).toBe('12345Aabcdefg')
  })

  test('work that waits for the items before it never waits for one that cannot begin', async () => {
    const lines = ['abcdefgh', 'ABCDEFGH', '12345678', 'x']
    const items = takingTurns(lines.map((line) => line.split('')))
    const left = new Set<string>()
    // Each third item takes long after the others may go on, as the writing of a workspace does.
    const work = async (item: string) => {
      const before = items.slice(0, items.indexOf(item))
      for (let round = 0; !before.every((one) => left.has(one)); round++) {
        if (round === 1_000) throw new Error(`${item} waits for ever`)
        await new Promise((resolve) => setImmediate(resolve))
      }
      left.add(item)
      if (items.indexOf(item) % 3 === 0) for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve))
    }
    const lineOf = (item: string) => String(lines.findIndex((line) => line.includes(item)))
    await roundRobin(items, lineOf, { perLine: 2, inAll: 3 }, work, never)
    expect([...left]).toEqual(items)
  })

  test('nothing to do ends at once', () =>
    expect(roundRobin([], String, { perLine: 1, inAll: 1 }, async () => {}, never)).resolves.toBeUndefined())
})

describe('what ends it early', () => {
  test('a failure: nothing begins after it, and it is thrown when the others have ended', async () => {
    const work = start(['abc', 'ABC'], 1, 2)
    const thrown = work.ended.catch((error: Error) => error.message)
    await work.fail('a')
    await work.finish('A')
    expect(await thrown).toBe('a')
    expect(work.begun()).toBe('aA')
  })

  test('a stop: what was begun ends, nothing else begins', async () => {
    const stop = new AbortController()
    const work = start(['abc'], 1, 1, stop.signal)
    stop.abort()
    await work.finish('a')
    await work.ended
    expect(work.begun()).toBe('a')
  })
})
