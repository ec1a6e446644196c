import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, type SourceFile } from './files.ts'

/** Exports that are used although no import statement names them, with the reason. */
const withReason: Readonly<Record<string, string>> = {
  command: 'src/commands/all.ts loads the command of a file by this name',
}

const declared = /^export (?:abstract )?(?:async )?(?:function\*? *|class |type |interface |const |let )(\w+)/gm
/** `{ a, type B, c as d } from '…'`, or without a list: all that the file exports. */
const imported = /^(?:import|export)\b(?:[^'"`;{]*\{([^}]*)\})?[^'"`;{]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

function* importedBy({ path, text }: SourceFile): Generator<string> {
  for (const [, list, from, later] of text.matchAll(imported)) {
    const target = posix.join(posix.dirname(path), from ?? later ?? '')
    const names = list?.split(',').map((one) =>
      (
        one
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0] as string
      ).trim(),
    )
    for (const name of names ?? ['*']) yield `${target} ${name}`
  }
}

/** Exports that no other file imports. */
function needless(exporting: readonly SourceFile[], all: readonly SourceFile[]): readonly string[] {
  const used = new Set(all.flatMap((file) => [...importedBy(file)]))
  return exporting.flatMap(({ path, text }) =>
    [...text.matchAll(declared)].flatMap(([, name = '']) =>
      name in withReason || used.has(`${path} ${name}`) || used.has(`${path} *`) ? [] : [`${path}: ${name}`],
    ),
  )
}

const source = filesBelow('src', '.ts')

test('another file imports each export of src', () => {
  const all = [...source, ...filesBelow('test', '.ts'), ...filesBelow('scripts', '.ts')]
  expect(needless(source, all)).toEqual([])
})

test('an export that no other file imports is found', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text })
  const exporting = file(
    'src/a/b.ts',
    ['one()', '*two()', 'three()']
      .map((name) => `export function ${name} {}`)
      .join('\n')
      .replace(' *two', '* two'),
  )
  const types = file('src/a/c.ts', 'export type Four = 4\nexport const five = 5\nexport const command = 6')
  const all = [
    exporting,
    types,
    file('src/d.ts', "import { type Six, one as first,\n three } from './a/b.ts'\nimport './a/c.ts'"),
    file('test/e.ts', "import type { Four } from '../src/a/c.ts'\nconst five = ''"),
  ]
  expect(needless([exporting, types], all)).toEqual(['src/a/b.ts: two', 'src/a/c.ts: five'])
  expect(needless([types], [...all, file('src/f.ts', "await import('./a/c.ts')")])).toEqual([])
  expect(needless([types], [...all, file('src/f.ts', "import * as c from './a/c.ts'")])).toEqual([])
})
