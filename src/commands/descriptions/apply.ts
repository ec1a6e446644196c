import { allCommon, allowOption, type Description, formatOption, noWaitOption } from '../description.ts'

export const description: Description = {
  about:
    'It asks first, unless you add `--yes`. `--allow ID` approves exactly that plan or change. Beside a daemon it is an order: the daemon plans and writes.',
  takes: { name: 'PLAN', optional: true },
  options: {
    yes: { type: 'boolean', short: 'y', describe: 'write without asking' },
    allow: { ...allowOption, describe: 'approve the plan or change with this ID, this time only; may be repeated' },
    'no-wait': noWaitOption,
    format: formatOption,
    all: { type: 'boolean', describe: 'show each change and each hold in a row of its own' },
  },
  common: allCommon,
  examples: [
    { does: 'plan, show the plan, ask, write', line: 'plane-group-sync apply' },
    { does: 'write exactly the plan that "plan --out plan.json" saved', line: 'plane-group-sync apply plan.json --yes' },
    { does: 'the same through a pipe', line: 'plane-group-sync apply - --yes < plan.json' },
    { does: 'approve the change whose ID the plan shows', line: 'plane-group-sync apply --allow 2e6e3a15d68fd23db9b06e6eb306ed68' },
  ],
  exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
}
