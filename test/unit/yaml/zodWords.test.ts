import { describe, expect, test } from 'vitest'
import { z } from '../../../src/yaml/zod.ts'

/** A schema and a value for each kind of issue, and the message. */
const issues: readonly (readonly [schema: z.ZodType, value: unknown, says: string])[] = [
  [z.string(), 1, 'must be a text'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.strictObject({}), [], 'must be a map (key: value)'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.int().min(1), 0, 'must be at least 1'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.int().max(5), 6, 'must be at most 5'],
  [z.number().lt(5), 5, 'must be less than 5'],
  [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), 'a', 'must have at least 2 characters'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.array(z.string()).min(1), [], 'must have at least one item'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
  [z.number().multipleOf(5), 6, 'must be a multiple of 5'],
  [z.literal(1), 2, 'must be 1'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.strictObject({}), { x: 1 }, 'must not have the key "x"'],
  [z.url(), 'x', 'must be an address, such as https://host.example.com'],
  [z.email(), 'x', 'must be written in another way'],
  [z.string().regex(/^a$/), 'b', 'must be written in another way'],
  [z.union([z.string(), z.number()]), true, 'must be written in another way'],
  [z.record(z.string().regex(/^a$/), z.string()), { b: 'x' }, 'must be written in another way'],
  [z.string().refine(() => false), 'x', 'must be written in another way'],
  [z.date(), 'x', 'must be of the kind "date"'],
]

describe('an issue without a text of its own', () => {
  test.each(issues)('%#', (schema, value, says) => {
    expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([says])
  })

  test('never speaks as zod does', () => {
    const said = issues.flatMap(([schema, value]) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [])
    expect(said).toHaveLength(issues.length)
    expect(said.filter((message) => !message.startsWith('must ') || /Invalid|Too |Unrecognized|expected|received/.test(message))).toEqual(
      [],
    )
  })
})
