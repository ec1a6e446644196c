import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeOf, filesBelow, root } from './files.ts'

/** The sandbox is a server of its own, with a log of requests. */
const source = filesBelow('src', '.ts').filter(({ path }) => !path.startsWith('src/sandbox/'))
const named = new Set(source.flatMap(({ text }) => [...text.matchAll(/\bevent(?::| =) '(\w+)'/g)].map(([, name = '']) => name)))

const [, ofTypes = ''] = /type LineEvent =([^;]*?)\n\n/.exec(readFileSync(join(root, 'src/log/line.ts'), 'utf8')) ?? []
const typed = [...ofTypes.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)

const [, section = ''] = readFileSync(join(root, 'docs/watching.md'), 'utf8').split('## Events of the log\n')
const firstCells = [...(section.split('\n## ')[0] as string).matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell)
const explained = firstCells
  .flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  .filter((name) => name !== 'event')

describe('the events of the log', () => {
  test('are those of the type, each in use', () => expect([...named].toSorted()).toEqual(typed.toSorted()))
  test('are explained in docs/watching.md, each once', () => expect(explained.toSorted()).toEqual(typed.toSorted()))

  test('no line is without one', () => {
    const calls = source.flatMap((file) =>
      [...codeOf(file).matchAll(/\blog\.(?:debug|info|change|warn|error)\(\s*(.{0,40})/g)].map(
        ([, begin = '']) => `${file.path}: ${begin}`,
      ),
    )
    expect(calls.length).toBeGreaterThan(8)
    // The `words` of what is kept have an event of the type. The `fields` that `run` logs come from `errorLine`; their type demands an `event`.
    expect(calls.filter((call) => !/: (?:\{ event: (?:'|words\.event)|fields, message)/.test(call))).toEqual([])
  })
})
