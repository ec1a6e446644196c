import type { Program } from '../compose/compose.ts'
import type { CycleId, ProgramEnvironment } from '../compose/environment.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import type { SettingsReport } from '../core/report.ts'
import type { Cycle, Writing } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { Logger } from '../log/logger.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Settings } from '../settings/schema.ts'
import type { Metrics } from './metrics.ts'
import type { NextRuns } from './nextRuns.ts'
import type { Notifier } from './notice/notifier.ts'
import type { OrderQueue } from './orders.ts'
import type { PageSources } from './page.ts'
import type { RunningCycle } from './running.ts'

/** The parts that the daemon works with. They are made elsewhere. */
export type Daemon = {
  readonly loaded: LoadedSettings
  readonly program: Program
  /** Called in every cycle with its program and settings. After an edit of the settings this is a new program. */
  readonly onProgram: (program: Program, loaded: LoadedSettings) => void
  readonly world: ProgramEnvironment & { readonly log: Logger; readonly cycle: CycleId }
  /** Registers the observer of all requests of the programs. */
  readonly onRequest: (observe: NonNullable<ProgramEnvironment['observe']>) => void
  readonly metrics: Metrics
  readonly cycle: Cycle
  /** Absent: a dry run. */
  readonly writing?: (program: Program) => Writing
  /**
   * Adds the entry `end` to the journal: no write is in flight. If the process is then killed between two cycles, the next start is not delayed.
   * `outcomes`: each workspace of the cycle, and whether it ended with success, for the metrics of the next process. Absent if the cycle was about some
   * workspaces only.
   */
  readonly markIdle: (outcomes?: ReadonlyMap<WorkspaceName, boolean>) => Promise<void>
  /** Adds the workspaces of edited settings to the journal, before anything about them is written to it. */
  readonly bind: (settings: Settings) => Promise<void>
  /** Whether the daemon must end because of an error. `runDaemon` then throws it. */
  readonly isFinal?: (error: unknown) => boolean
  readonly memory: () => Memory
  /** What the present cycle does: it is told to those who ask. */
  readonly running: RunningCycle
  /** Leaves what the cycle read and decided for the command `status`. Never throws. Absent without a journal. */
  readonly leave?: (ended: EndedCycle) => Promise<void>
  /** What the page for people shows, if the settings ask for the page. Absent without a journal. */
  readonly page?: PageSources
  /** Absent: without a journal there is no place for orders. */
  readonly orders?: OrderQueue
  /** Tells the receivers of `notify`. Absent: a dry run. */
  readonly notifier?: Notifier
  /** Emits `SIGHUP`, which triggers a cycle. */
  readonly signals: NodeJS.EventEmitter
}

/** Times are epoch ms by the date. */
export type EndedCycle = NextRuns & {
  readonly report: CycleReport
  readonly settings: SettingsReport
  readonly program: Program
  readonly beganMs: number
  readonly endedMs: number
}
