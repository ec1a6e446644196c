import type { LastPlanned, LastWorkspace } from '../documents/last.ts'

/** Whether the last cycle has made a plan for the workspace. */
export const hasPlan = (workspace: LastWorkspace): workspace is LastPlanned => workspace.plan.standing !== 'failed'
