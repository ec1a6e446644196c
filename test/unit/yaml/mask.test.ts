import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { secretPlace } from '../../../src/yaml/schemaAt.ts'
import { validate } from '../../../src/yaml/validate.ts'
import { z } from '../../../src/yaml/zod.ts'
import { cpuMsOf } from '../cpuTime.ts'

const reference = secretPlace(z.union([z.strictObject({ file: z.string() }), z.strictObject({ env: z.string() })]), {
  shows: (name, key) => key === 'env' || name.startsWith('/'),
  cure: 'write { file: … } or { env: … }',
})
const guarded = z.strictObject({
  name: z.string(),
  number: z.int().optional(),
  list: z.array(z.string()).optional(),
  key: reference.optional().describe('The key.'),
  user: z.union([z.strictObject({ key: reference }), z.literal('nobody')]).optional(),
  users: z.record(z.string(), z.strictObject({ key: reference })).optional(),
})
const open = z.strictObject({
  name: z.string(),
  list: z.array(z.string()).optional(),
  places: z.record(z.string(), z.strictObject({ at: z.string() })).optional(),
})

/** Each problem as `line:column message | cure | line of the source | caret`. */
function framesOf(text: string, schema: z.ZodType): readonly string[] {
  const { document, problems } = parseYaml(Buffer.from(text), { file: 'a.yaml', schema })
  const checked = document === undefined ? undefined : validate(document, schema)
  const all = [...problems, ...(checked?.valid === false ? checked.problems : [])]
  return all.map(({ at, message, cure, source }) => {
    const { line = '', from = 0, to = 0 } = source ?? {}
    return [`${at.line}:${at.column} ${message}`, cure, line, `${' '.repeat(from)}${'^'.repeat(to - from)}`].join(' | ')
  })
}

describe('in a file that may hold secrets', () => {
  test.each<[text: string, expected: string]>([
    [
      '{ name: a, key: SECRET }',
      '1:17 "key" must say where the secret is, not the secret itself | write { file: … } or { env: … } | { name: a, key: ••• } |                 ^^^',
    ],
    [
      '{ name: a, key: { file: SECRET, fiel: SECRET } }',
      '1:17 "key" must say where the secret is, not the secret itself | write { file: … } or { env: … } | { name: a, key: ••• } |                 ^^^',
    ],
    [
      '{ name: a, key: { file: SECRET, env: SECRET } }',
      '1:17 "key" has both "file" and "env" | keep one of them | { name: a, key: ••• } |                 ^^^',
    ],
    ['{ name: a, key: }', '1:17 "key" has no value | write { file: … } or { env: … } | { name: a, key: } |                 '],
    ['{ name: a, user: { } }', '1:18 "key" is missing | write { file: … } or { env: … } | { name: a, user: { } } |                  ^^^'],
    ['{ name: a, user: SECRET }', '1:18 "user" cannot be a text |  | { name: a, user: ••• } |                  ^^^'],
    [
      '{ name: a, users: { x: 5 } }',
      '1:24 "x" must be a map (key: value), this is a number | its keys: key | { name: a, users: { x: ••• } } |                        ^^^',
    ],
    [
      '{ name: 5, key: { file: /a } }',
      '1:9 "name" must be a text, this is 5 | write it in quotes: "5" | { name: 5, key: { file: /a } } |         ^',
    ],
    [
      '{ name: 5, key: { env: A } } # SECRET',
      '1:9 "name" must be a text, this is 5 | write it in quotes: "5" | { name: 5, key: { env: A } } |         ^',
    ],
    ['{ name: 5, user: nobody }', '1:9 "name" must be a text, this is 5 | write it in quotes: "5" | { name: 5, user: nobody } |         ^'],
    [
      '{ name: a, nmae: SECRET }',
      '1:12 unknown key "nmae" | did you mean "name"? Allowed here: name, number, list, key, user, users | { name: a, nmae: ••• } |            ^^^^',
    ],
    [
      '{ name: a, usert: SECRET }',
      '1:12 unknown key "usert" | Allowed here: name, number, list, key, user, users | { name: a, usert: ••• } |            ^^^^^',
    ],
    [
      '{ name: a, apiColour2: SECRET }',
      '1:12 unknown key "apiColour2" | Allowed here: name, number, list, key, user, users | { name: a, apiColour2: ••• } |            ^^^^^^^^^^',
    ],
    [
      '{ name: a, secret: key }',
      '1:12 unknown key | Allowed here: name, number, list, key, user, users | { name: a, •••: ••• } |            ^^^',
    ],
    ['{ name: a, secret: }', '1:12 unknown key | Allowed here: name, number, list, key, user, users | { name: a, •••: } |            ^^^'],
    [
      '{ name: a, SECRET1: x }',
      '1:12 unknown key | Allowed here: name, number, list, key, user, users | { name: a, •••: ••• } |            ^^^',
    ],
    [
      '{ name: a, users: { S3: x } }',
      '1:25 this entry must be a map (key: value), this is a text | its keys: key | { name: a, users: { •••: ••• } } |                          ^^^',
    ],
    ['{ name: [a], list: x }', '1:9 "name" must be a text, this is a list |  | { name: [•••], list: x } |         ^^^^^'],
    [
      '{ name: a, users: { x: { name: SECRET } } }',
      '1:24 "key" is missing | write { file: … } or { env: … } | { name: a, users: { x: { name: ••• } } } |                        ^^^^^^^^^^^^^',
    ],
    ['SECRET', '1:1 the file must be a map (key: value), this is a text | its keys: name, number, list, key, user, users | ••• | ^^^'],
    ['12345', '1:1 the file must be a map (key: value), this is a number | its keys: name, number, list, key, user, users | ••• | ^^^'],
    [
      '- SECRET',
      '1:1 the file must be a map (key: value), this is a list | its keys: name, number, list, key, user, users | - ••• | ^^^^^',
    ],
  ])('%s', (text, expected) => {
    expect(framesOf(text, guarded)[0]?.replaceAll('undefined', '')).toBe(expected)
  })

  test.each<[text: string, expected: string]>([
    ['name: a\nkey: "SECRET\n', '2:13 a quote is not closed | the text began in this line or above | key: ••• |         '],
    [
      'name: *SECRET\n',
      '1:7 an alias is not allowed | a text that begins with * goes in quotes; otherwise write the value out | name: ••• |       ^^^',
    ],
    ['key: !SECRET x\n', '1:6 a tag is not allowed | remove it; a text that begins with ! goes in quotes | key: ••• |      ^^^'],
    ['%SECRET\n---\nname: a\n', '1:1 a directive is not allowed | remove the line; files are read as YAML 1.2 | ••• | ^^^'],
    ['name: a\nSECRET: b: c\n', '2:9 '],
    ['{ name: a, key: SECRET, other: SECRET\n', '1:38 '],
    ['list:\n- a\n  - name: SECRET\nname: [', '2:3 '],
  ])('that cannot be parsed, only its keys are shown: %s', (text, expected) => {
    const frames = framesOf(text, guarded)
    expect(frames.join('\n')).not.toContain('SECRET')
    expect(frames[0]).toContain(expected.slice(0, 4))
    if (expected.length > 50) expect(frames[0]).toBe(expected)
  })

  test('an address beside or below a secret url may be that url, and another text is shown', () => {
    const entry = z.strictObject({ url: reference, kind: z.enum(['a']).optional(), on: z.array(z.enum(['b'])).optional() })
    const schema = z.strictObject({ link: z.enum(['c']).optional(), entries: z.array(entry) })
    const of = (value: string) => framesOf(`entries: [{ url: { file: /a }, kind: ${value}, on: [${value}] }]`, schema)
    const line = (shown: string) => `entries: [{ url: { file: /a }, kind: ${shown}, on: [${shown}] }]`
    for (const address of ['https://h.example.com/x', 'HTTPS://h.example.com/x', "' https://h.example.com/x'"]) {
      const problems = of(address)
      expect(problems).toHaveLength(2)
      for (const problem of problems) expect(problem).toContain(`cannot be this | Allowed`)
      for (const problem of problems) expect(problem).toContain(` | ${line('•••')} | `)
    }
    expect(of('https:x').every((problem) => problem.includes('cannot be "https:x"') && problem.includes(line('https:x')))).toBe(true)
    expect(framesOf('{ link: https://h.example.com/x, entries: [] }', schema)[0]).toContain('cannot be "https://h.example.com/x"')
  })

  test('a key that is there twice is named only where it is a name', () => {
    expect(framesOf('name: a\nname: SECRET\n', guarded)).toEqual([
      '2:1 the key "name" is here twice | it is already on line 1; put both together, or remove one | name: ••• | ^^^^',
    ])
    expect(framesOf('S1: a\nS1: b\n', guarded)[0]).toBe(
      '2:1 this key is here twice | it is already on line 1; put both together, or remove one | ••• | ^^^',
    )
  })
})

describe('in another file', () => {
  test.each<[text: string, line: number, expected: string]>([
    ['name: 1\napiKey: SECRET # SECRET\n', 2, 'apiKey: •••'],
    ['name: 1\nplaces: { secret-team: { at: 5 } }\n', 2, 'places: { secret-team: { at: 5 } }'],
    ['name: a # token: SECRET\nlist: 1\n', 2, 'list: 1'],
    ['list: 1 # token: SECRET\n', 1, 'list: 1'],
    ['name: [https://u:SECRET@h]\n', 1, 'name: [•••]'],
    ['nmae: SECRET\nlist: 1', 2, 'list: 1'],
    ['other: SECRET\n', 1, '•••: •••'],
    ['- SECRET\n', 1, '- •••'],
    ['name: a\npassword: !SECRET\n', 2, 'password: •••'],
    ['name: a\npassword: 1\npassword: SECRET\n', 3, '•••'],
    ['name: a\nplaces: { a: { key: SECRET, at: 5 } } # SECRET\n# nothing\n', 2, 'places: { a: { key: •••, at: 5 } }'],
    ['name: 5 # SECRET\nplaces: { a: { key: SECRET, at: a } }\n', 1, 'name: 5'],
    ['name: 5 # fine\n', 1, 'name: 5 # fine'],
  ])('%j', (text, line, expected) => {
    const shown = framesOf(text, open)
      .filter((frame) => frame.startsWith(`${line}:`))
      .map((frame) => frame.split(' | ').at(-2))
    expect(new Set(shown)).toEqual(new Set([expected]))
  })

  test.each<[name: string, text: string]>([
    ['in the line of its key', 'password: SECRET\nlist: [\n'],
    ['after a marked key', '? password\n: SECRET\nlist: [\n'],
    ['in a quoted key', '"password" : SECRET\n x: [\n'],
    ['in a key with an escape', '"p\\u0061ssword": SECRET: x\n'],
    ['in a list in the column of its key', 'tokens:\n- SECRET: a: b\n- SECRET\nlist: [\n'],
    ['in a list of maps in the column of its key', 'tokens:\n- name: SECRET: SECRET\nlist: [\n'],
    ['in a block', 'name: a\ntoken: |\n  SECRET\n name: SECRET\n  at: SECRET\nlist: [\n'],
    ['in an open quote', 'token: "SECRET\nname: SECRET\nlist: SECRET\n'],
    ['in an open bracket', '{ token: [a,\nname: SECRET: SECRET\n'],
    ['in an item of a list', '- token: a\n    SECRET: a: b\n'],
    ['after an equals sign', 'a: [\nPLANE_API_KEY=SECRET: b\n'],
    ['in an address', 'a: [\nb: https://u:SECRET@h: c: d\n'],
    ['where there is no key at all', '@SECRET\n'],
    ['where there is no key at all, in several lines', 'SECRET\n"SECRET\nSECRET\n'],
  ])('that cannot be parsed: %s', (_, text) => {
    const frames = framesOf(text, open)
    expect(frames.length).toBeGreaterThan(0)
    expect(frames.join('\n')).not.toContain('SECRET')
  })

  test('that cannot be parsed, all is shown before the first key that names a secret, and behind it the keys of the file', () => {
    expect(framesOf('name: a: b # x\ntoken: SECRET\n', open)[0]).toContain('name: a: b # x')
    expect(framesOf('token: SECRET\nname: a: b\n', open)[0]).toContain(' | name: ••• | ')
  })

  test.each([
    ['brackets', '['.repeat(100_000)],
    ['blanks', `${' '.repeat(100_000)}: x: y`],
    ['dashes', '- '.repeat(50_000)],
    ['words', `${'a'.repeat(100_000)}: b: c`],
    ['secret keys', 'key: a: b\n'.repeat(10_000)],
    ['quotes', '"'.repeat(100_000)],
    ['escapes', '"\\'.repeat(50_000)],
    ['commas', `{${',"a'.repeat(30_000)}`],
  ])('a line of 100 kB of %s in no time', (_, text) => {
    const cpuMs = cpuMsOf(() => {
      for (const schema of [open, guarded]) framesOf(text, schema)
    })
    expect(cpuMs).toBeLessThan(10_000)
  })
})
