import { allCommon, type Description, noWaitOption } from '../description.ts'

export const description: Description = {
  about: 'The daemon runs a cycle at each tick of `schedule`, and serves probes and metrics.',
  options: {
    once: { type: 'boolean', describe: 'run one cycle, then exit; beside a daemon, the daemon runs it' },
    'dry-run': { type: 'boolean', short: 'n', describe: 'plan in every cycle, but never write' },
    'no-wait': noWaitOption,
  },
  common: allCommon,
  examples: [
    { does: 'run until SIGTERM; SIGHUP starts a cycle', line: 'plane-group-sync run' },
    { does: 'see what it would do, without a write', line: 'plane-group-sync run --once --dry-run' },
    { does: 'from a job of cron, with one line of log for each change', line: 'plane-group-sync run --once --log-level change' },
  ],
  exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
}
