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

const bounds = {
  least: z.int().nonnegative(),
  most: z.int().nonnegative().optional().describe('Absent if nothing bounds the number from above.'),
  why: z.string().optional().describe('Why it is not exact, if no text beside it says so.'),
}

/** A number of which perhaps only bounds are known. */
export const boundsSchema = z
  .object(bounds)
  .meta({ id: 'bounds', description: 'A number of people, exact if `least` and `most` are equal.' })

/** How many a group has. */
export const sizeSchema = z
  .object({
    of: z.enum(['people', 'members']).describe('people: those who can sign in. members: the entries of its list, of any kind.'),
    ...bounds,
  })
  .meta({ id: 'size', description: 'How many a group has, exact if `least` and `most` are equal.' })

/** A number of things, or of milliseconds. */
export const amount = z.number()
