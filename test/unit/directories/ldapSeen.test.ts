import { describe, expect, test } from 'vitest'
import { openSeen, openSeenEntries, type SeenEntries } from '../../../src/directories/ldap/search.ts'
import { longTest } from '../../long.ts'

test('a text came before, or not: also among so many that several have one hash', () => {
  const texts = Array.from({ length: 200_000 }, (_, n) => `cn=g${n},dc=x`)
  const seen = openSeen()
  const added = (text: string) => seen.add(text)
  expect(texts.filter(added)).toHaveLength(texts.length)
  expect(texts.filter(added)).toEqual([])
  expect(seen.has('cn=other')).toBe(false)
  expect(['cn=other', 'cn=other', 'cn=Other'].map(added)).toEqual([true, false, true])
  expect(seen.has('cn=other')).toBe(true)
})

longTest('texts that were chosen for their equal hash cost no more than others', { timeout: 5_000 }, () => {
  // A comparison of each with each would take a minute.
  const texts = collidingTexts(17)
  expect(new Set(texts).size).toBe(2 ** 17)
  const seen = openSeen()
  expect(texts.filter((text) => !seen.add(text))).toEqual([])
  expect(texts.filter((text) => seen.add(text) || !seen.has(text))).toEqual([])
})

describe('the entries of a reading', () => {
  test('come twice by their DN in one search only, and by their id with another DN in all searches', () => {
    const searchOf = openSeenEntries()
    const first = searchOf()
    const sent = (search: SeenEntries, dn: string, id: string) => [search.add(dn), search.addId(id, dn)]
    expect([sent(first, 'a', '1'), sent(first, 'b', '2'), sent(first, 'b', '2'), sent(first, 'c', '1')]).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [true, false],
    ])
    const second = searchOf()
    expect([sent(second, 'b', '2'), sent(second, 'd', '2'), sent(second, 'e', '3')]).toEqual([
      [true, true],
      [true, false],
      [true, true],
    ])
  })
})

/** 2ⁿ texts with one FNV-1a hash: each is a row of n pairs of letters, and both pairs of a place lead to the same state. */
function collidingTexts(places: number): readonly string[] {
  const prime = 0x01000193
  let state = 0x811c9dc5
  let texts = ['']
  for (let place = 0; place < places; place++) {
    const firstBy = new Map<number, number>()
    const reached = (letter: number) => Math.imul(state ^ letter, prime)
    let [one, other] = [0, 0]
    for (let letter = 1; letter < 0xffff && other === 0; letter++) {
      // The second letter can change the lower 16 bits only.
      const upper = reached(letter) >>> 16
      const before = firstBy.get(upper)
      if (before === undefined) firstBy.set(upper, letter)
      else [one, other] = [before, letter]
    }
    const difference = (reached(one) ^ reached(other)) & 0xffff
    const [begin, end] = [String.fromCharCode(one, 0), String.fromCharCode(other, difference)]
    texts = texts.flatMap((text) => [text + begin, text + end])
    state = Math.imul(reached(one), prime)
  }
  return texts
}
