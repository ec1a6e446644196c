import type { Path } from './document.ts'
import { z } from './zod.ts'

/**
 * The schema of the value at `path`; undefined if the schema has no such place. A union may contain several maps. Then the schema of
 * the map whose literals (`kind: ldap`) equal those of `written` is returned. `written` is the value for the whole schema.
 */
export function schemaAt(schema: z.ZodType, path: Path, written?: unknown): z.ZodType | undefined {
  let branches: readonly z.ZodType[] = [schema]
  let value = written
  for (const step of path) {
    branches = branches.flatMap((branch) => (meantBy(branch, value) ?? [branch]).flatMap((map) => below(map, step)))
    value = entry(value, step)
  }
  return branches[0]
}

/** The maps of a union whose literals equal the written ones; undefined if there is none. */
function meantBy(schema: z.ZodType, written: unknown): readonly z.ZodType[] | undefined {
  const meant = branches(schema).filter((branch) => branch instanceof z.ZodObject && hasLiteralsOf(branch, written))
  return meant.length === 0 ? undefined : meant
}

const hasLiteralsOf = ({ shape }: z.ZodObject, written: unknown): boolean =>
  Object.entries(shape).every(([key, field]) => !(field instanceof z.ZodLiteral) || field.values.has(entry(written, key) as string))

/** The schemas of the value at one step, one for each branch that has it. */
export function below(schema: z.ZodType, step: PropertyKey): readonly z.ZodType[] {
  return partsOf(schema).flatMap((part) => (leadsTo(part, step) ? [part.part] : []))
}

/** A list has no value under a text: a map that stands in place of a list has keys that the schema does not have. */
const leadsTo = ({ kind, step: field }: Part, step: PropertyKey): boolean =>
  kind === 'field' ? field === step : kind === 'entry' || typeof step === 'number'

/** The keys that a map may have at this place; in a union, the keys of the branch whose literals (`kind: ldap`) equal the written values. */
export const keysOf = (schema: z.ZodType | undefined, written: unknown): readonly string[] => Object.keys(shapeOf(schema, written))

/** The same without deprecated keys, for people who look for a key to write. */
export const presentKeysOf = (schema: z.ZodType | undefined, written: unknown): readonly string[] =>
  Object.entries(shapeOf(schema, written)).flatMap(([key, field]) => (field.meta()?.['deprecated'] === true ? [] : [key]))

function shapeOf(schema: z.ZodType | undefined, written: unknown): Readonly<Record<string, z.ZodType>> {
  const maps = branches(schema).filter((branch) => branch instanceof z.ZodObject)
  return (maps.find((map) => hasLiteralsOf(map, written)) ?? maps[0])?.shape ?? {}
}

/**
 * The written key beside which `key` cannot stand: `key` belongs to another map of a union, and that map lacks the written key. Undefined if `key` belongs to
 * no such map.
 *
 * @param strange the written keys that the map that was meant lacks
 */
export function besideKey(schema: z.ZodType | undefined, written: unknown, key: string, strange: ReadonlySet<string>): string | undefined {
  const known = schema === undefined ? [] : fieldsOf(schema).filter((field) => !strange.has(field) && entry(written, field) !== undefined)
  const others = branches(schema).flatMap((branch) =>
    branch instanceof z.ZodObject && Object.hasOwn(branch.shape, key) && hasLiteralsOf(branch, written) ? [branch.shape] : [],
  )
  return others.flatMap((shape) => known.find((field) => !Object.hasOwn(shape, field)) ?? [])[0]
}

/** The values of the discriminator of a union, over all branches. */
export function choicesOf(schema: z.ZodType | undefined, discriminator: string): unknown[] {
  const fields = branches(schema).flatMap((branch) =>
    branch instanceof z.ZodObject ? [(branch.shape as Record<string, unknown>)[discriminator]] : [],
  )
  return fields.flatMap((field) => (field instanceof z.ZodLiteral ? Array.from(field.values) : []))
}

const entry = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined

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

/** How to treat a value that is a secret, or may be one by mistake. */
export type Secrecy = {
  /** Whether a scalar at this place may be shown, because it is a reference. `key`: its key if it is the only entry of a map. */
  readonly shows: (text: string, key?: string) => boolean
  /** How the value is written. This is the cure for any wrong value. */
  readonly cure?: string
}

/** The schemas whose values may be secrets. */
const places = z.registry<Secrecy>()

/** Marks a schema: no output shows its values, except those that `secrecy` allows. */
export function secretPlace<T extends z.ZodType>(schema: T, secrecy: Secrecy): T {
  places.add(schema, secrecy)
  return schema
}

/** The mark of a schema, or of a schema that it wraps; undefined if it has none. */
export function secrecyOf(schema: z.ZodType): Secrecy | undefined {
  for (const layer of layersOf(schema)) {
    const mark = places.get(layer)
    if (mark !== undefined) return mark
  }
  return undefined
}

/** The outermost secret place on a path, which may be the end of the path itself. */
export function secretAbove(schema: z.ZodType, path: Path): (Secrecy & { readonly path: Path }) | undefined {
  let branches: readonly z.ZodType[] = [schema]
  for (let length = 0; ; length++) {
    const secrecy = branches.map(secrecyOf).find((mark) => mark !== undefined)
    if (secrecy !== undefined) return { ...secrecy, path: path.slice(0, length) }
    const step = path[length]
    if (step === undefined) return undefined
    branches = branches.flatMap((branch) => below(branch, step))
  }
}

/** Whether a value of this schema is a secret place, or contains one. */
export function holdsSecret(schema: z.ZodType): boolean {
  const holds = holders.get(schema) ?? (secrecyOf(schema) !== undefined || partsOf(schema).some(({ part }) => holdsSecret(part)))
  holders.set(schema, holds)
  return holds
}
const holders = new WeakMap<z.ZodType, boolean>()

/** The keys that a value of this schema may have, at any depth. Maps with free keys add none. */
export function fieldsBelow(schema: z.ZodType): ReadonlySet<string> {
  const fields = knownFields.get(schema) ?? new Set(fieldsOf(schema).concat(partsOf(schema).flatMap(({ part }) => [...fieldsBelow(part)])))
  knownFields.set(schema, fields)
  return fields
}
const knownFields = new WeakMap<z.ZodType, ReadonlySet<string>>()
