import { fileSchema } from '../declaration/schema.ts'
import { z } from '../yaml/zod.ts'
import { settingsSchema } from './schema.ts'

/** JSON Schema (2020-12) of a declaration file, for editors. */
export const declarationSchema = (): object => z.toJSONSchema(fileSchema, { io: 'input' })

/** JSON Schema (2020-12) of the settings file, for editors and for the chart. */
export const settingsJsonSchema = (): object => z.toJSONSchema(settingsSchema, { io: 'input' })
