import { type DiffOptions, diff, type Existing } from './core/diff.ts'
import type { GroupIndex } from './core/group.ts'
import { type Judging, judge, type Verdict } from './core/guards.ts'
import type { List, Mapping, ProjectIdentifier } from './core/mapping.ts'
import type { Reading } from './core/reading.ts'
import { resolve } from './core/resolve.ts'
import type { GroupSync, WorkspaceDeclaration } from './core/rule.ts'

/** What the mission needs to see of the service. Nothing here can write. */
export type Reader = {
  mappings(list: List, signal: AbortSignal): Promise<Reading<readonly Mapping[]>>
  projects(signal: AbortSignal): Promise<Reading<ReadonlySet<ProjectIdentifier>>>
  /** Asking creates the settings with their defaults, so it is asked only where the declaration speaks of them. */
  groupSync(signal: AbortSignal): Promise<GroupSync>
}

export type Reconciling = DiffOptions & Omit<Judging, 'nowMs'> & { readonly now: () => number }

/**
 * Reads what exists in one workspace, and judges the plan that would make it equal to what is declared of it.
 *
 * @throws {PlaneError} when the service's lists cannot be read at all
 */
export async function reconcile(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  read: Reader,
  options: Reconciling,
  signal: AbortSignal,
): Promise<Verdict> {
  const [existing, projects] = await Promise.all([
    readExisting(declared, read, signal),
    speaksOfProjects(declared) ? read.projects(signal) : undefined,
  ])
  const nowMs = options.now()
  const mappings = [...existing.lists.values()].flatMap((reading) => (reading.status === 'failed' ? [] : reading.value))
  const desired = resolve(declared, { directories, existing: mappings, nowMs, ...(projects === undefined ? {} : { projects }) })
  return judge(diff(declared, desired, existing, options), { ...options, nowMs })
}

async function readExisting(declared: WorkspaceDeclaration, read: Reader, signal: AbortSignal): Promise<Existing> {
  const lists = await Promise.all([...declared.owns].map(async (list) => [list, await read.mappings(list, signal)] as const))
  if (declared.groupSync === undefined) return { lists: new Map(lists) }
  return { lists: new Map(lists), groupSync: await read.groupSync(signal) }
}

const speaksOfProjects = ({ rules }: WorkspaceDeclaration): boolean =>
  rules.some(
    ({ target, unknownProjects }) => unknownProjects === 'hold' && (target.kind === 'captured' || target.target.kind === 'project'),
  )
