import type { Finding } from '../core/finding.ts'
import { clockFindings } from '../core/findings/clocks.ts'
import { guardsOf } from '../core/judge/guardSettings.ts'
import { OperationalError } from '../core/operationalError.ts'
import { defined } from '../core/optionalFields.ts'
import type { Memberships } from '../core/people/members.ts'
import type { Reading } from '../core/reading.ts'
import type { Waiver } from '../core/waiver.ts'
import { openPeopleCounter } from '../cycle/countPeople.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { Reader } from '../cycle/readExisting.ts'
import { memberReaders, type ReadMembers } from '../cycle/readPeople.ts'
import type { RecordedDirectory, RecordedWorkspace, Recording } from '../recording/recording.ts'
import { serviceAddress } from '../settings/service.ts'
import { bindingOf } from './binding.ts'
import { realClock } from './realClock.ts'

/** What was not asked for when the recording was made. */
const notRecorded = 'it is not in this recording'

/**
 * The sources of a cycle that asks nothing but a recording. Each source gives the answer that it gave when the recording was made.
 *
 * @param dateMs the present moment, epoch ms: it decides which rules have started and ended
 */
export function recordedSources(
  recording: Recording,
  declaration: CycleSources['declaration'],
  waivers: readonly Waiver[],
  dateMs: () => number,
): CycleSources {
  const { settings, aheadMs, steadyMs, withoutMemberships } = recording
  const { service, roles, later, guards } = settings
  const dates = () => ({ hereMs: dateMs(), thereMs: aheadMs === undefined ? undefined : dateMs() + aheadMs })
  const host = serviceAddress(service.baseUrl)
  const leftOut = withoutMemberships === true ? [peopleNotRecorded] : []
  const directories = new Map([...recording.directories].map(([name, directory]) => [name, recordedDirectory(name, directory, settings)]))
  const bindings = [...recording.workspaces].map(([name, workspace]): ReportedBinding & { readonly credential: string } => {
    const own = settings.workspaces[name]
    const limits = guardsOf({ ...guards, people: defined(guards.people) }, own?.guards)
    return bindingOf(
      {
        workspace: { name, slug: own?.slug ?? name },
        credential: workspace.credential,
        read: recordedReader(workspace, steadyMs),
        policy: own?.policy ?? settings.policy,
        suspend: own?.suspend ?? settings.suspend,
        guards: withoutMemberships === true ? { ...limits, people: {} } : limits,
      },
      {
        settings: { roles, later, service },
        hasJournal: settings.hasJournal,
        intervalMs: settings.intervalMs,
        waivers,
        dates,
        sharedFindings: () => [...clockFindings(dates(), new URL(service.baseUrl).host, 0), ...leftOut],
        host,
        budget: () => workspace.budget,
        clock: realClock,
      },
    )
  })
  return {
    declaration,
    directories,
    countPeople: openPeopleCounter(memberReaders(directories)),
    bindings: Map.groupBy(bindings, ({ credential }) => credential),
  }
}

const peopleNotRecorded: Finding = {
  code: 'people-unread',
  severity: 'info',
  place: 'recording',
  sentence: 'this recording has no memberships, so no number of people is known: guards.people is judged when the changes are applied',
}

/** The reading was believed, or not, when it was recorded. So it has no checks of its own. */
function recordedDirectory(name: string, { reading, members }: RecordedDirectory, settings: Recording['settings']): Directory {
  const kind = settings.directories[name]?.kind ?? 'file'
  return { kind, read: async () => reading, ...(members === undefined ? {} : { members: recordedMembers(members) }) }
}

/** The answer to all groups, as it was: a group that is asked for is in it, if the directory said who its members are. */
const recordedMembers =
  (members: Reading<Memberships>): ReadMembers =>
  async () =>
    members

function recordedReader({ lists, byId, projects, groupSync }: RecordedWorkspace, atMs: number): Reader {
  const unread = { status: 'failed', why: notRecorded, atMs, tookMs: 0 } as const
  return {
    mappings: async (list) => lists.get(list) ?? unread,
    mapping: async (_, id) => byId.get(id) ?? { is: 'unproved', why: notRecorded },
    projects: async () => projects ?? unread,
    groupSync: async () => {
      if (groupSync === undefined) throw new OperationalError('SettingsUnread', `the group-sync settings cannot be read: ${notRecorded}`)
      return groupSync
    },
  }
}
