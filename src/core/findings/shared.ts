import type { Finding } from '../finding.ts'
import { scheduleTooShort, type TickWork } from './scheduleLoad.ts'

/** A workspace of a cycle, planned or not. `shared`: the findings that every workspace has. */
type SharedFindings = { readonly about: TickWork & { readonly shared: readonly Finding[] } }

/** The findings of a cycle that concern several workspaces, each once. */
export function sharedFindings(workspaces: readonly SharedFindings[]): readonly Finding[] {
  const byCodeAndPlace = new Map(
    workspaces.flatMap(({ about }) => about.shared.map((finding) => [`${finding.code} ${finding.place}`, finding])),
  )
  return [...scheduleTooShort(workspaces), ...byCodeAndPlace.values()]
}
