import { hostname } from 'node:os'
import { type Clock, dateOf, momentOfDate } from '../core/clock.ts'
import { jsonIn } from '../core/jsonText.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Approvals } from '../core/memory/approvals.ts'
import type { Service } from '../core/memory/entry.ts'
import { cycleTimes } from '../core/memory/lastCycle.ts'
import type { Memory } from '../core/memory/memory.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import type { EndedCycle } from '../daemon/parts.ts'
import { type LastDocument, lastSchema } from '../documents/last.ts'
import type { PlanDocument } from '../documents/plan.ts'
import { writeErrnoText } from '../files/errno.ts'
import type { Disk } from '../journal/disk.ts'
import { keepLastDocument, lastDocumentBytesMax, lastDocumentFile, readLastDocument } from '../journal/lastDocument.ts'
import type { LineSink } from '../log/line.ts'
import type { WaitingPlan } from '../render/approvable.ts'
import { type FirstSeen, firstSeenIn } from '../render/firstSeen.ts'
import { hasPlan } from '../render/hasPlan.ts'
import { workspaceOf } from '../render/json.ts'
import { lastApprovals, lastDocument } from '../render/lastDocument.ts'
import { lastText } from '../render/lastText.ts'
import { otherHost } from '../settings/service.ts'
import type { Terminal } from './command.ts'
import type { JournalledRun } from './journal.ts'
import { shownViews } from './render.ts'

type LeaveOptions = {
  readonly folder: string
  /** The service of the settings in use. */
  readonly service: () => Service
  /** Those that may still let something pass, by the settings in use. */
  readonly approvals: () => Approvals
  readonly disk: Disk
  readonly run: Pick<JournalledRun, 'hasLock' | 'token'> & { readonly memory: () => Memory }
  readonly terminal: Terminal
  readonly log: Pick<LineSink, 'info' | 'warn'>
  readonly clock: Pick<Clock, 'now' | 'wall'>
  /** Whether a page shows what was left. If not, it is not kept. */
  readonly isShown: boolean
}

/** What a daemon leaves for other commands, and what it remembers of it. Nothing here throws: the log says once why a document could not be written. */
type Leaving = {
  leave(ended: EndedCycle): Promise<void>
  /** Brings the approvals in the document up to date, so that `status` shows an approval as soon as it counts, and none that was ended. */
  leaveApprovals(): Promise<void>
  /** The document of the last cycle, as it was left; undefined before the first one of this process, and if no page shows it. */
  last(): LastDocument | undefined
  /** The plans of the last cycle; before the first one those of the process before, in which rows may be left out. */
  plans(): Promise<readonly WaitingPlan[]>
}

/** Leaves a document of each cycle beside the journal. */
export function openLeaving({ folder, service, approvals, disk, run, terminal, log, clock, isShown }: LeaveOptions): Leaving {
  let seen: FirstSeen | undefined
  let last: CycleReport | undefined
  const startedMs = clock.now()
  /** By the steady clock. */
  const succeededHere = new Map<WorkspaceName, number>()
  let left: string | undefined
  let parsed: LastDocument | undefined
  let loggedWhy = ''
  let turn = Promise.resolve()

  async function leave(ended: EndedCycle): Promise<void> {
    const { report, settings, program, beganMs, endedMs, nextMs, overdueMs } = ended
    seen ??= await seenEarlier()
    const { lastCycle } = run.memory()
    const succeeded = new Map(cycleTimes(lastCycle).map(({ workspace, succeededMs }) => [workspace, succeededMs]))
    // The journal has times by the steady clock of their process. That of an earlier process may have been ahead.
    const dated = (atMs: number) => Math.min(endedMs, atMs < startedMs ? atMs : dateOf(clock, atMs))
    const lastSuccessMs = (name: WorkspaceName) => dated(Math.max(succeeded.get(name) ?? 0, succeededHere.get(name) ?? 0))
    // The journal has only cycles about all workspaces. In the report of a cycle about some of them, the others have the same reports as before.
    const before = new Set(last?.workspaces)
    for (const workspace of report.workspaces)
      if (!before.has(workspace) && cycleOutcome(workspace) === 'success')
        succeededHere.set(workspace.workspace, momentOfDate(clock, endedMs).steadyMs)
    const views = shownViews(report, terminal, clock.now())
    const document = lastDocument({
      program: terminal.version,
      pid: terminal.processes.pid,
      host: hostname(),
      service: service(),
      ...(run.token === undefined ? {} : { lock: run.token }),
      beganMs,
      endedMs,
      nextMs,
      overdueMs,
      everyMs: report.workspaces.reduce((least, { about }) => Math.min(least, about.intervalMs), Number.MAX_SAFE_INTEGER),
      declaration: report.declaration,
      settings,
      directories: report.directories,
      budgets: new Map([...program.queues].map(([credential, queue]) => [credential, queue.view()])),
      approvals: approvals(),
      workspaces: report.workspaces.flatMap((workspace, index) => {
        const view = views[index]
        return view === undefined ? [] : [{ view, outcome: cycleOutcome(workspace), succeededMs: lastSuccessMs(workspace.workspace) }]
      }),
      seen,
    })
    seen = firstSeenIn(document, seen)
    last = report
    await keep(document)
  }

  /** The times that an earlier process has left. Without its document, what waits counts from now. */
  async function seenEarlier(): Promise<FirstSeen> {
    const foundLast = await lastOf(folder, service())
    return foundLast.kind === 'last' ? firstSeenIn(foundLast.last, new Map()) : new Map()
  }

  async function leaveApprovals(): Promise<void> {
    const foundLast = await lastOf(folder, service())
    if (foundLast.kind === 'last') await keep({ ...foundLast.last, approvals: lastApprovals(approvals(), clock.wall()) })
  }

  async function keep(document: LastDocument): Promise<void> {
    const text = terminal.secrets.scrub(lastText(document, lastDocumentBytesMax))
    if (isShown) [left, parsed] = [text, undefined]
    if (run.hasLock()) await keepLastDocument(folder, text, disk)
    if (loggedWhy !== '') log.info({ event: 'status' }, `${lastDocumentFile(folder)}: the last cycle is written here again for status`)
    loggedWhy = ''
  }

  /** One after another: an order may end an approval while a cycle leaves its document. */
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    turn = turn.then(step).catch((error: unknown) => {
      const why = writeErrnoText(error)
      if (why !== loggedWhy)
        log.warn(
          { event: 'status', err: error },
          `${lastDocumentFile(folder)} could not be written: ${why}. status shows an older cycle until it is`,
        )
      loggedWhy = why
    })
    return turn
  }

  return {
    leave: (ended) => inTurn(() => leave(ended)),
    leaveApprovals: () => inTurn(leaveApprovals),
    // The page shows it, so no secret may be in it. What replaces a secret changes no type.
    last: () => (parsed ??= left === undefined ? undefined : (jsonIn(left) as LastDocument)),
    async plans() {
      if (last !== undefined) return plansIn(shownViews(last, terminal, clock.now()).map(workspaceOf))
      const foundLast = await lastOf(folder, service())
      return foundLast.kind === 'last' ? foundLast.last.workspaces.flatMap((workspace) => (hasPlan(workspace) ? [workspace.plan] : [])) : []
    },
  }
}

const plansIn = (workspaces: PlanDocument['workspaces']): readonly WaitingPlan[] =>
  workspaces.flatMap((workspace) => (workspace.standing === 'failed' ? [] : [workspace]))

/** `unusable`: `why` is a sentence with the path. `elsewhere`: it is about another service. */
export type FoundLast =
  | { readonly kind: 'last'; readonly last: LastDocument }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly why: string; readonly cure?: string | undefined }
  | { readonly kind: 'elsewhere'; readonly why: string }

/** The document that a daemon has left beside the journal in this folder, with what is about the workspaces of this service. */
export async function lastOf(folder: string, service: Service): Promise<FoundLast> {
  const file = lastDocumentFile(folder)
  const read = await readLastDocument(folder)
  if ('why' in read) return { kind: 'unusable', why: `${file}: ${read.why}`, cure: read.cure }
  if (read.text === undefined) return { kind: 'none' }
  const document = jsonIn(read.text)
  const last = lastSchema.safeParse(document)
  const about = last.success ? otherHost(last.data.service, service) : undefined
  if (about !== undefined) return { kind: 'elsewhere', why: `${file}: it is about ${about}` }
  if (last.success) return { kind: 'last', last: ofWorkspaces(last.data, new Set(Object.keys(service.slugs))) }
  const place = last.error.issues[0]?.path.map(String).join('.') ?? ''
  const what = document === undefined ? 'it is not JSON' : `${place === '' ? 'its content' : place} is not as this version writes it`
  return { kind: 'unusable', why: `${file}: ${what}, so it is damaged or of another version` }
}

export const ofWorkspaces = (last: LastDocument, names: ReadonlySet<string>): LastDocument => ({
  ...last,
  workspaces: last.workspaces.filter(({ plan }) => names.has(plan.workspace)),
  approvals: last.approvals.filter(({ workspace }) => names.has(workspace)),
})
