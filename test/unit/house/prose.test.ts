import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatedPages, groups, type Reader, sentenceMax, wordsMax } from '../../../scripts/site/pages.ts'
import { proseOf, sentencesOf, wordsOf } from '../../../scripts/site/prose.ts'
import { filesBelow, root } from './files.ts'

const pageAt = (name: string): string => readFileSync(join(root, `docs/${name}.md`), 'utf8')
const listed = groups.flatMap(({ pages }) => pages)
const written = listed.filter((name) => !generatedPages.has(name))

test('each page of docs/ is in the side bar of the site, once', () => {
  const there = filesBelow('docs', '.md').flatMap(({ path }) =>
    /^docs\/(?:dev|decisions)\//.test(path) ? [] : path.slice('docs/'.length, -'.md'.length),
  )
  expect(listed.toSorted()).toEqual(there.toSorted())
})

test.each(Object.entries(wordsMax) as [Reader, number][])('the pages of the %s have at most %i words', (reader, most) => {
  const counts = groups
    .filter((group) => group.reader === reader)
    .flatMap(({ pages }) => pages)
    .filter((name) => !generatedPages.has(name))
    .map((name) => ({ name, words: wordsOf(proseOf(pageAt(name))).length }))
  const total = counts.reduce((sum, { words }) => sum + words, 0)
  expect(total, counts.map(({ name, words }) => `${words} ${name}`).join(', ')).toBeLessThanOrEqual(most)
})

test.each([...written.map((name) => [`docs/${name}.md`] as const), ['README.md'] as const, ['CONTRIBUTING.md'] as const])(
  'no sentence of %s has more than 35 words',
  (path) => {
    const sentences = sentencesOf(readFileSync(join(root, path), 'utf8'))
    expect(sentences.length).toBeGreaterThan(3)
    expect(sentences.filter((sentence) => wordsOf(sentence).length > sentenceMax)).toEqual([])
  },
)

describe('the sentences of a text', () => {
  test('end at a full stop, a cell, a point and a heading', () => {
    const text = '# One two\nThree four. Five\nsix: seven\n\n- eight\n- nine [ten](a.md)\n\n| a | b. C |\n|---|---|\n\n```sh\nno\n```\n'
    expect(sentencesOf(text).filter((one) => wordsOf(one).length > 0)).toEqual([
      '# One two',
      'Three four.',
      'Five six: seven',
      '- eight',
      '- nine [ten]',
      'a',
      'b.',
      'C',
    ])
  })

  test('generated parts are not counted', () => {
    expect(wordsOf(proseOf('a\n<!-- x:begin -->\nb c\n<!-- x:end -->\nd'))).toEqual(['a', 'd'])
  })
})
