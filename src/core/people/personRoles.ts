import type { Change } from '../change.ts'
import { by } from '../compare.ts'
import { type GroupName, type Key, keyOf, type Mapping, type Role, type Target, type WorkspaceName } from '../mapping.ts'
import { type RoleSettings, rankOf } from '../roles.ts'
import { type MappingRow, nameOf, rowsOf } from './rows.ts'

/**
 * A role that a person has on a target by the groups of the person. `unclear`: several roles, and `roles.order` does not say which is the highest.
 * Undefined: no group gives a role.
 */
export type HighestRole =
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'unclear'; readonly roles: readonly Role[] }
  | undefined

/** A mapping that concerns the person: the role that the group has today, and after the plan. */
export type PersonMapping = {
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly before: HighestRole
  readonly after: HighestRole
}

/** What a person may do on one target, and by which mappings. The mappings for all projects count on each project. */
export type PersonRole = {
  readonly target: Target
  readonly before: HighestRole
  readonly after: HighestRole
  readonly mappings: readonly PersonMapping[]
}

/**
 * The roles of a person who is in these groups, for each target on which one of them has a mapping. A person has the highest role of all groups, as Plane
 * decides it.
 *
 * @param existing all mappings of the workspace
 * @param changes those that will be written
 */
export function rolesOfPerson(
  workspace: WorkspaceName,
  groups: ReadonlySet<GroupName>,
  existing: readonly Mapping[],
  changes: readonly Change[],
  roles: RoleSettings,
): readonly PersonRole[] {
  const rows = rowsOf(existing, changes)
  const own = (mappingRows: readonly MappingRow[]) =>
    Map.groupBy(
      mappingRows.filter(({ group }) => groups.has(group)),
      ({ target, group }) => keyOf(workspace, target, group),
    )
  const [before, after] = [own(rows.before), own(rows.after)]
  const highest = (candidates: readonly { readonly role: Role | null }[]) => highestOf(candidates, roles)

  const mappings = [...new Set([...before.keys(), ...after.keys()])].map((key): PersonMapping => {
    const [had, has] = [before.get(key) ?? [], after.get(key) ?? []]
    const { group, target } = (had[0] ?? has[0]) as MappingRow
    return { key, group, target, before: highest(had), after: highest(has) }
  })
  const onTarget = Map.groupBy(mappings, ({ target }) => nameOf(target))
  const general = onTarget.get(nameOf({ kind: 'allProjects' })) ?? []
  return [...onTarget.values()]
    .map((own): PersonRole => {
      const { target } = own[0] as PersonMapping
      const mappingsHere = target.kind === 'project' ? [...own, ...general] : own
      const rowsAt = (side: ReadonlyMap<Key, readonly MappingRow[]>) => mappingsHere.flatMap(({ key }) => side.get(key) ?? [])
      return {
        target,
        before: highest(rowsAt(before)),
        after: highest(rowsAt(after)),
        mappings: mappingsHere.toSorted(by(({ group }) => group)),
      }
    })
    .toSorted(by(({ target }) => targetOrder(target)))
}

/** The workspace first, then all projects, then each project by its name. */
const targetOrder = (target: Target): string => ({ workspace: '0', allProjects: '1', project: '2' })[target.kind] + nameOf(target)

function highestOf(rows: readonly { readonly role: Role | null }[], roles: RoleSettings): HighestRole {
  const distinctRoles = [...new Set(rows.flatMap(({ role }) => role ?? []))]
  const [first, ...others] = distinctRoles
  if (first === undefined) return undefined
  if (others.length === 0) return { kind: 'role', role: first }
  if (distinctRoles.some((role) => rankOf(role, roles) < 0)) return { kind: 'unclear', roles: distinctRoles.toSorted() }
  return { kind: 'role', role: others.reduce((high, role) => (rankOf(role, roles) > rankOf(high, roles) ? role : high), first) }
}
