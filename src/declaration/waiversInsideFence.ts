import { listOf, type Role } from '../core/mapping.ts'
import { fixedTargets } from './compileSelectors.ts'
import type { Fence } from './fence.ts'
import { entryFaults, type Fault, groupNameFaults, word } from './insideFence.ts'
import type { LenientFile } from './lenient.ts'
import { waiversIn } from './waiverEntries.ts'
import { noMapping } from './waiverSchema.ts'

/** What concerns more than single mappings of a fence. */
const wideWords = ['guard', 'people', 'groupSync'] as const

/**
 * What the waivers of a file inside a fence say beyond it. They are about changes of mappings inside the fence, to its roles or to none. Another
 * workspace is refused where the file names it.
 */
export function* outsideWaivers({ workspaces }: LenientFile, fence: Fence): Generator<Fault> {
  for (const fault of faults(workspaces, fence)) yield { ...fault, message: `${fault.message} (fence "${fence.path}")` }
}

function* faults(workspaces: LenientFile['workspaces'], fence: Fence): Generator<Fault> {
  const said = workspaces[fence.workspace]
  if (said?.waivers === undefined) return
  yield* word('waivers', ['workspaces', fence.workspace, 'waivers'], fence)
  if (!fence.may.has('waivers')) return
  for (const { entry, path } of waiversIn(fence.workspace, said)) {
    const wide = wideWords.filter((name) => entry[name] !== undefined)
    for (const name of wide) {
      const cure = 'ask for it in a file without limits that the settings name under "waivers.files"'
      yield { path: [...path, name], message: `"${name}" in a waiver is outside`, cure, part: 'key' }
    }
    if (entry.guard !== undefined || entry.groupSync !== undefined) continue
    yield* entryFaults(entry, path, fence)
    const [target] = fixedTargets(entry)
    const inside = target && fence.lists.get(listOf(target))
    if (inside === undefined) continue
    if (entry.previously !== undefined) yield* groupNameFaults(entry.previously, inside, [...path, 'previously'])
    if (entry.to === undefined || entry.to === noMapping || inside.roles.has(entry.to as Role)) continue
    const cure = `these files may give: ${[...inside.roles].join(', ')}`
    yield { path: [...path, 'to'], message: `the role "${entry.to}" is outside`, cure }
  }
}
