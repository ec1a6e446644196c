import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { secretPlace } from '../../../src/yaml/schemaAt.ts'
import { sourceOf } from '../../../src/yaml/source.ts'
import { validate } from '../../../src/yaml/validate.ts'
import { z } from '../../../src/yaml/zod.ts'

const schema = z.strictObject({
  service: z.strictObject({ baseUrl: z.url().describe('Where the service answers'), limit: z.int().min(1).default(60) }),
  kind: z
    .discriminatedUnion('is', [
      z.strictObject({ is: z.literal('file'), path: z.string() }),
      z.strictObject({ is: z.literal('ldap'), base: z.string() }),
    ])
    .optional(),
  log: z.enum(['info', 'debug']).default('info'),
  names: z.record(z.string().regex(/^[a-z]+$/, 'a name is of small letters'), z.string().nullable()).optional(),
  wait: z.union([z.number(), z.string()]).transform(String).optional(),
  more: z.strictObject({ item: z.string().optional(), items: z.string().optional().meta({ deprecated: true }) }).optional(),
  http: z.union([z.literal('none'), z.strictObject({ listen: z.string(), tls: z.string().optional() })]).optional(),
})

function sentences(text: string, of: z.ZodType = schema): string[] {
  const { document, problems } = parseYaml(new TextEncoder().encode(text), { file: 'a.yaml', schema: of })
  if (document === undefined) throw new Error(problems[0]?.message)
  const checked = validate(document, of)
  return checked.valid
    ? []
    : checked.problems.map(({ at, message, cure }) => `${at.line}:${at.column} ${message}${cure === undefined ? '' : ` | ${cure}`}`)
}

test('a file that is wrong in more places than a call takes arguments is one problem', () => {
  const value = { groups: { all: Array.from({ length: 130_000 }, () => 1) } }
  const document = { source: sourceOf('a.yaml', '', String), value, root: { start: 0, end: 0 } }
  expect(validate(document, z.object({ groups: z.object({ all: z.array(z.string()) }) }))).toEqual({
    valid: false,
    problems: [
      {
        at: { file: 'a.yaml', line: 0, column: 0 },
        message: 'this file has too many mistakes to show each one',
        cure: 'check that it is the right file',
      },
    ],
  })
})

test('a valid document becomes what its schema says, defaults included', () => {
  const { document } = parseYaml(new TextEncoder().encode('service: { baseUrl: "https://a.example" }\nwait: 3\n'), {
    file: 'a.yaml',
    schema,
  })
  if (document === undefined) throw new Error('not parsed')
  expect(validate(document, schema)).toEqual({
    valid: true,
    value: { service: { baseUrl: 'https://a.example', limit: 60 }, log: 'info', wait: '3' },
  })
})

test.each([
  ['a missing map', 'log: info\n', ['1:1 "service" is missing']],
  ['a missing key, with its description', 'service: {}\n', ['1:10 "baseUrl" is missing | Where the service answers']],
  [
    'a wrong choice',
    'service: { baseUrl: "https://a" }\nlog: inof\n',
    ['2:6 "log" cannot be "inof" | did you mean "info"? Allowed: info, debug'],
  ],
  [
    'a wrong address',
    'service: { baseUrl: "a b" }\n',
    ['1:21 "baseUrl" must be an address, such as https://host.example.com | Where the service answers'],
  ],
  ['a number out of range', 'service: { baseUrl: "https://a", limit: 0 }\n', ['1:41 "limit" must be at least 1']],
  ['a key of a record', 'service: { baseUrl: "https://a" }\nnames: { A1: x }\n', ['2:10 a name is of small letters']],
  [
    'a branch of a union',
    'service: { baseUrl: "https://a" }\nkind: { is: ldap, path: x }\n',
    ['2:19 unknown key "path" | Allowed here: is, base', '2:7 "base" is missing'],
  ],
  [
    'another kind',
    'service: { baseUrl: "https://a" }\nkind: { is: ldpa }\n',
    ['2:13 "is" cannot be "ldpa" | did you mean "ldap"? Allowed: file, ldap'],
  ],
  ['no kind', 'service: { baseUrl: "https://a" }\nkind: { base: x }\n', ['2:7 "is" is missing | Allowed: file, ldap']],
  ['no branch of a union', 'service: { baseUrl: "https://a" }\nwait: [1]\n', ['2:7 "wait" cannot be a list | it is a number or a text']],
  ['a list in place of a map', 'service: [x]\n', ['1:10 "service" must be a map (key: value), this is a list | its keys: baseUrl, limit']],
  ['a map without a value', 'service:\n', ['1:9 "service" has no value | its keys: baseUrl, limit']],
  [
    'a map without a value that needs none',
    'service: { baseUrl: "https://a" }\nmore:\n',
    ['2:6 "more" has no value | write {}, or its keys: item'],
  ],
  [
    'neither a word nor a map',
    'service: { baseUrl: "https://a" }\nhttp: 9464\n',
    ['2:7 "http" cannot be 9464 | Allowed: none, a map (key: value); its keys: listen, tls'],
  ],
  [
    'a key that belongs one level deeper',
    'service: { baseUrl: "https://a" }\nlisten: x\n',
    ['2:1 unknown key "listen" | it is a key of "http". Allowed here: service, kind, log, names, wait, more, http'],
  ],
  [
    'a key like a deprecated one',
    'service: { baseUrl: "https://a" }\nmore: { itemx: x }\n',
    ['2:9 unknown key "itemx" | did you mean "item"? Allowed here: item'],
  ],
  [
    'everything at once',
    'servce: 1\nlog: 3\n',
    [
      '1:1 "service" is missing',
      '1:1 unknown key "servce" | did you mean "service"? Allowed here: service, kind, log, names, wait, more, http',
      '2:6 "log" cannot be 3 | Allowed: info, debug',
    ],
  ],
])('%s', (_, text, expected) => {
  expect(sentences(text).toSorted()).toEqual(expected)
})

describe('a union of maps with different keys', () => {
  const login = z.union([
    z.strictObject({ key: z.string() }),
    z.strictObject({ oauth: z.strictObject({ id: z.string() }), scope: z.string().optional() }),
  ])
  const of = z.strictObject({ login })
  test.each([
    ['the first', 'login: { key: a }', []],
    ['the second', 'login: { oauth: { id: a }, scope: b }', []],
    ['both', 'login: { key: a, oauth: { id: a } }', ['1:18 "oauth" cannot stand beside "key" | keep one of them']],
    ['both, in the other order', 'login: { oauth: { id: a }, key: a }', ['1:10 "oauth" cannot stand beside "key" | keep one of them']],
    [
      'both, and an unknown key',
      'login: { key: a, oauth: { id: a }, other: c }',
      ['1:18 "oauth" cannot stand beside "key" | keep one of them', '1:36 unknown key "other" | Allowed here: key'],
    ],
    ['both, of which one lacks a key', 'login: { key: a, oauth: {} }', ['1:18 "oauth" cannot stand beside "key" | keep one of them']],
    ['an unknown key', 'login: { key: a, other: c }', ['1:18 unknown key "other" | Allowed here: key']],
  ])('%s', (_, text, expected) => {
    expect(sentences(text, of).toSorted()).toEqual(expected)
  })
})

test('a key of another kind of map is no key of this one', () => {
  const of = z.strictObject({
    one: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('a'), apple: z.string() }),
      z.strictObject({ kind: z.literal('b'), berry: z.string() }),
    ]),
  })
  expect(sentences('one: { kind: a, apple: x, berry: y }', of)).toEqual(['1:27 unknown key "berry" | Allowed here: kind, apple'])
})

test('a quoted word in place of true or false is told to be written without quotes', () => {
  const of = z.strictObject({ wait: z.union([z.boolean(), z.literal('some')]) })
  expect(sentences('wait: "true"', of)).toEqual(['1:7 "wait" cannot be "true" | write true, without quotes. Allowed: true, false, some'])
  expect(sentences('wait: off', of)).toEqual(['1:7 "wait" cannot be "off" | write false, without quotes. Allowed: true, false, some'])
  expect(sentences('wait: sume', of)).toEqual(['1:7 "wait" cannot be "sume" | did you mean "some"? Allowed: true, false, some'])
})

test('a secret whose file or variable has no name', () => {
  const secret = secretPlace(z.union([z.strictObject({ file: z.string().min(1) }), z.strictObject({ env: z.string().min(1) })]), {
    shows: () => true,
    cure: 'write { file: … } or { env: … }',
  })
  const of = z.strictObject({ secret })
  expect(sentences("secret: { file: '' }", of)).toEqual(['1:9 "secret" has an empty "file" | write { file: … } or { env: … }'])
  expect(sentences("secret: { env: '' }", of)).toEqual(['1:9 "secret" has an empty "env" | write { file: … } or { env: … }'])
  expect(sentences("secret: ''", of)).toEqual(['1:9 "secret" is empty | write { file: … } or { env: … }'])
})
