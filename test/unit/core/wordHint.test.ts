import { expect, test } from 'vitest'
import { personKey, personTexts } from '../../../src/core/people/members.ts'
import { wordHint } from '../../../src/core/people/wordHint.ts'

const hintFor = (word: string, ...groups: readonly string[]) =>
  wordHint(
    personKey(word),
    groups.map((group) => group.split(', ')),
  )

test('a word without an @ is no person where all people are known by mail addresses', () => {
  const hint = 'every person is known by a text with "@", and this one has none'
  expect(hintFor('ann', 'ann@example.com, ben@example.com', 'cho@example.com')).toBe(hint)
  expect(hintFor('Ann Smith', 'ann@example.com')).toBe(hint)
  expect(hintFor('dan@example.com', 'ann@example.com')).toBeUndefined()
})

test('a word with an @ or with a blank is no person where no text has one', () => {
  expect(hintFor('ann@example.com', 'ann, ben')).toBe('no person is known by a text with "@"')
  expect(hintFor('Ann Smith', 'ann, ben')).toBe('no person is known by a text with a blank')
  expect(hintFor('dan', 'ann, ben')).toBeUndefined()
})

test('where texts have both forms, or no person is known, nothing is said', () => {
  expect(hintFor('dan', 'ann@example.com', 'ben')).toBeUndefined()
  expect(hintFor('dan@example.com', 'ann@example.com', 'ben')).toBeUndefined()
  expect(wordHint('dan', [])).toBeUndefined()
  expect(wordHint('dan', [[]])).toBeUndefined()
})

test("the directory's own ids do not count", () => {
  const people = [
    { id: 'a', key: 'ann@example.com' },
    { id: 'b b', key: 'ann@example.com' },
    { id: 'c', key: '' },
  ]
  const texts = [...personTexts(people).values()]
  expect(wordHint('dan@example.com', [texts])).toBeUndefined()
  expect(wordHint('dan', [texts])).toContain('every person is known by a text with "@"')
  expect(wordHint('d d@', [texts])).toBe('no person is known by a text with a blank')
})
