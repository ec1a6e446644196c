import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { position } from '../../../src/yaml/document.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { z } from '../../../src/yaml/zod.ts'
import { describeLong } from '../../long.ts'
import { cpuMsOf } from '../cpuTime.ts'

const parse = (text: string, bytesMax?: number) =>
  parseYaml(new TextEncoder().encode(text), { file: 'a.yaml', schema: z.unknown(), ...(bytesMax === undefined ? {} : { bytesMax }) })
const messages = (text: string) => parse(text).problems.map(({ at, message }) => `${at.line}:${at.column} ${message}`)

describe('values', () => {
  test('are those of the core schema of YAML 1.2: no dates, no yes and no', () => {
    const { document, problems } = parse('date: 2027-01-31\nno: off\nnumber: 0x10\ntext: "010"\nnothing: ~\nlist: [true, 1.5]\n')
    expect(problems).toEqual([])
    expect(JSON.stringify(document?.value)).toBe(
      '{"date":"2027-01-31","no":"off","number":16,"text":"010","nothing":null,"list":[true,1.5]}',
    )
  })

  test('have no prototype that a key could reach', () => {
    expect(messages('__proto__: { admin: true }\n')).toEqual(['1:1 a key must be a plain name'])
    expect(Object.getPrototypeOf(parse('constructor: 1\n').document?.value)).toBeNull()
  })

  test('may be texts over several lines, in quotes or as a block', () => {
    const { document, problems } = parse('b: "one\n  - two"\nc: >-\n  one\n  - two\nd: |-\n  one\n  two\n')
    expect(problems).toEqual([])
    expect({ ...(document?.value as object) }).toEqual({ b: 'one - two', c: 'one - two', d: 'one\ntwo' })
  })

  const words = 'the people of the evening shift, and those who stand in for them'
  test.each([
    ['Helm', `a: ${words}\n  - ${words}\n  - nobody\n`, `${words} - ${words} - nobody`],
    ['PyYAML', `a:\n- ${words}\n  ${words}\n  ${words}\n`, [`${words} ${words} ${words}`]],
    ['a program that folds before a long word', `a: one\n  ${'x'.repeat(60)}\n`, `one ${'x'.repeat(60)}`],
  ])('may be a long text that %s has folded', (_who, text, value) => {
    const { document, problems } = parse(text)
    expect(problems).toEqual([])
    expect({ ...(document?.value as object) }).toEqual({ a: value })
  })

  test.each([
    ['ends the text', 'a: one\n  two\n', [{ line: 2, column: 3 }]],
    ['follows a blank line', 'a: one\n\n  two\n', [{ line: 3, column: 3 }]],
    ['is below a full line', `a: ${words}\n  ${words}\n  two\n  three\n`, [{ line: 4, column: 3 }]],
    ['is in brackets', 'a: [one,\n two\n three,\n four]\n', [{ line: 3, column: 2 }]],
    [
      'is in each of two texts',
      'a: one\n  two\nb: one\n  two\n',
      [
        { line: 2, column: 3 },
        { line: 4, column: 3 },
      ],
    ],
    ['has Windows line ends', 'a: one\r\n  two\r\n', [{ line: 2, column: 3 }]],
  ])('may not be a text without quotes that goes on in a short line, which %s', (_where, text, places) => {
    const { problems } = parse(text)
    expect(problems.map(({ at }) => ({ line: at.line, column: at.column }))).toEqual(places)
    for (const { message } of problems) expect(message).toMatch(/^this line continues the text in line \d, which has no quotes$/)
  })

  test('are the same with a byte order mark and with CR LF', () => {
    const { document, problems } = parse('\uFEFFa: 1\r\nb: |\r\n  two\r\n  lines\r\n')
    expect(problems).toEqual([])
    expect({ ...(document?.value as object) }).toEqual({ a: 1, b: 'two\nlines\n' })
    if (document) expect(position(document, ['b'])).toEqual({ file: 'a.yaml', line: 2, column: 4 })
  })
})

describe('positions', () => {
  test('count characters, not bytes or UTF-16 units', () => {
    const { document } = parse('{ "😀é": [x, y] }\n')
    if (document === undefined) throw new Error('not parsed')
    expect(position(document, ['😀é', 1])).toEqual({ file: 'a.yaml', line: 1, column: 13 })
  })

  test('of what is not there are of what lacks it', () => {
    const { document } = parse('a:\n  - b: 1\n')
    if (document === undefined) throw new Error('not parsed')
    expect(position(document, ['a', 0, 'c', 'd'])).toEqual({ file: 'a.yaml', line: 2, column: 5 })
  })
})

test('what only looks like a merge marker is no mistake', () => {
  expect(parse('# =======\na: |\n  <<<<<<< HEAD\n  =======\nb: ">>>>>>> x"\n').problems).toEqual([])
})

describe('refused', () => {
  test.each([
    ['a tag', 'a: !!binary aGk=\n', ['1:4 tags such as !!binary are not allowed']],
    ['an anchor once, with its aliases', 'a: &x [1]\nb: *x\nc: *x\n', ['1:4 anchors such as &x are not allowed']],
    ['an alias without anchor', 'a: *-eng\n', ['1:4 aliases such as *-eng are not allowed']],
    ['a directive', '%YAML 1.1\n---\na: no\n', ['1:1 the directive %YAML 1.1 is not allowed']],
    ['a second document', 'a: 1\n---\nb: 1\n', ['2:1 a second document begins here']],
    ['each duplicate key', 'a: 1\nb: {c: 1, c: 2}\na: 2\n', ['2:11 the key "c" is here twice', '3:1 the key "a" is here twice']],
    ['a key that is a list', '? [a]\n: 1\n', ['1:3 a key must be a plain name']],
    ['a NUL', 'a: "\0"\n', ['1:5 the control character U+0000 is not allowed']],
    ['a conflict of git', 'a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> team\n', ['2:1 this is a merge marker of git']],
    ['the base of a conflict', 'a: 1\r\n||||||| 4f2c91e\r\nb: 1\r\n', ['2:1 this is a merge marker of git']],
    ['a marker that was left over', 'a: 1\n=======\n', ['2:1 this is a merge marker of git']],
    ['a marker inside of quotes', 'a: "1\n>>>>>>> team\n"\n', ['2:1 this is a merge marker of git']],
    ['a lone CR', 'a: 1\rb: 2\n', ['1:5 the control character U+000D is not allowed']],
    ['an item within a text', 'a:\n  - b\n    - c\n  - d\r\n    -\r\n', ['3:5 this list item', '5:5 this list item']],
    ['a tab that makes its line part of the value above', 'a:\n  - b: c\n\td: e\n', ['3:1 a tab cannot indent']],
    ['a tab below a key', 'a:\n\t\t- b: c\n', ['2:1 a tab cannot indent']],
    ['a tab, and a mistake above it', 'a: "b" c\nd:\n  e: f\n\tg: h\n', ['1:8 this does not belong here', '4:1 a tab cannot indent']],
    ['an indented first line once', '  a: 1\nb:\n  c: 2\n', ['1:3 this line is indented further than line 2']],
    [
      'a mistake above the lines below an indented one',
      '  a: 1\n  "b" c\nd: 3\n',
      ['2:3 a key needs ": " and a value', '3:1 this does not belong here'],
    ],
    ['a quote inside of single quotes', "a: { b: 'it's', c: d }\n", ['1:13 a text goes on after the quote that ends it']],
    ['a quote inside of double quotes', 'a: "it"s"\n', ['1:8 a text goes on after the quote that ends it']],
    ['depth', `a: ${'['.repeat(100)}\n`, ['1:67 nested too deeply']],
  ])('%s', (_, text, expected) => {
    expect(messages(text).map((one) => one.replace(/(this list item|merge marker of git).*/, '$1'))).toEqual(expected)
  })

  test('a comment inside of brackets, with its cure', () => {
    const cureOf = (text: string) => parse(text).problems.map(({ cure }) => cure)
    const expected = ['brackets and braces must be closed; " #" begins a comment, so a text that contains it goes in quotes']
    expect(cureOf('a:\n  - { b: c #, d: e }\n  - { b: f }\n')).toEqual(expected)
    expect(cureOf('a: [b #, c]\n')).toEqual(expected)
    expect(cureOf('a:\n  - { b: c, d: e\n  - { b: f }\n')).not.toEqual(expected)
  })

  test('a bracket in a text inside of braces, with its cure: quotes', () => {
    const text = (value: string) => parse(`a:\n  - { b: ${value}, d: e }\n`).problems.map(({ message, cure }) => [message, cure])
    const expected = [['a text cannot go on here', 'inside { } and [ ], a text that contains one of , [ ] { } goes in quotes']]
    expect(text('plane-(?<c>[a-z]+)')).toEqual(expected)
    expect(text('x{2}y')).toEqual(expected)
    expect(text("'plane-(?<c>[a-z]+)'")).toEqual([])
    expect(text('"b" c')).not.toEqual(expected)
  })

  test('a file of more than a mebibyte, before it is read', () => {
    const [problem] = parse('#'.repeat(1024 * 1024 + 1)).problems
    expect(problem?.message).toContain('larger than 1024 KiB')
    expect(parse('#'.repeat(1024 * 1024)).problems).toEqual([])
  })

  test('what is not UTF-8, at its first wrong byte', () => {
    const bytes = Buffer.concat([Buffer.from('a: é\nb: "Größ'), Buffer.from([0xfc]), Buffer.from('"\n')])
    expect(parseYaml(bytes, { file: 'a.yaml', schema: z.unknown() }).problems[0]?.at).toEqual({ file: 'a.yaml', line: 2, column: 9 })
    expect(parseYaml(Buffer.from('\uFEFFa: 1', 'utf16le'), { file: 'a.yaml', schema: z.unknown() }).problems[0]?.message).toBe(
      'the file is UTF-16',
    )
  })

  test.each([
    ['nested lists', '['.repeat(1024 * 1024)],
    ['nested items', '- '.repeat(512 * 1024)],
    ['nested keys', '? '.repeat(512 * 1024)],
    ['aliases', `a: [${'*a,'.repeat(300_000)}]`],
  ])('a mebibyte of %s in no time', (_, text) => {
    expect(cpuMsOf(() => expect(parse(text).document).toBeUndefined())).toBeLessThan(2_000)
  })
})

test('whatever the bytes, there is a document or a problem, and no exception', () => {
  const alphabet = 'a b : - ? [ ] { } " | > & * ! % @ ` # , 0 1 ~ --- é 😀'.split(' ').concat(' ', '  ', "'", '\n', '\r\n', '\t', '\\')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.array(fc.constantFrom(...alphabet), { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''))),
      ),
      (bytes) => {
        const { document, problems } = parseYaml(bytes, { file: 'a.yaml', schema: z.unknown() })
        expect(document !== undefined || problems.length > 0).toBe(true)
        for (const { source } of problems) if (source) expect(source.to).toBeLessThanOrEqual(source.line.length)
      },
    ),
    { numRuns: 2_000 },
  )
})

describe('a long list', () => {
  const count = 3_000
  const items = Array.from(
    { length: count },
    (_, index) => `  - a: ${index} # note\n    b:\n${`    - [${index}, x]\n`.repeat(index === 7 ? 600 : 1)}`,
  )
  const text = `list:\n${items.join('')}# end\nlast: 1\n`

  test('that is composed in pieces has the values and places of a short one', () => {
    const { document, problems } = parse(text)
    if (document === undefined) throw new Error('not parsed')
    expect(problems).toEqual([])
    const value = document.value as { list: readonly { a: number; b: readonly unknown[] }[]; last: number }
    expect(value.list.map(({ a }) => a)).toEqual(Array.from({ length: count }, (_, index) => index))
    expect(value.list.map(({ b }) => b.length)).toEqual(Array.from({ length: count }, (_, index) => (index === 7 ? 600 : 1)))
    expect(value.last).toBe(1)
    const lines = text.split('\n')
    for (const index of [0, 7, 8, 1_500, count - 1]) {
      const { line, column } = position(document, ['list', index, 'a'])
      expect(lines[line - 1]?.slice(column - 1)).toBe(`${index} # note`)
    }
    expect(position(document, ['list', 7, 'b', 599, 1])).toMatchObject({ line: 2 + 7 * 3 + 2 + 599, column: 11 })
    expect(position(document, ['last'])).toMatchObject({ line: lines.length - 1, column: 7 })
  })

  test.each([
    ['a duplicate key', '  - {a: 1, a: 2}\n', 'the key "a" is here twice'],
    ['a syntax error', '  - "a" b\n', undefined],
    ['an anchor', '  - &x 1\n', 'anchors such as &x are not allowed'],
  ])('has its problems: %s', (_, wrong, message) => {
    const { problems } = parse(text.replace('  - a: 700 ', `${wrong}  - a: 700 `))
    expect(problems).toHaveLength(1)
    expect(problems[0]?.at.line).toBe(2 + 700 * 3 + 599)
    if (message !== undefined) expect(problems[0]?.message).toBe(message)
  })
})

describeLong('limits', () => {
  test.each([
    ['values in a line', `[${'1,'.repeat(200_001)}]`],
    ['left out values', `[${','.repeat(200_001)}]`],
    ['items', '- \n'.repeat(200_001)],
    ['keys', 'a: 1\n'.repeat(100_001)],
    ['maps', `[${'{},'.repeat(200_001)}]`],
  ])('of %s end the reading', (_, text) => {
    const { problems, isOverLimit } = parse(text)
    expect(problems.map(({ message }) => message)).toEqual(['too many values'])
    expect(isOverLimit).toBe(true)
  })

  test('allow a mebibyte of rules', () => {
    const rule = '- { group: g0000001, role: guest, project: ENG }\n'
    const { problems } = parse(rule.repeat(Math.floor((1024 * 1024) / rule.length)))
    expect(problems).toEqual([])
  })

  test('keep a problem small in a file of one long line', () => {
    const { problems } = parse(`{${Array.from({ length: 200 }, (_, index) => `k${index}: "${'x'.repeat(4_000)}", k0: 1`).join(', ')}}`)
    expect(problems).toHaveLength(100)
    for (const { source } of problems) expect(source?.line.length).toBeLessThan(10_000)
  })

  test('columns in a line of a mebibyte take no time', () => {
    const { document } = parse(`[${'"😀", '.repeat(80_000)}x]`)
    if (document === undefined) throw new Error('not parsed')
    for (let index = 0; index <= 80_000; index++) expect(position(document, [index]).column).toBe(2 + index * 5)
  })
})
