import type { Change } from '../../../src/core/change.ts'
import type { GroupName, Target } from '../../../src/core/mapping.ts'

/** One mapping in the table of the service. */
export type Row = { readonly id: string; readonly group: GroupName; readonly target: Target; readonly role: string | null }

/** The identity of a row: two rows must not have the same place. */
export type Place = Pick<Row, 'group' | 'target'>
export const placeOf = ({ group, target }: Place): string =>
  JSON.stringify([group, target.kind === 'project' ? target.project : target.kind === 'workspace'])

/** One table for both kinds of mappings. It does exactly what the API documents for POST, PATCH and DELETE. */
export function written(rows: readonly Row[], change: Change, stored: (role: string, target: Target) => string): readonly Row[] {
  if (change.action === 'settings') return rows
  const { group, target } = change
  if (change.action === 'create')
    return [...rows, { id: `new ${placeOf(change)} ${rows.length}`, group, target, role: stored(change.role, target) }]
  const row = rows.find(({ id }) => id === change.mapping)
  if (row === undefined) throw new Error(`404: there is no mapping ${change.mapping}`)
  // A person agrees to a plan with its old values, so the old values must equal the stored row.
  const says = { group: change.action === 'rename' ? change.fromGroup : group, target, role: change.before }
  if (JSON.stringify([row.group, row.target, row.role]) !== JSON.stringify([says.group, says.target, says.role]))
    throw new Error(`${JSON.stringify(row)} is not what the plan says of it: ${JSON.stringify(says)}`)
  if (change.action === 'delete') return rows.filter((other) => other !== row)
  const sent = change.role === row.role ? row.role : stored(change.role, target)
  return rows.map((other) => (other === row ? { ...row, group, role: sent } : other))
}
