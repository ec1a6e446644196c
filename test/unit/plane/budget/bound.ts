import { rule } from '../../../../src/sandbox/throttle.ts'
import { startMs, type World } from './world.ts'

const stepMs = 50

/**
 * The time of a client without latency that knows the limiter and its log. It sends each call as early as the limiter and the reserve allow. For a sliding counter
 * another schedule may be shorter, because a burst takes places of a later window.
 */
export function boundMs({ calls, settings, limiter, limit: { windowMs, requests }, ...world }: World): number {
  const limit = { requests, windowMs }
  const [others, changes] = [world.others.toSorted((a, b) => a - b), world.changes.toSorted((a, b) => a.atMs - b.atMs)]
  const reserve = Math.ceil(requests * settings.reserve)
  let log: number[] = []
  for (let [now, open] = [startMs, calls]; ; now += stepMs) {
    while (changes[0] !== undefined && changes[0].atMs <= now) limit.requests = changes.shift()?.requests ?? requests
    while (others[0] !== undefined && others[0] <= now) rule(limiter, limit, log, others.shift() as number)
    for (;;) {
      const after = [...log]
      const { allowed, remaining } = rule(limiter, limit, after, now)
      if (!allowed || remaining < reserve) break
      log = after
      if (--open === 0) return now - startMs
    }
  }
}
