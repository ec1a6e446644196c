import { SandboxError } from './problem.ts'
import type { Limit } from './throttle.ts'

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  second: 1_000,
  m: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/** Reads `60/minute`, `10/s`, `5/600ms`, `100/10m`. @throws {SandboxError} */
export function readLimit(text: string): Limit {
  const [, requests, count = '1', unit = ''] = /^\s*(\d{1,9})\s*\/\s*(\d{1,9})?\s*([a-z]+)\s*$/.exec(text) ?? []
  const windowMs = Number(count) * ((Object.hasOwn(unitMs, unit) && unitMs[unit]) || 0)
  if (requests === undefined || Number(requests) === 0 || windowMs === 0) {
    throw new SandboxError(`limit "${text}" cannot be read: write requests/window, as 60/minute, 10/s or 5/600ms`)
  }
  return { requests: Number(requests), windowMs }
}

/** The inverse of `readLimit`: `60/minute`, `5/600ms`. */
export function limitText({ requests, windowMs }: Limit): string {
  const unit = (['day', 'hour', 'minute', 'second'] as const).find((name) => windowMs % (unitMs[name] ?? 1) === 0)
  const count = windowMs / (unit === undefined ? 1 : (unitMs[unit] ?? 1))
  return `${requests}/${count === 1 && unit !== undefined ? '' : count}${unit ?? 'ms'}`
}

const durationMaxMs = 86_400_000

/** `250ms`, `1.5s`, `2m` → milliseconds; undefined if it is no duration, or longer than a day. Node's timers end after 24 days at the latest. */
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  return count === undefined || ms > durationMaxMs ? undefined : ms
}
