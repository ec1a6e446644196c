import { changedProjectFinding } from './core/changedProject.ts'
import { type DiffOptions, diff } from './core/diff.ts'
import { type Existing, listsSpokenOf, listText, speaksOfProjects } from './core/existing.ts'
import type { GroupIndex } from './core/group.ts'
import type { Verdict } from './core/guards.ts'
import { type List, listOf, type Mapping } from './core/mapping.ts'
import { type GroupIds, groupIds, noticesOf } from './core/notices.ts'
import type { Plan } from './core/plan.ts'
import { checkProjects, type KnownProjects, type NewProjectIds, newProjectIds, type ProjectIndex } from './core/projects.ts'
import { type Reading, seen, whyIncomplete } from './core/reading.ts'
import { resolve, type World } from './core/resolve.ts'
import type { GroupSync, WorkspaceDeclaration } from './core/rule.ts'
import { textsNamingProjects } from './core/textName.ts'

/** What the mission needs to see of the service. Nothing here can write. */
export type Reader = {
  mappings(list: List, signal: AbortSignal): Promise<Reading<readonly Mapping[]>>
  projects(signal: AbortSignal): Promise<Reading<ProjectIndex>>
  /** Asking creates the settings with their defaults, so it is asked only where the declaration speaks of them. */
  groupSync(signal: AbortSignal): Promise<GroupSync>
}

/** What earlier cycles left, as far as a plan depends on it. */
export type Remembered = {
  /** The id of `directory/name`. */
  readonly groupId: (name: string) => string | undefined
  readonly projects: Omit<KnownProjects, 'hash'>
  /** Whether the list was read whole before. */
  readonly isListKnown: (list: List) => boolean
}

export type Reconciling = DiffOptions & {
  readonly projectsAgreed?: NonNullable<World['projectsAgreed']>
  readonly now: () => number
  /** The guards; asked in the same breath in which the plan is made. */
  readonly judge: (plan: Plan, nowMs: number) => Verdict
  readonly remembered: Remembered
}

/** `sizes`: of the lists that were read whole. `projectIds`: what the memory does not have yet. */
export type Reconciled = {
  readonly verdict: Verdict
  readonly sizes: ReadonlyMap<List, number>
  readonly groupIds: GroupIds
  readonly projectIds: NewProjectIds
}

/** The service did not give a list at all, so that nothing can be said of the workspace. */
export class ListUnread extends Error {
  override readonly name = 'ListUnread'
  readonly cure: string | undefined
  constructor(what: string, { why, cure }: { readonly why: string; readonly cure?: string }) {
    super(`${what} cannot be read: ${why}`)
    this.cure = cure
  }
}

/** Whoever runs this asked to stop while the lists were being read: no failure of the service, and nothing is known of the workspace. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/**
 * Reads what exists in one workspace, and judges the plan that would make it equal to what is declared of it.
 *
 * @throws {ListUnread}, or {Stopped} where `signal` fired before all was read
 */
export async function reconcile(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  read: Reader,
  options: Reconciling,
  signal: AbortSignal,
): Promise<Reconciled> {
  const stoppable = (reading: Promise<Existing>) => unlessStopped(reading, signal)
  let existing = await stoppable(readExisting(declared, read, signal))
  let draft = planFor(declared, directories, existing, options)
  const doubtful = draft.plan.changes.flatMap((change) => (change.action === 'create' ? [listOf(change.target)] : []))
  const unproved = [...new Set(doubtful)].filter((list) => !options.remembered.isListKnown(list))
  if (unproved.length > 0) {
    existing = await stoppable(confirmLists(unproved, existing, read, signal))
    draft = planFor(declared, directories, existing, options)
  }
  const { plan, nowMs, desired, check } = draft
  return {
    verdict: options.judge(plan, nowMs),
    sizes: sizesOf(existing),
    groupIds: groupIds(declared, directories),
    projectIds: newProjectIds(
      options.remembered.projects.ids,
      desired.named,
      textsNamingProjects(declared, options.hash),
      existing.projects,
      check,
    ),
  }
}

function planFor(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  existing: Existing,
  options: Reconciling,
) {
  const { hash, remembered, projectsAgreed, now } = options
  const nowMs = now()
  const check = checkProjects(existing.projects, { ...remembered.projects, hash })
  const desired = resolve(declared, {
    ...{ directories, check, hash, nowMs },
    existing: [...existing.lists.values()].flatMap((reading) => seen(reading) ?? []),
    ...(existing.projects === undefined ? {} : { projects: existing.projects }),
    ...(projectsAgreed === undefined ? {} : { projectsAgreed }),
  })
  const notices = [...noticesOf(declared, directories, remembered.groupId), ...desired.changed.map(changedProjectFinding)]
  return { plan: diff(declared, desired, existing, options, notices), nowMs, desired, check }
}

/** The projects are read after the mappings: an identifier that changes in between is then missed in the mappings, not taken for another. */
async function readExisting(declared: WorkspaceDeclaration, read: Reader, signal: AbortSignal): Promise<Existing> {
  const lists = await Promise.all([...listsSpokenOf(declared)].map(async (list) => [list, await read.mappings(list, signal)] as const))
  for (const [list, reading] of lists) if (reading.status === 'failed') throw new ListUnread(listText(list), reading)
  return {
    lists: new Map(lists),
    ...(speaksOfProjects(declared) ? { projects: await read.projects(signal) } : {}),
    ...(declared.groupSync === undefined ? {} : { groupSync: await read.groupSync(signal) }),
  }
}

/**
 * A list that was never read whole before is read a second time before anything is created by it: a service that is just starting may answer
 * with an empty list. Where the two answers differ, neither proves what is absent.
 */
async function confirmLists(unproved: readonly List[], existing: Existing, read: Reader, signal: AbortSignal): Promise<Existing> {
  const again = await Promise.all(unproved.map(async (list) => [list, await read.mappings(list, signal)] as const))
  const lists = new Map([...existing.lists, ...again.map(([list, second]) => [list, twice(existing.lists.get(list), second)] as const)])
  return { ...existing, lists }
}

/** The second reading of a list, which proves an absence only where the first one says the same. */
function twice(first: Reading<readonly Mapping[]> | undefined, second: Reading<readonly Mapping[]>): Reading<readonly Mapping[]> {
  const value = seen(second) ?? seen(first) ?? []
  const missing = whyIncomplete(second) ?? (isSame(seen(first) ?? [], value) ? undefined : 'two readings gave different answers')
  const { atMs, tookMs } = second
  return missing === undefined ? second : { status: 'partial', value, missing, atMs, tookMs }
}

function isSame(first: readonly Mapping[], second: readonly Mapping[]): boolean {
  const rows = (mappings: readonly Mapping[]) => mappings.map(({ id, key, role }) => JSON.stringify([id, key, role])).toSorted()
  const other = rows(second)
  return first.length === second.length && rows(first).every((row, index) => row === other[index])
}

async function unlessStopped(reading: Promise<Existing>, signal: AbortSignal): Promise<Existing> {
  const existing = await reading.catch((error: unknown) => {
    throw signal.aborted ? new Stopped('stopped before its lists were read', { cause: error }) : error
  })
  const readings = [...existing.lists.values(), ...(existing.projects === undefined ? [] : [existing.projects])]
  if (signal.aborted && readings.some(({ status }) => status !== 'complete')) throw new Stopped('stopped before its lists were read whole')
  return existing
}

const sizesOf = ({ lists }: Existing): Reconciled['sizes'] =>
  new Map([...lists].flatMap(([list, reading]) => (reading.status === 'complete' ? [[list, reading.value.length] as const] : [])))
