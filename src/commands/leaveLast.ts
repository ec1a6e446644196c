import { hostname } from 'node:os'
import { cycleTimes } from '../core/memory/lastCycle.ts'
import type { Memory } from '../core/memory/memory.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import type { EndedCycle } from '../daemon/parts.ts'
import { writeErrnoText } from '../files/errno.ts'
import type { Disk } from '../journal/disk.ts'
import { keepLastDocument, lastDocumentBytesMax, lastDocumentFile } from '../journal/lastDocument.ts'
import type { LineSink } from '../log/line.ts'
import { type FirstSeen, firstSeenIn } from '../render/firstSeen.ts'
import { lastDocument } from '../render/lastDocument.ts'
import { lastText } from '../render/lastText.ts'
import type { Terminal } from './command.ts'
import type { JournalledRun } from './journal.ts'
import { lastOf } from './lastOf.ts'
import { shownViews } from './render.ts'

type LeaveOptions = {
  readonly folder: string
  readonly disk: Disk
  readonly run: Pick<JournalledRun, 'isOurs' | 'token'> & { readonly memory: () => Memory }
  readonly terminal: Terminal
  readonly log: Pick<LineSink, 'info' | 'warn'>
  readonly now: () => number
}

/** Leaves a document of each cycle beside the journal. The result never throws: the log says once why a document could not be written. */
export function openLeaving({ folder, disk, run, terminal, log, now }: LeaveOptions): (ended: EndedCycle) => Promise<void> {
  let seen: FirstSeen | undefined
  let loggedWhy = ''

  async function leave(ended: EndedCycle): Promise<void> {
    const { report, program, beganMs, endedMs, nextMs, overdueMs } = ended
    seen ??= await seenEarlier(folder)
    const { approvals, lastCycle } = run.memory()
    const succeeded = new Map(cycleTimes(lastCycle).map(({ workspace, succeededMs }) => [workspace, succeededMs]))
    const views = shownViews(report, terminal, now())
    const document = lastDocument({
      program: terminal.version,
      pid: terminal.processes.pid,
      host: hostname(),
      ...(run.token === undefined ? {} : { lock: run.token }),
      beganMs,
      endedMs,
      nextMs,
      overdueMs,
      everyMs: report.workspaces.reduce((least, { about }) => Math.min(least, about.intervalMs), Number.MAX_SAFE_INTEGER),
      declaration: report.declaration,
      directories: report.directories,
      budgets: new Map([...program.queues].map(([credential, queue]) => [credential, queue.view()])),
      approvals,
      workspaces: report.workspaces.flatMap((one, index) => {
        const view = views[index]
        return view === undefined ? [] : [{ view, outcome: cycleOutcome(one), succeededMs: succeeded.get(one.workspace) ?? 0 }]
      }),
      seen,
    })
    seen = firstSeenIn(document, seen)
    if (run.isOurs()) await keepLastDocument(folder, terminal.secrets.scrub(lastText(document, lastDocumentBytesMax)), disk)
    if (loggedWhy !== '') log.info({ event: 'status' }, `${lastDocumentFile(folder)}: the last cycle is written here again for status`)
    loggedWhy = ''
  }

  return (ended) =>
    leave(ended).catch((error: unknown) => {
      const why = writeErrnoText(error)
      if (why !== loggedWhy)
        log.warn(
          { event: 'status', err: error },
          `${lastDocumentFile(folder)} could not be written: ${why}. status shows an older cycle until it is`,
        )
      loggedWhy = why
    })
}

/** The times that an earlier process has left. Without its document, what waits counts from now. */
async function seenEarlier(folder: string): Promise<FirstSeen> {
  const found = await lastOf(folder)
  return found.kind === 'last' ? firstSeenIn(found.last, new Map()) : new Map()
}
