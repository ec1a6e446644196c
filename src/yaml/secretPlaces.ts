import type { Path } from './document.ts'
import { below, fieldsOf, layersOf, partsOf } from './schemaAt.ts'
import { z } from './zod.ts'

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
    const found = places.get(layer)
    if (found !== undefined) return found
  }
  return undefined
}

/** The outermost secret place on a path, which may be the end of the path itself. */
export function secretAbove(schema: z.ZodType, path: Path): (Secrecy & { readonly path: Path }) | undefined {
  let here: readonly z.ZodType[] = [schema]
  for (let length = 0; ; length++) {
    const secrecy = here.map(secrecyOf).find((one) => one !== undefined)
    if (secrecy !== undefined) return { ...secrecy, path: path.slice(0, length) }
    const step = path[length]
    if (step === undefined) return undefined
    here = here.flatMap((one) => below(one, step))
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
  const found = known.get(schema) ?? new Set(fieldsOf(schema).concat(partsOf(schema).flatMap(({ part }) => [...fieldsBelow(part)])))
  known.set(schema, found)
  return found
}
const known = new WeakMap<z.ZodType, ReadonlySet<string>>()
