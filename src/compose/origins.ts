import type { SteadyClock } from '../core/clock.ts'
import type { CallEnd, LoggedCall } from '../core/loggedCall.ts'
import { type Answer, NoAnswer, type Origin, type Request, requestIdOf } from '../http/origin.ts'
import type { ProgramEnvironment } from './environment.ts'

type About = Pick<LoggedCall, 'directory' | 'credential' | 'server'> & {
  /** Default: method and path, without the query. */
  readonly operation?: string
}

/** An origin that logs each request. A request that follows a failed one of the same address is its next attempt. */
export function loggedOrigin(origin: Origin, about: About, { logCall, clock }: Pick<ProgramEnvironment, 'logCall' | 'clock'>): Origin {
  if (logCall === undefined) return origin
  const failures = new Map<string, number>()
  return {
    ...origin,
    async request(wanted, signal) {
      const address = addressOf(wanted)
      const attempt = 1 + (failures.get(address) ?? 0)
      const shown = (wanted.shownPath ?? wanted.path).split('?', 1)[0]
      const operation = `${wanted.method} ${origin.url.pathname.replace(/\/$/, '')}${shown}`
      const beganMs = clock.now()
      const log = (end: CallEnd, answer?: Answer) =>
        logCall({ operation, ...about, ...end, tookMs: clock.now() - beganMs, attempt, ...requestIdOf(answer) })
      failures.set(address, attempt)
      try {
        const answer = await origin.request(wanted, signal)
        if (answer.status < 400) failures.delete(address)
        log({ status: answer.status }, answer)
        return answer
      } catch (error) {
        if (error instanceof NoAnswer) log({ failure: error.code })
        throw error
      }
    },
  }
}

const addressOf = ({ method, path, query }: Request): string => JSON.stringify([method, path, query])

/** The clock of Plane, as the `Date` headers of its answers show it (RFC 9110, section 6.6.1; whole seconds). */
type ServiceClock = {
  /** Epoch ms; undefined before the first answer with a `Date`. */
  nowMs(): number | undefined
  /** The origin, whose answers set this clock. */
  setBy(origin: Origin): Origin
}

export function openServiceClock({ now }: Pick<SteadyClock, 'now'>): ServiceClock {
  /** Plane's clock minus the steady clock of this process. */
  let aheadMs: number | undefined
  return {
    nowMs: () => (aheadMs === undefined ? undefined : now() + aheadMs),
    setBy: (origin) => ({
      ...origin,
      async request(wanted, signal) {
        const answer = await origin.request(wanted, signal)
        const dateMs = Date.parse(answer.headers.date ?? '')
        if (!Number.isNaN(dateMs)) aheadMs = dateMs - answer.receivedAtMs
        return answer
      },
    }),
  }
}
