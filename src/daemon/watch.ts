import type { SteadyClock } from '../core/clock.ts'

type Watch = {
  readonly clock: SteadyClock
  /** Returns the names of what was edited and is written completely. */
  readonly look: (signal: AbortSignal) => Promise<readonly string[]>
  /** Starts a cycle because of an edit. */
  readonly onEdited: (names: readonly string[]) => void
}

/** The pause between two looks. The kubelet needs up to a minute to bring an edit, so a shorter one would hardly be noticed. */
const pauseMs = 2_000
/** A look at many files, or with a small share of a processor, takes long. The pause after it is at least so many times as long. */
const pausesPerLook = 50
/** Edits start cycles at most so often. The cycles of the schedule come besides. */
const cyclesEveryMs = 60_000

/** Looks at files until `signal` fires. It never throws: an edit that is not seen is used by the next cycle of the schedule. */
export async function watchFiles({ clock, look, onEdited }: Watch, signal: AbortSignal): Promise<void> {
  let nextCycleMs = Number.NEGATIVE_INFINITY
  let tookMs = 0
  for (;;) {
    await clock.sleep(Math.max(pauseMs, pausesPerLook * tookMs), signal).catch(() => undefined)
    if (signal.aborted) return
    const beganMs = clock.now()
    const edited = await look(signal).catch((): readonly string[] => [])
    tookMs = clock.now() - beganMs
    if (edited.length === 0 || clock.now() < nextCycleMs) continue
    nextCycleMs = clock.now() + cyclesEveryMs
    onEdited(edited)
  }
}
