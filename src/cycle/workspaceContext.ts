import type { Clock, Moment } from '../core/clock.ts'
import type { Dates } from '../core/dates.ts'
import type { DiffOptions } from '../core/diff/draft.ts'
import type { AskedKey } from '../core/explain/nearRules.ts'
import type { GroupIndex } from '../core/group.ts'
import type { GuardSettings } from '../core/judge/guardSettings.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import type { Plan } from '../core/plan.ts'
import type { Reading } from '../core/reading.ts'
import type { RecordedGroups } from '../core/recordedGroups.ts'
import type { DeclarationReport } from '../core/report.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'
import type { Waiver } from '../core/waiver.ts'
import type { PeopleCounter } from './countPeople.ts'
import type { Reader } from './readExisting.ts'
import type { RunTally } from './runTally.ts'

/** The declaration of one cycle; the same for all workspaces. */
export type Declared = DeclarationReport & {
  readonly workspaces: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>
  /** The names of the present files. A file that is not among them is gone. Absent: it is not known which files are gone. */
  readonly names?: ReadonlySet<string>
}

/** One workspace of the settings, and how to read it. */
export type WorkspaceBinding = {
  readonly workspace: WorkspaceName
  readonly read: Reader
  readonly options: Omit<DiffOptions, 'echoes' | 'laterUntilMs' | 'owned'>
  /** False: nothing is kept after the process ends, so nothing is known to be ours. */
  readonly hasJournal: boolean
  /** For how long ahead a plan says what dates will change. */
  readonly horizonMs: number
  readonly guards: GuardSettings
  readonly waivers: readonly Waiver[]
  readonly suspend: boolean | 'grants'
  /** The groups that a narrow recording was asked for. Absent: the readings are of all groups. */
  readonly recordedGroups?: RecordedGroups | undefined
  /** The present date, by the clocks of this machine and of Plane. */
  dates(): Dates
}

/** The input for one workspace. It is the same for every slice; only the lists of the service are read anew. */
export type WorkspaceContext = {
  readonly binding: WorkspaceBinding
  readonly declared: Declared
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  /** The directories of the settings that no rule of the workspace asks. Absent: none. */
  readonly unasked?: readonly string[] | undefined
}

/** What all workspaces of a cycle share. */
export type WorkspaceCycle = Pick<Clock, 'now' | 'wall'> & {
  /** The start of the cycle. Its declaration and the readings of its directories are not older. */
  readonly began: Moment
  readonly memory: () => Memory
  readonly run: RunTally
  readonly countPeople: PeopleCounter
  /** Whether this plan was approved beforehand, with the waivers that it uses; absent: the guards decide alone. */
  readonly isApprovedBeforehand?: (plan: Plan, waived: readonly Waiver[]) => boolean
  /** Whether the plan that was approved beforehand for this workspace is written already, so that this other plan does not make it stale. */
  readonly isWrittenBefore?: (plan: Plan) => boolean
  /** Up to which moment a plan that was approved beforehand says what dates will change; undefined: none was, and the settings decide. */
  readonly horizonOf?: (workspace: WorkspaceName) => number | undefined
  /** Waivers that earlier cycles of this command used, with what they covered; absent: none. */
  readonly waived?: readonly Waiver[]
  readonly listsUnchanged?: boolean
  /** The key that is explained in each workspace; absent: none. */
  readonly asked?: AskedKey
}
