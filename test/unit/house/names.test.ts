import { expect, test } from 'vitest'
import { filesBelow, type SourceFile } from './files.ts'

const source = filesBelow('src', '.ts')
/** The sandbox shares no code with the rest. It uses the service's names, as the client does, so some names occur twice. */
const isSandbox = ({ path }: SourceFile): boolean => path.startsWith('src/sandbox/')

const withReason: Readonly<Record<string, string>> = {
  command: 'the verb that a file of src/commands holds; src/commands/all.ts loads it by that name',
}

/** Names that more than one file exports, with the files. */
function exportedTwice(files: readonly SourceFile[]): Readonly<Record<string, readonly string[]>> {
  const statement = /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|class|type|interface|enum|const|let) (\w+)/gm
  const all = files.flatMap(({ path, text }) =>
    [...new Set([...text.matchAll(statement)].map(([, name = '']) => name))].map((name) => ({ name, path })),
  )
  const places = [...Map.groupBy(all, ({ name }) => name)].map(([name, same]) => [name, same.map(({ path }) => path)] as const)
  return Object.fromEntries(places.filter(([name, paths]) => paths.length > 1 && !(name in withReason)))
}

test('no two files export one name', () => {
  expect(exportedTwice(source.filter((file) => !isSandbox(file)))).toEqual({})
  expect(exportedTwice(source.filter(isSandbox))).toEqual({})
})

test('a name that two files export is found', () => {
  const files = [
    { path: 'a.ts', text: 'export type Row = 1\nexport async function read() {}\nexport const command = 1' },
    { path: 'b.ts', text: 'type Read = 1\nexport class Row {}\nexport const command = 2' },
  ]
  expect(exportedTwice(files)).toEqual({ Row: ['a.ts', 'b.ts'] })
})
