import type { Path } from './document.ts'
import { z } from './zod.ts'

/** The schema of the value at `path`; undefined if the schema has no such place. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let here: z.ZodType | undefined = schema
  for (const step of path) {
    here = here === undefined ? undefined : below(here, step)[0]
  }
  return here
}

/** The schemas of the value at one step, one for each branch that has it. */
export function below(schema: z.ZodType, step: PropertyKey): readonly z.ZodType[] {
  return partsOf(schema).flatMap((one) => (one.step === undefined || one.step === step ? [one.part] : []))
}

/** The keys that a map may have at this place; in a union, the keys of the branch whose literals (`kind: ldap`) equal the written values. */
export function keysOf(schema: z.ZodType | undefined, written: unknown): readonly string[] {
  const maps = branches(schema).filter((branch) => branch instanceof z.ZodObject)
  const meant = maps.find((map) =>
    Object.entries(map.shape).every(([key, field]) => !(field instanceof z.ZodLiteral) || field.values.has(entry(written, key) as string)),
  )
  return Object.keys((meant ?? maps[0])?.shape ?? {})
}

/** The values of the discriminator of a union, over all branches. */
export function choicesOf(schema: z.ZodType | undefined, discriminator: string): unknown[] {
  const fields = branches(schema).flatMap((branch) =>
    branch instanceof z.ZodObject ? [(branch.shape as Record<string, unknown>)[discriminator]] : [],
  )
  return fields.flatMap((field) => (field instanceof z.ZodLiteral ? Array.from(field.values) : []))
}

const entry = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

/** The schemas inside all wrappers (optional, default …); for a union each of its options. */
function branches(schema: z.ZodType | undefined): z.ZodType[] {
  return schema === undefined ? [] : layersOf(schema).filter((layer) => wrappedBy(layer).length === 0)
}

/** A schema, the schemas that it wraps, and the options of its unions. */
export function layersOf(schema: z.ZodType): z.ZodType[] {
  return [schema, ...wrappedBy(schema).flatMap(layersOf)]
}

function wrappedBy(schema: z.ZodType): readonly z.ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  ) {
    return [schema.unwrap() as z.ZodType]
  }
  if (schema instanceof z.ZodPipe) return [schema.in as z.ZodType]
  if (schema instanceof z.ZodUnion) return schema.options as readonly z.ZodType[]
  return []
}

/** A field of a map, the entries of a record, the items of a list. */
type Part =
  | { readonly kind: 'field'; readonly step: string; readonly part: z.ZodType }
  | { readonly kind: 'entry' | 'item'; readonly step?: never; readonly part: z.ZodType }

const known = new WeakMap<z.ZodType, readonly Part[]>()

/** The parts of the maps and lists that a schema allows. */
export function partsOf(schema: z.ZodType): readonly Part[] {
  const parts = known.get(schema) ?? partsIn(schema)
  known.set(schema, parts)
  return parts
}

/** The keys of the maps that a schema allows. */
export const fieldsOf = (schema: z.ZodType): readonly string[] => partsOf(schema).flatMap(({ step }) => step ?? [])

function partsIn(schema: z.ZodType): readonly Part[] {
  return branches(schema).flatMap((branch): readonly Part[] => {
    if (branch instanceof z.ZodObject) {
      return Object.entries(branch.shape).map(([step, part]) => ({ kind: 'field', step, part: part as z.ZodType }))
    }
    if (branch instanceof z.ZodRecord) return [{ kind: 'entry', part: branch.valueType as z.ZodType }]
    if (branch instanceof z.ZodArray) return [{ kind: 'item', part: branch.element as z.ZodType }]
    return []
  })
}
