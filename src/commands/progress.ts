import type { Queue } from '../plane/queue.ts'
import type { Terminal } from './command.ts'

/** One line at the terminal that says how far an apply is; elsewhere a line every so often. */
export type Progress = { show(done: number, total: number): void; end(): void }

const quietMs = 10_000

/** @param queues whose budget decides how long the rest takes */
export function progressOn(terminal: Terminal, now: () => number, queues: readonly Queue[]): Progress {
  const beganMs = now()
  let saidMs = beganMs
  let open = false
  return {
    show(done, total) {
      const live = terminal.isTerminal.err
      if (!live && (now() - saidMs < quietMs || done === total)) return
      saidMs = now()
      const views = queues.map((queue) => queue.view())
      const remaining = Math.min(...views.map((view) => view.remaining))
      const each = (now() - beganMs) / done
      const rest = Math.ceil((each * (total - done)) / 1000)
      const line = `${done}/${total} written · budget left ${remaining} · ${done === total ? 'done' : `about ${rest} s to go`}`
      terminal.err(live ? `\r${line}\u001b[K` : `${line}\n`)
      open = live
    },
    end() {
      if (open) terminal.err('\r\u001b[K')
      open = false
    },
  }
}
