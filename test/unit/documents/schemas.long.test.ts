import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { assert, pre, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DocumentName, documentSchema } from '../../../src/documents/jsonSchemas.ts'
import { planJson } from '../../../src/render/json.ts'
import type { FailedView, View } from '../../../src/render/view.ts'
import { members } from '../bounds.ts'
import { views } from '../render/anyView.ts'

const names: readonly DocumentName[] = ['plan', 'applied', 'groups', 'validate']

/** The mistakes that a JSON Schema finds in a document. `unknownFields: refused`: the schema must name every field. */
function checker(name: DocumentName, unknownFields: 'allowed' | 'refused') {
  const validate = new Ajv2020({ formats: { 'date-time': (text: string) => new Date(text).toISOString() === text } }).compile(
    documentSchema(name, unknownFields),
  )
  return (document: unknown): readonly string[] =>
    validate(document)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}

const snapshots = new URL('../render/snapshots/', import.meta.url)
const stored = readdirSync(snapshots)
  .filter((file) => file.endsWith('.json.txt'))
  .map((file) => [file, JSON.parse(readFileSync(new URL(file, snapshots), 'utf8')) as Readonly<Record<string, unknown>>] as const)

describe('the schema of a document', () => {
  test.each(names)('of %s has an address with the version, and is one that readers of JSON Schema know', (name) => {
    const schema = documentSchema(name) as { readonly $id: string; readonly properties: { readonly version: { readonly const: number } } }
    expect(schema.$id).toBe(`urn:plane-group-sync:${name}:${schema.properties.version.const}`)
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' })
    expect(() => checker(name, 'allowed')).not.toThrow()
  })

  test('names every field of every stored document', () => {
    expect(stored.length).toBeGreaterThanOrEqual(3)
    for (const [file, document] of stored) expect(checker('applied', 'refused')(document), file).toEqual([])
  })

  test('names every field of any plan', () => {
    const check = checker('applied', 'refused')
    assert(
      property(views, (some) => {
        // JSON has no infinite numbers. The times and the budget of a real plan are finite.
        pre(!hasInfinite(some))
        expect(check(JSON.parse(planJson(some.map(withUsualBudget))))).toEqual([])
      }),
      { numRuns: 1_000, maxSkipsPerRun: 1_000 },
    )
  })

  test('of a plan has no result of writing, and accepts a document that has one', () => {
    const [, document] = stored.find(([file]) => file.startsWith('every-field')) ?? []
    expect(checker('plan', 'allowed')(document)).toEqual([])
    expect(checker('plan', 'refused')(document)).not.toEqual([])
  })

  test('accepts fields that a later program may add, and refuses a document with a field less, or of another version', () => {
    for (const [file, document] of stored) {
      const check = checker('applied', 'allowed')
      const [first, ...others] = document.workspaces as readonly Readonly<Record<string, unknown>>[]
      expect(check({ ...document, unheardOf: 7, workspaces: [{ ...first, unheardOf: 7 }, ...others] }), file).toEqual([])
      const { slug: _, ...less } = first ?? {}
      expect(check({ ...document, workspaces: [less, ...others] }), file).not.toEqual([])
      expect(check({ ...document, version: 1 }), file).not.toEqual([])
    }
  })

  test('of groups and of validate names every field', () => {
    const group = { name: 'devs', id: '1', place: 'cn=devs', size: members(3), names: ['devs', 'dev'] }
    const finding = { code: 'members-unreadable', severity: 'warning', sentence: 'no', cure: 'do' }
    const directory = { name: 'corp', kind: 'ldap', status: 'partial', tookMs: 3, missing: 'some', findings: [finding], groups: [group] }
    expect(checker('groups', 'refused')({ format: 'plane-group-sync/groups', version: 1, directories: [directory] })).toEqual([])
    const problem = { severity: 'note', code: 'old-word', file: 'a.yaml', line: 1, column: 2, message: 'x', cure: 'y' }
    const head = { format: 'plane-group-sync/validation', version: 1, valid: true, settings: 'c.yaml', problems: [problem] }
    expect(checker('validate', 'refused')(head)).toEqual([])
    expect(checker('validate', 'refused')({ ...head, problems: [{ ...problem, line: 0 }] })).not.toEqual([])
  })
})

function withUsualBudget<V extends View | FailedView>(one: V): V {
  const { budget } = one.about
  return { ...one, about: { ...one.about, budget: { ...budget, others: budget.others % 50 } } }
}

function hasInfinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinite)
}
