import type { Change } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Entry, KnownRevision } from '../core/memory/entry.ts'
import { defined } from '../core/optionalFields.ts'
import { type Outcome, withoutSameRole } from '../core/outcome.ts'
import type { WritingStep } from '../cycle/apply.ts'
import type { Writing } from '../cycle/cycle.ts'
import type { SeenStore, Writer } from '../cycle/workspace.ts'
import { type LineSink, writeLines } from '../log/line.ts'
import { changeLine } from '../log/planLines.ts'
import type { Settings } from '../settings/schema.ts'
import type { BoundWorkspace } from './binding.ts'

/** The functions of the journal and of the log that a writer needs. */
export type WritingAccess = {
  append(entry: Entry): Promise<void>
  /** Whether the journal is certainly still ours. */
  hasLock(): boolean
  readonly run: string
  /** Absent: nothing is kept of what the lists showed. */
  readonly seen?: Omit<SeenStore, 'store' | 'waitMs'>
  /** Gets each change as soon as its outcome is known; absent: a report shows them. */
  readonly log?: LineSink
  /** Called at each step of the writing. Workspaces are applied at the same time. */
  readonly progress?: (workspace: WorkspaceName, step: WritingStep) => void
}

type WritingOptions = {
  readonly now: () => number
  /** Changes of one slice. */
  readonly changesMax: number
  readonly settings: Pick<Settings, 'roles' | 'service'>
  /** Called with the outcome of each write. */
  readonly wrote: ((workspace: WorkspaceName, change: Change, outcome: Outcome) => void) | undefined
}

/** Makes the writers. No other place makes one. */
export function writingOf(
  bound: readonly BoundWorkspace[],
  { append, hasLock, run, seen, log, progress }: WritingAccess,
  { now, changesMax, settings: { roles, service }, wrote }: WritingOptions,
): Writing {
  const stamp = () => ({ run, atMs: now() })
  const storeSize = (of: string, size: number) => append({ ...stamp(), kind: 'reading', of, size })
  const storeRevision = (known: KnownRevision) => append({ ...stamp(), kind: 'declaration', ...known })
  const writerOf = ({ workspace, plane, read }: BoundWorkspace): Writer => ({
    changesMax,
    hasLock,
    ...(seen === undefined
      ? {}
      : { seen: { ...seen, waitMs: service.unknownOutcomeWait, store: (reading) => append({ ...stamp(), kind: 'seen', ...reading }) } }),
    storeMappings: (name, list, ids, unread) =>
      append({ ...stamp(), kind: 'mappings', workspace: name, list, ids, ...(unread === undefined ? {} : { unread }) }),
    storeGroupIds: (ids, meant) => append({ ...stamp(), kind: 'groups', ids, ...(meant === undefined ? {} : { meant }) }),
    storeProjectIds: (name, ids) => append({ ...stamp(), kind: 'projects', workspace: name, ids }),
    storeShown: (name, changes) => append({ ...stamp(), kind: 'shown', workspace: name, changes }),
    storeOwnership: (change) => append({ ...stamp(), kind: 'ownership', ...change }),
    async write(change, gate, isFresh, signal) {
      if (change.action === 'settings') read.forgetSettings()
      let hold: Hold | undefined
      const whyNot = (asked: Change) => {
        if (!isFresh()) return 'its readings are too old by now, a rule has started or ended, or another process may have the journal'
        hold = gate(asked)
        return hold === undefined ? undefined : 'held at the last moment'
      }
      const outcome = withoutSameRole(change, await plane().writer(workspace, whyNot).write(change, signal), roles.aliases)
      wrote?.(workspace.name, change, outcome)
      return outcome.kind === 'notSent' && hold !== undefined ? { ...outcome, hold } : outcome
    },
    intend: (name, change, declaration) => append({ ...stamp(), kind: 'intent', workspace: name, change, declaration }),
    settle: (name, change, outcome, declaration) => append({ ...stamp(), kind: 'result', workspace: name, change, declaration, outcome }),
    async storeWaivers(name, fingerprint, used) {
      for (const { ids, by, account, source } of used)
        await append({ ...stamp(), kind: 'waiver', workspace: name, fingerprint, passes: ids, by, ...defined({ account }), source })
    },
    progress(step) {
      if (log !== undefined && step.kind === 'tried')
        writeLines(log, [
          changeLine(step.result, { workspace: workspace.name, roles, unknownOutcomeWaitMs: service.unknownOutcomeWait }, now()),
        ])
      progress?.(workspace.name, step)
    },
  })
  const byName = new Map<WorkspaceName, BoundWorkspace>(bound.map((boundWorkspace) => [boundWorkspace.workspace.name, boundWorkspace]))
  return { writer: (name) => writerOf(byName.get(name) as BoundWorkspace), storeSize, storeRevision }
}
