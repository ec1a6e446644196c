import { isDeepStrictEqual } from 'node:util'
import { fileSchema } from '../declaration/schema.ts'
import { z } from '../yaml/zod.ts'
import { fencesFileSchema } from './fences.ts'
import { plainHttpAskedFor, plainHttpToLoopback } from './patterns/address.ts'
import { webAddressMark } from './scalars.ts'
import { settingsSchema } from './schema.ts'

/** JSON Schema (2020-12) of a declaration file, for editors. */
export const declarationSchema = (): object => z.toJSONSchema(fileSchema, { io: 'input' })

/** JSON Schema (2020-12) of the file that `fencesFile` names, for editors. */
export const fencesJsonSchema = (): object => z.toJSONSchema(fencesFileSchema, { io: 'input' })

/** JSON Schema (2020-12) of the settings file, for editors and for the chart. Each map with addresses says where plain `http:` is possible. */
export const settingsJsonSchema = (): object =>
  z.toJSONSchema(settingsSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (!(zodSchema instanceof z.ZodObject)) return
      const fields = Object.entries(zodSchema.shape)
      const addresses = fields.flatMap(([name, field]) => (webAddressMark(field) === undefined ? [] : name))
      if (addresses.length === 0) return
      const safe = ('allowPlaintext' in zodSchema.shape ? plainHttpAskedFor : plainHttpToLoopback)(addresses)
      // A schema has already what the schema has from which a description has made a copy.
      jsonSchema.allOf = [...(jsonSchema.allOf ?? []).filter((part) => !isDeepStrictEqual(part, safe)), safe]
    },
  })
