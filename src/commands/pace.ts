import type { RemainingWork } from '../render/toGo.ts'

/** Measures how long one write takes where the rate limit does not delay it. */
type Pace = {
  /** A write of this credential has ended. `isFree`: the next one need not wait for the rate limit. */
  written(credential: string, isFree: boolean): void
  /** The estimate, or a longer one if the service is slower than the estimate assumes. */
  slowed(estimate: Estimate, all: readonly RemainingWork[]): Estimate
}

type Estimate = { readonly ms: number; readonly fits: boolean }
type Measured = { readonly lastMs: number; readonly isFree: boolean; readonly tookMs: readonly number[] }

/** An estimate rests on this many of the last writes. */
const samplesMax = 20

export function openPace(now: () => number): Pace {
  const each = new Map<string, Measured>()

  function writeMs(credential: string): number {
    const tookMs = each.get(credential)?.tookMs ?? []
    return tookMs.length === 0 ? 0 : tookMs.reduce((sum, ms) => sum + ms, 0) / tookMs.length
  }

  return {
    written(credential, isFree) {
      const before = each.get(credential)
      const more = before?.isFree === true ? [now() - before.lastMs] : []
      each.set(credential, { lastMs: now(), isFree, tookMs: [...(before?.tookMs ?? []), ...more].slice(-samplesMax) })
    },
    slowed(estimate, all) {
      const changes = new Map<string, number>()
      for (const { credential, now: present, later } of all)
        changes.set(credential, (changes.get(credential) ?? 0) + present.changes + later.changes)
      const slowest = [...changes].reduce((ms, [credential, count]) => Math.max(ms, writeMs(credential) * count), 0)
      return slowest > estimate.ms ? { ms: slowest, fits: false } : estimate
    },
  }
}
