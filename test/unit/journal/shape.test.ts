import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OperationalError } from '../../../src/core/operationalError.ts'
import { entryFromLine, headFromLine } from '../../../src/journal/lines.ts'

const fixture = join(import.meta.dirname, '../../fixtures/journal-format-2/journal-000002.jsonl')
const place = { file: 'journal-000002.jsonl', line: 7 }
const ignore = () => undefined
const [head = '', ...entries] = readFileSync(fixture, 'utf8').trimEnd().split('\n')

type Json = null | boolean | number | string | readonly Json[] | Fields
type Fields = { readonly [name: string]: Json }
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** Copies of the value in which one inner value is replaced: one copy for each place and each replacement. */
function* damagedCopies(value: Json, path = ''): Generator<readonly [path: string, copy: Json]> {
  if (path !== '') for (const wrong of wrongFor(value)) yield [`${path} = ${JSON.stringify(wrong)}`, wrong]
  if (isList(value)) {
    for (const [index, one] of value.entries())
      for (const [where, copy] of damagedCopies(one, `${path}.${index}`)) yield [where, value.with(index, copy)]
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value))
      for (const [where, copy] of damagedCopies(one, `${path}.${name}`)) yield [where, { ...value, [name]: copy }]
  }
}

/** Values of other types. */
const wrongFor = (value: Json): readonly Json[] => [null, 7, 'x', [7], { x: 7 }].filter((wrong) => kindOf(wrong) !== kindOf(value))
const kindOf = (value: Json) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)

/** A setting of group sync may be a text, a flag or null, and the role before may be null; an unknown kind may come from a newer version. */
const isLeftOpen = (path: string) =>
  /\.(before|after)\.\w+ = ("x"|null)$/.test(path) || path.endsWith('.before = null') || path.endsWith('.entry = "x"')

const readEntry = (value: Json) => entryFromLine(JSON.stringify(value), place, ignore)
const readHead = (value: Json) => headFromLine(JSON.stringify(value), place, ignore)

function expectDamage(read: () => unknown, what: string): void {
  const error = (() => {
    try {
      return read()
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error, what).toBeInstanceOf(OperationalError)
  expect((error as OperationalError).code, what).toMatch(/^Journal(Damaged|Newer)$/)
  expect((error as OperationalError).message, what).toContain('journal-000002.jsonl:7: ')
}

describe('a line that is JSON, but has a field of another type, is damaged, and never an error of the language', () => {
  test.each(entries.map((line) => [(JSON.parse(line) as { entry: string }).entry, line]))('%s', (_kind, line) => {
    const entry = JSON.parse(line) as Json
    expect(() => readEntry(entry)).not.toThrow()
    let copies = 0
    for (const [path, copy] of damagedCopies(entry)) {
      if (isLeftOpen(path)) continue
      copies++
      expectDamage(() => readEntry(copy), path)
    }
    expect(copies).toBeGreaterThan(5)
  })

  test('the head of a file', () => {
    const whole = JSON.parse(head) as Json
    expect(() => readHead(whole)).not.toThrow()
    for (const [path, copy] of damagedCopies(whole)) if (!isLeftOpen(path)) expectDamage(() => readHead(copy), path)
  })

  test.each([
    '{"entry":"result"}',
    '{"entry":"end"}',
    '{"entry":"intent","atMs":1,"run":"r"}',
    '{"entry":7}',
    '{}',
    '[]',
    'null',
    '7',
    '"x"',
  ])('the entry %s', (line) => expectDamage(() => entryFromLine(line, place, ignore), line))

  test.each(['{}', '[]', 'null', '7', '{"format":2}', '{"format":2,"memory":[]}', '{"format":2,"memory":{"quarantine":5}}'])(
    'the head %s',
    (line) => expectDamage(() => headFromLine(line, place, ignore), line),
  )
})

test('all lines of a journal are accepted', () => {
  expect(() => readHead(JSON.parse(head) as Json)).not.toThrow()
  for (const line of entries) expect(() => entryFromLine(line, place, ignore)).not.toThrow()
})
