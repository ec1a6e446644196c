import { allCommon, allowOption, type Description, failOn, formatOption } from '../description.ts'

export const description: Description = {
  about:
    'Nothing is written to Plane. `--out` saves the plan for `apply`. `--detailed-exitcode` and `--fail-on held,undeclared,…` set the exit code.',
  options: {
    format: formatOption,
    all: { type: 'boolean', describe: 'show each change, each hold and each unchanged mapping in a row of its own' },
    out: { type: 'string', value: 'FILE', describe: 'save the plan to this file, for "apply FILE"; - prints the saved form' },
    'detailed-exitcode': { type: 'boolean', describe: 'exit with 2 if there are changes' },
    'fail-on': {
      type: 'string',
      multiple: true,
      value: 'LIST',
      choices: failOn,
      isList: true,
      describe: 'exit with 2 if the plan has any of these',
    },
    allow: { ...allowOption, describe: 'show the plan as if the plan or change with this ID were approved; may be repeated' },
  },
  common: allCommon,
  examples: [
    { does: 'what would change, by the settings that are found', line: 'plane-group-sync plan' },
    {
      does: 'save the plan, then apply exactly this plan',
      line: 'plane-group-sync plan --out plan.json && plane-group-sync apply plan.json',
    },
    {
      does: 'in CI: a comment for the pull request; exit code 2 if a group is unknown',
      line: 'plane-group-sync plan -o markdown --fail-on held',
    },
    { does: 'only one workspace, as a program reads it', line: 'plane-group-sync plan -w acme -o json' },
  ],
  exits: ['done', 'failed', 'pending', 'refused', 'usage', 'configuration'],
}
