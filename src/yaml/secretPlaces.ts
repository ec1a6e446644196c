import type { Path } from './document.ts'
import { below, fieldsOf, layersOf, partsOf } from './schemaAt.ts'
import { z } from './zod.ts'

/** What a schema says of a value that may be a secret, be it by mistake. */
export type Secrecy = {
  /** Whether a scalar there may be shown all the same. `key`: of the map that it stands in alone, where there is one. */
  readonly shows: (text: string, key?: string) => boolean
  /** How it is written: said of whatever else stands there. */
  readonly cure?: string
}

/** The one home of where secrets may stand. */
const places = z.registry<Secrecy>()

/** Marks the values of a schema: no output shows them but where `secrecy` lets it. */
export function secretPlace<T extends z.ZodType>(schema: T, secrecy: Secrecy): T {
  places.add(schema, secrecy)
  return schema
}

export function secrecyOf(schema: z.ZodType): Secrecy | undefined {
  for (const layer of layersOf(schema)) {
    const found = places.get(layer)
    if (found !== undefined) return found
  }
  return undefined
}

/** The outermost secret place on the way to a path, the path's own included. */
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

/** The names of all keys that a value of this schema may have at any depth, but those of maps with free keys. */
export function fieldsBelow(schema: z.ZodType): ReadonlySet<string> {
  const found = known.get(schema) ?? new Set(fieldsOf(schema).concat(partsOf(schema).flatMap(({ part }) => [...fieldsBelow(part)])))
  known.set(schema, found)
  return found
}
const known = new WeakMap<z.ZodType, ReadonlySet<string>>()
