import type { Path } from '../yaml/document.ts'
import type { LenientFile } from './lenient.ts'
import { describedIn, waiversIn } from './waiverEntries.ts'
import { noMapping } from './waiverSchema.ts'

/** The roles that waivers let pass, each with its place. The role before a change may be any: a mapping can have a role that the settings do not name. */
export function* waivedRoles(
  name: string,
  said: LenientFile['workspaces'][string],
): Generator<{ readonly role: string; readonly path: Path }> {
  for (const { entry, path: at } of waiversIn(name, said))
    for (const { change, path } of describedIn(entry, at)) {
      if (change.to !== undefined && change.to !== noMapping) yield { role: change.to, path: [...path, 'to'] }
      const byDefault = change.groupSync?.defaultWorkspaceRole?.to
      if (typeof byDefault === 'string') yield { role: byDefault, path: [...path, 'groupSync', 'defaultWorkspaceRole', 'to'] }
    }
}
