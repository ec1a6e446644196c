import type { WorkspaceName } from '../core/mapping.ts'
import type { Outcome } from '../core/outcome.ts'
import { boundText, durationText } from '../core/quantity.ts'
import type { BudgetSnapshot } from '../core/report.ts'
import { outcomeWords } from '../render/applied.ts'
import { cost } from '../render/cost.ts'
import type { Terminal } from './command.ts'

/** Shows the progress of an apply: on a terminal one line that changes, elsewhere a new line every ten seconds. */
export type Progress = {
  /** @param outcome of the last of the changes that were tried */
  show(workspace: WorkspaceName, tried: number, total: number, outcome?: Outcome['kind']): void
  /** Writes a sentence in place of the line. */
  say(sentence: string): void
  end(): void
}

const quietMs = 10_000

const failures = ['unknown', 'refused', 'notSent'] as const
type Counted = Readonly<Record<'tried' | 'total' | (typeof failures)[number], number>>

type Budgeted = { view(): BudgetSnapshot }

/** `waits 58 s for the rate limit`, `about 5 min to go`: the state of the budget and the estimated time for the remaining changes. */
function restOf(budget: BudgetSnapshot, changes: number): readonly string[] {
  if (changes === 0) return ['done']
  const { ms, fits } = cost({ changes, reads: 0, sliceChanges: changes, budget })
  const toGo = fits ? `under ${boundText(ms)} to go` : `about ${durationText(ms)} to go`
  return [budget.waitMs < 1_000 ? `budget left ${budget.remaining}` : `waits ${durationText(budget.waitMs)} for the rate limit`, toGo]
}

/** @param queues one for each credential; the one with the least remaining budget is shown */
export function progressOn(terminal: Pick<Terminal, 'err' | 'isTerminal'>, now: () => number, queues: readonly Budgeted[]): Progress {
  let saidMs = now()
  let open = false
  // Several workspaces are applied at once. The line shows their sum, so its numbers never decrease.
  const each = new Map<WorkspaceName, Counted>()
  const sum = (of: keyof Counted) => [...each.values()].reduce((sofar, one) => sofar + one[of], 0)
  function clear() {
    if (open) terminal.err('\r\u001b[K')
    open = false
  }
  return {
    show(workspace, tried, total, outcome = 'done') {
      const { unknown = 0, refused = 0, notSent = 0 } = each.get(workspace) ?? {}
      const failed = { unknown, refused, notSent }
      if (outcome !== 'done') failed[outcome]++
      each.set(workspace, { tried, total, ...failed })
      const live = terminal.isTerminal.err
      const left = sum('total') - sum('tried')
      if (!live && (now() - saidMs < quietMs || left === 0)) return
      saidMs = now()
      const [budget] = queues.map((queue) => queue.view()).toSorted((a, b) => a.remaining - b.remaining)
      const where = each.size > 1 ? ` in ${each.size} workspaces` : ''
      const others = failures.filter((kind) => sum(kind) > 0).map((kind) => `${sum(kind)} ${outcomeWords[kind].short}`)
      const written = sum('tried') - failures.reduce((all, kind) => all + sum(kind), 0)
      const sofar = [`${written}/${sum('total')} written${where}`, ...others].join(', ')
      const line = [sofar, ...(budget === undefined ? [] : restOf(budget, left))].join(' · ')
      terminal.err(live ? `\r${line}\u001b[K` : `${line}\n`)
      open = live
    },
    say(sentence) {
      clear()
      terminal.err(sentence)
    },
    end() {
      clear()
      each.clear()
    },
  }
}
