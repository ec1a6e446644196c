import type { Existing } from '../core/existing.ts'
import type { Finding } from '../core/finding.ts'
import { type GroupIndex, quotedGroup } from '../core/group.ts'
import { type GroupName, type List, lists, type Mapping, type WorkspaceName } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import { hasKey, personKey, whyMore } from '../core/people/members.ts'
import { wordHint } from '../core/people/wordHint.ts'
import type { Plan } from '../core/plan.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../core/reading.ts'
import type { RoleSettings } from '../core/roles.ts'
import type { PeopleCounter } from './countPeople.ts'
import { locate, type ReadMembers, readPeople } from './readPeople.ts'

/** The groups of a person, among those that have, get or lose a role in one workspace. */
export type PersonGroups = {
  readonly groups: ReadonlySet<GroupName>
  /** The groups of which not all members are known, with the reason: the person may be in them. */
  readonly unknown: ReadonlyMap<GroupName, string>
  /** The lists of mappings that were not read whole, with the reason: other groups of the person may have roles there. */
  readonly unread: ReadonlyMap<List, string>
  /** How people call the groups whose names are ids. */
  readonly labels: ReadonlyMap<GroupName, string>
  /** About directories that did not say all groups, or all members. */
  readonly findings: readonly Finding[]
  /** Why the directories can know no person by this word. */
  readonly hint?: string
  /** Of both lists, also of one that the declaration does not manage. */
  readonly existing: readonly Mapping[]
  readonly roles: RoleSettings
}

/** What is asked about a person beside what a plan reads. */
type PersonSources = {
  /** Name of each directory in the settings → the reader of its members; undefined if it reads none. */
  readonly readers: ReadonlyMap<string, ReadMembers | undefined>
  directories(names: readonly string[], signal: AbortSignal): Promise<Directories>
  mappings(workspace: WorkspaceName, list: List, signal: AbortSignal): Promise<Reading<readonly Mapping[]>>
}
type Directories = ReadonlyMap<string, Reading<GroupIndex>>

type Planned = {
  readonly plan: Plan
  readonly existing: Existing
  readonly directories: Directories
  readonly roles: RoleSettings
  readonly asOfMs: number
}

/**
 * Looks for a person in the workspaces that a cycle plans. A plan reads the lists that the declaration manages, and the directories that its rules ask.
 * A person also has the roles of other lists, and is in groups of other directories: `find` reads the rest, after the cycle.
 *
 * @param person as the directories know people: a mail address, or the attribute that the settings name
 * @param count counts the people of changes, so that the limits on people decide as in a plan
 */
export function openPersonSearch(
  person: string,
  count: PeopleCounter,
  sources: PersonSources,
): { readonly countPeople: PeopleCounter; find(signal: AbortSignal): Promise<ReadonlyMap<WorkspaceName, PersonGroups>> } {
  const planned = new Map<WorkspaceName, Planned>()
  return {
    countPeople: (options) => (plan, existing, directories, age, signal) => {
      planned.set(plan.workspace, { plan, existing, directories, roles: options.roles, asOfMs: options.asOfMs })
      return count(options)(plan, existing, directories, age, signal)
    },
    async find(signal) {
      const asked = new Map([...planned.values()].flatMap(({ directories }) => [...directories]))
      const others = [...sources.readers.keys()].filter((name) => !asked.has(name))
      const directories = new Map([...asked, ...(await sources.directories(others, signal))])
      const groupsByWorkspace = new Map<WorkspaceName, PersonGroups>()
      for (const [workspace, context] of planned)
        groupsByWorkspace.set(workspace, await findIn({ ...context, directories }, personKey(person), sources, signal))
      return groupsByWorkspace
    },
  }
}

async function findIn(
  { plan, existing: read, directories, roles, asOfMs }: Planned,
  wanted: ReturnType<typeof personKey>,
  { readers, mappings }: PersonSources,
  signal: AbortSignal,
): Promise<PersonGroups> {
  const readings = await Promise.all(
    lists.map(async (list) => [list, read.lists.get(list) ?? (await mappings(plan.workspace, list, signal))] as const),
  )
  const existing = readings.flatMap(([, reading]) => valueIfRead(reading) ?? [])
  const changed = [...plan.changes, ...plan.holds].flatMap((entry) => ('group' in entry ? (entry.group ?? []) : []))
  const names = new Set([...existing.map(({ group }) => group), ...changed])
  const located = locate(names, [...readers.keys()], directories)
  const { members, unknown: unlisted, findings } = await readPeople(located, readers, asOfMs, signal)
  const groups = new Set([...names].filter((name) => members.get(name)?.people.some((text) => hasKey(text, wanted)) === true))
  const hidden = [...located].flatMap(([name, at]) => {
    const ofGroup = members.get(name)
    const isWhole = ofGroup === undefined || whyMore(ofGroup) === undefined
    if (at.kind !== 'in' || isWhole || groups.has(name) || unlisted.has(name)) return []
    const called = quotedGroup(name, at.group.label)
    return [[name, `${at.directory} does not show all members of ${called}, see the finding people-at-least`] as const]
  })
  const unknown = new Map([...unlisted, ...hidden])
  const labels = new Map(
    [...located].flatMap(([name, at]) => {
      const isShown = groups.has(name) || unknown.has(name)
      return isShown && at.kind === 'in' && at.group.label !== undefined ? [[name, at.group.label] as const] : []
    }),
  )
  const mayHave = [...located.values()].some(({ kind }) => kind === 'unknown')
  return {
    groups,
    unknown,
    unread: new Map(readings.flatMap(([list, reading]) => pairs(list, whyIncomplete(reading)))),
    labels,
    findings: [...(mayHave ? directoryFindings(directories) : []), ...findings],
    existing,
    roles,
    ...defined({
      hint:
        groups.size > 0
          ? undefined
          : wordHint(
              wanted,
              [...members.values()].map(({ people }) => people),
            ),
    }),
  }
}

const pairs = <K, T>(key: K, value: T | undefined): readonly (readonly [K, T])[] => (value === undefined ? [] : [[key, value]])

/** Why directories were not read whole: a group that none of them shows may be in one of these. */
const directoryFindings = (directories: Directories): readonly Finding[] =>
  [...directories].flatMap(([name, reading]) => {
    const why = whyIncomplete(reading)
    if (why === undefined) return []
    const cure = 'repair this, then ask again'
    return [{ code: 'reading-incomplete', severity: 'warning', place: name, sentence: `${name} was not read whole: ${why}`, cure } as const]
  })
