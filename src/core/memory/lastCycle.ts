import type { WorkspaceName } from '../mapping.ts'

/**
 * The outcome of a cycle, as the journal has it. `workspaces`: all workspaces of the cycle; absent if they are those of the cycle before, so that the
 * entry stays short. `unsuccessful`: those of them that did not end with success.
 */
export type CycleRecord = { readonly workspaces?: readonly WorkspaceName[]; readonly unsuccessful: readonly WorkspaceName[] }

/**
 * The last cycle. `atMs`: when it ended, epoch ms. `succeededMs`: for each of its workspaces that did not end with success, when an earlier cycle of
 * the workspace last did; 0 if none is known.
 */
export type LastCycle = {
  readonly atMs: number
  readonly workspaces: readonly WorkspaceName[]
  readonly succeededMs: Readonly<Record<string, number>>
}

/** The time of a workspace's last attempt, and of its last success (0: none is known), epoch ms. */
type CycleTimes = { readonly workspace: WorkspaceName; readonly attemptedMs: number; readonly succeededMs: number }

export function afterCycle(last: LastCycle | undefined, { workspaces, unsuccessful }: CycleRecord, atMs: number): LastCycle {
  const before = new Map(cycleTimes(last).map((times) => [times.workspace, times.succeededMs]))
  return {
    atMs,
    workspaces: workspaces ?? last?.workspaces ?? [],
    succeededMs: Object.fromEntries(unsuccessful.map((workspace) => [workspace, before.get(workspace) ?? 0])),
  }
}

/** @param outcomes each workspace of the cycle, and whether it ended with success */
export function cycleRecord(last: LastCycle | undefined, outcomes: ReadonlyMap<WorkspaceName, boolean>): CycleRecord {
  const workspaces = [...outcomes.keys()]
  const unsuccessful = workspaces.filter((workspace) => outcomes.get(workspace) === false)
  const isSame =
    last?.workspaces.length === workspaces.length && last.workspaces.every((workspace, index) => workspace === workspaces[index])
  return isSame ? { unsuccessful } : { workspaces, unsuccessful }
}

/** The times of each workspace of the last cycle. */
export const cycleTimes = (last: LastCycle | undefined): readonly CycleTimes[] =>
  last === undefined
    ? []
    : last.workspaces.map((workspace) => ({
        workspace,
        attemptedMs: last.atMs,
        succeededMs: Object.hasOwn(last.succeededMs, workspace) ? (last.succeededMs[workspace] ?? 0) : last.atMs,
      }))

/** The last cycle after an entry `end`; what was known before, if no cycle ended there. */
export const lastCycleAfter = (
  { lastCycle }: { readonly lastCycle?: LastCycle },
  { cycle, atMs }: { readonly cycle?: CycleRecord; readonly atMs: number },
): { readonly lastCycle?: LastCycle } => (cycle === undefined ? {} : { lastCycle: afterCycle(lastCycle, cycle, atMs) })
