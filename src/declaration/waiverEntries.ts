import type { Path } from '../yaml/document.ts'
import type { LenientFile } from './lenient.ts'
import type { WaiverEntry } from './waiverSchema.ts'

/** A change as an entry describes it: the entry itself, or one of its `changes`. */
export type Described = NonNullable<WaiverEntry['changes']>[number]

export const describedIn = (entry: WaiverEntry, path: Path): readonly { readonly change: Described; readonly path: Path }[] =>
  entry.changes?.map((change, index) => ({ change, path: [...path, 'changes', index] })) ?? [{ change: entry, path }]

/** How many changes an entry describes: its lists multiply. */
export const describedCount = (entry: WaiverEntry): number =>
  describedIn(entry, []).reduce((sum, { change: { group = '', project = '' } }) => sum + [group].flat().length * [project].flat().length, 0)

/** The valid waivers of a workspace in a file, each with its path. */
export function* waiversIn(
  name: string,
  { waivers = [] }: LenientFile['workspaces'][string],
): Generator<{
  readonly entry: WaiverEntry
  readonly path: Path
}> {
  for (const [index, entry] of waivers.entries()) if (entry !== undefined) yield { entry, path: ['workspaces', name, 'waivers', index] }
}
