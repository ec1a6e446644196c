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

/** Each token has a log of its own, and a client may ask for any number of tokens. */
const memoriesMax = 50_000

/** Decides about one request with this credential, and counts it. */
export function count({ limiter, published, memories }: Throttle, credential: string, limit: Limit, nowMs: number): Ruling {
  const memory = memories.get(credential) ?? { log: [], writes: [] }
  // The credential that was used last is at the end.
  memories.delete(credential)
  memories.set(credential, memory)
  const [oldest] = memories.keys()
  if (memories.size > memoriesMax && oldest !== undefined) memories.delete(oldest)
  return published === 'unlocked' ? ruleUnlocked(limiter, limit, memory.log, memory.writes, nowMs) : rule(limiter, limit, memory.log, nowMs)
}
