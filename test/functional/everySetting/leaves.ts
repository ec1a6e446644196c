import { z } from '../../../src/yaml/zod.ts'

/**
 * One place of the settings that has a value, for example `guards.raises.count`. A map with free names is passed as `<name>`, a directory as its
 * kind: `directories.<ldap>.pageSize`.
 */
export type Leaf = { readonly path: string; readonly choices: readonly Choice[] }

/** One kind of value that a place accepts: a fixed value, or all values that a schema accepts. */
export type Choice = { readonly called: string; takes(value: unknown): boolean }

/** Every place at which a second valid value is possible. Throws for an unknown kind of schema, so that it leaves out no place. */
export function leavesOf(schema: z.ZodType, path = ''): readonly Leaf[] {
  const options = alternatives(schema)
  const maps = options.filter((option) => option instanceof z.ZodObject)
  const below = options.flatMap((option) => {
    if (option instanceof z.ZodObject) return mapLeaves(option, path)
    if (option instanceof z.ZodRecord) return leavesOf(option.valueType as z.ZodType, `${path}.<name>`)
    return []
  })
  const choices = options.flatMap(choicesOf)
  if (choices.length === 0 || (maps.length === 0 && isFixed(options))) return below
  const map: readonly Choice[] = maps.length === 0 ? [] : [{ called: 'a map', takes: (value) => maps.some((one) => accepts(one, value)) }]
  return [{ path, choices: [...choices, ...map] }, ...below]
}

function mapLeaves(map: z.ZodObject, path: string): readonly Leaf[] {
  const { kind } = map.shape
  const here = kind instanceof z.ZodLiteral ? path.replace(/<name>$/, `<${String(kind.value)}>`) : path
  // A setting of an earlier version has no value that works.
  const fields = Object.entries(map.shape as Readonly<Record<string, z.ZodType>>).filter(
    ([, field]) => field.meta()?.['deprecated'] !== true,
  )
  return fields.flatMap(([name, field]) => leavesOf(field, here === '' ? name : `${here}.${name}`))
}

function choicesOf(schema: z.ZodType): readonly Choice[] {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return []
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(fixed)
  if (schema instanceof z.ZodEnum) return schema.options.map(fixed)
  if (schema instanceof z.ZodBoolean) return [true, false].map(fixed)
  const called = schema instanceof z.ZodArray ? 'a list' : schema instanceof z.ZodNumber ? 'a number' : 'a text'
  return [{ called, takes: (value) => accepts(schema, value) }]
}

const fixed = (value: unknown): Choice => ({ called: JSON.stringify(value), takes: (other) => other === value })
const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success
const isFixed = ([option, ...more]: readonly z.ZodType[]): boolean =>
  more.length === 0 && option instanceof z.ZodLiteral && option.values.size === 1

/** The schema without its wrappers (optional, default …). For a union: each of its options. */
function alternatives(schema: z.ZodType): readonly z.ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  )
    return alternatives(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => alternatives(option as z.ZodType))
  // This is a text with a meaning, such as a duration.
  if (schema instanceof z.ZodCodec && schema.in instanceof z.ZodString) return [schema]
  const known = [z.ZodObject, z.ZodRecord, z.ZodArray, z.ZodLiteral, z.ZodEnum, z.ZodBoolean, z.ZodString, z.ZodStringFormat, z.ZodNumber]
  if (known.some((one) => schema instanceof one)) return [schema]
  throw new Error(`a schema of the kind "${schema.type}" is new here: say what its values are`)
}
