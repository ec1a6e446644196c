import type { Change } from '../change.ts'
import type { GroupName, Mapping, Role, Target } from '../mapping.ts'
import { direction, type RoleSettings } from '../roles.ts'

/** One row of a list: a group has a role on a target. `alsoIn`: only those of its people who are in this group, too. */
export type MappingRow = Pick<Mapping, 'group' | 'target' | 'role'> & { readonly alsoIn?: GroupName }

/** The rows before and after the changes are written. */
type MappingRows = { readonly before: readonly MappingRow[]; readonly after: readonly MappingRow[] }

export function rowsOf(existing: readonly Mapping[], changes: readonly Change[]): MappingRows {
  const changed = new Map<string, Change>()
  const made: MappingRow[] = []
  for (const change of changes) {
    if (change.action === 'create') made.push(change)
    else if ('mapping' in change) changed.set(change.mapping, change)
  }
  const before = sameGroups(existing, changes)
  const after = before.flatMap((mapping): readonly MappingRow[] => {
    const change = changed.get(mapping.id)
    if (change === undefined) return [mapping]
    return 'role' in change ? [{ group: change.group, target: change.target, role: change.role }] : []
  })
  return { before, after: [...after, ...made] }
}

function leastRows(existing: readonly Mapping[], changes: readonly Change[], roles: RoleSettings): readonly MappingRow[] {
  const changed = new Map(changes.flatMap((change) => ('mapping' in change ? [[change.mapping, change] as const] : [])))
  return sameGroups(existing, changes).flatMap((row): readonly MappingRow[] => {
    const change = changed.get(row.id)
    if (change === undefined) return [row]
    if (change.action === 'delete') return []
    const role = direction(row.role, change.role, roles) === 'lower' ? change.role : row.role
    return [{ ...row, role, ...(change.group === row.group ? {} : { alsoIn: change.group }) }]
  })
}

/** The mappings of a group that gets another name have its new name: it is the same group, and directories know it by this name. */
function sameGroups(existing: readonly Mapping[], changes: readonly Change[]): readonly Mapping[] {
  const renamed = new Map(
    changes.flatMap((change) => (change.action === 'rename' && change.sameGroup === true ? [[change.mapping, change.group] as const] : [])),
  )
  return renamed.size === 0 ? existing : existing.map((mapping) => ({ ...mapping, group: renamed.get(mapping.id) ?? mapping.group }))
}

/** The roles that count on one target: those of its own rows, and on a project also those for all projects. */
export type TargetRows = MappingRows & {
  readonly target: Target
  /** The rows in the worst case of a run that ends anywhere: each existing row as before or as after the plan, whichever gives less. */
  readonly least: readonly MappingRow[]
}

/**
 * The targets on which the changes change a role. A change for all projects changes each project that has rows of its own, and all other projects,
 * for which the target `allProjects` stands.
 */
export function changedTargets(
  changes: readonly Change[],
  existing: readonly Mapping[],
  roles: RoleSettings,
): ReadonlyMap<string, TargetRows> {
  const { before, after } = rowsOf(existing, changes)
  const byTarget = (rows: readonly MappingRow[]) => Map.groupBy(rows, ({ target }) => nameOf(target))
  const own = { before: byTarget(before), after: byTarget(after), least: byTarget(leastRows(existing, changes, roles)) }
  const targets = new Map<string, Target>()
  for (const change of changes) {
    if (change.action === 'settings') continue
    targets.set(nameOf(change.target), change.target)
    if (change.target.kind === 'allProjects')
      for (const { target } of [...before, ...after]) if (target.kind === 'project') targets.set(nameOf(target), target)
  }
  const general = nameOf({ kind: 'allProjects' })
  const rowsAt = (rows: ReadonlyMap<string, readonly MappingRow[]>, target: Target) => [
    ...(rows.get(nameOf(target)) ?? []),
    ...(target.kind === 'project' ? (rows.get(general) ?? []) : []),
  ]
  const at = (target: Target): TargetRows => ({
    target,
    before: rowsAt(own.before, target),
    after: rowsAt(own.after, target),
    least: rowsAt(own.least, target),
  })
  return new Map([...targets].map(([name, target]) => [name, at(target)]))
}

/** What a change gives on a target. */
export const rowOn = (on: Target, change: Change | undefined): readonly MappingRow[] =>
  change !== undefined && 'role' in change && countsOn(on, change.target) ? [change] : []

/** A row for all projects counts on each project. */
const countsOn = (on: Target, target: Target): boolean =>
  nameOf(target) === nameOf(on) || (on.kind === 'project' && target.kind === 'allProjects')

/** The name of a target in these maps. */
export const nameOf = (target: Target): string => (target.kind === 'project' ? `project ${target.project}` : target.kind)

/**
 * The rows that counted on these targets before the changes, each once, as short texts. A row for all projects counts on each of thousands of targets.
 */
export function textsOfRows(targets: Iterable<TargetRows>): readonly (readonly string[])[] {
  const rows = new Set<MappingRow>()
  for (const { before } of targets) for (const row of before) rows.add(row)
  return [...rows].map(({ group, target, role }) => [group, nameOf(target), role ?? ''])
}

/** The groups whose members decide who has which role on these targets. */
export function groupsOn(targets: Iterable<TargetRows>): ReadonlySet<GroupName> {
  const groups = new Set<GroupName>()
  for (const { before, after } of targets) for (const { group } of [...before, ...after]) groups.add(group)
  return groups
}

/** The roles of the rows, without rows that have none. */
export const rolesIn = (rows: readonly MappingRow[]): ReadonlySet<Role> => new Set(rows.flatMap(({ role }) => role ?? []))
