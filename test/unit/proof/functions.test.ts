import { describe, expect, test } from 'vitest'
import { functionsOf } from '../../../scripts/source/functions.ts'
import { isSameShape } from '../../../scripts/source/shape.ts'

/** The names in a source, without `module`. */
const namesOf = (source: string) => [...functionsOf(source).shapes.keys()].filter((name) => name !== 'module')

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

describe('the shape of a function', () => {
  const shapeOf = (source: string) => functionsOf(source).shapes.get('f') ?? ''
  const isSame = (one: string, other: string) => isSameShape(shapeOf(one), shapeOf(other))
  const before =
    'function f(a: A, { b, c = 2 }) { const d = a.list.items.some((one) => one.b < b && Math.max(one.c, c) > 1); return d ? { b } : g(Number(d)) }'

  test.each([
    ['a variable has another name', ['const d', 'const yes'], ['return d ?', 'return yes ?'], ['g(Number(d', 'g(Number(yes']],
    ['a variable no longer has the name of the property', ['{ b, c', '{ b: other, c'], ['< b', '< other'], ['{ b }', '{ b: other }']],
    ['a property has another name', ['{ b, c', '{ size: b, c'], ['one.b', 'one.size'], ['{ b }', '{ size: b }']],
    ['a property of a property has another name', ['.items', '.all']],
    ['a property has the name of another one', ['.items', '.list']],
    ['a function that it calls has another name', ['g(', 'other(']],
    ['it is written on more lines, with comments', ['{ const', '{\n  // why\n  const'], ['c = 2 }', 'c = 2, }']],
    ['types change', ['a: A', 'a: readonly B[]'], ['g(Number(d))', '(g(Number(d)) as B)']],
    ['a variable has the name of another one in another scope', ['(one)', '(d)'], ['one.b', 'd.b'], ['one.c', 'd.c']],
    ['something stands before it', ['function f', 'const more = 1\nfunction f']],
  ] satisfies [string, ...[string, string][]][])('is the same if %s', (_what, ...changes: readonly (readonly [string, string])[]) => {
    const after = changes.reduce((text, [from, to]) => text.replace(from, to), before)
    expect(after).not.toBe(before)
    expect(isSame(before, after)).toBe(true)
  })

  test.each([
    ['an operator', '<', '<='],
    ['a number', 'c = 2', 'c = 3'],
    ['a method of the language', '.some', '.every'],
    ['a function of the language', 'Math.max', 'Math.min'],
    ['a conversion', 'Number(', 'String('],
    ['the order', 'one.c, c', 'c, one.c'],
    ['one variable for another', 'one.b < b', 'one.b < c'],
    ['one property for another', 'one.b', 'one.c'],
    ['a branch', '{ b } : g(Number(d))', 'g(Number(d)) : { b }'],
    ['an optional chain', 'a.list', 'a?.list'],
  ])('is another one with %s changed', (_what, from, to) => {
    expect(before).toContain(from)
    expect(isSame(before, before.replace(from, to))).toBe(false)
  })

  test.each([
    ['a parameter', 'const g = 1; all((X) => X)'],
    ['a parameter in a pattern', 'const g = 1; all(({ p: [X, ...y] }) => X + y)'],
    ['a parameter with a default', 'const g = 1; all((X = 2) => X)'],
    ['a variable of a block', 'const g = 1; { const X = 2; use(X) }'],
    ['a variable of a loop', 'const g = 1; for (const X of all) use(X)'],
    ['a counter of a loop', 'const g = 1; for (let X = 0; X < 2; X++) use(X)'],
    ['a variable of a case', 'const g = 1; switch (h) { case 1: const X = 2; use(X) }'],
    ['a caught error', 'const g = 1; try { use(g) } catch (X) { use(X) }'],
  ])('is the same if %s has the name of a variable around it, and another one if that one is used instead', (_what, body) => {
    const own = shapeOf(`function f() { ${body.replaceAll('X', 'own')} }`)
    expect(shapeOf(`function f() { ${body.replaceAll('X', 'g')} }`)).toBe(own)
    expect(shapeOf(`function f() { ${body.replace('X', 'own').replaceAll('X', 'g')} }`)).not.toBe(own)
  })

  test('is another one if a property gets two names', () => {
    const both = 'function f(a) { return a.kind === 1 || a.kind === 2 }'
    expect(isSame(both, both.replace('kind', 'type'))).toBe(false)
    expect(isSame(both.replace('kind', 'type'), both)).toBe(true)
  })

  test('counts a word that the program compares, not what a sentence says', () => {
    expect(shapeOf("function f() { return 'done' }")).not.toBe(shapeOf("function f() { return 'held' }"))
    expect(shapeOf("function f() { return 'is done' }")).toBe(shapeOf("function f() { return 'is held' }"))
    expect(shapeOf('function f() { return `${n} are done` }')).toBe(shapeOf('function f() { return `${n} are held` }'))
  })

  test('counts only that a named function is in it, since that one has its own shape', () => {
    const outer = (inner: string) => `function f() { const g = () => ${inner}; return g }`
    expect(shapeOf(outer('1'))).toBe(shapeOf(outer('2')))
    expect(shapeOf(outer('1'))).not.toBe(shapeOf('function f() { const h = 1; return g }'))
  })

  test('of two functions with one name is that of both', () => {
    const both = (inner: string) => `const a = () => { const f = () => 1 }\nconst b = () => { const f = () => ${inner} }`
    expect(namesOf(both('2'))).toEqual(['a', 'f', 'b'])
    expect(isSame(both('2'), both('3'))).toBe(false)
    expect(isSame(both('2'), both('2').replaceAll('a', 'other'))).toBe(true)
  })
})
