import type { LostProject } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import { type GroupName, type Key, type List, listOf, type Target } from '../mapping.ts'
import type { Policy } from '../policy.ts'
import type { Because } from '../rule.ts'

/** What is needed to prove that a mapping is undeclared. */
export type ReadingProof = {
  /** Why a list was not read whole; undefined where it was. */
  readonly incomplete: ReadonlyMap<List, HoldReason | undefined>
  /** Why the list of projects was not read whole; undefined where it was, or is not needed. */
  readonly projectsIncomplete: HoldReason | undefined
  /** By group: a project that it is declared for, and that is not there. */
  readonly lost: () => ReadonlyMap<GroupName, LostProject>
}

type Place = { readonly key: Key; readonly group: GroupName; readonly target: Target }

/**
 * Why an undeclared mapping is no candidate for a deletion; undefined where it is one. That nobody declares it is an absence: of its key from
 * what the declaration means, which under `sync` needs the projects that the declaration means to be known.
 *
 * @param heldSuccessors old key → the key of a rule that claims it through `previously` but is itself held
 */
export function keptUndeclared(
  { key, group, target }: Place,
  { incomplete, projectsIncomplete, lost, heldSuccessors }: ReadingProof & { readonly heldSuccessors: ReadonlyMap<Key, Key> },
  policy: Policy,
): { readonly reason: HoldReason; readonly because?: Because } | undefined {
  const successor = heldSuccessors.get(key)
  if (successor !== undefined) return { reason: { kind: 'requires', key: successor } }
  if (policy !== 'sync') return undefined
  const unread = incomplete.get(listOf(target)) ?? (target.kind === 'project' ? projectsIncomplete : undefined)
  if (unread !== undefined) return { reason: unread }
  const declared = target.kind === 'project' ? lost().get(group) : undefined
  return declared && { reason: { kind: 'perhapsRenamed', project: declared.project }, because: declared.because }
}
