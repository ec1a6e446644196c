import { type Description, schemaNames } from '../description.ts'

export const description: Description = {
  about: 'A YAML editor completes and checks a file with it, and a program checks a document.',
  takes: { name: schemaNames.join('|'), choices: schemaNames },
  options: {},
  common: [],
  examples: [
    { does: 'a schema beside the declaration, for an editor', line: 'plane-group-sync schema declaration > declaration.schema.json' },
    { does: 'the schema of the settings', line: 'plane-group-sync schema settings' },
    { does: 'the schema of the document that plan -o json prints', line: 'plane-group-sync schema plan' },
  ],
  exits: ['done', 'usage'],
}
