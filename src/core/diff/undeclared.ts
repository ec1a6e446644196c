import { type Desired, type LostProject, mayAskFor } from '../desired.ts'
import type { Hold, HoldReason } from '../hold.ts'
import { type GroupName, type Key, type List, listOf, type Mapping } from '../mapping.ts'
import type { Provenance } from '../rule.ts'
import type { HeldSuccessor } from './renames.ts'

/** The facts that prove that a mapping is undeclared. */
export type ReadingProof = {
  /** Why the declaration was not read whole; undefined if it was. */
  readonly declarationIncomplete: HoldReason | undefined
  /** List → why it was not read completely; undefined if it was. */
  readonly incomplete: ReadonlyMap<List, HoldReason | undefined>
  /** Why the list of projects was not read completely; undefined if it was, or is not needed. */
  readonly projectsIncomplete: HoldReason | undefined
  /** Group → a project that the group is declared for and that does not exist. */
  readonly lost: () => ReadonlyMap<GroupName, LostProject>
}

/** The hold of an undeclared mapping says which directories were asked and do not know its group. */
export function withUnknownTo(hold: Hold, { unknownTo }: Pick<Desired, 'unknownTo'>): Hold {
  const lacking = hold.reason.kind === 'undeclared' && hold.group !== undefined ? unknownTo(hold.group) : undefined
  return { ...hold, ...lacking }
}

/** What is known of an undeclared mapping, beside the readings. */
type Facts = {
  /** Whether the policy deletes the mapping if it is undeclared. */
  readonly isDeleted: boolean
  /** Whether the end that the journal knows of it has come. */
  readonly hasEnded: boolean
  readonly isProtected: boolean
}

/**
 * Why the delete of an undeclared mapping waits; undefined if it does not, or if the policy keeps the mapping anyway. A mapping is proved to be
 * undeclared only if its list and the projects were read completely, and no project that its group is declared for is missing.
 *
 * A rule that may be its successor, or may mean it, keeps it after its recorded end only if the rule asks for the same role. A rule inside a fence keeps a
 * protected role only so, too: it could not give it.
 *
 * @param heldSuccessors old key → a rule that claims it through `previously`, but is itself held or starts later
 */
export function keptUndeclared(
  { key, group, target, role }: Pick<Mapping, 'key' | 'group' | 'target' | 'role'>,
  {
    declarationIncomplete,
    incomplete,
    projectsIncomplete,
    lost,
    heldSuccessors,
  }: ReadingProof & { readonly heldSuccessors: ReadonlyMap<Key, HeldSuccessor> },
  { isDeleted, hasEnded, isProtected }: Facts,
): { readonly reason: HoldReason; readonly because?: Provenance } | undefined {
  const successor = heldSuccessors.get(key)
  const mayTake = successor !== undefined && !hasEnded && !(isProtected && successor.fenced === true)
  if (successor !== undefined && (mayTake || mayAskFor(successor.asked, role)))
    return successor.starts ?? { reason: { kind: 'requires', key: successor.key } }
  if (!isDeleted) return undefined
  if (declarationIncomplete !== undefined) return { reason: declarationIncomplete }
  const unread = incomplete.get(listOf(target)) ?? (target.kind === 'project' ? projectsIncomplete : undefined)
  if (unread !== undefined) return { reason: unread }
  const declared = target.kind === 'project' ? lost().get(group) : undefined
  if (declared === undefined || (hasEnded && !mayAskFor(declared.asked, role))) return undefined
  return { reason: { kind: 'perhapsRenamed', project: declared.project }, because: declared.because }
}
