import { randomBytes } from 'node:crypto'
import type { Group, GroupIndex } from '../core/group.ts'
import { lists } from '../core/mapping.ts'
import type { Memberships } from '../core/people/members.ts'
import { counted } from '../core/quantity.ts'
import { isComplete, type Reading, valueIfRead } from '../core/reading.ts'
import { checkDirectory } from '../cycle/checkDirectory.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import { type KeptReadings, keepingReadings } from '../recording/readings.ts'
import { groupsKept, type Recording, recordingOf } from '../recording/recording.ts'
import { recordingText } from '../recording/stored.ts'
import { recordedSettings } from '../settings/recorded.ts'
import { type Command, exitCodes, text, UsageError } from './command.ts'
import { stream } from './input.ts'
import { dryCycle, type Open, openProgram } from './open.ts'
import { failuresText } from './render.ts'
import { requireNoInput } from './requireNoInput.ts'
import { saveOut } from './saveOut.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const out = text(values.out)
    if (out === undefined)
      throw new UsageError('record needs --out FILE', { cure: 'a recording describes all access: choose who may read the file' })
    await using open = await openProgram(values, terminal, [], signal)
    if (out !== stream) await requireNoInput('--out', out, open.loaded)
    const { sources, readings } = keepingReadings(open.program.sources)
    const about = await aboutOf(sources, signal)
    // Where a list lacks known mappings, a cycle asks for them by their ids. A plan of the recording gets these answers.
    const report = await dryCycle({ ...open, program: { ...open.program, sources } }, { only: undefined }, signal)
    await readTheRest(sources, readings, signal)
    const recording = await recordingNow(open, { sources, readings, about, withMemberships: values['no-memberships'] !== true }, signal)
    signal.throwIfAborted()
    const document = terminal.secrets.scrub(recordingText(recording))
    if (out === stream) terminal.out(document)
    else await saveOut(out, 'the recording', document, signal)
    if (values.quiet !== true) terminal.err(`${summaryOf(recording)}\n`)
    terminal.err(failuresText(report, terminal))
    return isWhole(recording) ? exitCodes.done : exitCodes.failed
  },
}

/** The declaration of a branch may need what that of today does not. */
async function readTheRest(sources: CycleSources, { directories, workspaces }: KeptReadings, signal: AbortSignal): Promise<void> {
  const ofWorkspace = async ({ workspace, read }: ReportedBinding) => {
    const known = workspaces.get(workspace)
    for (const list of lists) if (known?.lists.get(list) === undefined) await read.mappings(list, signal)
    if (known?.projects === undefined) await read.projects(signal)
    const isUsed = lists.some((list) => (valueIfRead(workspaces.get(workspace)?.lists.get(list)) ?? []).length > 0)
    // Reading creates the settings in a workspace that does not use group sync.
    if (known?.groupSync === undefined && isUsed) await read.groupSync(signal).catch(() => undefined)
  }
  const unread = [...sources.directories].filter(([name]) => !directories.has(name))
  await Promise.all([
    ...[...sources.bindings.values()].map(async (bindings) => {
      for (const binding of bindings) await ofWorkspace(binding)
    }),
    ...unread.map(([, directory]) => directory.read(signal)),
  ])
}

type Taken = {
  readonly sources: CycleSources
  readonly readings: KeptReadings
  readonly about: Awaited<ReturnType<typeof aboutOf>>
  readonly withMemberships: boolean
}

/** The credential of each workspace, and its budget before the recording has used it. */
async function aboutOf({ bindings }: CycleSources, signal: AbortSignal) {
  const each = [...bindings.values()].flat().map(async (binding) => {
    const { credential, budget } = await binding.about('none', signal)
    return [binding.workspace, { credential, budget }] as const
  })
  return new Map(await Promise.all(each))
}

async function recordingNow(
  { loaded, memory, world }: Open,
  { sources, readings, about, withMemberships }: Taken,
  signal: AbortSignal,
): Promise<Recording> {
  // The package that matches patterns is loaded only here.
  const { openAdmission } = await import('../declaration/fence.ts')
  const isKept = groupsKept(readings, openAdmission(loaded.settings.fences))
  const bindings = [...sources.bindings.values()].flat()
  const { hereMs = world.clock.wall(), thereMs } = bindings[0]?.dates() ?? {}
  const believed = new Map(
    [...sources.directories].flatMap(([name, directory]) => {
      const reading = readings.directories.get(name)
      return reading === undefined ? [] : [[name, checkDirectory(name, reading, directory, memory)] as const]
    }),
  )
  return recordingOf({
    takenMs: world.clock.wall(),
    steadyMs: world.clock.now(),
    ...(thereMs === undefined ? {} : { aheadMs: thereMs - hereMs }),
    settings: recordedSettings(loaded),
    readings: { ...readings, directories: believed },
    about,
    members: withMemberships ? await membersOf(sources, believed, isKept, signal) : undefined,
    memory,
    isKept,
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  })
}

/** The members of each group that the recording keeps. */
async function membersOf(
  { directories }: CycleSources,
  believed: ReadonlyMap<string, Reading<GroupIndex>>,
  isKept: (group: Group['name']) => boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Reading<Memberships>>> {
  const read = [...directories].flatMap(([name, { members }]) => (members === undefined ? [] : [{ name, members }]))
  return new Map(
    await Promise.all(
      read.map(async ({ name, members }) => {
        const groups = [...(valueIfRead(believed.get(name))?.values() ?? [])].flat()
        return [
          name,
          await members(
            groups.filter((group) => isKept(group.name)),
            signal,
          ),
        ] as const
      }),
    ),
  )
}

/** Whether each list and each directory was read whole. What was not is recorded as incomplete, and plans hold what needs it. */
const isWhole = ({ directories, workspaces }: Recording): boolean =>
  [...directories.values()].every(({ reading, members }) => isComplete(reading) && (members === undefined || isComplete(members))) &&
  [...workspaces.values()].every(({ lists: read, projects }) => [...read.values()].every(isComplete) && projects?.status === 'complete')

function summaryOf({ workspaces, directories }: Recording): string {
  const mappings = [...workspaces.values()].flatMap(({ lists: read }) =>
    [...read.values()].map((reading) => valueIfRead(reading)?.length ?? 0),
  )
  const groups = [...directories.values()].map(({ reading }) => valueIfRead(reading)?.size ?? 0)
  const sum = (counts: readonly number[]) => counts.reduce((total, each) => total + each, 0)
  return `recorded ${counted(workspaces.size, 'workspace')} with ${counted(sum(mappings), 'mapping')}, and ${counted(sum(groups), 'group')}`
}
