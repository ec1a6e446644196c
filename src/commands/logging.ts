import type { Logging } from '../compose/log.ts'
import { logFormats, logLevels } from '../log/levels.ts'
import { hasColours } from './colour.ts'
import { type Call, choice, type Terminal } from './command.ts'

/** The log as the options of the command line ask for it. `otherwise` counts without them. */
export function loggingOf(values: Call['values'], otherwise: Omit<Logging, 'color'>, { isTerminal, env }: Terminal): Logging {
  return {
    level: choice('log-level', values['log-level'], logLevels, values.quiet === true ? 'error' : otherwise.level),
    format: choice('log-format', values['log-format'], logFormats, otherwise.format),
    color: hasColours(env, isTerminal.err, values),
  }
}
