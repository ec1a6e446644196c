import { type Description, formatOption, groupFormats } from '../description.ts'

export const description: Description = {
  options: {
    directory: { type: 'string', value: 'NAME', describe: 'only this directory' },
    match: { type: 'string', value: 'TEXT', describe: 'only groups whose name or label contains this text' },
    expect: { type: 'boolean', describe: 'print the setting "expect" for each directory, from the groups that it has now' },
    transcript: {
      type: 'string',
      value: 'FILE',
      describe: 'write the shape of the answers of directories over HTTP to a file, without names, ids and hosts; - only prints it',
    },
    format: { ...formatOption, choices: groupFormats },
  },
  common: ['config', 'quiet', 'log-level', 'log-format', 'no-color'],
  examples: [
    { does: 'the groups for on-call, as rules can name them', line: 'plane-group-sync groups --match oncall' },
    { does: 'what a complete reading must have, as settings to choose from', line: 'plane-group-sync groups --expect' },
    {
      does: 'help to verify a kind: what Entra answers, as a file without names, to read and to give away',
      line: 'plane-group-sync groups --directory entra --transcript entra.json',
    },
    {
      does: 'the names of one directory, for a program',
      line: "plane-group-sync groups --directory corp -o json | jq -r '.directories[].groups[].name'",
    },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
}
