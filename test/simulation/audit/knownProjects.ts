import { type DeclaredWorkspace, statementsOf } from '../declared.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import type { Listings } from './listing.ts'
import { type Meanings, openMeanings, type Text } from './meanings.ts'

/** The knowledge of a process about projects when it writes. */
export type KnownProjects = {
  readonly hear: (event: Happened) => void
  /** The last complete list of projects that the process read in its present cycle. Undefined if it read none. */
  readonly told: (process: number, workspace: string) => ProjectList | undefined
  /** The id of the project that a statement of the declaration means by an identifier. Undefined if the process may not know it. */
  readonly meant: (process: number, workspace: string, text: string, identifier: string) => string | undefined
  /** Every id that the process, or an earlier one with the same journal, has read for an identifier. */
  readonly ever: (process: number, workspace: string, identifier: string) => ReadonlySet<string>
}

export type ProjectList = {
  /** By identifier. */
  readonly ids: ReadonlyMap<string, string>
  /** By id. */
  readonly identifiers: ReadonlyMap<string, string>
}

/** The knowledge in one journal, or in one process without a journal. */
type Shelf = {
  readonly meanings: Meanings
  readonly ever: Map<string, Set<string>>
}
type Process = {
  readonly shelf: Shelf
  versions: readonly number[]
  readonly told: Map<string, ProjectList>
  /** Names of groups, by directory. */
  readonly directories: Map<string, readonly string[]>
}

/**
 * A process knows the meaning of an identifier from the end of a cycle that read the projects and made a plan, or from its first write, because its
 * readings are durable before that. It keeps this until the statement that names the identifier is edited. A later process with the same journal
 * knows it, too. After a power failure or a full disk the process may not know the meaning. A process stores the ids before the first write of a
 * workspace, also if no write follows. So if a process ends in the middle of a cycle, the next one may know the lists that this cycle read. The same
 * is true of a list that was read again in the same cycle, and of a cycle that failed.
 *
 * @param declaredIn the part of a version of the declaration for one workspace
 */
export function openKnownProjects(
  { journal }: Pick<Spec, 'journal'>,
  listings: Listings,
  declaredIn: (version: number, workspace: string) => DeclaredWorkspace | undefined,
): KnownProjects {
  const shelves = new Map<string, Shelf>()
  const processes = new Map<number, Process>()
  const asked = new Map<number, string>()
  const processOf = (number: number) => processes.get(number) as Process

  function started({ process, folder }: Extract<Happened, { is: 'start' }>): void {
    const name = journal === 'none' ? `process ${process}` : folder
    const shelf = shelves.get(name) ?? { meanings: openMeanings(), ever: new Map() }
    shelves.set(name, shelf)
    processes.set(process, { shelf, versions: [], told: new Map(), directories: new Map() })
  }

  function declared({ process, versions }: Extract<Happened, { is: 'declared' }>): void {
    const one = processOf(process)
    one.versions = versions
    one.shelf.meanings.mayForget(({ workspace, text }) => !versions.every((version) => textsIn(version, workspace).has(text)))
  }

  function textsIn(version: number, workspace: string): ReadonlySet<string> {
    const one = declaredIn(version, workspace)
    return new Set(one === undefined ? [] : statementsOf(one).map(({ text }) => text))
  }

  function answered({ process, request, status, intact, body }: Extract<Happened, { is: 'answered' }>): void {
    const workspace = asked.get(request)
    if (workspace === undefined || status !== 200 || !intact) return
    const { results, next_page_results } = JSON.parse(body) as Body
    if (next_page_results) return
    mayKnow(process)
    const { shelf, told } = processOf(process)
    told.set(workspace, {
      ids: new Map(results.map(({ id, identifier }) => [identifier, id])),
      identifiers: new Map(results.map(({ id, identifier }) => [id, identifier])),
    })
    for (const { id, identifier } of results) {
      const name = `${workspace} ${identifier}`
      const ids = shelf.ever.get(name) ?? new Set()
      shelf.ever.set(name, ids.add(id))
    }
  }

  function learned(process: number, workspace: string, isDurable: boolean, isStored = true): void {
    const { meanings } = processOf(process).shelf
    for (const { text, id } of learnable(process, workspace))
      if (isStored) meanings.learn(text, id, isDurable)
      // The disk is full: this process may know it, and the next one may not.
      else meanings.doubt(text)
  }

  /** The lists that a process has read may be stored. */
  function mayKnow(process: number): void {
    const known = processes.get(process)
    // Undefined: the process died before it had begun.
    for (const workspace of known?.told.keys() ?? [])
      for (const { text, id } of learnable(process, workspace)) known?.shelf.meanings.mayLearn(text, id)
  }

  /** The part of the last list of projects about the identifiers that statements name. */
  function* learnable(process: number, workspace: string): Generator<{ readonly text: Text; readonly id: string }> {
    const { versions, told, directories } = processOf(process)
    const names = [...directories.values()].flat()
    const list = told.get(workspace)
    const [first] = versions
    const one = first === undefined ? undefined : declaredIn(first, workspace)
    if (list === undefined || one === undefined) return
    const isUnmanaged = (group: string) => one.unmanaged.some((glob) => group.startsWith(glob.slice(0, -1)))
    const rows = listings.of(process, workspace, 'project-mappings')?.rows ?? []
    const groups = [...new Set([...rows.map(({ group }) => group), ...names])].filter((group) => !isUnmanaged(group))
    for (const { text, names, rule, at } of statementsOf(one)) {
      if (!versions.every((version) => textsIn(version, workspace).has(text))) continue
      for (const identifier of names) {
        const id = list.ids.get(identifier)
        // A captured project is named only if a group exists from which the rule captures it.
        const isNamed = rule === undefined || !('captured' in rule) || groups.some((group) => at(group).includes(identifier))
        if (id !== undefined && isNamed) yield { text: { name: nameOf(workspace, text, identifier), workspace, text }, id }
      }
    }
  }

  return {
    hear(event) {
      switch (event.is) {
        case 'start':
          return started(event)
        case 'declared':
          return declared(event)
        case 'directory':
          return void processOf(event.process).directories.set(event.directory, event.names)
        case 'cycle':
          mayKnow(event.process)
          return processOf(event.process).told.clear()
        case 'sent': {
          const [, workspace, rest] = /\/workspaces\/([^/]+)\/(.*)$/.exec(event.path) ?? []
          if (workspace === undefined) return
          if (rest === 'projects/') asked.set(event.request, workspace)
          if (event.method !== 'GET') learned(event.process, workspace, true)
          return
        }
        case 'answered':
          return answered(event)
        case 'cycled':
          for (const workspace of event.judged) learned(event.process, workspace, false, !failedIn(event.outcome, workspace))
          return
        case 'durable':
          return processOf(event.process).shelf.meanings.synced()
        case 'end':
        case 'kill':
          return mayKnow(event.process)
        case 'power':
          mayKnow(event.process)
          for (const { meanings } of shelves.values()) meanings.powerFailed()
          return
        default:
      }
    },
    told: (process, workspace) => processOf(process).told.get(workspace),
    meant: (process, workspace, text, identifier) => processOf(process).shelf.meanings.known(nameOf(workspace, text, identifier)),
    ever: (process, workspace, identifier) => processOf(process).shelf.ever.get(`${workspace} ${identifier}`) ?? new Set(),
  }
}

type Body = { readonly results: readonly { readonly id: string; readonly identifier: string }[]; readonly next_page_results: boolean }
const failedIn = (outcome: string, workspace: string): boolean => outcome.split(', ').includes(`${workspace} failed`)
const nameOf = (workspace: string, text: string, identifier: string): string => `${workspace} ${identifier} ${text}`
