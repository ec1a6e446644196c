import { allCommon, type Description, formatOption, groupFormats } from '../description.ts'

export const description: Description = {
  about:
    'Nothing is written to Plane. The directories say who the members of groups are, so at least one needs the setting `people`. Roles that a person has by hand in Plane are not seen.',
  takes: { name: 'PERSON' },
  options: { format: { ...formatOption, choices: groupFormats } },
  common: allCommon,
  examples: [
    { does: 'the roles of a person, today and after the plan', line: 'plane-group-sync who ann@example.com' },
    {
      does: 'the projects in which a person gets another role, for a program',
      line: "plane-group-sync who ann@example.com -o json | jq '.workspaces[].roles[] | select(.before != .after)'",
    },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
}
