import { recordedSources } from '../../compose/recordedSources.ts'
import type { Clock } from '../../core/clock.ts'
import type { Memory } from '../../core/memory/memory.ts'
import { OperationalError } from '../../core/operationalError.ts'
import { listed } from '../../core/quantity.ts'
import { valueIfRead } from '../../core/reading.ts'
import { countsKeptMs } from '../../cycle/countPeople.ts'
import type { CycleSources } from '../../cycle/cycle.ts'
import type { CycleReport } from '../../cycle/cycleReport.ts'
import type { Declared } from '../../cycle/workspaceContext.ts'
import type { KeptReadings, WorkspaceReadings } from '../../recording/readings.ts'
import type { RecordedDirectory, Recording } from '../../recording/recording.ts'
import type { LoadedSettings } from '../../settings/load.ts'
import { type DryOptions, planOnly } from '../planOnly.ts'
import { aboutOf, believedReadings, lackingIn, type MembersTaken, takenNow } from '../takeRecording.ts'

/** The parts of a daemon, as they are now. */
export type DaemonParts = {
  readonly loaded: LoadedSettings
  readonly sources: Pick<CycleSources, 'directories' | 'bindings'>
  readonly readings: KeptReadings
  readonly memory: Memory
  readonly clock: Pick<Clock, 'now' | 'wall'>
}

/** `declared`: as the last cycle used it. `unasked`: what no rule of today is about. */
type LastRead = { readonly declared: Declared; readonly unasked: readonly string[] }

/** @throws {OperationalError} if the cycles have not read all that the declaration needs. `fresh`: the command that asks for all now */
export function lastRead({ readings, sources }: Pick<DaemonParts, 'readings' | 'sources'>, fresh: string): LastRead {
  const { declared } = readings
  const { unread, unasked } = lackingIn(readings, sources, declared)
  if (declared !== undefined && unread.length === 0) return { declared, unasked }
  const what = unread.length === 0 ? '' : ` (${listed(unread)})`
  throw new OperationalError('NotRead', `the daemon has not read all that the declaration needs${what}`, {
    cure: `status shows its last cycle; give the order again after the next one, or ask for all now: ${fresh}`,
  })
}

/** The members that the plans of the daemon have counted lately. */
export function countedMembers({ readings, clock }: Pick<DaemonParts, 'readings' | 'clock'>, directory: string) {
  const fromMs = clock.now() - countsKeptMs
  const kept = [...(readings.members.get(directory) ?? [])].filter(([, { atMs }]) => atMs >= fromMs)
  const value = new Map(kept.flatMap(([group, { members }]) => (members === undefined ? [] : [[group, members] as const])))
  return {
    members: { status: 'partial', value, missing: 'not counted', atMs: clock.now(), tookMs: 0 },
    asked: new Set(kept.map(([group]) => group)),
  } as const satisfies MembersTaken
}

/**
 * A plan of what the cycles have read last, with the declaration as the last of them used it. It asks nothing. The recording stays in this process: it has the
 * causes of incomplete readings, the places of groups, and who their members are.
 *
 * @throws {OperationalError} as `lastRead`
 */
export async function planOfLast(
  parts: DaemonParts,
  fresh: string,
  options: DryOptions,
  signal: AbortSignal,
): Promise<{ readonly report: CycleReport; readonly recording: Recording }> {
  const { loaded, sources, memory, clock } = parts
  const { declared } = lastRead(parts, fresh)
  // A cycle may run. What it reads changes the maps of the readings.
  const workspaces = new Map([...parts.readings.workspaces].map(([name, of]) => [name, { ...of, byId: new Map(of.byId) }] as const))
  const readings = believedReadings(parts.readings, sources, memory)
  const directories = [...readings.directories].map(([name, reading]): readonly [string, RecordedDirectory] => {
    if (sources.directories.get(name)?.members === undefined) return [name, { reading }]
    const { members, asked } = countedMembers(parts, name)
    const ids = [...(valueIfRead(reading)?.values() ?? [])].flat().map(({ id }) => id)
    return [name, { reading, members, notAsked: new Set(ids.filter((id) => !asked.has(id))) }]
  })
  const taken = takenNow({ ...readings, workspaces }, parts)
  const about = await aboutOf(sources, signal)
  const recording: Recording = {
    ...taken,
    workspaces: new Map([...about].map(([name, own]) => [name, { ...(workspaces.get(name) ?? nothingRead), ...own }])),
    directories: new Map(directories),
    memberships: 'counted',
    memory,
  }
  const { unknownOutcomeWait: unknownOutcomeWaitMs } = loaded.settings.service
  const lacking = { why: 'the daemon has not read it', cure: `to ask for it: ${fresh}` }
  const planned = recordedSources(recording, async () => declared, [], clock.wall, lacking)
  const report = await planOnly({ sources: planned, memory, clock, unknownOutcomeWaitMs, isBesideDaemon: false }, options, signal)
  return { report, recording }
}

const nothingRead: WorkspaceReadings = { lists: new Map(), byId: new Map() }
