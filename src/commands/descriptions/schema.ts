import type { Description } from '../description.ts'
import { schemaNames } from '../options.ts'

export const description: Description = {
  about: 'A YAML editor completes and checks a file with it.',
  takes: { name: 'declaration|settings', choices: schemaNames },
  options: {},
  common: [],
  examples: [
    { does: 'a schema beside the declaration, for an editor', line: 'plane-group-sync schema declaration > declaration.schema.json' },
    { does: 'the schema of the settings', line: 'plane-group-sync schema settings' },
  ],
  exits: ['done', 'usage'],
}
