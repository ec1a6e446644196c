import type { Change, ChangeId, UnorderedChange } from './change.ts'
import { compare } from './compare.ts'
import type { Desired } from './desired.ts'
import { type Role, type Target, targetText } from './mapping.ts'
import { once } from './once.ts'
import { direction, mayGiveMore, type RoleSettings } from './roles.ts'

/**
 * Sorts changes in the order of writing. Changes that revoke come first, so that a run that is cut short has granted too little, not too
 * much. A delete that is replaced comes last and requires its replacement, so that people keep their access in between.
 *
 * Lowerings and unreplaced deletes · settings · raises, renames and patches of unknown direction · creates · replaced deletes; each by key.
 */
export function inOrder(changes: readonly UnorderedChange[], roles: RoleSettings, idsOf: Desired['idsOf'] = unknownIds): readonly Change[] {
  const replacing = replacements(changes, idsOf, roles)
  return changes
    .map((change): Change => ({ ...change, requires: replacing(change).toSorted() }))
    .toSorted((a, b) => rank(a, roles) - rank(b, roles) || compare(a.key, b.key) || compare(a.id, b.id))
}

const unknownIds: Desired['idsOf'] = () => ({ now: [], before: [] })

/**
 * The changes that replace a delete. A delete is replaced in these cases:
 * - a create or rename gives the same group an overlapping target;
 * - a patch raises the group on an overlapping target, or on the same target if the delete is of a duplicate, and the deleted mapping may give more
 *   access than the patched one has now;
 * - one of these changes gives a role on the same target, or an overlapping one, to the group under another name, and the deleted mapping is undeclared: a
 *   directory has this name for the id that the memory has for the deleted one. `removed` and `expires` wait for no other name;
 * - a create gives another group the same target and role, and no other create and no other delete has that target and role.
 *
 * If several groups lose or get the role, it is unknown which create replaces which delete, and the delete waits for none of them.
 */
function replacements(
  changes: readonly UnorderedChange[],
  idsOf: Desired['idsOf'],
  roles: RoleSettings,
): (change: UnorderedChange) => readonly ChangeId[] {
  const creates = changes.filter((change) => change.action === 'create')
  const deletes = changes.filter((change) => change.action === 'delete')
  const patches = changes.filter((change) => change.action === 'patch')
  const gives: readonly Gives[] = [
    ...changes.filter((change) => change.action === 'create' || change.action === 'rename'),
    ...patches.filter((patch) => direction(patch.before, patch.role, roles) !== 'lower'),
  ]
  const byGroup = Map.groupBy(gives, ({ group }) => group)
  const byId = once(() =>
    Map.groupBy(
      gives.flatMap((give) => idsOf(give.group).now.map((id) => ({ id, give }))),
      ({ id }) => id,
    ),
  )
  const place = ({ target }: { target: Target }, role: Role | null) => `${targetText(target)} ${role ?? ''}`
  const createsAt = Map.groupBy(creates, (create) => place(create, create.role))
  const deletesAt = Map.groupBy(deletes, (gone) => place(gone, gone.before))
  return (change) => {
    if (change.action !== 'delete') return []
    const { group, target, before } = change
    const givesMore = (give: Gives) => give.action !== 'patch' || mayGiveMore(before, give.before, roles)
    const ofGroup = (byGroup.get(group) ?? []).filter(givesMore)
    if (change.why === 'duplicate') return ofGroup.filter(({ key }) => key === change.key).map(({ id }) => id)
    const elsewhere = ofGroup.filter((give) => overlap(give.target, target))
    const renamed =
      change.why === 'undeclared'
        ? idsOf(group)
            .before.flatMap((id) => byId().get(id) ?? [])
            .map(({ give }) => give)
        : []
    const onTarget = renamed
      .filter(givesMore)
      .filter((give) => overlap(give.target, target) || targetText(give.target) === targetText(target))
    const at = place(change, before)
    const [only, ...more] = createsAt.get(at) ?? []
    const swapped = only !== undefined && more.length === 0 && deletesAt.get(at)?.length === 1 ? [only] : []
    return [...new Set([...elsewhere, ...onTarget, ...swapped].map(({ id }) => id))]
  }
}

type Gives = Extract<UnorderedChange, { readonly action: 'create' | 'rename' | 'patch' }>

/** One target is a project and the other is all projects, so the mapping to all projects covers that project, too. */
export const overlap = (a: Target, b: Target): boolean =>
  (a.kind === 'allProjects' && b.kind === 'project') || (a.kind === 'project' && b.kind === 'allProjects')

/** No change of a rank requires another one of it. */
export function rank(change: Change, roles: RoleSettings): number {
  switch (change.action) {
    case 'delete':
      return change.requires.length === 0 ? 0 : 4
    case 'settings':
      return 1
    case 'patch':
      return direction(change.before, change.role, roles) === 'lower' ? 0 : 2
    case 'rename':
      return 2
    case 'create':
      return 3
    default:
      return change satisfies never
  }
}
