import { lists } from '../core/mapping.ts'
import type { Memberships } from '../core/people/members.ts'
import { isComplete, type Reading, valueIfRead } from '../core/reading.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import type { OrderAnswer } from '../documents/daemonOrder.ts'
import { type KeptReadings, openReadingsKeeper } from '../recording/readings.ts'
import { recordingText } from '../recording/stored.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { type Call, type Command, exitCodes, text, UsageError } from './command.ts'
import { stream } from './input.ts'
import { dryCycle, openProgramOf } from './open.ts'
import { claimedName, runningDaemon } from './orders/askDaemon.ts'
import { failuresText } from './render.ts'
import { requireNoInput } from './requireNoInput.ts'
import { saveOut } from './saveOut.ts'
import { openSettings, openSettingsWithoutKey } from './settings.ts'
import { aboutOf, incompleteText, lackingIn, summaryOf, takeRecording } from './takeRecording.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const out = text(values.out)
    if (out === undefined)
      throw new UsageError('record needs --out FILE', { cure: 'a recording describes all access: choose who may read the file' })
    const loaded = await openSettingsWithoutKey(values, terminal, signal)
    if (out !== stream) await requireNoInput('--out', out, loaded)
    const memberships = values['no-memberships'] !== true
    const declaredGroups = values['declared-groups'] === true
    const daemon = values.fresh === true ? undefined : await runningDaemon(loaded, values, terminal)
    const recorded =
      daemon === undefined
        ? await recordHere(await openSettings({ ...values, quiet: true }, terminal, signal), { values, terminal, signal })
        : await daemon.ask({ kind: 'record', memberships, declaredGroups, by: claimedName(values, terminal) }, signal)
    signal.throwIfAborted()
    if (recorded.out !== '') {
      if (out === stream) terminal.out(recorded.out)
      else await saveOut(out, 'the recording', terminal.secrets.scrub(recorded.out), signal)
    }
    if (values.quiet !== true || recorded.exit !== exitCodes.done) terminal.err(recorded.err)
    return recorded.exit as typeof exitCodes.done
  },
}

/** Asks Plane and the directories for all that a recording has. */
async function recordHere(
  loaded: LoadedSettings,
  { values, terminal, signal }: Pick<Call, 'values' | 'terminal' | 'signal'>,
): Promise<Pick<OrderAnswer, 'exit' | 'out' | 'err'>> {
  const keeper = openReadingsKeeper()
  await using open = await openProgramOf(loaded, values, terminal, [], signal, keeper)
  const { sources } = open.program
  const { readings } = keeper
  // Before the recording has used it.
  const about = await aboutOf(sources, signal)
  const asOfMs = open.world.clock.wall()
  // Where a list lacks known mappings, a cycle asks for them by their ids. A plan of the recording gets these answers.
  const report = await dryCycle(open, { only: undefined }, signal)
  await readTheRest(sources, readings, signal)
  const withMembers = values['no-memberships'] !== true
  const { recording, readings: believed } = await takeRecording(
    {
      loaded,
      sources,
      readings,
      about,
      memory: open.memory,
      clock: open.world.clock,
      memberships: withMembers ? 'all' : 'none',
      narrow: values['declared-groups'] === true,
      membersOf: async (directory, groups) => {
        const members = withMembers ? sources.directories.get(directory)?.members : undefined
        return members === undefined ? { members: unasked(open.world.clock.now()) } : { members: await members(groups, asOfMs, signal) }
      },
    },
    signal,
  )
  const { incomplete } = lackingIn(believed, sources, readings.declared)
  const isWhole =
    incomplete.length === 0 &&
    [...recording.directories.values()].every(({ members }) => !withMembers || members === undefined || isComplete(members))
  return {
    exit: isWhole ? exitCodes.done : exitCodes.failed,
    out: recordingText(recording),
    err: `${summaryOf(recording)}\n${incompleteText(incomplete)}${failuresText(report, terminal)}`,
  }
}

const unasked = (atMs: number): Reading<Memberships> => ({ status: 'partial', value: new Map(), missing: 'not asked', atMs, tookMs: 0 })

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
