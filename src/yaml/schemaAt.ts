import type { Path } from './document.ts'
import { z } from './zod.ts'

/** The schema of the value at `path`, without optional and the like around it; undefined where the schema has no such place. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let here: z.ZodType | undefined = schema
  for (const step of path) {
    const inner: z.ZodType[] = branches(here).flatMap((branch) => inside(branch, step) ?? [])
    here = inner[0]
  }
  return here
}

/** The keys that a map at this place may have; in a union, those of the branch whose fixed values (`kind: ldap`) are written. */
export function keysOf(schema: z.ZodType | undefined, written: unknown): readonly string[] {
  const maps = branches(schema).filter((branch) => branch instanceof z.ZodObject)
  const meant = maps.find((map) =>
    Object.entries(map.shape).every(([key, field]) => !(field instanceof z.ZodLiteral) || field.values.has(entry(written, key) as string)),
  )
  return Object.keys((meant ?? maps[0])?.shape ?? {})
}

/** The values that a union's branches tell themselves apart by. */
export function choicesOf(schema: z.ZodType | undefined, discriminator: string): unknown[] {
  const fields = branches(schema).flatMap((branch) =>
    branch instanceof z.ZodObject ? [(branch.shape as Record<string, unknown>)[discriminator]] : [],
  )
  return fields.flatMap((field) => (field instanceof z.ZodLiteral ? Array.from(field.values) : []))
}

const entry = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

function inside(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return (schema.shape as Record<PropertyKey, z.ZodType | undefined>)[step]
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType
  return undefined
}

/** What remains when everything that only wraps is taken off; each option of a union. */
function branches(schema: z.ZodType | undefined): z.ZodType[] {
  if (schema === undefined) return []
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return branches(schema.unwrap() as z.ZodType)
  }
  if (schema instanceof z.ZodReadonly) return branches(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return branches(schema.in as z.ZodType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => branches(option as z.ZodType))
  return [schema]
}
