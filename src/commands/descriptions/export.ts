import { allCommon, type Description } from '../description.ts'

export const description: Description = {
  about: 'The plan for it has no changes.',
  options: { undeclared: { type: 'boolean', describe: 'only mappings that no rule declares' } },
  common: allCommon,
  examples: [
    { does: 'begin with what exists', line: 'plane-group-sync export -w acme > groups.yaml' },
    { does: 'rules for the mappings that were made by hand since', line: 'plane-group-sync export -w acme --undeclared' },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
}
