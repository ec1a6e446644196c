import { holdsSecret, partsOf, secrecyOf } from '../../../src/yaml/schemaAt.ts'
import type { z } from '../../../src/yaml/zod.ts'

/** A way through a schema: keys of maps, `one` for those of records, 0 for the first item of a list. */
export type Place = { readonly path: readonly (string | 0)[]; readonly schema: z.ZodType }

/** Every place of a schema, itself included. */
export function placesOf(schema: z.ZodType, path: Place['path'] = []): readonly Place[] {
  const below = partsOf(schema).flatMap(({ kind, step = 'one', part }) => placesOf(part, [...path, kind === 'item' ? 0 : step]))
  return [{ path, schema }, ...below]
}

export const isSecret = ({ schema }: Place): boolean => secrecyOf(schema) !== undefined
/** Whether a place contains the place of a secret. A person may write the secret here by mistake, one or more levels too high. */
export const isHolder = (place: Place): boolean => !isSecret(place) && holdsSecret(place.schema)
export const isMap = ({ schema }: Place): boolean => partsOf(schema).some(({ kind }) => kind === 'field')
export const isLeaf = ({ schema }: Place): boolean => partsOf(schema).length === 0

/** A document with a value at one place, in lines. `text` gets the indent of the last key. */
export function inLines(path: Place['path'], text: (indent: string) => string): string {
  let [head, indent] = ['', '']
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1
    // The first key of an item is on the line of its dash.
    const isFirst = path[index - 1] === 0
    const lead = isFirst ? '' : indent
    if (step === 0) {
      head += `${lead}- ${isLast ? text(indent) : ''}`
      indent += '  '
    } else {
      head += isLast ? `${lead}${step}: ${text(indent)}` : `${lead}${step}:\n`
      indent += '  '
    }
  }
  return `${path.length === 0 ? text('') : head}\n`
}

/** The same document in one line. */
export function inBraces(path: Place['path'], text: string): string {
  const [step, ...rest] = path
  if (step === undefined) return text
  return step === 0 ? `[${inBraces(rest, text)}]` : `{ ${step}: ${inBraces(rest, text)} }`
}
