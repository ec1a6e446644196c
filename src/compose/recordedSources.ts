import type { Change } from '../core/change.ts'
import { mappingsAndProjects } from '../core/existing.ts'
import type { Finding } from '../core/finding.ts'
import { clockFindings } from '../core/findings/clocks.ts'
import { type GuardSettings, guardsOf } from '../core/judge/guardSettings.ts'
import { isLimited } from '../core/judge/people.ts'
import type { GroupName, WorkspaceName } from '../core/mapping.ts'
import { once } from '../core/once.ts'
import { OperationalError } from '../core/operationalError.ts'
import { defined } from '../core/optionalFields.ts'
import type { Memberships } from '../core/people/members.ts'
import { changedTargets, groupsIn, groupsOn, nameOf, type Rows, type TargetRows } from '../core/people/rows.ts'
import type { PeopleEffect } from '../core/peopleEffect.ts'
import { type Reading, valueIfRead } from '../core/reading.ts'
import type { Waiver } from '../core/waiver.ts'
import { openPeopleCounter, type PeopleCounter } from '../cycle/countPeople.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { Reader } from '../cycle/readExisting.ts'
import { locate, memberReaders, type ReadMembers } from '../cycle/readPeople.ts'
import type { RecordedDirectory, RecordedMemberships, RecordedWorkspace, Recording } from '../recording/recording.ts'
import { serviceAddress } from '../settings/service.ts'
import { bindingOf } from './binding.ts'
import { realClock } from './realClock.ts'

/** What was not asked for when the recording was made. */
const notRecorded = { why: 'it is not in this recording', cure: 'record --fresh and explain --fresh ask for it' }

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
  const { settings, aheadMs, steadyMs, memberships, recordedGroups } = recording
  const { service, roles, later, approvals, guards } = settings
  const dates = () => ({ hereMs: dateMs(), thereMs: aheadMs === undefined ? undefined : dateMs() + aheadMs })
  const host = serviceAddress(service.baseUrl)
  const directories = new Map(
    Object.entries(settings.directories).map(([name, { kind }]) => [
      name,
      recordedDirectory(kind, recording.directories.get(name), steadyMs),
    ]),
  )
  const bindings = [...recording.workspaces].map(([name, workspace]): ReportedBinding & { readonly credential: string } => {
    const own = settings.workspaces[name]
    const bound = bindingOf(
      {
        workspace: { name, slug: own?.slug ?? name },
        credential: workspace.credential,
        read: recordedReader(workspace, steadyMs),
        policy: own?.policy ?? settings.policy,
        suspend: own?.suspend ?? settings.suspend,
        guards: guardsOf({ ...guards, people: defined(guards.people) }, own?.guards),
      },
      {
        settings: { roles, later, approvals, service },
        hasJournal: settings.hasJournal,
        intervalMs: settings.intervalMs,
        waivers,
        dates,
        sharedFindings: () => clockFindings(dates(), new URL(service.baseUrl).host, 0),
        host,
        budget: () => workspace.budget,
        clock: realClock,
      },
    )
    return { ...bound, ...defined({ recordedGroups }) }
  })
  const countPeople = openPeopleCounter(memberReaders(directories))
  const guardsIn = new Map(bindings.map(({ workspace, guards: limits }) => [workspace, limits]))
  return {
    declaration,
    directories,
    countPeople:
      memberships === 'all' ? countPeople : countingRecorded(countPeople, { memberships, directories: recording.directories }, guardsIn),
    bindings: Map.groupBy(bindings, ({ credential }) => credential),
  }
}

/**
 * The people of groups whose members were not asked for when the recording was made are counted when the changes are applied. A group about which the directory
 * was asked without an answer, and one that no directory shows, is as unknown as in a live plan.
 */
function countingRecorded(
  counter: PeopleCounter,
  { memberships, directories: recorded }: Pick<Recording, 'directories'> & { readonly memberships: Exclude<RecordedMemberships, 'all'> },
  guardsIn: ReadonlyMap<WorkspaceName, GuardSettings>,
): PeopleCounter {
  return (options) => {
    const count = counter(options)
    return async (plan, existing, directories, ...about) => {
      const counted = await count(plan, existing, directories, ...about)
      const guards = guardsIn.get(plan.workspace)
      const targets = changedTargets(plan.changes, mappingsAndProjects(existing).existing, options.roles)
      const located = locate(groupsOn(targets.values()), [...recorded.keys()], directories)
      const stateOf = (group: GroupName): 'known' | 'notAsked' | 'unknown' => {
        const at = located.get(group)
        if (at === undefined || at.kind === 'nowhere') return 'known'
        if (at.kind === 'unknown') return 'unknown'
        const { members, notAsked } = recorded.get(at.directory) ?? {}
        if (notAsked?.has(at.group.id) === true) return 'notAsked'
        return members !== undefined && valueIfRead(members)?.has(at.group.id) === true ? 'known' : 'unknown'
      }
      /** Whether some group of the rows was not asked for. Many projects share the rows for all projects. */
      const notAskedIn = new Map<Rows, boolean>()
      const isNotAsked = (rows: Rows): boolean => {
        const known = notAskedIn.get(rows) ?? groupsIn(rows).some((group) => stateOf(group) === 'notAsked')
        notAskedIn.set(rows, known)
        return known
      }
      const notAskedOn = ({ own, general }: TargetRows): boolean => isNotAsked(own) || isNotAsked(general)
      const someNotAsked = once(() => [...targets.values()].some(notAskedOn))
      const isLater = (change: Change): boolean => {
        if (change.action === 'settings' || guards === undefined || !isUnsure(counted.people.get(change.id)?.effect)) return false
        if (!isLimited(change, guards, options.roles) || located.get(change.group)?.kind === 'nowhere') return false
        const isOpen = change.target.kind === 'allProjects' ? someNotAsked() : notAskedOn(targets.get(nameOf(change.target)) as TargetRows)
        return isOpen && stateOf(change.group) !== 'unknown'
      }
      const people = new Map(counted.people)
      for (const change of plan.changes.filter(isLater)) people.set(change.id, { effect: later })
      const isMissing = plan.changes.some(({ id }) => people.get(id)?.effect.kind === 'notRecorded')
      return {
        ...counted,
        people,
        findings: isMissing
          ? [...counted.findings.filter(({ code }) => code !== 'people-unread'), unrecorded[memberships]]
          : counted.findings,
      }
    }
  }
}

const later: PeopleEffect = { kind: 'notRecorded' }
const isUnsure = (effect: PeopleEffect | undefined): boolean => effect?.kind === 'counted' && effect.why !== undefined
const unrecordedBecause = (why: string): Finding => ({
  code: 'people-unread',
  severity: 'info',
  place: 'recording',
  sentence: `${why}, so numbers of people are missing here: guards.people is judged when the changes are applied`,
})
const unrecorded: Readonly<Record<Exclude<RecordedMemberships, 'all'>, Finding>> = {
  none: unrecordedBecause('this recording has no memberships'),
  counted: unrecordedBecause('this recording has the members of those groups only that the daemon has counted lately'),
}

/** The reading was believed, or not, when it was recorded. So it has no checks of its own. */
function recordedDirectory(kind: string, recorded: RecordedDirectory | undefined, atMs: number): Directory {
  if (recorded === undefined) return { kind, read: async () => ({ status: 'failed', ...notRecorded, atMs, tookMs: 0 }) }
  const { reading, members } = recorded
  return { kind, read: async () => reading, ...(members === undefined ? {} : { members: recordedMembers(members) }) }
}

/** The answer to all groups, as it was: a group that is asked for is in it, if the directory said who its members are. */
const recordedMembers =
  (members: Reading<Memberships>): ReadMembers =>
  async () =>
    members

function recordedReader({ lists, byId, projects, groupSync }: RecordedWorkspace, atMs: number): Reader {
  const unread = { status: 'failed', ...notRecorded, atMs, tookMs: 0 } as const
  return {
    mappings: async (list) => lists.get(list) ?? unread,
    mapping: async (_, id) => byId.get(id) ?? { is: 'unproved', why: notRecorded.why },
    projects: async () => projects ?? unread,
    groupSync: async () => {
      if (groupSync === undefined)
        throw new OperationalError('SettingsUnread', `the group-sync settings cannot be read: ${notRecorded.why}`, {
          cure: notRecorded.cure,
        })
      return groupSync
    },
  }
}
