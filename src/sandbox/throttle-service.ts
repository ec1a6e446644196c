import type { Published, RateFields } from './rate-headers.ts'
import { type Limit, type Limiter, type Ruling, rule } from './throttle.ts'
import { ruleUnlocked, type Write } from './throttle-unlocked.ts'

/** The throttle of one service: its way to count, the content of its headers, and the log of each credential. */
export type Throttle = {
  readonly limiter: Limiter
  readonly published: Published
  readonly fields: RateFields
  readonly memories: Map<string, { readonly log: number[]; readonly writes: Write[] }>
}

/** Decides about one request with this credential, and counts it. */
export function count({ limiter, published, memories }: Throttle, credential: string, limit: Limit, nowMs: number): Ruling {
  const memory = memories.get(credential) ?? { log: [], writes: [] }
  memories.set(credential, memory)
  return published === 'unlocked' ? ruleUnlocked(limiter, limit, memory.log, memory.writes, nowMs) : rule(limiter, limit, memory.log, nowMs)
}
