import { describe, expect, test } from 'vitest'
import { openGuesses, openWrongs, type Wrongs } from '../../../src/daemon/guesses.ts'

const wrong = () => false
const right = () => true

function guessing(atMs: number) {
  const clock = { nowMs: atMs }
  const { guess } = openGuesses(() => clock.nowMs)
  /** 0: the password was compared. */
  const waitMs = (client: string, isRight = wrong) => {
    const result = guess(client, isRight)
    return result.is === 'tooSoon' ? result.waitMs : 0
  }
  return { clock, guess, waitMs }
}

test('ten wrong ones are free, then each costs a second; after a minute all is forgotten', () => {
  const { clock, guess, waitMs } = guessing(100_000)
  for (let n = 0; n < 11; n++) expect(guess('a', wrong)).toEqual({ is: 'wrong' })
  expect(guess('a', right)).toEqual({ is: 'tooSoon', waitMs: 1_000 })
  expect(guess('b', right)).toEqual({ is: 'right' })
  clock.nowMs += 999
  expect(waitMs('a', right)).toBe(1)
  clock.nowMs += 1
  expect(guess('a', right)).toEqual({ is: 'right' })
  clock.nowMs += 60_000
  for (let n = 0; n < 11; n++) expect(waitMs('a')).toBe(0)
})

test('a right password costs nothing', () => {
  const { guess } = guessing(0)
  for (let n = 0; n < 1_000; n++) expect(guess('a', right)).toEqual({ is: 'right' })
})

test('what is not compared costs nothing, so nobody waits longer for asking more often', () => {
  const { clock, waitMs } = guessing(0)
  for (let n = 0; n < 900; n++) waitMs('a')
  expect(waitMs('a', right)).toBe(1_000)
  for (let n = 0; n < 900; n++) waitMs(`client ${n}`)
  expect(waitMs('a person', right)).toBeLessThanOrEqual(20)
  clock.nowMs += 1_000
  expect([waitMs('a person', right), waitMs('a', right)]).toEqual([0, 0])
})

test('an attacker with any number of addresses is compared 50 times a second, and others wait no longer than his last second', () => {
  const { clock, guess, waitMs } = guessing(0)
  let compared = 0
  for (let n = 0; n < 100_000; n++) {
    clock.nowMs += 0.1
    if (guess(`client ${n}`, wrong).is === 'wrong') compared++
  }
  expect(compared).toBeLessThan(10 * 50 + 60)
  clock.nowMs += 1_000
  expect(waitMs('a person', right)).toBe(0)
})

describe('wrong passwords for the log', () => {
  function counting() {
    const clock = { nowMs: 0 }
    const said: Wrongs[] = []
    return {
      ...openWrongs(
        (wrongs) => said.push(wrongs),
        () => clock.nowMs,
      ),
      said,
      clock,
    }
  }

  test('the first at once, then at most one line a minute, with the client that was wrong most often', () => {
    const { count, said, clock } = counting()
    count('a', 'wrong')
    expect(said.splice(0)).toEqual([{ compared: 1, tooSoon: 0, client: 'a', clients: 1 }])
    for (let n = 0; n < 9; n++) count('a', 'wrong')
    clock.nowMs += 59_999
    for (let n = 0; n < 29; n++) count('b', 'tooSoon')
    expect(said).toEqual([])
    clock.nowMs += 1
    count('b', 'tooSoon')
    expect(said.splice(0)).toEqual([{ compared: 9, tooSoon: 30, client: 'b', clients: 2 }])
    clock.nowMs += 600_000
    count('c', 'wrong')
    expect(said).toEqual([{ compared: 1, tooSoon: 0, client: 'c', clients: 1 }])
  })

  test('the end says what has not been said', () => {
    const { count, close, said } = counting()
    close()
    expect(said).toEqual([])
    count('a', 'wrong')
    count('a', 'tooSoon')
    said.splice(0)
    close()
    close()
    expect(said).toEqual([{ compared: 0, tooSoon: 1, client: 'a', clients: 1 }])
  })
})
