import { type DesiredMapping, ruleResult } from '../desired.ts'
import type { HeldWrite, Hold } from '../hold.ts'
import { listOf, type Mapping } from '../mapping.ts'
import { compareRoles } from '../roles.ts'
import type { DiffOptions } from './draft.ts'

/** The write that a hold delays, as far as it is known, and the number of people. `mapped`: the mappings of the key. */
export function heldWrite(
  wanted: DesiredMapping,
  mapped: readonly Mapping[],
  { options }: { readonly options: Pick<DiffOptions, 'echoes' | 'roles'> },
): Pick<Hold, 'would' | 'people'> {
  const result = ruleResult(wanted)
  const [first] = mapped
  if (first === undefined) return result?.kind === 'role' ? { would: { action: 'create', role: result.role }, ...heldPeople(result) } : {}
  const before = first.role
  if (result === undefined) return { would: { action: 'unknown', before } }
  if (result.kind === 'absent') return { would: { action: 'delete', before } }
  const { role } = result
  const echoes = options.echoes[listOf(wanted.target)] ?? {}
  const patched = mapped.find((mapping) => compareRoles(role, mapping.role, wanted.target, echoes, options.roles) === 'other')
  const would: HeldWrite = patched === undefined ? { action: 'keep', before } : { action: 'patch', before: patched.role, role }
  return { would, ...(patched === undefined ? {} : heldPeople(result)) }
}

export const heldPeople = ({ people }: { readonly people?: number }): Pick<Hold, 'people'> => (people === undefined ? {} : { people })
