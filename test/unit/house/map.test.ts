import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './files.ts'

const page = readFileSync(join(root, 'src/README.md'), 'utf8')
const rowsOf = (section: string): readonly string[] => {
  const [, text = ''] = page.split(`\n## ${section}\n`)
  return [...(text.split('\n## ')[0] ?? '').matchAll(/^\| (?!part \||… \||-)(.+) \|$/gm)].map(([, row = '']) => row)
}
/** The files and folders of a text: `core/diff/diff.ts`, `plane/wire/`. */
const filesIn = (text: string): readonly string[] => [...text.matchAll(/`([\w-][\w./-]*(?:\.ts|\/))`/g)].map(([, name = '']) => name)

const parts = rowsOf('The parts, from the inside to the outside').map((row) => filesIn(row.split(' | ')[0] ?? ''))
const rows = rowsOf('I want to change …').map((row) => {
  const [subject = '', files = ''] = row.split(' | ')
  return { subject, files: filesIn(files) }
})

/** The number of the part that has the longest name of those with the file. */
function partOf(file: string): number {
  const names = parts.flatMap((part, index) => part.map((name) => ({ name, index })))
  return names.filter(({ name }) => file.startsWith(name)).toSorted((a, b) => b.name.length - a.name.length)[0]?.index ?? -1
}

describe('the table "I want to change …" of src/README.md', () => {
  test('has at most 40 rows', () => {
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.length).toBeLessThanOrEqual(40)
  })

  test('has one to six files in a row', () => {
    expect(rows.filter(({ files }) => files.length < 1 || files.length > 6)).toEqual([])
  })

  test('names only files and folders that are there', () => {
    const isThere = (name: string) => [join(root, 'src', name), join(root, name)].some((path) => existsSync(path))
    expect(rows.flatMap(({ files }) => files.filter((name) => !isThere(name)))).toEqual([])
  })

  test('has its rows in the order of the parts, by the first file of each', () => {
    const placed = rows.map(({ subject, files: [first = ''] }) => ({ subject, part: partOf(first) }))
    expect(placed.filter(({ part }) => part < 0)).toEqual([])
    expect(placed).toEqual(placed.toSorted((a, b) => a.part - b.part))
  })
})
