import { declarationSchema, settingsJsonSchema } from '../../src/schemas.ts'
import { chartSchema, type JsonSchema } from './chart-schema.ts'

export type GeneratedFile = { readonly path: string; readonly content: string }

/**
 * Every file of which a part or the whole follows from the code.
 *
 * @param read the present content of a file whose generated part stands between markers
 */
export async function generated(_read: (path: string) => Promise<string>): Promise<readonly GeneratedFile[]> {
  return [
    { path: 'config/declaration.schema.json', content: json(declarationSchema()) },
    { path: 'config/settings.schema.json', content: json(settingsJsonSchema()) },
    { path: 'helm/plane-group-sync/values.schema.json', content: json(chartSchema(settingsJsonSchema() as JsonSchema)) },
  ]
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`
