import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, type SourceFile } from './files.ts'

/** The imports that run when a file is loaded: neither those of types alone, nor `import()`. */
function loadedBy({ text }: SourceFile): readonly string[] {
  const statement = /^(?:import|export)\s+(?!type\b)(?:([^'"`;]*?)\s*from\s+)?'([^']+)'/gm
  return [...text.matchAll(statement)].flatMap(([, names, from = '']) => (names !== undefined && isOfTypes(names) ? [] : [from]))
}

/** `{ type A, type B }` loads nothing. */
function isOfTypes(names: string): boolean {
  const [, list] = /^\{([^}]*)\}$/.exec(names.trim()) ?? []
  const each =
    list
      ?.split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '') ?? []
  return list !== undefined && each.every((one) => one.startsWith('type '))
}

/** The packages that are loaded with a file, each with the file that imports it. */
function packagesWith(start: string, files: ReadonlyMap<string, SourceFile>): readonly string[] {
  const seen = new Set<string>()
  const visit = (path: string): readonly string[] => {
    const file = files.get(path)
    if (file === undefined || seen.has(path)) return []
    seen.add(path)
    return loadedBy(file).flatMap((name) => {
      if (name.startsWith('node:')) return []
      return name.startsWith('.') ? visit(posix.join(posix.dirname(path), name)) : [`${path} loads ${name}`]
    })
  }
  return visit(start)
}

const source = new Map(filesBelow('src', '.ts').map((file) => [file.path, file]))

test.each([
  'src/main.ts',
  'src/commands/usage.ts',
  'src/commands/candidates.ts',
  'src/commands/completion.ts',
  'src/commands/sandboxHelp.ts',
  'src/commands/descriptions.ts',
])('%s is loaded without a package, so that version, help, completion and a wrong command line are quick', (path) => {
  expect(source.has(path)).toBe(true)
  expect(packagesWith(path, source)).toEqual([])
})

test('the libraries for requests are loaded by the files that load them late', () => {
  const early = ['src/compose/compose.ts', 'src/commands/plan.ts'].flatMap((path) => packagesWith(path, source))
  expect(early.filter((one) => /undici|openid-client/.test(one))).toEqual([])
})

test('the library for schedules is loaded only for a schedule that is not the default', () => {
  const early = ['src/commands/validate.ts', 'src/commands/plan.ts', 'src/commands/apply.ts'].flatMap((path) => packagesWith(path, source))
  expect(early.filter((one) => one.includes('node-cron'))).toEqual([])
})

test('a package is found behind other files, and a type is none', () => {
  const file = (path: string, text: string): readonly [string, SourceFile] => [path, { path, text }]
  const files = new Map([
    file('src/a.ts', "import { b } from './b.ts'\nimport type { z } from 'zod'\nimport { type Y } from 'yaml'\nawait import('./c.ts')"),
    file('src/b.ts', "import { type X, x } from 'x'\nexport { y } from 'y'\nimport 'w'\nimport './a.ts'"),
    file('src/c.ts', "import 'late'"),
  ])
  expect(packagesWith('src/a.ts', files)).toEqual(['src/b.ts loads x', 'src/b.ts loads y', 'src/b.ts loads w'])
})
