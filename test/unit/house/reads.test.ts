import { expect, test } from 'vitest'
import { filesBelow, type SourceFile } from './files.ts'

/** Functions of Node that read a file without a limit. The functions for folders and links have other names. */
const reading = /^(?:readFile|readFileSync|open|openSync|openAsBlob|createReadStream|ReadStream|read|readSync|readv|readvSync|cp|promises)$/

const allowed: Readonly<Record<string, string>> = {
  'src/files/read.ts': 'the bounded read itself',
  'src/files/save.ts': 'opens a device or a pipe to write to it',
  'src/journal/disk.ts': "the journal's own disk: files of this program, bounded by their rotation",
  'src/journal/ofProcess.ts': 'what Linux says about a process: short files without a size',
  'src/files/believed.ts': 'opens files of this program and checks who may have written them',
  'src/orders/ownFile.ts': 'a bounded read that also checks owner, mode and links, and keeps the file open',
  'src/main.ts': 'its own package.json',
}

/** The functions of Node for reading files that a source imports, by name or as the whole module. */
function readsOf({ text }: Pick<SourceFile, 'text'>): readonly string[] {
  const module = /['"`](?:node:)?fs(?:\/promises)?['"`]/
  const statements = [...text.matchAll(/\bimport\b(?!\s+type\b)([^'"`;]*?)(?:\bfrom\s*)?(['"`][^'"`]+['"`])/g)]
  const named = statements.flatMap(([, bindings = '', from = '']) => {
    if (!module.test(from)) return []
    const [, list] = /^\s*\{([^}]*)\}\s*$/.exec(bindings) ?? []
    if (list === undefined) return ['all of it']
    return list.split(',').flatMap((one) => {
      const [name = '', ...more] = one.trim().split(/\s+/)
      return name !== 'type' && (reading.test(name) || name === 'default') ? [[name, ...more].join(' ')] : []
    })
  })
  const roundabout =
    /\bgetBuiltinModule\b|\bcreateRequire\b|\brequire\s*\(|\bexport\b[^'"`;]*\bfrom\s*['"`](?:node:)?fs(?:\/promises)?['"`]/
  return [...named, ...(roundabout.exec(text) ?? [])]
}

test('files are read in one place, with a bound', () => {
  const found = filesBelow('src', '.ts').flatMap((file) => (readsOf(file).length > 0 ? [file.path] : []))
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted())
})

test('a file is reached by its place beside the code in two files only, because the bundle has other places', () => {
  const found = filesBelow('src', '.ts').filter(({ text }) => /\bimport\.meta\b|\b__(?:dirname|filename)\b/.test(text))
  expect(found.map(({ path }) => path).toSorted()).toEqual(['src/main.ts', 'src/yaml/readApart.ts'])
})

test.each([
  ["import { readFile } from 'node:fs/promises'", ['readFile']],
  ["import { constants, open as unlock } from 'node:fs/promises'", ['open as unlock']],
  ["import {\n  createReadStream,\n  stat,\n} from 'node:fs'", ['createReadStream']],
  ["import fs from 'node:fs'", ['all of it']],
  ["import * as fs from 'fs'", ['all of it']],
  ["const { readFile } = await import('node:fs/promises')", ['all of it']],
  ["import { promises } from 'node:fs'", ['promises']],
  ["export { readFile } from 'node:fs/promises'", ["export { readFile } from 'node:fs/promises'"]],
  ["process.getBuiltinModule('fs')", ['getBuiltinModule']],
  ["import { writeFile, opendir } from 'node:fs/promises'", []],
  ["import type { Stats } from 'node:fs'", []],
  ["import { type ReadStream, constants } from 'node:fs'", []],
  ["import { readFiles } from './files.ts'", []],
])('%s', (text, expected) => {
  expect(readsOf({ text })).toEqual(expected)
})
