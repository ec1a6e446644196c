import { allCommon, type Description, formatOption, groupFormats } from '../description.ts'

export const description: Description = {
  about:
    'It reads what the daemon leaves beside the journal after each cycle, and asks neither Plane nor a directory. It exits with 1 if no daemon holds the journal, or if two cycles are missed.',
  options: {
    format: { ...formatOption, choices: groupFormats },
    owner: { type: 'string', value: 'NAME', describe: 'only what waits or is held because of rules of this owner' },
    all: { type: 'boolean', describe: 'show each hold in a row of its own' },
  },
  common: allCommon,
  examples: [
    { does: 'what waits, since when, and the command that lets it pass', line: 'plane-group-sync status' },
    { does: 'only the rules of one team', line: 'plane-group-sync status --owner team-pay' },
    {
      does: 'the IDs that wait for approval, for a program',
      line: 'plane-group-sync status -o json | jq -r \'.last.workspaces[].plan.holds[]? | select(.reason.kind == "approval") | .change.id\'',
    },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
}
