import { type Command, exitCodes, UsageError } from './command.ts'
import { schemaNames } from './description.ts'

/** What a schema can be printed of: files that people write, and documents that `--format json` prints. */
const schemas: Readonly<Record<(typeof schemaNames)[number], () => Promise<object>>> = {
  declaration: async () => (await import('../settings/jsonSchemas.ts')).declarationSchema(),
  settings: async () => (await import('../settings/jsonSchemas.ts')).settingsJsonSchema(),
  fences: async () => (await import('../settings/jsonSchemas.ts')).fencesJsonSchema(),
  plan: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('plan'),
  applied: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('applied'),
  groups: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('groups'),
  who: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('who'),
  explain: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('explain'),
  report: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('report'),
  validate: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('validate'),
  status: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('status'),
  doctor: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('doctor'),
  recording: async () => (await import('../recording/stored.ts')).recordingSchema(),
  last: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('last'),
  notice: async () => (await import('../documents/jsonSchemas.ts')).documentSchema('notice'),
}

export const command: Command = {
  async run({ positionals: [which], terminal }) {
    const name = schemaNames.find((schemaName) => schemaName === which)
    if (name === undefined)
      throw new UsageError(`schema takes one of ${schemaNames.join(', ')}${which === undefined ? '' : `, not "${which}"`}`)
    terminal.out(`${JSON.stringify(await schemas[name](), undefined, 2)}\n`)
    return exitCodes.done
  },
}
