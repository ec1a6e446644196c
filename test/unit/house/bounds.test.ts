import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { because } from '../../../src/documents/parts.ts'
import { load } from '../declaration/declare.ts'
import { root } from './files.ts'

/** A pattern that bounds its text: a duration, or a day or moment. */
const isBoundedPattern = (pattern: unknown): boolean => typeof pattern === 'string' && /^\^(?:\\d\{1,6\}|2\\d\{3\}-)/.test(pattern)

/** The places of texts without an upper bound in a JSON Schema. */
function* unbounded(node: unknown, place: string): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const { type, maxLength, enum: choices, const: only, pattern } = node as Readonly<Record<string, unknown>>
  if (type === 'string' && [maxLength, choices, only].every((one) => one === undefined) && !isBoundedPattern(pattern)) yield place
  for (const [key, value] of Object.entries(node)) yield* unbounded(value, `${place}/${key}`)
}

test.each(['config/declaration.schema.json', 'config/settings.schema.json', 'config/fences.schema.json'])(
  'each text of %s has an upper bound',
  async (file) => {
    expect([...unbounded(JSON.parse(await readFile(join(root, file), 'utf8')), '')]).toEqual([])
  },
)

describe('a text of a person has at most 500 characters', () => {
  const lineOf = (text: string) => {
    const loaded = load({ 'a.yaml': `version: 1\n${text}` }, { waiverFiles: ['*'], dateMs: Date.parse('2026-01-01') })
    return loaded.valid ? [] : loaded.problems.map(({ at, message, cure }) => `${at.file}:${at.line}:${at.column} ${message}: ${cure}`)
  }
  const acme = (list: string) => `workspaces:\n  acme:\n    ${list}`
  test.each([
    ['owner of a file', (text: string) => `owner: ${text}\nworkspaces: {}`, '2:8'],
    ['reason', (text: string) => acme(`workspaceRoles: [ { group: a, role: member, reason: ${text} } ]`), '4:57'],
    ['owner', (text: string) => acme(`workspaceRoles: [ { group: a, role: member, owner: ${text} } ]`), '4:56'],
    ['reason of a removal', (text: string) => acme(`removed: [ { group: a, workspace: true, reason: ${text} } ]`), '4:53'],
    ['reason of an unmanaged entry', (text: string) => acme(`unmanaged: [ { group: a, reason: ${text} } ]`), '4:38'],
    [
      'reason of a waiver',
      (text: string) => acme(`waivers: [ { group: a, workspace: true, from: none, to: admin, until: 2026-01-02, reason: ${text} } ]`),
      '4:95',
    ],
  ])('%s', (_what, file, place) => {
    // A sign outside of the first plane is one character.
    expect(lineOf(file(`"${'\u{1F600}'.repeat(499)}x"`))).toEqual([])
    expect(lineOf(file(`"${'x'.repeat(501)}"`))).toEqual([`a.yaml:${place} this text has 501 characters: write at most 500`])
    expect(lineOf(file(`"${'x'.repeat(64_000)}"`))).toEqual([`a.yaml:${place} this text has 64000 characters: write at most 500`])
  })

  test('also in a saved plan', () => {
    const at = { file: 'a.yaml', line: 1, column: 1 }
    const isRead = (reason: string) => because.safeParse({ at, reason }).success
    expect([isRead('x'.repeat(500)), isRead('x'.repeat(501))]).toEqual([true, false])
  })
})
