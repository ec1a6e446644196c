import { type GroupName, type Target, targetText } from '../core/mapping.ts'
import type { Removal, Rule, Unmanaged } from '../core/rule.ts'
import type { Statement } from './compile.ts'

/** A problem: two entries that contradict each other. `said`: the entry to correct. */
export type Contradiction = {
  readonly said: Statement<Rule | Removal | Unmanaged>
  /** The other entry. */
  readonly against?: Rule | Removal | Unmanaged
  readonly message: string
  readonly cure: string
  /** The owner whose files are all invalid by it. */
  readonly owner?: string | undefined
}

/** An exact group on a fixed target, which can be compared before any directory is read. */
export type ExactName = { readonly group: GroupName; readonly target: Target }

/** Undefined for a rule with a pattern or a capture. */
export function exactNameOf({ groups, target, role }: Rule): ExactName | undefined {
  if (groups.kind !== 'exact' || target.kind !== 'fixed' || role.kind !== 'fixed') return undefined
  return { group: groups.name, target: target.target }
}

/** The text by which a problem names the mapping: `"devs" in ENG`. */
export const exactText = ({ group, target }: ExactName): string =>
  `"${group}" ${target.kind === 'workspace' ? 'in the workspace' : `in ${targetText(target)}`}`
