import { allCommon, type Description, formatOption } from '../description.ts'

export const description: Description = {
  about:
    'Beside a daemon it is an order: the daemon runs the cycle, and the command ends with its report. Without a daemon it is `run --once`, and prints the same report.',
  options: {
    format: formatOption,
    all: { type: 'boolean', describe: 'show each change and each hold in a row of its own' },
  },
  common: allCommon,
  examples: [
    { does: 'let the daemon run a cycle now, and see what it did', line: 'plane-group-sync reconcile' },
    { does: 'the same for one workspace', line: 'plane-group-sync reconcile --workspace acme' },
  ],
  exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
}
