import type { SteadyClock } from '../core/clock.ts'
import type { Origin } from '../http/origin.ts'

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
