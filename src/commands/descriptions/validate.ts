import type { Description } from '../description.ts'

export const description: Description = {
  about: 'It shows every mistake with its line.',
  options: {},
  common: ['config', 'quiet'],
  examples: [
    { does: 'the settings that are found, and their declaration', line: 'plane-group-sync validate' },
    { does: 'other settings', line: 'plane-group-sync validate -c staging.yaml' },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
}
