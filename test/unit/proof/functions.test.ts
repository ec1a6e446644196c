import { describe, expect, test } from 'vitest'
import { functionsOf } from '../../../scripts/source/functions.ts'

describe('the function of a piece of code', () => {
  /** The name at the first digit of a source. */
  const nameAtDigit = (source: string) => {
    const column = source.search(/\d/)
    return functionsOf(source).nameAt({ start: { line: 1, column }, end: { line: 1, column: column + 1 } })
  }

  test.each([
    ['function f(a = 1) {}', 'f'],
    ['export const f = () => 1', 'f'],
    ['const f = (() => 1) satisfies Make', 'f'],
    ['function f() { function g() { return 1 } }', 'g'],
    ['function f() { const g = () => 1 }', 'g'],
    ['function f() { const g = 1 }', 'f'],
    ['function f() { return all.map((one) => one + 1) }', 'f'],
    ['function f() { return { g: () => 1 } }', 'g'],
    ['const table = { g() { return 1 } }', 'g'],
    ["const table = { 'a b': () => 1 }", 'a b'],
    ['const table = { g: 1 }', 'table'],
    ['class C { #g() { return 1 } }', 'g'],
    ['class C { g = 1 }', 'C'],
    ['const { a } = of(1)', 'module'],
    ['run(1)', 'module'],
  ])('%s: %s', (source, name) => {
    expect(nameAtDigit(source)).toBe(name)
  })
})

test('the names of a file: each once, with `module` for the code outside of functions', () => {
  const { names } = functionsOf('const a = () => { const f = () => 1 }\nconst b = () => { const f = () => 2 }')
  expect([...names]).toEqual(['module', 'a', 'f', 'b'])
})
