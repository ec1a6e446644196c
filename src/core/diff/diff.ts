import { canonical, type Deed, type Hash, type NamedDeed, waiverName } from '../change.ts'
import { by } from '../compare.ts'
import type { Desired, Wish, Wishes } from '../desired.ts'
import { type Existing, incompleteReason, managedMappings, projectsReason, settingsDeed } from '../existing.ts'
import type { Finding } from '../finding.ts'
import { duplicateFinding, echoFinding, incompleteFinding } from '../findings/diffFindings.ts'
import type { Hold, HoldReason } from '../hold.ts'
import { type Key, type List, listOf, type Mapping, type Role, type WorkspaceName } from '../mapping.ts'
import { type Plan, planOf } from '../plan.ts'
import { type Policy, withhold } from '../policy.ts'
import { isAdministrator, likeness, type RoleSettings } from '../roles.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import { type Unmade, withoutAwaiting } from './awaited.ts'
import { type ByKey, byKeyOf } from './byKey.ts'
import { inOrder } from './order.ts'
import { mayTake, predecessor, type Renames } from './renames.ts'
import { keptUndeclared, type Proof } from './undeclared.ts'

export type DiffOptions = {
  /** What a fingerprint says the plan is for: the service's address and the workspace's slug. */
  readonly origin: string
  readonly policy: Policy
  readonly roles: RoleSettings
  /** By list: what the service was seen to answer where another role was sent. */
  readonly echoes: Readonly<Partial<Record<List, Readonly<Record<string, string>>>>>
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
export function diff(
  declared: WorkspaceDeclaration,
  desired: Desired,
  existing: Existing,
  options: DiffOptions,
  notices: readonly Finding[],
): Plan {
  const { owns, workspace } = declared
  const { wishes, lost } = desired
  const managed = managedMappings(declared, existing, desired.unmanaged)
  const spokenOf = [...managed.keys()]
  const draft: Draft = {
    lost,
    byKey: byKeyOf([...managed.values()]),
    met: 0,
    missing: [],
    unmade: [],
    renames: { heirs: new Map(), taken: new Set() },
    incomplete: new Map(spokenOf.map((list) => [list, incompleteReason(list, existing.lists.get(list))])),
    projectsIncomplete: existing.projects === undefined ? undefined : projectsReason(existing.projects),
    deeds: [],
    holds: [],
    findings: [...notices, ...spokenOf.flatMap((list) => incompleteFinding(workspace, list, existing.lists.get(list)))],
    unchanged: 0,
  }

  for (const [key, wish] of wishes) {
    // As nearly all are.
    if (wish.want === 'role' && draft.byKey.only(key)?.role === wish.role && owns.has(listOf(wish.target))) {
      draft.met++
      draft.unchanged++
    } else if (owns.has(listOf(wish.target)) || wish.want === 'absent') wished(key, wish, draft, workspace, options)
  }
  // Two rules may name one old mapping: the first of them by key takes it, wherever they stand.
  for (const [key, wish] of draft.missing.toSorted(by(([key]) => key))) make(key, wish, draft, workspace, wishes, options)
  // Where every key was asked for, which is how it mostly is, none is undeclared.
  for (const [list, mappings] of draft.met === draft.byKey.keys ? [] : managed) {
    for (const mapping of owns.has(list) ? mappings : []) {
      if (!wishes.has(mapping.key) && !draft.renames.taken.has(mapping.id)) undeclared(mapping, draft, options)
    }
  }
  const settings = settingsDeed(declared, existing.groupSync)
  if (settings !== undefined) add(settings, draft, options)

  const ready = withoutAwaiting(inOrder(draft.deeds, options.roles), draft.unmade)
  const kept = withhold(ready.changes, options.policy)
  const administrators =
    managed.get('workspaceRoles')?.filter(({ role }) => isAdministrator(role, options.roles, options.echoes.workspaceRoles)) ?? []
  return planOf(
    {
      workspace,
      changes: kept.changes,
      holds: [...draft.holds, ...ready.holds, ...kept.holds],
      findings: draft.findings,
      unchanged: draft.unchanged,
      owned: Object.fromEntries([...managed].map(([list, { length }]) => [list, length])),
      administrators: administrators.length,
    },
    { ...options, projects: existing.projects },
  )
}

type Draft = Proof & {
  readonly byKey: ByKey
  /** Keys that are both wished for and there. */
  met: number
  /** What is wished for and not there. */
  readonly missing: [Key, Grant][]
  /** What is wished for and not there, and cannot be made yet. */
  readonly unmade: Unmade[]
  readonly renames: Renames
  readonly deeds: NamedDeed[]
  readonly holds: Hold[]
  readonly findings: Finding[]
  unchanged: number
}

function add(deed: Deed, { deeds }: Draft, { hash }: DiffOptions): void {
  deeds.push({ ...deed, id: waiverName(hash(canonical(deed))) })
}

function wished(key: Key, wish: Wish, draft: Draft, workspace: WorkspaceName, options: DiffOptions): void {
  const here = draft.byKey.at(key)
  if (here.length > 0) draft.met++
  const { group, target, because } = wish
  const incomplete = draft.incomplete.get(listOf(target))
  const hold = (reason: HoldReason) => draft.holds.push({ key, group, target, reason, because })
  switch (wish.want) {
    case 'unknown':
      mayTake(key, wish, workspace, draft.renames)
      if (here.length === 0 && wish.reason.kind === 'readingIncomplete') draft.unmade.push({ key, group, target, reason: wish.reason })
      if (wish.silent !== true) hold(wish.reason)
      return
    case 'absent':
      if (here.length > 0 && incomplete !== undefined) hold(incomplete)
      else
        for (const { id, role } of here)
          add({ key, group, target, because, action: 'delete', mapping: id, before: role, why: wish.why }, draft, options)
      return
    case 'role':
      if (here.length > 0) compare(key, wish, here, draft, options)
      else if (incomplete !== undefined) hold(incomplete)
      else draft.missing.push([key, wish])
      return
    default:
      wish satisfies never
  }
}

type Grant = Extract<Wish, { want: 'role' }>

const granting = (key: Key, { group, target, because, role, allowProtected, people }: Grant) => ({
  ...{ key, group, target, because, role, allowProtected },
  ...(people === undefined ? {} : { people }),
})

function make(key: Key, wish: Grant, draft: Draft, workspace: WorkspaceName, wishes: Wishes, options: DiffOptions): void {
  const { group, target, because } = wish
  const old = predecessor(wish, workspace, { ...draft, wishes })
  if (old === undefined) add({ ...granting(key, wish), action: 'create' }, draft, options)
  else if (typeof old === 'string') {
    mayTake(key, wish, workspace, draft.renames)
    const reason: HoldReason = { kind: 'requires', key: old }
    draft.holds.push({ key, group, target, because, reason })
    draft.unmade.push({ key, group, target, reason })
  } else {
    draft.renames.taken.add(old.id)
    const from = { mapping: old.id, from: old.key, fromGroup: old.group, before: old.role }
    add({ ...granting(key, wish), action: 'rename', ...from }, draft, options)
  }
}

function compare(key: Key, wish: Grant, here: readonly Mapping[], draft: Draft, options: DiffOptions): void {
  const list = listOf(wish.target)
  const like = (has: Role) => likeness(wish.role, has, options.echoes[list] ?? {}, options.roles)
  const kept = here.find(({ role }) => like(role) !== 'other') ?? here[0]
  const mayDelete = options.policy === 'sync' && draft.incomplete.get(list) === undefined
  if (here.length > 1) draft.findings.push(duplicateFinding(key, here, options.policy))
  for (const mapping of here) {
    const { id, role: before } = mapping
    const { group, target, because } = wish
    if (mapping !== kept && mayDelete) {
      add({ key, group, target, because, action: 'delete', mapping: id, before, why: 'duplicate' }, draft, options)
      continue
    }
    const similar = like(before)
    if (similar === 'echoed' || similar === 'echoedHigher') draft.findings.push(echoFinding(key, wish.role, before))
    if (similar === 'echoedHigher')
      draft.holds.push({ key, group, target, because, reason: { kind: 'roleEchoed', sent: wish.role, echoed: before } })
    else if (similar === 'other') add({ ...granting(key, wish), action: 'patch', mapping: id, before }, draft, options)
    else draft.unchanged++
  }
}

function undeclared({ id: mapping, key, group, target, role }: Mapping, draft: Draft, options: DiffOptions): void {
  const kept = keptUndeclared({ key, group, target }, { ...draft, heirs: draft.renames.heirs }, options.policy)
  if (kept !== undefined) draft.holds.push({ key, group, target, ...kept })
  else add({ key, group, target, action: 'delete', mapping, before: role, why: 'undeclared' }, draft, options)
}
