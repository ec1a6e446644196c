import { type Description, formatOption, validateFormats } from '../description.ts'

export const description: Description = {
  about: 'It needs no secret, and shows every mistake with its line.',
  options: {
    format: { ...formatOption, choices: validateFormats, describe: 'output format; github: annotations of a workflow' },
    ceiling: { type: 'string', value: 'FENCE', describe: 'also show the most that the files of this fence can ever give' },
  },
  common: ['config', 'quiet'],
  examples: [
    { does: 'the settings that are found, and their declaration', line: 'plane-group-sync validate' },
    { does: 'in a pull request: annotations at the lines', line: 'plane-group-sync validate -o github' },
    { does: 'the most that the files of a team can give', line: "plane-group-sync validate --ceiling 'teams/pay/**'" },
    { does: 'other settings', line: 'plane-group-sync validate -c staging.yaml' },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
}
