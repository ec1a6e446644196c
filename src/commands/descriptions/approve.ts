import { allCommon, type Description } from '../description.ts'

export const description: Description = {
  about:
    'It prints YAML for a file that may have waivers (docs/guards.md); nothing is written. Beside a daemon the plan is that of its last cycle; without one it is made afresh. `--now` hands the approval to the daemon instead.',
  takes: { name: 'ID', optional: true, many: true },
  options: {
    for: { type: 'string', value: 'DURATION', usually: '24h', describe: 'how long the approval counts, up to 720h' },
    reason: { type: 'string', value: 'TEXT', describe: 'why; required' },
    now: { type: 'boolean', describe: 'hand the approval to the running daemon' },
    withdraw: { type: 'string', value: 'NAME', describe: 'end this approval of the running daemon; status shows its name' },
  },
  common: allCommon,
  examples: [
    {
      does: 'a waiver that lets a change pass for a day, as a file of the declaration',
      line: 'plane-group-sync approve 9d41b7f02c6e4a8d9b3f5e7a1c0d2e4f --reason INC-99 > inc-99.yaml && mv inc-99.yaml groups/platform/',
    },
    {
      does: 'let it pass for an hour, in the next cycle of the daemon',
      line: 'plane-group-sync approve 9d41b7f02c6e4a8d9b3f5e7a1c0d2e4f --now --for 1h --reason INC-99',
    },
  ],
  exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
}
