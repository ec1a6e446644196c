import type { LineSink } from '../log/line.ts'
import { InvalidDeclaration } from '../settings/declared.ts'
import type { ConfigurationEvents } from './configuration.ts'
import type { Metrics } from './metrics.ts'

const noDeclaration =
  'the declaration is invalid, and there is no last valid one; nothing is written or revoked, and this process is not ready, until it is valid'

/**
 * The log line of a cycle that threw. Without any valid declaration it repeats the consequence, because an operator may see only the last lines of
 * the log.
 */
export const thrownText = (error: unknown): string =>
  `this cycle ended without a report${error instanceof InvalidDeclaration ? `, because ${noDeclaration}` : ''}; the next one tries again`

/**
 * Logs and counts when the settings or the declaration become invalid, become valid again, or change.
 *
 * @param inUse the hash of the settings at the start
 */
export function configurationEvents(
  log: Pick<LineSink, 'info' | 'warn' | 'error'>,
  metrics: Pick<Metrics, 'observeConfiguration'>,
  inUse: string,
): ConfigurationEvents {
  let good = inUse
  let loggedWhy = ''
  let loggedNames = ''
  let loggedDeclaration = ''
  return {
    onSettings({ hash }, unusedWhy) {
      const valid = unusedWhy === undefined
      metrics.observeConfiguration('settings', valid, hash)
      if (!valid && unusedWhy !== loggedWhy)
        log.error({ event: 'settings', inUse: hash }, `the settings are invalid, and those that were read before stay in use: ${unusedWhy}`)
      if (valid && hash !== good) log.info({ event: 'settings', inUse: hash }, 'the edited settings are in use')
      else if (valid && loggedWhy !== '') log.info({ event: 'settings', inUse: hash }, 'the settings are valid again and unchanged')
      good = hash
      loggedWhy = unusedWhy ?? ''
    },
    onRestartNeeded(names) {
      const list = names.join(', ')
      if (names.length > 0 && list !== loggedNames)
        log.warn({ event: 'settings', settings: names }, `${list}: edited, but read only at the start; restart to use the edit`)
      loggedNames = list
    },
    onDeclaration(valid, hash, why = '') {
      metrics.observeConfiguration('declaration', valid, hash)
      // If there is a last valid declaration, the cycle has a report. The log of the report says why, so it is not logged here.
      if (!valid && hash === '' && why !== loggedDeclaration) log.error({ event: 'declaration', why }, `${noDeclaration}: ${why}`)
      if (valid && loggedDeclaration !== '')
        log.info({ event: 'declaration', inUse: hash }, 'the declaration is valid again, and is in use')
      loggedDeclaration = why
    },
  }
}
