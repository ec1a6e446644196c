import { type Existing, listsInScope, listText, mayNameProjects } from '../core/existing.ts'
import type { GroupSync } from '../core/groupSync.ts'
import { type Key, type List, listOf, type Mapping, type MappingId, type ProjectIndex } from '../core/mapping.ts'
import { OperationalError } from '../core/operationalError.ts'
import type { Plan } from '../core/plan.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../core/reading.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'

/** The functions that read one workspace of the service. They cannot write. */
export type Reader = {
  mappings(list: List, signal: AbortSignal): Promise<Reading<readonly Mapping[]>>
  mapping(list: List, id: MappingId, signal: AbortSignal): Promise<Presence>
  projects(signal: AbortSignal): Promise<Reading<ProjectIndex>>
  /** Reading creates the settings with their defaults, so a plan reads them only if the declaration has them. */
  groupSync(signal: AbortSignal): Promise<GroupSync>
}

/** What the service answers about one mapping by its id. `gone`: its own 404. `unproved`: any other answer, or none, which proves nothing. */
export type Presence =
  | { readonly is: 'there'; readonly key: Key }
  | { readonly is: 'gone' }
  | { readonly is: 'unproved'; readonly why: string }

/** A list of the service could not be read at all, so nothing can be planned for the workspace. */
export const listUnread = (what: string, { why, cure }: { readonly why: string; readonly cure?: string }): OperationalError =>
  new OperationalError('ListUnread', `${what} cannot be read: ${why}`, { cure })

/** The program was asked to stop while the lists were being read. The service has not failed, and nothing is planned for the workspace. */
export class Stopped extends OperationalError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('Stopped', message, options)
  }
}

/**
 * Reads the lists that the declaration covers, and what else a plan needs. The projects are read after the mappings. If an identifier changes in
 * between, the list of projects shows the change. So mappings under that identifier are not taken for mappings of another project.
 *
 * @throws {OperationalError} for a list that the service did not give; {Stopped} if `signal` fired before all was read
 */
export const readExisting = (declared: WorkspaceDeclaration, read: Reader, signal: AbortSignal): Promise<Existing> =>
  unlessStopped(readAll(declared, read, signal), signal)

async function readAll(declared: WorkspaceDeclaration, read: Reader, signal: AbortSignal): Promise<Existing> {
  const lists = await Promise.all([...listsInScope(declared)].map(async (list) => [list, await read.mappings(list, signal)] as const))
  for (const [list, reading] of lists) if (reading.status === 'failed') throw listUnread(listText(list), reading)
  return {
    lists: new Map(lists),
    ...(mayNameProjects(declared) ? { projects: await read.projects(signal) } : {}),
    ...(declared.groupSync === undefined ? {} : { groupSync: await read.groupSync(signal) }),
  }
}

/** Lists in which the plan would create a mapping, and in which no earlier cycle saw one: none read the list completely, or it was empty. */
export function listsToConfirm({ changes }: Plan, sizeOf: (list: List) => number | undefined): readonly List[] {
  const lists = changes.flatMap((change) => (change.action === 'create' ? [listOf(change.target)] : []))
  return [...new Set(lists)].filter((list) => (sizeOf(list) ?? 0) === 0)
}

/**
 * Reads some lists a second time, since a service that is just starting may answer with an empty list. If the two answers differ, neither of them
 * proves that something is absent.
 *
 * @throws {Stopped}
 */
export async function confirmLists(unproved: readonly List[], existing: Existing, read: Reader, signal: AbortSignal): Promise<Existing> {
  const confirmed = async () => {
    const again = await Promise.all(unproved.map(async (list) => [list, await read.mappings(list, signal)] as const))
    const both = again.map(([list, second]) => [list, inAgreement(existing.lists.get(list), second)] as const)
    return { ...existing, lists: new Map([...existing.lists, ...both]) }
  }
  return unlessStopped(confirmed(), signal)
}

/** The second reading of a list; partial if the first one differs from it. */
function inAgreement(first: Reading<readonly Mapping[]> | undefined, second: Reading<readonly Mapping[]>): Reading<readonly Mapping[]> {
  const value = valueIfRead(second) ?? valueIfRead(first) ?? []
  const missing = whyIncomplete(second) ?? (isSame(valueIfRead(first) ?? [], value) ? undefined : 'two readings gave different answers')
  const { atMs, tookMs } = second
  return missing === undefined ? second : { status: 'partial', value, missing, atMs, tookMs }
}

function isSame(first: readonly Mapping[], second: readonly Mapping[]): boolean {
  const rows = (mappings: readonly Mapping[]) => mappings.map(({ id, key, role }) => JSON.stringify([id, key, role])).toSorted()
  const secondRows = rows(second)
  return first.length === second.length && rows(first).every((row, index) => row === secondRows[index])
}

async function unlessStopped(reading: Promise<Existing>, signal: AbortSignal): Promise<Existing> {
  const existing = await reading.catch((error: unknown) => {
    throw signal.aborted ? new Stopped('stopped before its lists were read', { cause: error }) : error
  })
  const readings = [...existing.lists.values(), ...(existing.projects === undefined ? [] : [existing.projects])]
  if (signal.aborted && readings.some(({ status }) => status !== 'complete')) throw new Stopped('stopped before its lists were read whole')
  return existing
}
