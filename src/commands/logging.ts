import type { Logging } from '../compose/log.ts'
import { logLevels } from '../log/logger.ts'
import { type Call, choice, type Terminal } from './command.ts'

/** The log as the options of the command line ask for it. `otherwise` counts without them. */
export function loggingOf(values: Call['values'], otherwise: Omit<Logging, 'color'>, { isTerminal, env }: Terminal): Logging {
  return {
    level: choice('log-level', values['log-level'], logLevels, otherwise.level),
    format: choice('log-format', values['log-format'], ['auto', 'json', 'pretty'], otherwise.format),
    color: isTerminal.err && values['no-color'] !== true && (env.NO_COLOR ?? '') === '',
  }
}
