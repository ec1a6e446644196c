import type { WorkspaceName } from '../core/mapping.ts'
import type { Terminal } from './command.ts'

/** One line at the terminal that says how far an apply is; elsewhere a line every so often. */
export type Progress = { show(workspace: WorkspaceName, done: number, total: number): void; end(): void }

const quietMs = 10_000

type Budgeted = { view(): { readonly remaining: number } }

/** @param queues whose budget decides how long the rest takes */
export function progressOn(terminal: Pick<Terminal, 'err' | 'isTerminal'>, now: () => number, queues: readonly Budgeted[]): Progress {
  const beganMs = now()
  let saidMs = beganMs
  let open = false
  // Several workspaces are applied at once: what one terminal line says is their sum, which never goes back.
  const each = new Map<WorkspaceName, { readonly done: number; readonly total: number }>()
  const sum = (of: 'done' | 'total') => [...each.values()].reduce((sofar, one) => sofar + one[of], 0)
  return {
    show(workspace, doneHere, totalHere) {
      each.set(workspace, { done: doneHere, total: totalHere })
      const [done, total] = [sum('done'), sum('total')]
      const live = terminal.isTerminal.err
      if (!live && (now() - saidMs < quietMs || done === total)) return
      saidMs = now()
      const views = queues.map((queue) => queue.view())
      const remaining = Math.min(...views.map((view) => view.remaining))
      const eachMs = (now() - beganMs) / done
      const rest = Math.ceil((eachMs * (total - done)) / 1000)
      const where = each.size > 1 ? ` in ${each.size} workspaces` : ''
      const line = `${done}/${total} written${where} · budget left ${remaining} · ${done === total ? 'done' : `about ${rest} s to go`}`
      terminal.err(live ? `\r${line}\u001b[K` : `${line}\n`)
      open = live
    },
    end() {
      if (open) terminal.err('\r\u001b[K')
      open = false
      each.clear()
    },
  }
}
