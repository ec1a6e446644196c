import { type DesiredRole, roleFields } from '../desired.ts'
import { duplicateFinding, echoFinding } from '../findings/diffFindings.ts'
import { type Key, listOf, type Mapping, type Role } from '../mapping.ts'
import { compareRoles, direction, highest, type RoleComparison } from '../roles.ts'
import { addChange, type Draft, keepMapping } from './draft.ts'
import { heldPeople } from './heldWrite.ts'

/**
 * Adds what makes the mappings of a key as desired. Of several mappings, one with the desired role is kept, or else the one with most access: the
 * patch of it may have to wait, and the group keeps its access until then.
 */
export function diffMapped(key: Key, wanted: DesiredRole, mapped: readonly Mapping[], draft: Draft): void {
  const { options } = draft
  const list = listOf(wanted.target)
  const like = (has: Role | null) => compareRoles(wanted.role, has, wanted.target, options.echoes[list] ?? {}, options.roles)
  const withRole = (role: RoleComparison) => mapped.find((one) => like(one.role) === role)
  const kept = withRole('same') ?? withRole('echoed') ?? withRole('echoedHigher') ?? highest(mapped, options.roles)
  const mayDelete = options.policy === 'sync' && draft.incomplete.get(list) === undefined
  if (mapped.length > 1) draft.findings.push(duplicateFinding(key, mapped, options.policy))
  for (const mapping of mapped) {
    const { id, role: before } = mapping
    const { group, target, because } = wanted
    if (mapping !== kept && mayDelete) {
      addChange({ key, group, target, because, action: 'delete', mapping: id, before, why: 'duplicate' }, draft)
      continue
    }
    const similar = like(before)
    const patch = { would: { action: 'patch', before, role: wanted.role } as const, ...heldPeople(wanted) }
    const isEchoed = before !== null && (similar === 'echoed' || similar === 'echoedHigher')
    if (isEchoed) draft.findings.push(echoFinding(key, wanted.role, before))
    if (isEchoed && similar === 'echoedHigher')
      draft.holds.push({ key, group, target, because, reason: { kind: 'roleEchoed', sent: wanted.role, echoed: before }, ...patch })
    else if (similar === 'other' && wanted.grantsWait !== undefined && direction(before, wanted.role, options.roles) !== 'lower')
      draft.holds.push({ key, group, target, because, reason: wanted.grantsWait, ...patch })
    else if (similar === 'other') addChange({ ...roleFields(key, wanted), action: 'patch', mapping: id, before }, draft)
    else keepMapping(mapping, wanted, draft)
  }
}
