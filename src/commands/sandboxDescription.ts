import { dialectNames, differences } from '../sandbox/dialect.ts'
import { limiters, publications, rateFieldNames } from '../sandbox/throttle.ts'
import type { Description } from './description.ts'

const { idleConnectionMs: idle } = differences

/** What help and completion say of the command `sandbox`. */
export const sandboxDescription: Description = {
  about: 'Faults strike on demand.',
  options: {
    host: { type: 'string', value: 'HOST', usually: '127.0.0.1', describe: 'address to listen on' },
    port: { type: 'string', value: 'PORT', usually: '8787', describe: 'port to listen on; 0 is any free port' },
    dialect: {
      type: 'string',
      value: 'NAME',
      choices: dialectNames,
      usually: dialectNames[0],
      describe: 'behave as the specification, or as the real service',
    },
    limit: {
      type: 'string',
      value: 'LIMIT',
      usually: 'that of the state, or 60/minute',
      describe: 'rate limit of each credential, such as 10/s',
    },
    limiter: { type: 'string', value: 'KIND', choices: limiters, usually: "the dialect's", describe: 'how requests are counted' },
    published: {
      type: 'string',
      value: 'KIND',
      choices: publications,
      usually: 'counted',
      describe: 'what the rate-limit headers show',
    },
    'rate-headers': { type: 'string', value: 'NAME', choices: rateFieldNames, describe: 'names of the rate-limit headers' },
    idle: {
      type: 'string',
      value: 'TIME',
      usually: `${idle.specification[0] / 1_000}s, or ${idle.plane[0] / 1_000}s in the dialect plane`,
      describe: 'close idle connections after this time',
    },
    state: {
      type: 'string',
      value: 'FILE',
      describe: 'file with the initial state, YAML or JSON; - reads standard input',
    },
    fault: { type: 'string', multiple: true, value: 'FAULT', describe: 'a fault to inject, see below; can be repeated' },
    seed: { type: 'string', value: 'NUMBER', usually: '1', describe: 'seed of the random numbers' },
  },
  common: ['quiet', 'log-level', 'log-format', 'no-color'],
  examples: [
    { does: 'a workspace acme with projects ENG and OPS, and the key sandbox-key', line: 'plane-group-sync sandbox --port 8787' },
    {
      does: 'a service that behaves as the real one, with your own data',
      line: 'plane-group-sync sandbox --dialect plane --state state.yaml',
    },
    {
      does: 'the answer to every fifth create is lost',
      line: "plane-group-sync sandbox --fault 'POST project-mappings: lost after commit, every 5th'",
    },
  ],
  exits: ['done', 'failed', 'usage'],
  details: async (columns) => (await import('./sandboxHelp.ts')).sandboxHelp(columns),
}
