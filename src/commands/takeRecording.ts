import { randomBytes } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { listsInScope, listText, mayNameProjects } from '../core/existing.ts'
import type { Group } from '../core/group.ts'
import { type GroupName, lists, type WorkspaceName } from '../core/mapping.ts'
import { selected } from '../core/matches.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { defined } from '../core/optionalFields.ts'
import type { Memberships } from '../core/people/members.ts'
import { counted, listed } from '../core/quantity.ts'
import { isComplete, type Reading, valueIfRead } from '../core/reading.ts'
import { groupsMeant, type RecordedGroups } from '../core/recordedGroups.ts'
import { directoriesAsked } from '../core/resolve/desiredMapping.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'
import { checkDirectory } from '../cycle/checkDirectory.ts'
import type { CycleSources } from '../cycle/cycle.ts'
import { matchNames } from '../cycle/matchNames.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import type { KeptReadings } from '../recording/readings.ts'
import { groupsKept, type RecordedMemberships, type RecordedWorkspace, type Recording, recordingOf } from '../recording/recording.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { recordedSettings } from '../settings/recordedSettings.ts'

/** What a command or a daemon makes a recording from. `narrow`: only the groups that the declaration can mean. */
type Taking = {
  readonly loaded: Pick<LoadedSettings, 'settings' | 'intervalMs'>
  readonly sources: Pick<CycleSources, 'directories' | 'bindings'>
  readonly readings: KeptReadings
  readonly about: ReadonlyMap<WorkspaceName, Pick<RecordedWorkspace, 'credential' | 'budget'>>
  readonly memory: Memory
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly memberships: RecordedMemberships
  readonly narrow: boolean
  /** The members of groups of one directory, and the ids of the groups that it was asked about; absent: about all. */
  readonly membersOf: (directory: string, groups: readonly Group[]) => Promise<MembersTaken>
}

export type MembersTaken = { readonly members: Reading<Memberships>; readonly asked?: ReadonlySet<string> }

/** `readings`: as they are believed. */
type Taken = { readonly recording: Recording; readonly readings: KeptReadings }

/** @throws {OperationalError} if not all was read that the declaration needs, or if the patterns of a narrow recording cost too much */
export async function takeRecording(
  { loaded, sources, readings, about, memory, clock, memberships, narrow, membersOf }: Taking,
  signal: AbortSignal,
): Promise<Taken> {
  const believed = believedReadings(readings, sources, memory)
  const { directories } = believed
  const { recordedGroups, isMeant } = await recordedMeaning(believed, loaded.settings.fences, narrow, signal)
  const isKept = groupsKept(readings, isMeant)
  const withMembers = [...sources.directories].filter(([name, { members }]) => members !== undefined && directories.has(name))
  const taken = withMembers.map(async ([name]) => {
    const groups = [...(valueIfRead(directories.get(name))?.values() ?? [])].flat()
    return [
      name,
      await membersOf(
        name,
        groups.filter((group) => isKept(group.name)),
      ),
    ] as const
  })
  const answers = await Promise.all(taken)
  const recording = recordingOf({
    ...takenNow(believed, { loaded, sources, clock }),
    ...defined({ recordedGroups }),
    readings: believed,
    about,
    memberships,
    members: new Map(answers.map(([name, answer]) => [name, answer.members])),
    asked: memberships === 'all' ? undefined : new Map(answers.map(([name, { asked = new Set<string>() }]) => [name, asked])),
    memory,
    isKept,
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  })
  return { recording, readings: believed }
}

/** The readings, those of directories as the settings believe them. */
export const believedReadings = (readings: KeptReadings, sources: Pick<CycleSources, 'directories'>, memory: Memory): KeptReadings => ({
  ...readings,
  directories: new Map(
    [...sources.directories].flatMap(([name, directory]) => {
      const reading = readings.directories.get(name)
      return reading === undefined ? [] : [[name, checkDirectory(name, reading, directory, memory)] as const]
    }),
  ),
})

/** The times of a recording that is made now, and the settings that decide. */
export function takenNow(
  believed: KeptReadings,
  { loaded, sources, clock }: Pick<Taking, 'loaded' | 'sources' | 'clock'>,
): Pick<Recording, 'takenMs' | 'readMs' | 'steadyMs' | 'aheadMs' | 'settings'> {
  const { hereMs = clock.wall(), thereMs } = [...sources.bindings.values()].flat()[0]?.dates() ?? {}
  return {
    takenMs: clock.wall(),
    readMs: clock.wall() - Math.max(0, clock.now() - oldestIn(believed, clock.now())),
    steadyMs: clock.now(),
    ...defined({ aheadMs: thereMs === undefined ? undefined : thereMs - hereMs }),
    settings: recordedSettings(loaded),
  }
}

/** The time of the oldest reading, epoch ms. */
const oldestIn = ({ directories, workspaces }: Pick<KeptReadings, 'directories' | 'workspaces'>, nowMs: number): number =>
  [...directories.values(), ...[...workspaces.values()].flatMap(({ lists: read }) => [...read.values()])].reduce(
    (oldest, { atMs }) => Math.min(oldest, atMs),
    nowMs,
  )

/** Which groups a file can mean: all that the fences let it name, or only those that the present declaration can mean. */
export async function recordedMeaning(
  { declared, directories, workspaces }: KeptReadings,
  fences: LoadedSettings['settings']['fences'],
  narrow: boolean,
  signal: AbortSignal,
): Promise<{ readonly recordedGroups?: RecordedGroups; readonly isMeant: (group: GroupName) => boolean }> {
  if (!narrow) {
    // The package that matches patterns is loaded only here.
    const { openAdmission } = await import('../declaration/fence.ts')
    return { isMeant: openAdmission(fences) }
  }
  const meant = new Set<GroupName>()
  const [names, patterns] = [new Set<GroupName>(), new Set<string>()]
  for (const [workspace, declaration] of declared?.workspaces ?? []) {
    const said = groupsMeant(declaration)
    for (const name of said.names) names.add(name)
    for (const pattern of said.patterns) patterns.add(pattern)
    const existing = [...(workspaces.get(workspace)?.lists.values() ?? [])].flatMap((reading) => valueIfRead(reading) ?? [])
    for (const { group } of existing) names.add(group)
    for (const name of await namesSelected(declaration, directories, existing, signal)) meant.add(name)
  }
  return { recordedGroups: { names, patterns }, isMeant: (group) => meant.has(group) || names.has(group) }
}

async function namesSelected(
  declaration: WorkspaceDeclaration,
  directories: KeptReadings['directories'],
  existing: Parameters<typeof matchNames>[2],
  signal: AbortSignal,
): Promise<readonly GroupName[]> {
  const { matches, unmatched } = await matchNames(declaration, directories, existing, signal)
  if (unmatched !== undefined)
    throw new OperationalError('PatternsUnmatched', `the groups that the declaration can mean are not known: ${unmatched.why}`, {
      cure: 'leave out --declared-groups',
    })
  return declaration.rules.flatMap(({ groups }) => Array.from(selected(groups, matches), ([name]) => name))
}

/** What of Plane and of the directories is not in a recording as a whole. `unasked`: no rule of today is about it. */
type Lacking = { readonly unread: readonly string[]; readonly incomplete: readonly string[]; readonly unasked: readonly string[] }

const wholeReading: Reading<unknown> = { status: 'complete', value: undefined, atMs: 0, tookMs: 0 }
/** A mapping that the list lacks exists, as Plane says by its id. */
const lackingRows: Reading<unknown> = { ...wholeReading, status: 'partial', missing: 'it lacks mappings that Plane has' }

/** `unread`: the declaration needs it, and there is no answer. */
export function lackingIn(
  { directories, workspaces }: Pick<KeptReadings, 'directories' | 'workspaces'>,
  sources: Pick<CycleSources, 'directories' | 'bindings'>,
  declared: Declared | undefined,
): Lacking {
  const names = [...sources.directories.keys()]
  const bound = [...sources.bindings.values()].flat().map(({ workspace }) => workspace)
  const declarations = [...(declared?.workspaces.values() ?? [])]
  const needed = new Set(declarations.flatMap(({ rules }) => directoriesAsked(rules, names)))
  const parts: { readonly name: string; readonly isNeeded: boolean; readonly reading: Reading<unknown> | undefined }[] = [
    ...names.map((name) => ({
      name: visible(name),
      isNeeded: needed.has(name),
      reading: directories.get(name),
    })),
    ...bound.flatMap((workspace) => {
      const declaration = declared?.workspaces.get(workspace)
      const inScope = declaration === undefined ? new Set() : listsInScope(declaration)
      const of = workspaces.get(workspace)
      const isUsed = lists.some((list) => (valueIfRead(of?.lists.get(list)) ?? []).length > 0)
      const lacksRows = [...(of?.byId.values() ?? [])].some((presence) => presence.is !== 'gone')
      return [
        ...lists.map((list) => ({
          name: `${listText(list)} of ${visible(workspace)}`,
          isNeeded: inScope.has(list),
          reading: lacksRows && of?.lists.get(list)?.status === 'complete' ? lackingRows : of?.lists.get(list),
        })),
        {
          name: `the projects of ${visible(workspace)}`,
          isNeeded: declaration !== undefined && mayNameProjects(declaration),
          reading: of?.projects,
        },
        // Plane creates the settings when they are read first, so they are not read in a workspace that is not used.
        ...(isUsed || declaration?.groupSync !== undefined
          ? [
              {
                name: `the group-sync settings of ${visible(workspace)}`,
                isNeeded: declaration?.groupSync !== undefined,
                reading: of?.groupSync && wholeReading,
              },
            ]
          : []),
      ]
    }),
  ]
  const namesOf = (is: (part: (typeof parts)[number]) => boolean) => parts.filter(is).map(({ name }) => name)
  return {
    unread: namesOf(({ isNeeded, reading }) => isNeeded && reading === undefined),
    incomplete: namesOf(({ reading }) => reading !== undefined && !isComplete(reading)),
    unasked: namesOf(({ isNeeded, reading }) => !isNeeded && reading === undefined),
  }
}

/** The credential of each workspace, and its budget. Nothing is asked for it. */
export async function aboutOf({ bindings }: Pick<CycleSources, 'bindings'>, signal: AbortSignal): Promise<Taking['about']> {
  const each = [...bindings.values()].flat().map(async (binding) => {
    const { credential, budget } = await binding.about('none', signal)
    return [binding.workspace, { credential, budget }] as const
  })
  return new Map(await Promise.all(each))
}

export function summaryOf({ workspaces, directories }: Recording): string {
  const mappings = [...workspaces.values()].flatMap(({ lists: read }) =>
    [...read.values()].map((reading) => valueIfRead(reading)?.length ?? 0),
  )
  const groups = [...directories.values()].map(({ reading }) => valueIfRead(reading)?.size ?? 0)
  const sum = (counts: readonly number[]) => counts.reduce((total, each) => total + each, 0)
  return `recorded ${counted(workspaces.size, 'workspace')} with ${counted(sum(mappings), 'mapping')}, and ${counted(sum(groups), 'group')}`
}

export const incompleteText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `not read whole, so plans hold what needs it: ${listed(names)}\n`
