import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { annotation } from '../../../src/render/annotations.ts'

/** As the runner of GitHub reads a workflow command (actions/runner, ActionCommand.cs). */
function read(line: string) {
  const [, command = '', list = '', data = ''] = /^::([a-z]+) ([^\n]*?)::(.*)$/s.exec(line) ?? []
  const plain = (text: string) =>
    text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')
  const properties = Object.fromEntries(
    list.split(',').map((one) => [one.slice(0, one.indexOf('=')), plain(one.slice(one.indexOf('=') + 1))]),
  )
  return { command, properties, message: data.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%') }
}

const printable = string({
  unit: constantFrom('a', '%', ':', ',', '=', '2', '5', 'A', '0', ' ', '::error ::x', '%0A', 'é'),
  minLength: 1,
})

test('GitHub reads an annotation as it was meant, whatever texts it has', () => {
  assert(
    property(printable, printable, printable, (file, message, cure) => {
      const line = annotation({ severity: 'warning', code: 'old-word', file, line: 3, column: 7, message, cure })
      expect(line).not.toContain('\n')
      expect(read(line)).toEqual({
        command: 'warning',
        properties: { file, line: '3', col: '7', title: 'plane-group-sync: old-word' },
        message: `${message}\n${cure}`,
      })
    }),
  )
})

test('control characters are shown, and an annotation of a whole file has no line', () => {
  const line = annotation({ severity: 'note', code: 'settings', file: 'a\nb', message: 'x\r\n::error::y' })
  expect(line).toBe('::notice file=a\\u{a}b,title=plane-group-sync%3A settings::x\\u{d}\\u{a}::error::y')
})

test('an annotation of a whole line has no column', () => {
  expect(annotation({ severity: 'error', code: 'settings', file: 'a', line: 3, message: 'x' })).toBe(
    '::error file=a,line=3,title=plane-group-sync%3A settings::x',
  )
})
