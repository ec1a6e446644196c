import { type DeclaredWorkspace, statementsOf } from '../declared.ts'
import type { Happened } from '../trace.ts'
import type { KnownProjects } from './knownProjects.ts'
import type { Listings } from './listing.ts'
import type { Write } from './write.ts'

/** Whether a rule that skips unknown projects says nothing about the target of a write. */
export type Skips = {
  readonly hear: (event: Happened) => void
  /** The possible answers: two if the process may know the project, and may not. */
  readonly of: (write: Write, declared: DeclaredWorkspace) => readonly boolean[]
}

/**
 * A process knows a project if its list of projects is incomplete or shows the project, if a mapping names it, or if a text that is still declared
 * means it. A process that plans in slices also knows what an earlier list of the same cycle showed.
 */
export function openSkips(known: KnownProjects, listings: Listings): Skips {
  const asked = new Map<number, string>()
  /** Process → workspace and identifier of each mapping that a list has shown in the present cycle. */
  const shown = new Map<number, Set<string>>()

  return {
    hear(event) {
      if (event.is === 'cycle') shown.set(event.process, new Set())
      if (event.is === 'sent' && event.method === 'GET') {
        const workspace = /\/workspaces\/([^/]+)\/group-sync\/project-mappings\/$/.exec(event.path)?.[1]
        if (workspace !== undefined) asked.set(event.request, workspace)
      }
      const workspace = event.is === 'answered' ? asked.get(event.request) : undefined
      if (event.is !== 'answered' || workspace === undefined) return
      for (const { at } of listings.of(event.process, workspace, 'project-mappings')?.rows ?? [])
        shown.get(event.process)?.add(`${workspace} ${at}`)
    },
    of({ process, workspace, after, before, listing }, declared) {
      const at = (after ?? before)?.at ?? ''
      const list = known.told(process, workspace)
      if (list === undefined || list.ids.has(at) || listing?.rows.some((row) => row.at === at) === true) return [false]
      if (statementsOf(declared).some(({ text }) => known.meant(process, workspace, text, at) !== undefined)) return [false]
      const isPossible = known.ever(process, workspace, at).size > 0 || shown.get(process)?.has(`${workspace} ${at}`) === true
      return isPossible ? [true, false] : [true]
    },
  }
}
