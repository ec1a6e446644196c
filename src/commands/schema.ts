import { type Command, exitCodes, UsageError } from './command.ts'

export const command: Command = {
  summary: 'print the JSON Schema of the declaration or the settings',
  takes: 'declaration|settings',
  positionalsMax: 1,
  options: {},
  async run({ positionals: [which], terminal }) {
    const { declarationSchema, settingsJsonSchema } = await import('../settings/jsonSchemas.ts')
    if (which !== 'declaration' && which !== 'settings') throw new UsageError('schema takes "declaration" or "settings"')
    terminal.out(`${JSON.stringify(which === 'declaration' ? declarationSchema() : settingsJsonSchema(), undefined, 2)}\n`)
    return exitCodes.done
  },
}
