import { type Command, exitCodes, UsageError } from './command.ts'

/** What a schema can be printed of: files that people write, and documents that `--format json` prints. */
const schemas: Readonly<Record<string, () => Promise<object>>> = {
  declaration: async () => (await import('../settings/jsonSchemas.ts')).declarationSchema(),
  settings: async () => (await import('../settings/jsonSchemas.ts')).settingsJsonSchema(),
  plan: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('plan'),
  applied: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('applied'),
  groups: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('groups'),
  validate: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('validate'),
}
const names = Object.keys(schemas)

export const command: Command = {
  summary: 'print the JSON Schema of a file, or of a document that --format json prints',
  takes: names.join('|'),
  positionalsMax: 1,
  options: {},
  async run({ positionals: [which = ''], terminal }) {
    const make = Object.hasOwn(schemas, which) ? schemas[which] : undefined
    if (make === undefined) throw new UsageError(`schema takes one of ${names.join(', ')}`)
    terminal.out(`${JSON.stringify(await make(), undefined, 2)}\n`)
    return exitCodes.done
  },
}
