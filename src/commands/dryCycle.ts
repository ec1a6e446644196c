import { complete } from '../compose/complete.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { type Cycle, type CycleSources, runCycle } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/report.ts'
import type { Open } from './open.ts'

type DryOptions = {
  /** The only workspaces that are planned; undefined: all. */
  readonly only: ReadonlySet<WorkspaceName> | undefined
  /** Whether each plan lists the mappings that are as declared. */
  readonly listsUnchanged?: boolean
  /** In place of that of the program. */
  readonly countPeople?: CycleSources['countPeople']
}

/** Runs one cycle that only plans: without a writer, and with the memory that the journal had when it was read. */
export async function dryCycle(
  { program, memory, world }: Pick<Open, 'program' | 'memory' | 'world'>,
  { only, listsUnchanged, countPeople = program.sources.countPeople }: DryOptions,
  signal: AbortSignal,
): Promise<CycleReport> {
  const { now, wall } = world.clock
  world.cycle.begin()
  return await runCycle(
    { ...program.sources, countPeople },
    { now, wall, memory: () => memory, ...complete<Pick<Cycle, 'only' | 'listsUnchanged'>>({ only, listsUnchanged }) },
    undefined,
    signal,
  )
}
