import type { Change } from '../change.ts'
import type { GroupName, Mapping, Target } from '../mapping.ts'
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

/**
 * Rows before and after the plan, and in the worst case of a run that ends anywhere: each existing row as before or as after, whichever gives less. `least`
 * is empty if the plan deletes nothing undeclared.
 */
export type Rows = MappingRows & { readonly least: readonly MappingRow[] }

/** The roles that count on one target. All projects share one `general`, the rows for all projects; other targets have none. */
export type TargetRows = { readonly target: Target; readonly own: Rows; readonly general: Rows }

export const noRows: Rows = { before: [], after: [], least: [] }

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
  const least = changes.some(isUndeclared) ? leastRows(existing, changes, roles) : []
  const rows = { before: byTarget(before), after: byTarget(after), least: byTarget(least) }
  const targets = new Map<string, Target>()
  for (const change of changes) {
    if (change.action === 'settings' || targets.has(nameOf(change.target))) continue
    targets.set(nameOf(change.target), change.target)
    if (change.target.kind === 'allProjects')
      for (const { target } of [...before, ...after]) if (target.kind === 'project') targets.set(nameOf(target), target)
  }
  const rowsAt = (name: string): Rows => ({
    before: rows.before.get(name) ?? [],
    after: rows.after.get(name) ?? [],
    least: rows.least.get(name) ?? [],
  })
  const general = rowsAt(nameOf({ kind: 'allProjects' }))
  return new Map(
    [...targets].map(([name, target]) => [name, { target, own: rowsAt(name), general: target.kind === 'project' ? general : noRows }]),
  )
}

export const isUndeclared = (change: Change) => change.action === 'delete' && change.why === 'undeclared'

/** The name of a target in these maps. */
export const nameOf = (target: Target): string => (target.kind === 'project' ? `project ${target.project}` : target.kind)

/** The rows of these targets, with those for all projects once. */
const rowsOn = (targets: Iterable<TargetRows>): readonly Rows[] => [...new Set([...targets].flatMap(({ own, general }) => [own, general]))]

/**
 * The rows that counted on these targets before the changes, each once, as short texts. A row for all projects counts on each of thousands of targets.
 */
export function textsOfRows(targets: Iterable<TargetRows>): readonly (readonly string[])[] {
  const rows = new Set(rowsOn(targets).flatMap(({ before }) => before))
  return [...rows].map(({ group, target, role }) => [group, nameOf(target), role ?? ''])
}

/** The groups whose members decide who has which role on these targets. */
export const groupsOn = (targets: Iterable<TargetRows>): ReadonlySet<GroupName> => new Set(rowsOn(targets).flatMap(groupsIn))

/** The groups of the rows before and after. */
export const groupsIn = ({ before, after }: MappingRows): readonly GroupName[] => [...before, ...after].map(({ group }) => group)
