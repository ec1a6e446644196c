import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileGlob, compileRegex } from '../../../src/declaration/pattern.ts'
import { cpuMsOf } from '../cpuTime.ts'

type Compile = typeof compileGlob

function matches(compile: Compile, source: string, name: string): Readonly<Record<string, string>> | undefined {
  const pattern = compile(source)
  if ('fault' in pattern) throw new Error(pattern.fault)
  return pattern.matches(name)
}

describe('a glob', () => {
  test.each([
    ['eng-*', 'eng-', true],
    ['eng-*', 'eng-a/b c', true],
    ['eng-*', 'xeng-a', false],
    ['eng-*', 'Eng-a', false],
    ['*-admins', 'a\nb-admins', true],
    ['a?c', 'a😀c', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['a+(b)$^|', 'a+(b)$^|', true],
    ['CORP\\eng*', 'CORP\\eng-x', true],
  ])('%s on %j: %s', (glob, name, expected) => {
    expect(matches(compileGlob, glob, name) !== undefined).toBe(expected)
  })

  test('means each name that it is written like', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => !/[*?[\]{}]/.test(text))
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(matches(compileGlob, one, one)).toEqual({})
        expect(matches(compileGlob, `${one}*`, one + other)).toEqual({})
        expect(matches(compileGlob, one, other) !== undefined).toBe(one === other)
      }),
    )
  })
})

describe('a regular expression', () => {
  test('is about the whole name, and captures', () => {
    expect(matches(compileRegex, 'eng|engineering', 'engineering')).toEqual({})
    expect(matches(compileRegex, 'eng', 'eng-a')).toBeUndefined()
    expect(matches(compileRegex, '(?<app>[a-z]+)(?:-(?<level>rw))?', 'web')).toEqual({ app: 'web', level: '' })
  })

  test.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>', '(?>a)', 'a++', '[a', '(', 'a{1001}', '(?<a>x)(?<a>y)'])(
    '%s is a fault',
    (source) => {
      expect(compileRegex(source)).toHaveProperty('fault')
    },
  )

  test.each(['(?:a?){900}a{900}', 'x'.repeat(1_001)])('that costs too much is a fault', (source) => {
    expect(compileRegex(source)).toHaveProperty('fault')
  })

  test('of the kind that backtrackers choke on answers at once', () => {
    const cpuMs = cpuMsOf(() => {
      expect(matches(compileRegex, '(a+)+', `${'a'.repeat(254)}b`)).toBeUndefined()
      expect(matches(compileRegex, '^(a|a?)+$', `${'a'.repeat(254)}b`)).toBeUndefined()
      expect(matches(compileGlob, '**********x', 'a'.repeat(255))).toBeUndefined()
    })
    expect(cpuMs).toBeLessThan(3_000)
  })
})
