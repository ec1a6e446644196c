import type { Clock } from '../core/clock.ts'
import type { AskedKey } from '../core/explain/nearRules.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { rebindings } from '../core/memory/confirmed.ts'
import { type Memory, remember } from '../core/memory/memory.ts'
import { complete } from '../core/optionalFields.ts'
import { type Cycle, type CycleSources, runCycle } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'

export type DryOptions = {
  /** The only workspaces that are planned; undefined: all. */
  readonly only: ReadonlySet<WorkspaceName> | undefined
  /** Whether each plan lists the mappings that are as declared. */
  readonly listsUnchanged?: boolean
  /** Up to when plans say what dates will change, epoch ms; absent: as the settings say. */
  readonly laterUntilMs?: number
  /** The key that is explained in each workspace. */
  readonly asked?: AskedKey
  /** In place of that of the program. */
  readonly countPeople?: CycleSources['countPeople']
}

/** What a cycle that only plans is made from. */
export type DryParts = {
  readonly sources: CycleSources
  /** As the journal had it when it was read. */
  readonly memory: Memory
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly unknownOutcomeWaitMs: number
  readonly isBesideDaemon: boolean
}

/** Runs one cycle without a writer. */
export async function planOnly(
  { sources, memory: before, clock: { now, wall }, unknownOutcomeWaitMs, isBesideDaemon }: DryParts,
  { only, listsUnchanged, laterUntilMs, asked, countPeople = sources.countPeople }: DryOptions,
  signal: AbortSignal,
): Promise<CycleReport> {
  let memory = before
  const rebind: Cycle['rebind'] = async (moved) => {
    for (const service of rebindings(memory, moved))
      memory = remember(memory, { kind: 'service', atMs: now(), run: '', service }, unknownOutcomeWaitMs)
  }
  const report = await runCycle(
    { ...sources, countPeople },
    {
      now,
      wall,
      memory: () => memory,
      rebind,
      ...complete<Pick<Cycle, 'only' | 'listsUnchanged' | 'horizonOf' | 'asked'>>({
        only,
        listsUnchanged,
        asked,
        horizonOf: laterUntilMs === undefined ? undefined : () => laterUntilMs,
      }),
    },
    undefined,
    signal,
  )
  return isBesideDaemon ? { ...report, declaration: { ...report.declaration, besideDaemon: true } } : report
}
