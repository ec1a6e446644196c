import { knownRoles, type RoleSettings, unknownRole, unknownRoleCure } from '../core/roles.ts'
import { type AddProblem, valueAt, type YamlDocument } from '../yaml/document.ts'

/** Checks that every role of the settings is in `roles.order`, and that no alias leads back to itself. */
export function checkRoles(roles: RoleSettings, document: YamlDocument, at: AddProblem): void {
  const known = knownRoles(roles)
  // The default of `roles.ordinary` may contain a role that `roles.order` lacks, so the default is not checked.
  const lists = 'project' in roles.ordinary ? Object.entries(roles.ordinary) : [['', roles.ordinary] as const]
  for (const [of, list] of lists) {
    const path = ['roles', 'ordinary', ...(of === '' ? [] : [of])]
    const ordinary = valueAt(document.value, path) === undefined ? [] : list
    for (const [index, role] of ordinary.entries())
      if (!known.includes(role)) at([...path, index], unknownRole(role), unknownRoleCure(role, known))
  }
  for (const role of Object.keys(roles.aliases)) {
    const path = ['roles', 'aliases', role]
    if (!roles.order.includes(role)) at(path, unknownRole(role), unknownRoleCure(role, roles.order), 'key')
    const circle = circleFrom(role, roles.aliases)
    if (circle !== undefined)
      at(
        path,
        `these aliases lead in a circle: ${circle.join(' → ')}`,
        'write one entry for each role that Plane renames: the name in the declaration, then the slug that Plane answers',
      )
  }
}

/** The circle that begins with this role; undefined if its aliases end. A circle is reported once, at the first of its roles by name. */
function circleFrom(role: string, aliases: RoleSettings['aliases']): readonly string[] | undefined {
  const way = [role]
  for (let at = aliases[role]; at !== undefined; at = Object.hasOwn(aliases, at) ? aliases[at] : undefined) {
    if (at === role) return way.toSorted()[0] === role ? [...way, role] : undefined
    if (way.includes(at)) return undefined
    way.push(at)
  }
  return undefined
}
