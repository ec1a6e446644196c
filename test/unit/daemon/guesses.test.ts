import { expect, test } from 'vitest'
import { openGuesses } from '../../../src/daemon/guesses.ts'

test('ten wrong ones are free, then each costs a second; after a minute all is forgotten', () => {
  let nowMs = 100_000
  const guesses = openGuesses(() => nowMs)
  for (let n = 0; n < 10; n++) {
    expect(guesses.waitMs('a')).toBe(0)
    guesses.wrong('a')
  }
  guesses.wrong('a')
  expect([guesses.waitMs('a'), guesses.waitMs('b')]).toEqual([1_000, 0])
  nowMs += 999
  expect(guesses.waitMs('a')).toBe(1)
  nowMs += 60_000
  for (let n = 0; n < 10; n++) guesses.wrong('a')
  expect(guesses.waitMs('a')).toBe(0)
})

test('an attacker with any number of addresses is compared 50 times a second, and others wait no longer than his last second', () => {
  let nowMs = 0
  const guesses = openGuesses(() => nowMs)
  let compared = 0
  for (let n = 0; n < 100_000; n++) {
    nowMs += 0.1
    if (guesses.waitMs(`client ${n}`) > 0) continue
    compared += 1
    guesses.wrong(`client ${n}`)
  }
  expect(compared).toBeLessThan(10 * 50 + 60)
  nowMs += 1_000
  expect(guesses.waitMs('a person')).toBe(0)
})

test('no more than a thousand clients are remembered', () => {
  let nowMs = 0
  const guesses = openGuesses(() => nowMs)
  for (let n = 0; n < 100; n++) guesses.wrong('a')
  for (let n = 0; n < 999; n++) {
    nowMs += 20
    guesses.wrong(`client ${n}`)
  }
  expect(guesses.waitMs('a')).toBeGreaterThan(60_000)
  nowMs += 20
  guesses.wrong('one more')
  // All clients together have used this second.
  nowMs += 2_000
  expect(guesses.waitMs('a')).toBe(0)
})
