import { type Change, type ChangeId, canonical, type Deed, type Hash, type SettingsDeed } from './change.ts'
import type { Desired, Wish } from './desired.ts'
import type { Finding } from './finding.ts'
import type { Hold, HoldReason } from './hold.ts'
import { type Key, keyOf, type List, listOf, type Mapping, type Role, targetText } from './mapping.ts'
import { inOrder } from './order.ts'
import { type Plan, planOf } from './plan.ts'
import { type Policy, withhold } from './policy.ts'
import type { Reading } from './reading.ts'
import { isAdministrator, type RoleSettings } from './roles.ts'
import type { GroupSync, WorkspaceDeclaration } from './rule.ts'
import { isUnmanaged } from './unmanaged.ts'

/** What the service holds of one workspace: the owned lists, and its settings where the declaration speaks of them. */
export type Existing = {
  readonly lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  readonly groupSync?: GroupSync
}

export type DiffOptions = {
  /** What a fingerprint says the plan is for: the service's address and the workspace's slug. */
  readonly origin: string
  readonly policy: Policy
  readonly roles: RoleSettings
  /** Roles that the service was seen to answer for another one that was sent: `sent` → `echoed`. */
  readonly echoes: ReadonlyMap<string, string>
  readonly hash: Hash
}

/**
 * The plan that makes what exists equal to what is desired.
 *
 * | desired | existing                  | change                                                                              |
 * |---------|---------------------------|-------------------------------------------------------------------------------------|
 * | role    | none                      | create (rename where the rule names what it was before), from a complete list only  |
 * | role    | same                      | none                                                                                |
 * | role    | other                     | patch                                                                               |
 * | role    | several with the same key | patch those that differ, a finding; the extras go only under `sync`                 |
 * | absent  | yes                       | delete, from a complete list only                                                   |
 * | none    | yes                       | undeclared: delete under `sync`, else held by the policy                            |
 * | unknown | yes or no                 | held                                                                                |
 */
export function diff(declared: WorkspaceDeclaration, desired: Desired, existing: Existing, options: DiffOptions): Plan {
  const { workspace } = declared
  const changes: Change[] = []
  const holds: Hold[] = []
  const findings: Finding[] = []
  let unchanged = 0

  const owned = ownedMappings(declared, existing)
  const byKey = Map.groupBy(owned, ({ key }) => key)
  const renamed = new Set<Key>()
  const same = (wanted: Role, has: Role) => wanted === has || options.roles.aliases[wanted] === has || options.echoes.get(wanted) === has
  const add = (deed: Deed) => changes.push({ ...deed, id: options.hash(canonical(deed)).slice(0, 8) as ChangeId, requires: [] })
  const hold = (key: Key, wish: Wish, reason: HoldReason) =>
    holds.push({ key, group: wish.group, target: wish.target, reason, because: wish.because })

  for (const [key, wish] of desired) {
    const list = listOf(wish.target)
    if (!declared.owns.has(list)) continue
    const incomplete = incompleteReason(list, existing.lists.get(list))
    const here = byKey.get(key) ?? []
    if (wish.want === 'unknown') {
      hold(key, wish, wish.reason)
      continue
    }
    const { group, target, because } = wish
    if (wish.want === 'absent') {
      if (here.length > 0 && incomplete !== undefined) hold(key, wish, incomplete)
      else for (const { id, role } of here) add({ key, group, target, because, action: 'delete', mapping: id, before: role, why: wish.why })
      continue
    }
    const grant = {
      key,
      group,
      target,
      because,
      role: wish.role,
      allowProtected: wish.allowProtected,
      ...(wish.people === undefined ? {} : { people: wish.people }),
    }
    const [first] = here
    if (first === undefined) {
      const from = wish.previously === undefined ? undefined : keyOf(workspace, target, wish.previously)
      const [old] = from === undefined || desired.has(from) ? [] : (byKey.get(from) ?? [])
      if (old !== undefined) {
        renamed.add(old.key)
        add({ ...grant, action: 'rename', mapping: old.id, from: old.key, fromGroup: old.group, before: old.role })
      } else if (incomplete === undefined) add({ ...grant, action: 'create' })
      else hold(key, wish, incomplete)
      continue
    }
    const kept = here.find(({ role }) => same(wish.role, role)) ?? first
    if (here.length > 1) findings.push(duplicateFinding(key, here, options.policy))
    for (const mapping of here) {
      if (mapping !== kept && options.policy === 'sync' && incomplete === undefined) {
        add({ key, group, target, because, action: 'delete', mapping: mapping.id, before: mapping.role, why: 'duplicate' })
      } else if (same(wish.role, mapping.role)) unchanged++
      else add({ ...grant, action: 'patch', mapping: mapping.id, before: mapping.role })
    }
  }

  for (const { id: mapping, key, group, target, role } of owned) {
    if (desired.has(key) || renamed.has(key)) continue
    const incomplete = incompleteReason(listOf(target), existing.lists.get(listOf(target)))
    if (incomplete !== undefined && options.policy === 'sync') holds.push({ key, group, target, reason: incomplete })
    else add({ key, group, target, action: 'delete', mapping, before: role, why: 'undeclared' })
  }
  const settings = settingsChange(declared, existing.groupSync)
  if (settings !== undefined) add(settings)

  const kept = withhold(inOrder(changes, options.roles), options.policy)
  return planOf(
    {
      workspace,
      changes: kept.changes,
      holds: [...holds, ...kept.holds],
      findings,
      unchanged,
      owned: countByList(owned, declared.owns),
      administrators: owned.filter(({ target, role }) => target.kind === 'workspace' && isAdministrator(role, options.roles)).length,
    },
    options,
  )
}

function ownedMappings({ owns, unmanaged }: WorkspaceDeclaration, { lists }: Existing): Mapping[] {
  return [...lists].flatMap(([list, reading]) =>
    owns.has(list) && reading.status !== 'failed'
      ? reading.value.filter(({ group, target }) => !isUnmanaged(unmanaged, group, target))
      : [],
  )
}

function incompleteReason(list: List, reading: Reading<readonly Mapping[]> | undefined): HoldReason | undefined {
  const of = list === 'workspaceRoles' ? 'the workspace mappings' : 'the project mappings'
  if (reading === undefined) return { kind: 'readingIncomplete', of, why: 'they were not read' }
  if (reading.status === 'complete') return undefined
  return { kind: 'readingIncomplete', of, why: reading.status === 'failed' ? reading.why : reading.missing }
}

/** The service gives a person the highest of all matching roles, so a second mapping with a higher one is a leak. */
function duplicateFinding(key: Key, here: readonly Mapping[], policy: Policy): Finding {
  return {
    code: 'duplicate-mapping',
    severity: 'warning',
    place: key,
    sentence: `${here.length} mappings say the same thing for ${targetText((here[0] as Mapping).target)} (${here.map(({ role }) => role).join(', ')}); the highest counts`,
    ...(policy === 'sync' ? {} : { cure: 'delete the extra ones in Plane, or use the policy sync' }),
  }
}

function settingsChange({ workspace, groupSync }: WorkspaceDeclaration, has: GroupSync | undefined): SettingsDeed | undefined {
  if (groupSync === undefined || has === undefined) return undefined
  const differing = (Object.keys(groupSync.wanted) as (keyof GroupSync)[]).filter((name) => groupSync.wanted[name] !== has[name])
  if (differing.length === 0) return undefined
  const pick = (from: GroupSync): GroupSync => Object.fromEntries(differing.map((name) => [name, from[name]]))
  return {
    action: 'settings',
    key: `${workspace}/groupSync` as Key,
    before: pick(has),
    after: pick(groupSync.wanted),
    because: groupSync.because,
  }
}

function countByList(owned: readonly Mapping[], owns: ReadonlySet<List>): Plan['owned'] {
  return Object.fromEntries([...owns].toSorted().map((list) => [list, owned.filter(({ target }) => listOf(target) === list).length]))
}
