import { type DesiredMapping, ruleResult } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import type { Role } from '../mapping.ts'
import { defined } from '../optionalFields.ts'

type Outranked = Extract<HoldReason, { kind: 'outranked' }>

/**
 * The hold of a key about which a file inside a fence contradicts a file without limits.
 *
 * @param open what the file without limits wants
 */
export const outranked = (open: DesiredMapping, inside: Pick<Outranked, 'inside' | 'unmanaged'>): Outranked => ({
  kind: 'outranked',
  by: open.because,
  ...defined({ outside: roleWanted(open) }),
  ...inside,
})

export const roleInside = (wanted: DesiredMapping): Pick<Outranked, 'inside'> => defined({ inside: roleWanted(wanted) })

/** Null for no mapping; undefined if it is not known. */
function roleWanted(wanted: DesiredMapping): Role | null | undefined {
  const result = ruleResult(wanted)
  if (result === undefined) return undefined
  return result.kind === 'role' ? result.role : null
}
