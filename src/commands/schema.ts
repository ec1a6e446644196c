import { type Command, exitCodes, UsageError } from './command.ts'
import { schemaNames } from './options.ts'

export const command: Command = {
  async run({ positionals: [which], terminal }) {
    const { declarationSchema, settingsJsonSchema } = await import('../settings/jsonSchemas.ts')
    if (which !== 'declaration' && which !== 'settings')
      throw new UsageError(`schema takes one of ${schemaNames.join(', ')}${which === undefined ? '' : `, not "${which}"`}`)
    terminal.out(`${JSON.stringify(which === 'declaration' ? declarationSchema() : settingsJsonSchema(), undefined, 2)}\n`)
    return exitCodes.done
  },
}
