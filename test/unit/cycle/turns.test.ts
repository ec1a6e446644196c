import { describe, expect, test } from 'vitest'
import { Stopped } from '../../../src/cycle/readExisting.ts'
import { openStages, openYielder } from '../../../src/cycle/turns.ts'

const never = new AbortController().signal

describe('turns', () => {
  test('short work never waits', () => {
    const turn = openYielder(never)
    expect([turn(1_000_000), turn(999_999)]).toEqual([undefined, undefined])
  })

  test('long work waits once for each two million steps', async () => {
    const turn = openYielder(never)
    let others = 0
    const count = () => setImmediate(() => others++)
    for (let nth = 0; nth < 4; nth++) {
      count()
      await turn(1_000_000)
    }
    expect(others).toBe(4)
  })

  test('the stages of a large plan give a turn each, those of a small one none', async () => {
    const small = openStages(1_000, never)
    expect([small(), small(), small()]).toEqual([undefined, undefined, undefined])
    const large = openStages(100_000, never)
    expect(large()).toBeInstanceOf(Promise)
    await large()
  })

  test('a request to stop ends the work at its next turn', async () => {
    const stop = new AbortController()
    stop.abort(new Error('SIGTERM'))
    await expect(openStages(100_000, stop.signal)()).rejects.toThrow(Stopped)
  })
})
