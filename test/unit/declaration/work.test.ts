import { RE2JS } from 're2js'
import { describe, expect, test, vi } from 'vitest'
import { compileRegex } from '../../../src/declaration/pattern.ts'
import { fileSchema } from '../../../src/declaration/schema.ts'
import { compilingOf, type ReadingWork, takesLong } from '../../../src/declaration/size.ts'
import { understandDeclaration } from '../../../src/declaration/understand.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { context, under } from './declare.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The work of a declaration, each time it is asked for. */
function works(files: readonly string[]): readonly ReadingWork[] {
  const asked: ReadingWork[] = []
  const read = files.map((text, index) => ({ file: `${index}.yaml`, bytes: bytesOf(under('acme', text)) }))
  understandDeclaration({ files: read, hash: 'h' }, context, { isTooLarge: (work) => asked.push(work) === 0 })
  return asked
}

describe('the work to compile a pattern', () => {
  test.each([
    'a{1000}',
    '(a{30}){30}',
    '((a{2,9}){3,8}){4,7}',
    'team-[a-z]+',
    '(?<app>[a-z]+)-admins',
    '(x{0,31}){0,31}',
    '(a|b|cd)*',
    '((a*)*)*',
  ])('is not less than half of the steps of its program: %s', (source) => {
    const made = compileRegex(source)
    const steps = 'steps' in made ? made.steps : Number(/\d+/.exec(made.cure))
    expect(compilingOf({ groupRegex: source })).toBeGreaterThan(steps / 2)
  })
  test.each(['(?i)[a-z]', '[a-zä]', String.raw`\pL`, String.raw`\PL`, '(?s-i:a)'])(
    'is without limit for case folding and other scripts: %s',
    (source) => {
      expect(compilingOf({ groupRegex: source })).toBe(Number.POSITIVE_INFINITY)
    },
  )
  test('is counted wherever the pattern stands, however its key is written', () => {
    const { document } = parseYaml(bytesOf(String.raw`{ x: [{ "group\x52egex": "a{500}" }, { groupGlob: "a*" }] }`), {
      file: 'a',
      schema: fileSchema,
    })
    expect(compilingOf(document?.value)).toBe(20 + 6 * 500 + 20 + 2)
    expect(compilingOf({ group: 'a{500}', groupRegex: 5, other: null })).toBe(0)
  })
  test('is not done once more for a rule without except', () => {
    const compile = vi.spyOn(RE2JS, 'compile')
    const compiled = (more: string) => {
      compile.mockClear()
      works([`projectRoles:\n  - { groupGlob: "a*", project: ENG, role: guest${more} }`])
      return compile.mock.calls.length
    }
    expect(compiled(', except: [ab]')).toBe(compiled('') + 1)
    compile.mockRestore()
  })

  test('grows with the names in except, which are compared with the pattern', () => {
    expect(compilingOf({ groupGlob: 'a*', except: ['x'.repeat(50), 'y'.repeat(10), 5] })).toBe(22 + 22)
    expect(compilingOf({ groupRegex: 'a{500}', except: ['x'.repeat(120)] })).toBe(3 * (20 + 6 * 500))
    expect(compilingOf({ groupRegex: 'a', except: 'x'.repeat(120) })).toBe(21)
  })
})

describe('the work of a declaration is known', () => {
  const rule = (regex: string) => `projectRoles:\n  - { groupRegex: '${regex}', role: guest, project: ENG }\n`

  test('before a pattern is compiled, of all files so far', () => {
    const asked = works([rule('a{9}'), rule('b{9}')])
    expect(asked[0]).toEqual({ mappings: 0, patterns: 0, compiling: 56, matching: 0 })
    expect(asked.at(-1)).toMatchObject({ mappings: 2, compiling: 112 })
  })
  test('before the patterns of unmanaged are compared with the names', () => {
    const names = 'projectRoles:\n  - { groups: [aaaa, bbbb, aaaa], role: guest, project: ENG }\n'
    const asked = works([`${names}unmanaged:\n  - groupGlob: "abcdefgh"\n  - groupGlob: "abcdefgh"\n    project: ENG\n`])
    const made = compileRegex('abcdefgh')
    expect(asked.at(-1)).toMatchObject({ matching: ('steps' in made ? made.steps : 0) * 8 })
    expect(works([names]).at(-1)).toMatchObject({ matching: 0 })
  })
})

describe('a small declaration is left to a worker', () => {
  const isLeft = (text: string) =>
    understandDeclaration({ files: [{ file: 'a', bytes: bytesOf(under('acme', text)) }], hash: 'h' }, context, {
      isTooLarge: takesLong,
    }) === undefined
  const rules = (patterns: readonly string[]) =>
    `projectRoles:\n${patterns.map((source) => `  - { groupRegex: '${source}', role: guest, project: ENG }\n`).join('')}`
  const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index))
  const names = many(110, (index) => `${'ab'.repeat(90)}${index}`).join(', ')
  const unmanaged = (count: number) => many(count, (index) => `  - { groupRegex: '[ab]*a${'[ab]'.repeat(20)}${index}' }\n`).join('')
  const withNames = (count: number) =>
    `projectRoles:\n  - { groups: [${names}], role: guest, project: ENG }\nunmanaged:\n${unmanaged(count)}`

  test('if a pattern is too large, or its class is of another script', () => {
    expect(isLeft(rules(['a{1000}'.repeat(142)]))).toBe(true)
    expect(isLeft(rules([String.raw`\pL+`]))).toBe(true)
  })
  test('if it has many patterns', () => expect(isLeft(rules(many(250, (index) => `a${index}`)))).toBe(true))
  test('if its unmanaged patterns and its names are many', () => expect(isLeft(withNames(20))).toBe(true))
  test('but not because of a few usual patterns', () => {
    expect(isLeft(rules(many(50, (index) => `team-${index}-(?<app>[a-z0-9-]+)`)))).toBe(false)
    expect(isLeft(rules(['[A-Z]{2,5}-leads', String.raw`corp/\w+/devs`]))).toBe(false)
    expect(isLeft(withNames(2))).toBe(false)
  })
})
