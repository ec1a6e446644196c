import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, root } from './files.ts'

const pageAt = (path: string): string => readFileSync(join(root, path), 'utf8')
const rowsOf = (page: string): readonly string[] => [...page.matchAll(/^\| (?!word \|)(?!-)(.+) \|$/gm)].map(([, row = '']) => row)
const wordOf = (row: string): string => row.split(' | ')[0] ?? ''

const [, tableOfMarks = '', tableOfWords = ''] = pageAt('docs/glossary.md').split(/^## (?:The marks of a plan|All words)$/m)
const rows = rowsOf(tableOfWords)
const words = rows.map(wordOf)
const forms = words.flatMap((word) => word.split(', '))

const [, ownWords = ''] = /^## The product's own words\n([^]*?)\n## /m.exec(pageAt('src/README.md')) ?? []

describe('docs/glossary.md', () => {
  test('has its words in the order of the alphabet, each once', () => {
    expect(words.length).toBeGreaterThan(35)
    expect(words).toEqual([...new Set(words)].toSorted((a, b) => a.localeCompare(b, 'en')))
  })

  test('links each word to a page that explains it', () => {
    expect(rows.filter((row) => !/\]\([^)]+\)\)\.$/.test(row))).toEqual([])
  })

  test('explains each word to which an explanation refers', () => {
    const referred = rows.flatMap((row) => [...row.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word))
    const explained = new Set([...forms, 'change guard', 'result', 'raise'])
    expect(referred.filter((word) => !explained.has(word))).toEqual([])
  })

  test('explains each mark of a plan', () => {
    const used = filesBelow('src/render', '.ts').flatMap(({ text }) => [...text.matchAll(/symbol: '(.)'/gu)].map(([, mark = '']) => mark))
    const explained = [...tableOfMarks.matchAll(/^\| `(.)` \|/gmu)].map(([, mark = '']) => mark)
    expect(used.length).toBeGreaterThan(10)
    expect(explained.toSorted()).toEqual(used.toSorted())
  })

  test('has all words of the product', () => {
    const own = rowsOf(ownWords).map(wordOf)
    expect(own.length).toBeGreaterThan(10)
    expect(own.filter((word) => !forms.includes(word))).toEqual([])
  })

  test.each([
    'README.md',
    ...['operations', 'guards', 'policies', 'journal', 'kubernetes', 'metrics', 'settings'].map((name) => `docs/${name}.md`),
  ])('is linked from %s', (page) => expect(pageAt(page)).toMatch(/\]\((?:docs\/)?glossary\.md\)/))
})
