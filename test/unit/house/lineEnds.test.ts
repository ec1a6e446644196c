import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './files.ts'

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd().split('\n')

/** Git for Windows writes CRLF into a clone unless an attribute says otherwise. */
test('every text file has the line ends of the repository in every clone', () => {
  const files = git('ls-files', '--eol')
  expect(files.length).toBeGreaterThan(500)
  // `i/lf w/lf attr/text=auto eol=lf  path`: in the index, in the folder, by .gitattributes.
  const wrong = files.filter((line) => !/^i\/(?:-text|none)/.test(line) && !/^i\/lf +w\/\S+ +attr\/text=auto eol=lf\s/.test(line))
  expect(wrong).toEqual([])
})

test('editors indent and wrap as the formatter does', () => {
  const editors = readFileSync(join(root, '.editorconfig'), 'utf8')
  const { formatter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as {
    readonly formatter: Readonly<Record<string, unknown>>
  }
  const everywhere = editors.split('[*]\n')[1]?.split('\n\n')[0] ?? ''
  const said = Object.fromEntries(everywhere.split('\n').map((line) => line.split(' = ') as [string, string]))
  expect(said).toMatchObject({
    end_of_line: 'lf',
    indent_style: formatter['indentStyle'],
    indent_size: String(formatter['indentWidth']),
    max_line_length: String(formatter['lineWidth']),
  })
})
