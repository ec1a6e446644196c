import { allCommon, type Description, formatOption, reportFormats } from './description.ts'

export const reportDescription = {
  about:
    'Each mapping that Plane has is a row: group, role, people, rule, owner, reason, end, since when, and who let it pass the guards. Beside a daemon it says what the daemon has read last. With `--at` it says what the journal knows of that moment. Nothing is written to Plane.',
  options: {
    format: { ...formatOption, choices: reportFormats },
    role: { type: 'string', multiple: true, value: 'ROLE', describe: 'only this role, or "no role"; can be repeated' },
    owner: { type: 'string', multiple: true, value: 'NAME', describe: 'only rules of this owner; can be repeated' },
    group: { type: 'string', multiple: true, value: 'NAME', describe: 'only this group; can be repeated' },
    'expires-within': { type: 'string', value: 'DURATION', describe: 'only rules that end within this time, such as 30d' },
    at: {
      type: 'string',
      value: 'DATE',
      usually: 'now',
      describe:
        'what was so at the end of this day, or at this moment in UTC: from the journal alone, or, with --recorded, what a plan of that time would say',
    },
    out: { type: 'string', value: 'FILE', describe: 'save the report to this file, for its owner alone' },
    recorded: {
      type: 'string',
      value: 'FILE',
      describe: 'report from a recording alone, without since when: no secret is read, and nothing is asked; - reads standard input',
    },
    fresh: { type: 'boolean', describe: 'ask Plane and the directories, also beside a daemon, which else says what it has read' },
    'recorded-max-age': { type: 'string', value: 'DURATION', usually: '24h', describe: 'refuse an older recording' },
    declaration: {
      type: 'string',
      value: 'FILE',
      describe: 'with --recorded: the file or folder of the declaration, in place of that of the settings',
    },
  },
  common: allCommon,
  examples: [
    { does: 'who is administrator, since when, and who agreed', line: 'plane-group-sync report --role admin' },
    { does: 'for an auditor: a page to print', line: 'plane-group-sync report -o html --out access.html' },
    { does: 'what was so on the last day of March', line: 'plane-group-sync report --at 2027-03-31' },
    { does: 'what ends within a month, for a spreadsheet', line: 'plane-group-sync report --expires-within 30d -o csv --out ends.csv' },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
} satisfies Description
