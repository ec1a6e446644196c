import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

type Cycle = { readonly beganMs: number; readonly isOrdered: boolean; isDisturbed: boolean }

/**
 * Checks that nothing is remembered of refusals whose cause is gone: the next cycle, and the next command of a person, sends each write that was refused, and
 * leaves nothing. Only in worlds in which nothing else happens.
 */
export function openRetries({ refusing, beginMs, journal }: Pick<Spec, 'refusing' | 'beginMs' | 'journal'>) {
  const mendedMs = beginMs + (refusing?.untilMs ?? 0)
  /** Writes that were refused and not sent since. */
  const refused = new Map<string, string>()
  let cycle: Cycle | undefined

  function* ended({ outcome, judged }: Extract<Happened, { is: 'cycled' }>): Generator<string> {
    if (cycle === undefined || cycle.beganMs < mendedMs || cycle.isDisturbed) return
    const who = cycle.isOrdered ? 'the command of a person' : 'the cycle'
    for (const [write, workspace] of refused)
      if (judged.includes(workspace)) yield `${who} did not try ${write}, which was refused before the cause was mended`
    const left = outcome
      .split(', ')
      .filter((text) => judged.some((name) => text.startsWith(`${name} `)) && / (?:partial|failed)$/.test(text))
    for (const text of left) yield `${who} left something after the cause was mended: ${text}`
  }

  return {
    /** One sentence for each write that is not tried again. */
    *hear(event: Happened): Generator<string> {
      if (refusing?.alone !== true) return
      switch (event.is) {
        case 'start':
          // The first creates of a process without a journal wait.
          if (journal === 'none') refused.clear()
          return
        case 'cycle':
          cycle = { beganMs: event.atMs, isOrdered: event.isOrdered === true, isDisturbed: false }
          return
        case 'sent': {
          const write = `${event.method} ${event.path} ${event.body}`
          if (event.fate === 'refused') refused.set(write, event.path.split('/')[4] ?? '')
          else refused.delete(write)
          return
        }
        case 'silence':
          if (cycle !== undefined) cycle.isDisturbed = true
          return
        case 'answered':
          if (cycle !== undefined && event.status === 429) cycle.isDisturbed = true
          return
        case 'cycled':
          yield* ended(event)
          return
        default:
      }
    },
  }
}
