import { z } from 'zod'
import { noteCharactersMax } from '../core/safeName.ts'

type Primitive = string | number | boolean | null | undefined

/** `T` with all properties and lists read-only, at every depth. */
export type DeepReadonly<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : { readonly [Name in keyof T]: DeepReadonly<T[Name]> }

/** A text that has a type of its own in the code, such as the name of a group. */
export const branded = <T extends string>(): z.ZodType<T> => z.string() as unknown as z.ZodType<T>

/** A text that a person wrote, such as a reason. */
export const personText = z
  .string()
  .refine((text) => Array.from(text).length <= noteCharactersMax)
  .meta({ maxLength: noteCharactersMax })

/** A time, ISO 8601 in UTC. */
export const isoText = z.string().meta({ format: 'date-time' })

/** A number of things, or of milliseconds. */
export const amount = z.number()
