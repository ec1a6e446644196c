import { describe, expect, test } from 'vitest'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import { openJudgingOrder } from '../../../src/cycle/judgingOrder.ts'
import { Stopped } from '../../../src/cycle/readExisting.ts'
import { never } from '../plane/virtualTime.ts'

const names = (letters: string) => Array.from(letters) as WorkspaceName[]

/** Who waits, in the order in which they go on. */
function start(letters: string, order = 'abcd', signal = never) {
  const judging = openJudgingOrder(names(order))
  const gone: string[] = []
  const waits = names(letters).map((name) => judging.waitForEarlier(name, signal).then(() => void gone.push(name)))
  const leave = async (left: string) => {
    for (const name of names(left)) judging.leave(name)
    await new Promise((resolve) => setImmediate(resolve))
    return gone.join('')
  }
  return { leave, waits }
}

describe('the order in which plans are judged', () => {
  test('is fixed, whoever is ready first', async () => {
    const { leave } = start('dbca')
    expect(await leave('')).toBe('a')
    expect(await leave('a')).toBe('ab')
    expect(await leave('b')).toBe('abc')
    expect(await leave('c')).toBe('abcd')
  })

  test('goes on at the first that has not left, in whatever order they leave', async () => {
    const { leave } = start('d')
    expect(await leave('c')).toBe('')
    expect(await leave('bb')).toBe('')
    expect(await leave('a')).toBe('d')
  })

  test('does not keep a workspace that is not in it', async () => {
    expect(await start('x').leave('')).toBe('x')
    expect(await start('ab', '').leave('')).toBe('ab')
  })

  test('who is behind does not wait any more when it is asked again', async () => {
    const judging = openJudgingOrder(names('ab'))
    judging.leave('a' as WorkspaceName)
    judging.leave('b' as WorkspaceName)
    await expect(judging.waitForEarlier('b' as WorkspaceName, never)).resolves.toBeUndefined()
  })
})

describe('a stop', () => {
  test('ends the wait', async () => {
    const stop = new AbortController()
    const { waits } = start('b', 'ab', stop.signal)
    stop.abort()
    await expect(waits[0]).rejects.toThrow(Stopped)
  })

  test('before the wait keeps only who would have to wait', async () => {
    const stop = new AbortController()
    stop.abort()
    const { waits } = start('ab', 'ab', stop.signal)
    await expect(waits[0]).resolves.toBeUndefined()
    await expect(waits[1]).rejects.toThrow(Stopped)
  })

  test('leaves no listener of one that has waited', async () => {
    const stop = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = stop.signal
    stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(stop.signal, args)
    }
    stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(stop.signal, args)
    }
    const { leave } = start('bcd', 'abcd', stop.signal)
    expect(listeners).toBe(3)
    await leave('abc')
    expect(listeners).toBe(0)
  })
})
