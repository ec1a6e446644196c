import { knownRoles, type RoleSettings, unknownRole, unknownRoleCure } from '../core/roles.ts'
import { type AddProblem, valueAt, type YamlDocument } from '../yaml/document.ts'

/** Checks that every role of the settings is in `roles.order`, and that no alias leads back to itself. */
export function checkRoles(roles: RoleSettings, document: YamlDocument, at: AddProblem): void {
  const known = knownRoles(roles)
  const [isKnown, isOrdered] = [new Set(known), new Set(roles.order)]
  // The default of `roles.ordinary` may contain a role that `roles.order` lacks, so the default is not checked.
  const lists = 'project' in roles.ordinary ? Object.entries(roles.ordinary) : [['', roles.ordinary] as const]
  for (const [of, list] of lists) {
    const path = ['roles', 'ordinary', ...(of === '' ? [] : [of])]
    const ordinary = valueAt(document.value, path) === undefined ? [] : list
    for (const [index, role] of ordinary.entries())
      if (!isKnown.has(role)) at([...path, index], unknownRole(role), () => unknownRoleCure(role, known))
  }
  for (const role of Object.keys(roles.aliases))
    if (!isOrdered.has(role)) at(['roles', 'aliases', role], unknownRole(role), () => unknownRoleCure(role, roles.order), 'key')
  for (const circle of circles(roles.aliases)) {
    const [first = ''] = circle
    at(
      ['roles', 'aliases', first],
      `these aliases lead in a circle: ${[...circle, first].join(' → ')}`,
      'write one entry for each role that Plane renames: the name in the declaration, then the slug that Plane answers',
    )
  }
}

/** The circles of the aliases. Each begins with the first of its roles by name. */
function* circles(aliases: RoleSettings['aliases']): Generator<readonly string[]> {
  const seen = new Set<string>()
  for (const start of Object.keys(aliases)) {
    const way = new Set<string>()
    let role: string | undefined = start
    for (; role !== undefined && !seen.has(role); role = Object.hasOwn(aliases, role) ? aliases[role] : undefined) {
      seen.add(role)
      way.add(role)
    }
    if (role === undefined || !way.has(role)) continue
    const roles = [...way]
    const circle = roles.slice(roles.indexOf(role))
    const first = circle.indexOf(circle.toSorted()[0] ?? '')
    yield [...circle.slice(first), ...circle.slice(0, first)]
  }
}
