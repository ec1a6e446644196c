import { setTimeout as sleep } from 'node:timers/promises'

/** Asks until the answer is not undefined. Rejects after the time, with the error or the text that `state` gives. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  options: { readonly withinMs?: number; readonly everyMs?: number; readonly state?: () => Promise<unknown> } = {},
): Promise<Answer> {
  const { withinMs = 60_000, everyMs = 100, state } = options
  const endMs = performance.now() + withinMs
  let cause: unknown
  while (performance.now() < endMs) {
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
      cause = undefined
    } catch (error) {
      cause = error
    }
    await sleep(everyMs)
  }
  const shown = state === undefined ? '' : `: ${JSON.stringify(await state(), undefined, 2)}`
  throw new Error(`${what}: not within ${withinMs / 1000} s${shown}`, { cause })
}

/** Prints how long something took since a time of `performance.now()`. Returns the seconds. */
export function took(what: string, sinceMs: number): number {
  const seconds = (performance.now() - sinceMs) / 1000
  process.stdout.write(`  ${what}: ${seconds.toFixed(1)} s\n`)
  return seconds
}
