import { type DiffOptions, diff } from './core/diff.ts'
import { type Existing, listsSpokenOf, listText } from './core/existing.ts'
import type { GroupIndex } from './core/group.ts'
import type { Verdict } from './core/guards.ts'
import type { List, Mapping, ProjectIdentifier } from './core/mapping.ts'
import { type GroupIds, groupIds, noticesOf } from './core/notices.ts'
import type { Plan } from './core/plan.ts'
import { type Reading, seen } from './core/reading.ts'
import { resolve, type World } from './core/resolve.ts'
import type { GroupSync, WorkspaceDeclaration } from './core/rule.ts'

/** What the mission needs to see of the service. Nothing here can write. */
export type Reader = {
  mappings(list: List, signal: AbortSignal): Promise<Reading<readonly Mapping[]>>
  projects(signal: AbortSignal): Promise<Reading<ReadonlySet<ProjectIdentifier>>>
  /** Asking creates the settings with their defaults, so it is asked only where the declaration speaks of them. */
  groupSync(signal: AbortSignal): Promise<GroupSync>
}

export type Reconciling = DiffOptions & {
  readonly projectsAgreed?: NonNullable<World['projectsAgreed']>
  readonly now: () => number
  /** The guards; asked in the same breath in which the plan is made. */
  readonly judge: (plan: Plan, nowMs: number) => Verdict
  /** The id of `directory/name`, as far as earlier cycles knew it. */
  readonly groupId: (name: string) => string | undefined
}

/** `sizes`: of the lists that were read whole. */
export type Reconciled = { readonly verdict: Verdict; readonly sizes: ReadonlyMap<List, number>; readonly groupIds: GroupIds }

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
  const useless = new AbortController()
  const until = AbortSignal.any([signal, useless.signal])
  const [existing, projects] = await Promise.all([
    readExisting(declared, read, until),
    speaksOfProjects(declared) ? read.projects(until) : undefined,
  ]).catch((error: unknown) => {
    // Where one answer ends it, nobody waits for the other.
    useless.abort()
    throw signal.aborted ? new Stopped('stopped before its lists were read', { cause: error }) : error
  })
  const readings = [...existing.lists.values(), ...(projects === undefined ? [] : [projects])]
  if (signal.aborted && readings.some(({ status }) => status !== 'complete')) throw new Stopped('stopped before its lists were read whole')
  const nowMs = options.now()
  const mappings = [...existing.lists.values()].flatMap((reading) => seen(reading) ?? [])
  const { projectsAgreed } = options
  const known = { ...(projects === undefined ? {} : { projects }), ...(projectsAgreed === undefined ? {} : { projectsAgreed }) }
  const desired = resolve(declared, { directories, existing: mappings, nowMs, ...known })
  const notices = noticesOf(declared, directories, options.groupId)
  const verdict = options.judge(diff(declared, desired, existing, options, notices), nowMs)
  return { verdict, sizes: sizesOf(existing), groupIds: groupIds(declared, directories) }
}

async function readExisting(declared: WorkspaceDeclaration, read: Reader, signal: AbortSignal): Promise<Existing> {
  const lists = await Promise.all([...listsSpokenOf(declared)].map(async (list) => [list, await read.mappings(list, signal)] as const))
  for (const [list, reading] of lists) if (reading.status === 'failed') throw new ListUnread(listText(list), reading)
  if (declared.groupSync === undefined) return { lists: new Map(lists) }
  return { lists: new Map(lists), groupSync: await read.groupSync(signal) }
}

const sizesOf = ({ lists }: Existing): Reconciled['sizes'] =>
  new Map([...lists].flatMap(([list, reading]) => (reading.status === 'complete' ? [[list, reading.value.length] as const] : [])))

const speaksOfProjects = ({ rules }: WorkspaceDeclaration): boolean =>
  rules.some(
    ({ target, unknownProjects }) => unknownProjects === 'hold' && (target.kind === 'captured' || target.target.kind === 'project'),
  )
