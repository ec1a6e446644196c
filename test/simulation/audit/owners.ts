import { type DeclaredWorkspace, keyOf, namedTargets, type Place, rulesOf, type TeamFile, wasOwned } from '../declared.ts'
import { contains, containsRole } from '../fences.ts'
import type { Fail } from './violation.ts'
import { type Write, writeText } from './write.ts'

/**
 * Checks who could have said a write: the file without limits, or a file whose fence contains the mapping and the role, and which names it. A file that
 * names a list says, by its silence, that its mappings inside the fence should be deleted. While files contradict each other about a mapping, none of them
 * says anything.
 *
 * @param declared the declarations that may be in force
 */
export function auditOwners(write: Write, declared: readonly DeclaredWorkspace[], fail: Fail): void {
  const place = write.after ?? write.before
  if (place === undefined || declared.length === 0) return
  if (!declared.some((one) => isSaid(one, write, place))) fail('fences', `no file could have said it: ${writeText(write)}`)
}

function isSaid(one: DeclaredWorkspace, write: Write, place: Place): boolean {
  const { teams = [], frozenOpen = [] } = one
  if (write.does === 'delete' && frozenOpen.some((earlier) => isNamed(earlier, place))) return true
  const open = { ...one, teams: [] }
  if (isNamed(open, place) || isSilent(open, write, place)) return true
  if (write.does === 'delete' && wasOwned(one, place)) return true
  return teams.some((team) => {
    const isInside = write.after === undefined ? contains(team.fence, place) : containsRole(team.fence, place, write.after.role)
    return isInside && (isNamed(team, place) || isSilent(team, write, place))
  })
}

type File = Pick<DeclaredWorkspace, 'workspaceRoles' | 'projectRoles' | 'removed'> | TeamFile

const isNamed = (file: File, place: Place): boolean =>
  file.removed.some((one) => keyOf(one) === keyOf(place)) ||
  rulesOf(file as DeclaredWorkspace).some((rule) => namedTargets(rule, place.group).includes(place.at))

const isSilent = (file: File, { does }: Write, { at }: Place): boolean =>
  does === 'delete' && (at === 'workspace' ? file.workspaceRoles : file.projectRoles) !== undefined
